//! The columns of the lead grid: order, widths, sort keys, cells, and values in the CSV export.

use lead_workspace_api::LeadSort;

use super::spec::{Column, ColumnSet, ColumnSetSpec, ColumnSpec, specs};
use crate::app::model::lead::LeadItem;

/// What the cells of a column show.
#[derive(Clone, Copy)]
pub enum LeadCell {
    /// The name, with a link to the profile.
    Name,
    Text(fn(&LeadItem) -> Option<&str>),
    Date(fn(&LeadItem) -> Option<&str>),
    /// The ICP score, with its reasoning as a tooltip.
    Score,
    /// The approval status. The row with the cursor or the pointer has buttons instead.
    Status,
}

const fn column(
    sort: LeadSort,
    label: &'static str,
    min_width: u32,
    flex: u32,
    cell: LeadCell,
) -> Column<LeadCell> {
    let spec = ColumnSpec::new(sort.as_str(), label, min_width, flex).sortable();
    let spec = match cell {
        LeadCell::Name | LeadCell::Status => spec.always_visible(),
        LeadCell::Score => spec.number(),
        LeadCell::Text(_) | LeadCell::Date(_) => spec,
    };
    Column { spec, cell }
}

/// In the default order. The status column is as wide as the two buttons.
pub const LEAD_COLUMNS: [Column<LeadCell>; 9] = {
    use LeadCell::{Date, Name, Score, Status, Text};
    [
        column(LeadSort::Name, "Name", 168, 125, Name),
        column(
            LeadSort::Title,
            "Title",
            150,
            140,
            Text(|lead| lead.title.as_deref()),
        ),
        column(
            LeadSort::Company,
            "Company",
            120,
            105,
            Text(|lead| lead.company.as_deref()),
        ),
        column(
            LeadSort::Industry,
            "Industry",
            78,
            100,
            Text(|lead| lead.industry.as_deref()),
        ),
        column(
            LeadSort::Location,
            "Location",
            78,
            100,
            Text(|lead| lead.location.as_deref()),
        ),
        column(LeadSort::IcpScore, "ICP score", 80, 0, Score),
        column(
            LeadSort::IcpTier,
            "ICP tier",
            56,
            0,
            Text(|lead| lead.tier.as_deref()),
        ),
        column(
            LeadSort::CreatedAt,
            "Created",
            96,
            0,
            Date(|lead| lead.created.as_deref()),
        ),
        column(LeadSort::ApprovalStatus, "Status", 140, 0, Status),
    ]
};

pub const LEAD_COLUMN_SET: ColumnSet = &ColumnSetSpec {
    columns: &specs(&LEAD_COLUMNS),
    gap: 12,
    optional: &[
        LeadSort::CreatedAt.as_str(),
        LeadSort::Location.as_str(),
        LeadSort::Industry.as_str(),
        LeadSort::IcpTier.as_str(),
        LeadSort::Company.as_str(),
    ],
    optional_beside_details: &[LeadSort::Title.as_str(), LeadSort::IcpScore.as_str()],
};
