//! Which rows of a long list are in the page, and where they stand.
//!
//! Every row has the same height, so that a million rows need no more elements than fit the screen.
//! Browsers lay out nothing taller than some millions of pixels; beyond [`TALLEST`] the scrollbar
//! maps onto the list: short moves go pixel by pixel, long ones in proportion. Cards, at which a browser
//! snaps, must stand where their numbers say: there the body is a stretch of the list, and another one
//! near its ends.

use std::ops::Range;

/// The tallest body that is laid out as it is, in pixels: below the limits of all browsers.
pub const TALLEST: f64 = 8_000_000.0;

/// The most rows that are in the page at once.
pub const MOST: u64 = 60;

/// Rows drawn beyond each edge of the view, while there is room for them.
const BEYOND: u64 = 8;

/// So near the end of a stretch, in rows, another one is taken where the list goes on.
const NEAR: u64 = 100;

/// The view onto a list. Lengths are pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    total: u64,
    row: f64,
    view: f64,
    /// Where the view begins in the list, were it laid out in full.
    top: f64,
    /// Where the scrollbar stands.
    scroll: f64,
    /// Whether the body is a stretch of the list where it cannot be all of it.
    in_stretches: bool,
    /// The first row of the stretch.
    first: u64,
}

impl Default for Window {
    fn default() -> Self {
        Self {
            total: 0,
            row: 40.0,
            view: 0.0,
            top: 0.0,
            scroll: 0.0,
            in_stretches: false,
            first: 0,
        }
    }
}

impl Window {
    /// The view onto a list of cards.
    pub fn of_cards() -> Self {
        Self {
            in_stretches: true,
            ..Self::default()
        }
    }

    /// How many rows the body has.
    fn stretch(&self) -> u64 {
        match self.in_stretches {
            true => self.total.min((TALLEST / self.row) as u64),
            false => self.total,
        }
    }

    /// Where the scrollbar stands.
    pub fn scrollbar(&self) -> f64 {
        self.scroll
    }

    /// The first row of the body. Another one moves all rows, and the scrollbar with them.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Takes another stretch where the list goes on beyond the end of this one that a row is near to.
    fn take_stretch(&mut self, row: u64) {
        let rows = self.stretch();
        let (end, last) = (self.first + rows, self.total - rows);
        let above = self.first > 0 && row < self.first + NEAR;
        let below = end < self.total && row + NEAR >= end;
        if above || below || self.first > last {
            self.first = row.saturating_sub(rows / 2).min(last);
        }
    }

    /// The height of the list, were it laid out in full.
    fn length(&self) -> f64 {
        self.total as f64 * self.row
    }

    /// The height of the body that the scrollbar spans.
    pub fn height(&self) -> f64 {
        (self.stretch() as f64 * self.row).min(TALLEST)
    }

    /// How far the view can go down the list.
    fn deepest(&self) -> f64 {
        (self.length() - self.view).max(0.0)
    }

    /// How far the scrollbar can go.
    fn furthest(&self) -> f64 {
        (self.height() - self.view).max(0.0)
    }

    fn is_mapped(&self) -> bool {
        !self.in_stretches && self.length() > TALLEST
    }

    /// How many rows the list has.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Height of a row.
    pub fn row(&self) -> f64 {
        self.row
    }

    /// The list has another length, the rows or the view another height. The first row in view stays
    /// it, as far as the list goes. Gives where the scrollbar must stand.
    pub fn resize(&mut self, total: u64, row: f64, view: f64) -> f64 {
        let first = self.top / self.row;
        (self.total, self.row, self.view) = (total, row.max(1.0), view.max(0.0));
        self.go(first * self.row)
    }

    /// Will begin at a row, once it is known how long the list is.
    pub fn begin(&mut self, index: u64) {
        self.top = index as f64 * self.row;
    }

    /// The scrollbar was moved. Gives where it must stand instead, if it must.
    pub fn scrolled(&mut self, to: f64) -> Option<f64> {
        let by = to - self.scroll;
        self.scroll = to;
        if !self.is_mapped() {
            let before = self.first;
            self.top = within(before as f64 * self.row + to, self.deepest());
            self.take_stretch((self.top / self.row) as u64);
            return (self.first != before).then(|| self.go(self.top));
        }
        if to <= 0.0 || to >= self.furthest() || by.abs() > 2.0 * self.view {
            self.top = self.mapped(to);
            return None;
        }
        let top = self.top + by;
        self.top = within(top, self.deepest());
        // At an end of the list the scrollbar goes to its own end, else the way back is longer
        // than the way there was.
        (top <= 0.0 || top >= self.deepest()).then(|| self.go(self.top))
    }

    fn mapped(&self, scroll: f64) -> f64 {
        let part = scroll / self.furthest().max(1.0);
        within(part * self.deepest(), self.deepest())
    }

    /// Goes to a place in the list. Gives where the scrollbar must stand.
    fn go(&mut self, top: f64) -> f64 {
        self.top = within(top, self.deepest());
        self.scroll = if self.is_mapped() {
            self.top / self.deepest().max(1.0) * self.furthest()
        } else {
            self.take_stretch((self.top / self.row) as u64);
            self.top - self.first as f64 * self.row
        };
        self.scroll
    }

    /// Goes to the first row.
    pub fn to_top(&mut self) -> f64 {
        self.go(0.0)
    }

    /// Brings a row into view by the shortest way. Gives where the scrollbar must stand, unless the
    /// row is in view already.
    pub fn reveal(&mut self, index: u64) -> Option<f64> {
        let begin = index as f64 * self.row;
        let end = begin + self.row;
        if begin < self.top {
            Some(self.go(begin))
        } else if end > self.top + self.view {
            Some(self.go(end - self.view))
        } else {
            None
        }
    }

    /// The rows that are in view, wholly or in part.
    pub fn seen(&self) -> Range<u64> {
        let first = ((self.top / self.row) as u64).min(self.total);
        let end = ((self.top + self.view) / self.row).ceil() as u64;
        first..end.clamp(first, self.total)
    }

    /// The rows to have in the page: those in view and some beyond, never more than [`MOST`].
    pub fn drawn(&self) -> Range<u64> {
        let seen = self.seen();
        let room = MOST.saturating_sub(seen.end - seen.start) / 2;
        let beyond = room.min(BEYOND);
        let first = seen.start.saturating_sub(beyond).max(self.first);
        let end = (seen.end + beyond).min(self.first + self.stretch());
        first..end.min(first + MOST)
    }

    /// Where a row begins in the body, so that it stands right for the scrollbar.
    pub fn place(&self, index: u64) -> f64 {
        index as f64 * self.row - self.top + self.scroll
    }
}

/// A length from none to the most. `f64::clamp` would bring the words for floats along.
fn within(length: f64, most: f64) -> f64 {
    length.min(most).max(0.0)
}
