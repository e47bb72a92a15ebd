//! Virtual scrolling: which rows of a long list are in the DOM, and where.
//!
//! All rows have the same height, so that a million rows need no more elements than fit the screen.
//! Browsers cannot lay out elements that are higher than some million pixels. Beyond [`MAX_HEIGHT`]
//! the scrollbar is mapped to the list: short moves scroll pixel by pixel, long ones in proportion.
//! Cards must be at their exact positions, because they use scroll snapping. There the body is a
//! stretch of the list, which is replaced near its ends.

use std::ops::Range;

/// Maximum height of the body in pixels, below the limits of all browsers.
pub const MAX_HEIGHT: f64 = 8_000_000.0;

/// Maximum number of rows in the DOM.
pub const MAX_ROWS: u64 = 60;

/// Rows to render beyond each edge of the viewport, while there is room for them.
const OVERSCAN: u64 = 8;

/// Distance in rows from the end of a stretch at which another one is taken, if the list continues.
const STRETCH_MARGIN: u64 = 100;

/// Viewport of a list. Lengths are in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    total: u64,
    row: f64,
    view: f64,
    /// Start of the viewport in the whole list.
    top: f64,
    /// Position of the scrollbar.
    scroll: f64,
    /// Whether the body is a stretch of the list if it cannot be the whole list.
    in_stretches: bool,
    /// First row of the stretch.
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
    /// Creates the viewport of a list of cards.
    pub fn for_cards() -> Self {
        Self {
            in_stretches: true,
            ..Self::default()
        }
    }

    /// Returns the number of rows in the body.
    fn stretch(&self) -> u64 {
        match self.in_stretches {
            true => self.total.min((MAX_HEIGHT / self.row) as u64),
            false => self.total,
        }
    }

    pub fn scrollbar(&self) -> f64 {
        self.scroll
    }

    /// Returns the first row of the body. When it changes, all rows and the scrollbar move.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Takes another stretch if `row` is near the end of this one and the list continues there.
    fn take_stretch(&mut self, row: u64) {
        let rows = self.stretch();
        let (end, last) = (self.first + rows, self.total - rows);
        let above = self.first > 0 && row < self.first + STRETCH_MARGIN;
        let below = end < self.total && row + STRETCH_MARGIN >= end;
        if above || below || self.first > last {
            self.first = row.saturating_sub(rows / 2).min(last);
        }
    }

    /// Returns the height of the whole list.
    fn length(&self) -> f64 {
        self.total as f64 * self.row
    }

    /// Returns the height of the body, which the scrollbar spans.
    pub fn height(&self) -> f64 {
        (self.stretch() as f64 * self.row).min(MAX_HEIGHT)
    }

    /// Returns the last possible start of the viewport in the list.
    fn deepest(&self) -> f64 {
        (self.length() - self.view).max(0.0)
    }

    /// Returns the last possible position of the scrollbar.
    fn furthest(&self) -> f64 {
        (self.height() - self.view).max(0.0)
    }

    fn is_mapped(&self) -> bool {
        !self.in_stretches && self.length() > MAX_HEIGHT
    }

    pub fn total(&self) -> u64 {
        self.total
    }

    pub fn row(&self) -> f64 {
        self.row
    }

    /// Returns the heights of a row and of the viewport.
    pub fn heights(&self) -> (f64, f64) {
        (self.row, self.view)
    }

    /// Sets the length of the list and the heights of a row and of the viewport. The first visible
    /// row remains the same, if the list is long enough. Returns the position to give to the
    /// scrollbar.
    pub fn resize(&mut self, total: u64, row: f64, view: f64) -> f64 {
        let first = self.top / self.row;
        (self.total, self.row, self.view) = (total, row.max(1.0), view.max(0.0));
        self.scroll_to(first * self.row)
    }

    /// Sets the first visible row before the length of the list is known.
    pub fn begin(&mut self, index: u64) {
        self.top = index as f64 * self.row;
    }

    /// Handles a move of the scrollbar. Returns another position for it, if it needs one.
    pub fn scrolled(&mut self, to: f64) -> Option<f64> {
        let by = to - self.scroll;
        self.scroll = to;
        if !self.is_mapped() {
            let before = self.first;
            self.top = clamp(before as f64 * self.row + to, self.deepest());
            self.take_stretch((self.top / self.row) as u64);
            return (self.first != before).then(|| self.scroll_to(self.top));
        }
        if to <= 0.0 || to >= self.furthest() || by.abs() > 2.0 * self.view {
            self.top = self.mapped(to);
            return None;
        }
        let top = self.top + by;
        self.top = clamp(top, self.deepest());
        // At an end of the list, the scrollbar must be at its own end, too. Otherwise the way back
        // would be longer than the way there.
        (top <= 0.0 || top >= self.deepest()).then(|| self.scroll_to(self.top))
    }

    fn mapped(&self, scroll: f64) -> f64 {
        let part = scroll / self.furthest().max(1.0);
        clamp(part * self.deepest(), self.deepest())
    }

    /// Scrolls to a position in the list. Returns the position to give to the scrollbar.
    fn scroll_to(&mut self, top: f64) -> f64 {
        self.top = clamp(top, self.deepest());
        self.scroll = if self.is_mapped() {
            self.top / self.deepest().max(1.0) * self.furthest()
        } else {
            self.take_stretch((self.top / self.row) as u64);
            self.top - self.first as f64 * self.row
        };
        self.scroll
    }

    /// Scrolls to the first row. Returns the position to give to the scrollbar.
    pub fn to_top(&mut self) -> f64 {
        self.scroll_to(0.0)
    }

    /// Scrolls by the shortest distance that makes a row visible. Returns the position to give to
    /// the scrollbar; `None` if the row is already visible.
    pub fn reveal(&mut self, index: u64) -> Option<f64> {
        let begin = index as f64 * self.row;
        let end = begin + self.row;
        if begin < self.top {
            Some(self.scroll_to(begin))
        } else if end > self.top + self.view {
            Some(self.scroll_to(end - self.view))
        } else {
            None
        }
    }

    /// Returns the rows that are visible, fully or partly.
    pub fn seen(&self) -> Range<u64> {
        let first = ((self.top / self.row) as u64).min(self.total);
        let end = ((self.top + self.view) / self.row).ceil() as u64;
        first..end.clamp(first, self.total)
    }

    /// Returns the rows to have in the DOM: the visible ones and some beyond, at most [`MAX_ROWS`].
    pub fn drawn(&self) -> Range<u64> {
        let seen = self.seen();
        let room = MAX_ROWS.saturating_sub(seen.end - seen.start) / 2;
        let beyond = room.min(OVERSCAN);
        let first = seen.start.saturating_sub(beyond).max(self.first);
        let end = (seen.end + beyond).min(self.first + self.stretch());
        first..end.min(first + MAX_ROWS)
    }

    /// Returns the position of a row in the body, given the position of the scrollbar.
    pub fn top_of(&self, index: u64) -> f64 {
        index as f64 * self.row - self.top + self.scroll
    }
}

/// Limits a length to the range from 0 to `most`. `f64::clamp` would add the code that formats
/// floats.
fn clamp(length: f64, most: f64) -> f64 {
    length.min(most).max(0.0)
}
