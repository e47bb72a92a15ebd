//! What is declared about a column, and about the columns of a grid together.

/// A column of a grid, with what its cells show.
#[derive(Clone, Copy)]
pub struct Column<Cell> {
    pub spec: ColumnSpec,
    pub cell: Cell,
}

/// Where the values of a column come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnSource {
    /// Fields that every lead or account has.
    Record,
    /// A key of the user's own data (`custom_data`).
    Custom,
    /// The host page.
    Host,
}

/// What all grids know of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnSpec {
    /// Name in the API and in storage; must never change.
    pub id: &'static str,
    pub source: ColumnSource,
    /// Text of the header.
    pub label: &'static str,
    /// Minimum width in pixels, unless the user chose a width.
    pub min_width: u32,
    /// Share of the remaining width, in hundredths; 0 if the column does not grow.
    pub flex: u32,
    /// Minimum width where there is no room for all columns, in pixels.
    pub compact_width: u32,
    /// Minimum width beside the details, if there is no room for all columns, in pixels.
    pub width_beside_details: u32,
    /// Sort key of a click on the header. `None` if the list cannot be sorted by the column.
    pub sort: Option<&'static str>,
    /// Whether it holds numbers, which are right-aligned.
    pub number: bool,
    /// Whether it cannot be hidden.
    pub always_visible: bool,
    /// Whether it is hidden until the user shows it.
    pub hidden: bool,
}

impl ColumnSpec {
    pub(super) const fn new(
        id: &'static str,
        label: &'static str,
        min_width: u32,
        flex: u32,
    ) -> Self {
        Self {
            id,
            source: ColumnSource::Record,
            label,
            min_width,
            flex,
            compact_width: min_width,
            width_beside_details: min_width,
            sort: None,
            number: false,
            always_visible: false,
            hidden: false,
        }
    }

    pub(super) const fn sorted_by(mut self, sort: &'static str) -> Self {
        self.sort = Some(sort);
        self
    }

    /// Sets the minimum width where there is no room for all columns.
    pub(super) const fn compact(mut self, width: u32) -> Self {
        self.compact_width = width;
        self.width_beside_details = width;
        self
    }

    pub(super) const fn beside_details(mut self, width: u32) -> Self {
        self.width_beside_details = width;
        self
    }

    pub(super) const fn hidden(mut self) -> Self {
        self.hidden = true;
        self
    }

    pub(super) const fn number(mut self) -> Self {
        self.number = true;
        self
    }

    pub(super) const fn always_visible(mut self) -> Self {
        self.always_visible = true;
        self
    }
}

/// The columns of a grid in default order. The checkbox is before them.
#[derive(Debug, PartialEq, Eq)]
pub struct ColumnSetSpec {
    pub columns: &'static [ColumnSpec],
    /// Gap between two columns, in pixels.
    pub gap: u32,
    /// Columns to leave out if there is no room for all, in this order.
    pub optional: &'static [&'static str],
    /// Further columns to leave out while the details are open, because the details show the same.
    pub optional_beside_details: &'static [&'static str],
    /// A column that says nothing in a list whose rows are all the same in it, and the one that takes its place there. One
    /// of them is always shown.
    pub swapped: Option<[&'static str; 2]>,
    /// Whether it can have columns of the user's own data and of a host page.
    pub has_added: bool,
}

impl ColumnSetSpec {
    /// Whether the list decides if a column is shown, unless the user did.
    pub(super) fn swaps(&self, id: &str) -> bool {
        self.swapped.iter().flatten().any(|swapped| *swapped == id)
    }
}

pub type ColumnSet = &'static ColumnSetSpec;

/// Returns the columns without their cells.
pub(super) const fn specs<Cell, const N: usize>(columns: &[Column<Cell>; N]) -> [ColumnSpec; N] {
    let mut specs = [columns[0].spec; N];
    let mut at = 1;
    while at < N {
        specs[at] = columns[at].spec;
        at += 1;
    }
    specs
}
