//! The columns of a grid: which, in which order, how wide, and which of them stay in sight.

mod sheets;

pub use self::sheets::{ACCOUNTS, LEADS};

/// The narrowest a column can be, in pixels.
pub const NARROWEST: u32 = 48;

/// The widest a column can be, in pixels.
pub const WIDEST: u32 = 800;

/// A column that a grid can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnSpec {
    /// Its name, on the wire and in what is kept; never changes.
    pub id: &'static str,
    /// The word on its header.
    pub label: &'static str,
    /// How wide it is at least, in pixels, while nobody chose a width.
    pub least: u32,
    /// Its share of what is left, in hundredths; 0 for a column that does not grow.
    pub share: u32,
    /// Whether the grid makes no sense without it.
    pub needed: bool,
}

/// The columns of a grid: those that can be arranged, in their usual order, and before them those
/// that stay where they are.
#[derive(Debug, PartialEq, Eq)]
pub struct SheetSpec {
    /// The columns that can be arranged.
    pub columns: &'static [ColumnSpec],
    /// The widths of those before them, in pixels.
    pub before: &'static [u32],
    /// What is between two columns, in pixels.
    pub gap: u32,
    /// The columns that are left out where there is no room for all, the first one first.
    pub spare: &'static [&'static str],
    /// Columns that are left out as well while the details are open, because the details show the same.
    pub spare_beside: &'static [&'static str],
}

/// The columns of a grid.
pub type Sheet = &'static SheetSpec;

/// What stands before the first column of a row and after the last one, in pixels.
const EDGE: u32 = 16;

/// A column that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedColumn {
    /// Which.
    pub id: &'static str,
    /// Its width in pixels, where somebody chose one.
    pub width: Option<u32>,
    /// Whether it stays in sight when the others are scrolled.
    pub pinned: bool,
}

/// A cell of a row, in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its number in the usual order.
    pub cell: usize,
    /// How far from the left it stays in sight, in pixels, where it does.
    pub left: Option<u32>,
}

/// A column as somebody arranged it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arranged {
    /// Which.
    pub spec: &'static ColumnSpec,
    /// Its width in pixels, where somebody chose one.
    pub width: Option<u32>,
    /// Whether it stays in sight when the others are scrolled.
    pub pinned: bool,
    /// Whether it is not shown.
    pub hidden: bool,
    /// Whether it is left out for want of room.
    folded: bool,
}

impl Arranged {
    /// How wide it is, in pixels; at least, where it grows.
    pub fn pixels(&self) -> u32 {
        self.width.unwrap_or(self.spec.least)
    }

    /// Its share of what is left; none where its width is settled, as that of a pinned one must be.
    fn share(&self) -> Option<u32> {
        let grows = self.width.is_none() && !self.pinned && self.spec.share > 0;
        grows.then_some(self.spec.share)
    }
}

/// The arrangement of a grid's columns: pinned ones first, each group in the person's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    sheet: Sheet,
    all: Vec<Arranged>,
}

impl Columns {
    /// The usual arrangement.
    pub fn usual(sheet: Sheet) -> Self {
        let all = sheet.columns.iter().map(|spec| Arranged {
            spec,
            width: None,
            pinned: false,
            hidden: false,
            folded: false,
        });
        Self {
            sheet,
            all: all.collect(),
        }
    }

    /// Reads e.g. `name*.title-220.-company`: the order, `*` for pinned, a width, `-` in front for
    /// hidden. What it does not understand it passes over; columns that are not named
    /// come last.
    pub fn of(sheet: Sheet, text: &str) -> Self {
        let usual = Self::usual(sheet);
        let mut all: Vec<Arranged> = Vec::with_capacity(sheet.columns.len());
        for word in text.split('.') {
            let (hidden, word) = match word.strip_prefix('-') {
                Some(word) => (true, word),
                None => (false, word),
            };
            let (word, width) = match word.split_once('-') {
                Some((word, width)) => (word, width.parse().ok()),
                None => (word, None),
            };
            let (pinned, id) = match word.strip_suffix('*') {
                Some(id) => (true, id),
                None => (false, word),
            };
            let known = usual.all.iter().find(|column| column.spec.id == id);
            let Some(column) = known.filter(|column| all.iter().all(|had| had.spec != column.spec))
            else {
                continue;
            };
            all.push(Arranged {
                width: width.map(sound),
                pinned,
                hidden: hidden && !column.spec.needed,
                ..*column
            });
        }
        for column in &usual.all {
            if all.iter().all(|had| had.spec != column.spec) {
                all.push(*column);
            }
        }
        Self { sheet, all }.settled()
    }

