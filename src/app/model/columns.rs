//! Columns of a grid: which are shown, their order, their widths, and which are pinned.

pub use self::account_columns::{ACCOUNT_COLUMN_SET, ACCOUNT_COLUMNS, AccountCell};
pub use self::lead_columns::{LEAD_COLUMN_SET, LEAD_COLUMNS, LIKELY, LeadCell, STATUS};

pub use self::added::{AddedColumns, AddedSpec};
pub use self::slots::CellSlot;
pub use self::spec::{Column, ColumnSet, ColumnSetSpec, ColumnSource, ColumnSpec};

mod account_columns;
mod added;
mod lead_columns;
mod slots;
mod spec;
mod swapped;

/// Minimum width of a column in pixels.
pub const MIN_WIDTH: u32 = 48;

/// Maximum width of a column in pixels.
pub const MAX_WIDTH: u32 = 800;

/// Maximum number of added columns in a text: more would only slow the list down.
const MAX_ADDED: usize = 64;

/// Width of the checkbox before the columns, in pixels.
const CHECKBOX_WIDTH: u32 = 18;

/// Padding before the first and after the last column of a row, in pixels.
const EDGE: u32 = 16;

/// A column as arranged by the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrangedColumn {
    pub spec: &'static ColumnSpec,
    /// Width in pixels, if the user chose one.
    pub width: Option<u32>,
    /// Whether it remains visible while the others are scrolled.
    pub pinned: bool,
    pub hidden: bool,
    /// Whether the user chose that a [swapped](ColumnSetSpec::swapped) column is shown or hidden. Otherwise the list does.
    chosen: bool,
    /// Whether it is hidden because there is no room.
    auto_hidden: bool,
    /// Minimum width in pixels, unless the user chose a width.
    min_width: u32,
}

impl ArrangedColumn {
    fn new(spec: &'static ColumnSpec) -> Self {
        Self {
            spec,
            width: None,
            pinned: false,
            hidden: spec.hidden,
            chosen: false,
            auto_hidden: false,
            min_width: spec.min_width,
        }
    }

    /// Returns the width in pixels, or the minimum width if the column grows.
    pub fn pixels(&self) -> u32 {
        self.width.unwrap_or(self.min_width)
    }

    /// Returns the share of the remaining width; `None` if the width is fixed. Pinned columns need
    /// a fixed width.
    fn flex(&self) -> Option<u32> {
        let grows = self.width.is_none() && !self.pinned && self.spec.flex > 0;
        grows.then_some(self.spec.flex)
    }
}

/// Arrangement of a grid's columns: pinned ones first, each group in the user's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    set: ColumnSet,
    all: Vec<ArrangedColumn>,
    /// Whether the second of the swapped columns takes the place of the first one, as far as the user did not choose.
    swaps: bool,
    /// The columns of the host page.
    host: Vec<&'static ColumnSpec>,
}

impl Columns {
    /// Returns the default arrangement.
    pub fn initial(set: ColumnSet) -> Self {
        let all = set.columns.iter().map(ArrangedColumn::new);
        Self {
            set,
            all: all.collect(),
            swaps: false,
            host: Vec::new(),
        }
    }

    /// Whether the user arranged nothing.
    pub fn is_initial(&self) -> bool {
        let initial = Self::initial(self.set).with_host(&self.host);
        *self == initial.in_list(self.swaps)
    }

    /// Reads text such as `name*.title-220.-company`. The columns are in order; `*` means pinned, a
    /// number is the width, a leading `-` means hidden, and a leading `_` that the list decides. Unknown and invalid parts are ignored.
    /// Missing columns are appended, shown or hidden as by default. Added columns are those that the text names.
    pub fn from_text(set: ColumnSet, text: &str) -> Self {
        let initial = Self::initial(set);
        let mut added = 0;
        let mut all: Vec<ArrangedColumn> = Vec::with_capacity(set.columns.len());
        for word in text.split('.') {
            let (chosen, word) = match word.strip_prefix('_') {
                Some(word) => (false, word),
                None => (true, word),
            };
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
            let known = initial.all.iter().find(|column| column.spec.id == id);
            let known = known.copied().or_else(|| {
                let spec =
                    (set.has_added && added < MAX_ADDED).then(|| AddedSpec::from_text(id))??;
                added += 1;
                Some(ArrangedColumn::new(spec.spec()))
            });
            let Some(column) =
                known.filter(|column| all.iter().all(|other| other.spec.id != column.spec.id))
            else {
                continue;
            };
            all.push(ArrangedColumn {
                width: width.map(clamp_width),
                pinned,
                hidden: hidden && !column.spec.always_visible,
                chosen: chosen && set.swaps(id),
                ..column
            });
        }
        for column in &initial.all {
            if all.iter().all(|other| other.spec != column.spec) {
                all.push(*column);
            }
        }
        Self { all, ..initial }.normalized()
    }

