//! Columns of a grid: which are shown, their order, their widths, and which are pinned.

pub use self::column_sets::{ACCOUNTS, LEADS};

mod column_sets;

/// Minimum width of a column in pixels.
pub const NARROWEST: u32 = 48;

/// Maximum width of a column in pixels.
pub const WIDEST: u32 = 800;

/// Definition of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnSpec {
    /// Name in the API and in storage; must never change.
    pub id: &'static str,
    /// Text of the header.
    pub label: &'static str,
    /// Minimum width in pixels, unless the user chose a width.
    pub least: u32,
    /// Share of the remaining width, in hundredths; 0 if the column does not grow.
    pub share: u32,
    /// Whether it cannot be hidden.
    pub needed: bool,
}

/// Column set of a grid. It has columns that can be arranged, in default order, and fixed ones
/// before them.
#[derive(Debug, PartialEq, Eq)]
pub struct ColumnSetSpec {
    pub columns: &'static [ColumnSpec],
    /// Widths of the fixed columns before them, in pixels.
    pub before: &'static [u32],
    /// Gap between two columns, in pixels.
    pub gap: u32,
    /// Columns to leave out if there is no room for all, in this order.
    pub spare: &'static [&'static str],
    /// Further columns to leave out while the details are open, because the details show the same.
    pub spare_beside: &'static [&'static str],
}

pub type ColumnSet = &'static ColumnSetSpec;

/// Padding before the first and after the last column of a row, in pixels.
const EDGE: u32 = 16;

/// A column that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedColumn {
    pub id: &'static str,
    /// Width in pixels, if the user chose one.
    pub width: Option<u32>,
    /// Whether it remains visible while the others are scrolled.
    pub pinned: bool,
}

/// A cell of a row at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellSlot {
    /// Index in the default order, fixed columns included.
    pub cell: usize,
    /// If it remains visible while scrolling: its distance from the left edge, in pixels.
    pub left: Option<u32>,
}

/// A column as arranged by the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrangedColumn {
    pub spec: &'static ColumnSpec,
    /// Width in pixels, if the user chose one.
    pub width: Option<u32>,
    /// Whether it remains visible while the others are scrolled.
    pub pinned: bool,
    pub hidden: bool,
    /// Whether it is left out because there is no room.
    folded: bool,
}

impl ArrangedColumn {
    /// Returns the width in pixels, or the minimum width if the column grows.
    pub fn pixels(&self) -> u32 {
        self.width.unwrap_or(self.spec.least)
    }

    /// Returns the share of the remaining width; `None` if the width is fixed. Pinned columns need
    /// a fixed width.
    fn share(&self) -> Option<u32> {
        let grows = self.width.is_none() && !self.pinned && self.spec.share > 0;
        grows.then_some(self.spec.share)
    }
}

/// Arrangement of a grid's columns: pinned ones first, each group in the user's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    sheet: ColumnSet,
    all: Vec<ArrangedColumn>,
}

impl Columns {
    /// Returns the default arrangement.
    pub fn usual(sheet: ColumnSet) -> Self {
        let all = sheet.columns.iter().map(|spec| ArrangedColumn {
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

    /// Reads text such as `name*.title-220.-company`. The columns are in order; `*` means pinned, a
    /// number is the width, and a leading `-` means hidden. Unknown and invalid parts are ignored.
    /// Missing columns are appended.
    pub fn of(sheet: ColumnSet, text: &str) -> Self {
        let usual = Self::usual(sheet);
        let mut all: Vec<ArrangedColumn> = Vec::with_capacity(sheet.columns.len());
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
            all.push(ArrangedColumn {
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

    /// Returns the text for [`of`](Self::of); empty for the default arrangement.
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

    /// Returns all columns, including hidden ones.
    pub fn all(&self) -> &[ArrangedColumn] {
        &self.all
    }

    /// Returns the columns that are shown, in order.
    pub fn placed(&self) -> Vec<PlacedColumn> {
        let placed = self.shown_ones().map(|column| PlacedColumn {
            id: column.spec.id,
            width: column.width,
            pinned: column.pinned,
        });
        placed.collect()
    }

    /// Returns the cells of a row in order, including the fixed columns. The fixed columns remain
    /// visible on the left if any column is pinned.
    pub fn slots(&self) -> Vec<CellSlot> {
        let ColumnSetSpec {
            columns,
            before,
            gap,
            ..
        } = self.sheet;
        let pins = self.shown_ones().any(|column| column.pinned);
        let mut left = EDGE;
        let mut slots = Vec::new();
        for (cell, width) in before.iter().enumerate() {
            slots.push(CellSlot {
                cell,
                left: pins.then_some(left),
            });
            left += width + gap;
        }
        for column in self.shown_ones() {
            let at = columns.iter().position(|spec| spec == column.spec);
            slots.push(CellSlot {
                cell: before.len() + at.unwrap_or_default(),
                left: column.pinned.then_some(left),
            });
            left += column.pixels() + gap;
        }
        slots
    }

    /// Returns the value of `grid-template-columns`, and the minimum width of a row in pixels.
    pub fn tracks(&self) -> (String, u32) {
        let ColumnSetSpec { before, gap, .. } = self.sheet;
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
        // If no other column grows, the last one takes the remaining width.
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

    fn shown_ones(&self) -> impl Iterator<Item = &ArrangedColumn> {
        let all = self.all.iter();
        all.filter(|column| !column.hidden && !column.folded)
    }

    /// Leaves columns out of the default arrangement until it fits into `room` pixels. `beside` is
    /// whether the details are open. The sort column is left out last. Columns that the user
    /// arranged all remain, and any new arrangement starts with all columns.
    #[must_use]
    pub fn fitting(self, room: u32, sorted: &str, beside: bool) -> Self {
        let mut new = self;
        let ColumnSetSpec {
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

    /// Shows or hides a column. Columns that are needed remain visible.
    #[must_use]
    pub fn shown(&self, id: &str, show: bool) -> Self {
        self.with(id, |column| {
            column.hidden = !show && !column.spec.needed;
        })
    }

    /// Pins a column after the ones that are already pinned, or unpins it.
    #[must_use]
    pub fn pinned(&self, id: &str, pinned: bool) -> Self {
        self.with(id, |column| column.pinned = pinned)
    }

    /// Sets the width of a column in pixels, or the default width.
    #[must_use]
    pub fn sized(&self, id: &str, width: Option<u32>) -> Self {
        self.with(id, |column| column.width = width.map(sound))
    }

    /// Whether a column can move one position within its group, pinned or not.
    pub fn can_move(&self, id: &str, down: bool) -> bool {
        self.neighbour(id, down).is_some()
    }

    /// Moves a column one position up (to the left) or down.
    #[must_use]
    pub fn moved(&self, id: &str, down: bool) -> Self {
        let mut new = self.clone();
        if let Some((at, other)) = self.neighbour(id, down) {
            new.all.swap(at, other);
        }
        new
    }

    /// Moves a column to the position of another one. It is pinned if the other one is.
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

    fn with(&self, id: &str, change: impl FnOnce(&mut ArrangedColumn)) -> Self {
        let mut new = self.clone();
        if let Some(at) = self.at(id) {
            change(&mut new.all[at]);
        }
        new.settled()
    }

    /// Puts pinned columns first, in unchanged order otherwise. Shows all columns that were left
    /// out.
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
