//! The columns of the account grid: order, widths, sort keys and cells.

use lead_workspace_api::AccountSort;

use super::spec::{Column, ColumnSet, ColumnSetSpec, ColumnSpec, specs};
use crate::app::model::account::AccountItem;

/// What the cells of a column show.
#[derive(Clone, Copy)]
pub enum AccountCell {
    /// The name, with a link to the company's page.
    Name,
    Text(fn(&AccountItem) -> Option<&str>),
    Date(fn(&AccountItem) -> Option<&str>),
    Count(fn(&AccountItem) -> Option<u64>),
    /// The ICP score, with its reasoning as a tooltip.
    Score,
}

const fn plain(
    id: &'static str,
    label: &'static str,
    min_width: u32,
    flex: u32,
    cell: AccountCell,
) -> Column<AccountCell> {
    let spec = ColumnSpec::new(id, label, min_width, flex);
    let spec = match cell {
        AccountCell::Name => spec.always_visible(),
        AccountCell::Count(_) | AccountCell::Score => spec.number(),
        AccountCell::Text(_) | AccountCell::Date(_) => spec,
    };
    Column { spec, cell }
}

const fn sortable(
    sort: AccountSort,
    label: &'static str,
    min_width: u32,
    flex: u32,
    cell: AccountCell,
) -> Column<AccountCell> {
    let column = plain(sort.as_str(), label, min_width, flex, cell);
    Column {
        spec: column.spec.sorted_by(sort.as_str()),
        ..column
    }
}

/// In the default order.
pub const ACCOUNT_COLUMNS: [Column<AccountCell>; 9] = {
    use AccountCell::{Count, Date, Name, Score, Text};
    [
        sortable(AccountSort::Name, "Name", 190, 150, Name),
        sortable(
            AccountSort::Industry,
            "Industry",
            126,
            110,
            Text(|account| account.industry.as_deref()),
        ),
        sortable(
            AccountSort::StaffCountRange,
            "Size",
            92,
            0,
            Text(|account| account.size.as_deref()),
        ),
        sortable(
            AccountSort::Location,
            "Location",
            126,
            110,
            Text(|account| account.location.as_deref()),
        ),
        sortable(
            AccountSort::LeadCount,
            "Leads",
            60,
            0,
            Count(|account| account.leads),
        ),
        sortable(AccountSort::IcpScore, "ICP score", 100, 0, Score),
        plain(
            "icp_tier",
            "ICP tier",
            58,
            0,
            Text(|account| account.tier.as_deref()),
        ),
        sortable(
            AccountSort::CreatedAt,
            "Created",
            94,
            0,
            Date(|account| account.created.as_deref()),
        ),
        plain(
            "tagline",
            "Tagline",
            150,
            130,
            Text(|account| account.tagline.as_deref()),
        ),
    ]
};

pub const ACCOUNT_COLUMN_SET: ColumnSet = &ColumnSetSpec {
    columns: &specs(&ACCOUNT_COLUMNS),
    gap: 16,
    optional: &[
        "tagline",
        AccountSort::CreatedAt.as_str(),
        AccountSort::Location.as_str(),
        AccountSort::StaffCountRange.as_str(),
        AccountSort::Industry.as_str(),
    ],
    optional_beside_details: &["icp_tier", AccountSort::LeadCount.as_str()],
};