    /// Returns the text for [`from_text`](Self::from_text); empty for the default arrangement.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        if self.is_initial() {
            return text;
        }
        for (number, column) in self.all.iter().enumerate() {
            if number > 0 {
                text.push('.');
            }
            if self.set.swaps(column.spec.id) && !column.chosen {
                text.push('_');
            } else if column.hidden {
                text.push('-');
            }
            text.push_str(&added::escaped(column.spec.id));
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

    /// Returns the value of `grid-template-columns`, and the minimum width of a row in pixels.
    pub fn tracks(&self) -> (String, u32) {
        let gap = self.set.gap;
        let mut tracks = [&CHECKBOX_WIDTH.to_string(), "px"].concat();
        let mut min_width = 2 * EDGE + CHECKBOX_WIDTH;
        let visible: Vec<_> = self.visible().collect();
        // If no other column grows, the last one takes the remaining width.
        let any_grows = visible.iter().any(|column| column.flex().is_some());
        for (index, column) in visible.iter().enumerate() {
            let pixels = column.pixels().to_string();
            let is_last = index + 1 == visible.len();
            let grows = !any_grows && is_last && !column.pinned;
            let track = match column.flex().or(grows.then_some(100)) {
                Some(flex) => [" minmax(", &pixels, "px, ", &flex.to_string(), "fr)"].concat(),
                None => [" ", &pixels, "px"].concat(),
            };
            tracks.push_str(&track);
            min_width += gap + column.pixels();
        }
        (tracks, min_width)
    }

    /// Returns the columns that are shown, in order.
    pub fn visible(&self) -> impl Iterator<Item = &ArrangedColumn> {
        let all = self.all.iter();
        all.filter(|column| !column.hidden && !column.auto_hidden)
    }

    /// Makes the columns of the default arrangement narrower and then hides some, until it fits into
    /// `room` pixels. `beside_details` is whether the details are open. The sort column stays.
    /// Columns that the user arranged all remain as they are, and any new arrangement starts with
    /// all columns.
    #[must_use]
    pub fn fitting(self, room: u32, sorted: &str, beside_details: bool) -> Self {
        let mut new = self;
        if new.tracks().1 <= room || !new.is_initial() {
            return new;
        }
        for column in &mut new.all {
            column.min_width = match beside_details {
                true => column.spec.width_beside_details,
                false => column.spec.compact_width,
            };
        }
        let ColumnSetSpec {
            optional,
            optional_beside_details,
            ..
        } = new.set;
        let beside_details = match beside_details {
            true => optional_beside_details,
            false => &[][..],
        };
        for id in optional.iter().chain(beside_details) {
            if new.tracks().1 <= room {
                break;
            }
            if let Some(at) = new.at(id) {
                let column = &mut new.all[at];
                column.auto_hidden = column.spec.sort != Some(sorted);
            }
        }
        new
    }

    /// Whether the columns are narrower than by default, for lack of room.
    pub fn is_compact(&self) -> bool {
        let mut all = self.all.iter();
        all.any(|column| column.min_width < column.spec.min_width)
    }

    /// Shows or hides a column. Columns that are needed remain visible. A column of the user's own data is added when it
    /// is first shown.
    #[must_use]
    pub fn shown(&self, id: &str, show: bool) -> Self {
        let mut new = self.clone();
        if show {
            new.add(id);
        }
        if self.set.swaps(id) {
            new.keep_swapped();
        }
        new.with(id, |column| {
            column.hidden = !show && !column.spec.always_visible;
            column.chosen = self.set.swaps(id);
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
        self.with(id, |column| column.width = width.map(clamp_width))
    }

    /// Sets the width of a column in pixels while its edge is dragged: no other column appears until that is done.
    #[must_use]
    pub fn dragged(&self, id: &str, width: u32) -> Self {
        let mut new = self.clone();
        if let Some(at) = self.at(id) {
            new.all[at].width = Some(clamp_width(width));
        }
        new
    }

    /// Whether a column can move one position within its group, pinned or not.
    pub fn can_move(&self, id: &str, down: bool) -> bool {
        self.neighbor(id, down).is_some()
    }

    /// Moves a column one position up (to the left) or down.
    #[must_use]
    pub fn moved(&self, id: &str, down: bool) -> Self {
        let mut new = self.clone();
        if let Some((at, other)) = self.neighbor(id, down) {
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
        new.normalized()
    }

    fn neighbor(&self, id: &str, down: bool) -> Option<(usize, usize)> {
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
        new.normalized()
    }

    /// Puts pinned columns first, in unchanged order otherwise. Columns that were narrower or hidden
    /// for lack of room are as by default.
    fn normalized(mut self) -> Self {
        for column in &mut self.all {
            column.auto_hidden = false;
            column.min_width = column.spec.min_width;
        }
        let (mut all, others): (Vec<_>, _) = self.all.into_iter().partition(|one| one.pinned);
        all.extend(others);
        self.all = all;
        self.swap();
        self
    }
}

fn clamp_width(width: u32) -> u32 {
    width.clamp(MIN_WIDTH, MAX_WIDTH)
}
