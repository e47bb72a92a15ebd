//! The columns of the account grid: order, widths, sort keys and cells.

use lead_workspace_api::AccountSort;

use super::spec::{Column, ColumnSet, ColumnSetSpec, ColumnSpec, specs};
use crate::app::model::account::AccountItem;

/// What the cells of a column show.
#[derive(Clone, Copy)]
pub enum AccountCell {
    /// Tier, ICP score, and the part of the score that lost most points.
    Fit,
    /// The name, with a link to the company's page.
    Name,
    /// The number of leads, and how many of them are approved if it is known.
    Leads,
    Text(fn(&AccountItem) -> Option<&str>),
    Date(fn(&AccountItem) -> Option<&str>),
    /// The ICP score, with its reasoning as a tooltip.
    Score,
}

const fn sortable(
    sort: AccountSort,
    label: &'static str,
    min_width: u32,
    flex: u32,
    cell: AccountCell,
) -> Column<AccountCell> {
    let spec = ColumnSpec::new(sort.as_str(), label, min_width, flex).sorted_by(sort.as_str());
    Column { spec, cell }
}

/// Returns a column that is hidden until the user shows it.
const fn hidden(column: Column<AccountCell>) -> Column<AccountCell> {
    Column {
        spec: column.spec.hidden(),
        ..column
    }
}

const TAGLINE: &str = "tagline";

/// In the default order.
pub const ACCOUNT_COLUMNS: [Column<AccountCell>; 10] = {
    use AccountCell::{Date, Fit, Leads, Name, Score, Text};
    let fit = ColumnSpec::new("fit", "Fit", 112, 0).sorted_by(AccountSort::IcpScore.as_str());
    let name = sortable(AccountSort::Name, "Name", 220, 150, Name);
    let score = sortable(AccountSort::IcpScore, "ICP score", 100, 0, Score);
    [
        Column {
            spec: fit.compact(52),
            cell: Fit,
        },
        Column {
            spec: name.spec.compact(190).always_visible(),
            ..name
        },
        sortable(
            AccountSort::Industry,
            "Industry",
            136,
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
            136,
            110,
            Text(|account| account.location.as_deref()),
        ),
        sortable(AccountSort::LeadCount, "Leads", 142, 0, Leads),
        hidden(Column {
            spec: score.spec.number(),
            ..score
        }),
        hidden(Column {
            spec: ColumnSpec::new("icp_tier", "ICP tier", 58, 0),
            cell: Text(|account| account.tier.as_deref()),
        }),
        hidden(sortable(
            AccountSort::CreatedAt,
            "Created",
            94,
            0,
            Date(|account| account.created.as_deref()),
        )),
        hidden(Column {
            spec: ColumnSpec::new(TAGLINE, "Tagline", 150, 130),
            cell: Text(|account| account.tagline.as_deref()),
        }),
    ]
};

pub const ACCOUNT_COLUMN_SET: ColumnSet = &ColumnSetSpec {
    columns: &specs(&ACCOUNT_COLUMNS),
    gap: 12,
    optional: &[
        TAGLINE,
        AccountSort::CreatedAt.as_str(),
        AccountSort::Location.as_str(),
        AccountSort::StaffCountRange.as_str(),
        AccountSort::Industry.as_str(),
    ],
    swapped: None,
    has_added: false,
    optional_beside_details: &["icp_tier", AccountSort::LeadCount.as_str()],
};