    /// As text for [`of`](Self::of); empty for the usual arrangement.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        if *self == Self::usual(self.sheet) {
            return text;
        }
        for (number, column) in self.all.iter().enumerate() {
            if number > 0 {
                text.push('.');
            }
            if column.hidden {
                text.push('-');
            }
            text.push_str(column.spec.id);
            if column.pinned {
                text.push('*');
            }
            if let Some(width) = column.width {
                text.push('-');
                text.push_str(&width.to_string());
            }
        }
        text
    }

    /// Every column, also those that are not shown.
    pub fn all(&self) -> &[Arranged] {
        &self.all
    }

    /// The columns that are shown, in their order.
    pub fn placed(&self) -> Vec<PlacedColumn> {
        let placed = self.shown_ones().map(|column| PlacedColumn {
            id: column.spec.id,
            width: column.width,
            pinned: column.pinned,
        });
        placed.collect()
    }

    /// The cells of a row in their places, those before the columns too. These stay in sight on
    /// the left where a column does.
    pub fn slots(&self) -> Vec<Slot> {
        let SheetSpec {
            columns,
            before,
            gap,
            ..
        } = self.sheet;
        let pins = self.shown_ones().any(|column| column.pinned);
        let mut left = EDGE;
        let mut slots = Vec::new();
        for (cell, width) in before.iter().enumerate() {
            slots.push(Slot {
                cell,
                left: pins.then_some(left),
            });
            left += width + gap;
        }
        for column in self.shown_ones() {
            let at = columns.iter().position(|spec| spec == column.spec);
            slots.push(Slot {
                cell: before.len() + at.unwrap_or_default(),
                left: column.pinned.then_some(left),
            });
            left += column.pixels() + gap;
        }
        slots
    }

    /// The widths of the cells for `grid-template-columns`, and how wide a row is at least, in pixels.
    pub fn tracks(&self) -> (String, u32) {
        let SheetSpec { before, gap, .. } = self.sheet;
        let mut tracks = String::new();
        let mut least = 2 * EDGE;
        let mut add = |track: &[&str], width: u32| {
            if !tracks.is_empty() {
                tracks.push(' ');
                least += gap;
            }
            track.iter().for_each(|part| tracks.push_str(part));
            least += width;
        };
        for width in *before {
            add(&[&width.to_string(), "px"], *width);
        }
        let shown: Vec<_> = self.shown_ones().collect();
        // When nothing else grows, the last one takes what is left.
        let grows = shown.iter().any(|column| column.share().is_some());
        for (at, column) in shown.iter().enumerate() {
            let width = column.pixels();
            let pixels = width.to_string();
            let last = !grows && at + 1 == shown.len() && !column.pinned;
            match column.share().or(last.then_some(100)) {
                Some(share) => add(
                    &["minmax(", &pixels, "px, ", &share.to_string(), "fr)"],
                    width,
                ),
                None => add(&[&pixels, "px"], width),
            }
        }
        (tracks, least)
    }

    fn shown_ones(&self) -> impl Iterator<Item = &Arranged> {
        let all = self.all.iter();
        all.filter(|column| !column.hidden && !column.folded)
    }

    /// The usual arrangement without what does not fit so many pixels, `beside` open details or not. The
    /// column that the list is sorted by goes last. Columns that a person arranged all stay, and any
    /// new arrangement starts with all columns.
    #[must_use]
    pub fn fitting(self, room: u32, sorted: &str, beside: bool) -> Self {
        let mut new = self;
        let SheetSpec {
            spare,
            spare_beside,
            ..
        } = new.sheet;
        let spare_beside = if beside { spare_beside } else { &[][..] };
        let is_usual = new == Self::usual(new.sheet);
        let all = spare.iter().chain(spare_beside).copied();
        let (last, first): (Vec<&str>, Vec<&str>) = all.partition(|id| *id == sorted);
        for id in first.into_iter().chain(last) {
            if new.tracks().1 <= room {
                break;
            }
            if let Some(at) = new.at(id) {
                new.all[at].folded |= is_usual;
            }
        }
        new
    }

    /// Shows or hides a column. The one that is needed stays.
    #[must_use]
    pub fn shown(&self, id: &str, show: bool) -> Self {
        self.with(id, |column| {
            column.hidden = !show && !column.spec.needed;
        })
    }

    /// Pins a column, behind those that are pinned already, or lets it go.
    #[must_use]
    pub fn pinned(&self, id: &str, pinned: bool) -> Self {
        self.with(id, |column| column.pinned = pinned)
    }

    /// Makes a column so many pixels wide, or as wide as usual.
    #[must_use]
    pub fn sized(&self, id: &str, width: Option<u32>) -> Self {
        self.with(id, |column| column.width = width.map(sound))
    }

    /// Whether a column can go one place up or down: only among its own, pinned or not.
    pub fn can_move(&self, id: &str, down: bool) -> bool {
        self.neighbour(id, down).is_some()
    }

    /// Moves a column one place up, to the left, or down.
    #[must_use]
    pub fn moved(&self, id: &str, down: bool) -> Self {
        let mut new = self.clone();
        if let Some((at, other)) = self.neighbour(id, down) {
            new.all.swap(at, other);
        }
        new
    }

    /// Puts a column where another one stands. It is pinned when the other one is.
    #[must_use]
    pub fn put(&self, id: &str, onto: &str) -> Self {
        let mut new = self.clone();
        if let (Some(from), Some(to)) = (self.at(id), self.at(onto)) {
            let pinned = new.all[to].pinned;
            let mut column = new.all.remove(from);
            column.pinned = pinned;
            new.all.insert(to, column);
        }
        new.settled()
    }

    fn neighbour(&self, id: &str, down: bool) -> Option<(usize, usize)> {
        let at = self.at(id)?;
        let other = if down { at + 1 } else { at.checked_sub(1)? };
        let same = self.all.get(other)?.pinned == self.all[at].pinned;
        same.then_some((at, other))
    }

    fn at(&self, id: &str) -> Option<usize> {
        self.all.iter().position(|column| column.spec.id == id)
    }

    fn with(&self, id: &str, change: impl FnOnce(&mut Arranged)) -> Self {
        let mut new = self.clone();
        if let Some(at) = self.at(id) {
            change(&mut new.all[at]);
        }
        new.settled()
    }

    /// Pinned columns first; the order within stays.
    fn settled(mut self) -> Self {
        for column in &mut self.all {
            column.folded = false;
        }
        let (mut all, others): (Vec<_>, _) = self.all.into_iter().partition(|one| one.pinned);
        all.extend(others);
        self.all = all;
        self
    }
}

fn sound(width: u32) -> u32 {
    width.clamp(NARROWEST, WIDEST)
}
