//! The columns of the lead grid: order, widths, sort keys, cells, and values in the CSV export.

use lead_workspace_api::LeadSort;

use super::spec::{Column, ColumnSet, ColumnSetSpec, ColumnSpec, specs};
use crate::app::model::lead::LeadItem;

/// What the cells of a column show.
#[derive(Clone, Copy)]
pub enum LeadCell {
    /// Tier and ICP score. Not exported, because score and tier are.
    Fit,
    /// The name, with a link to the profile.
    Name,
    /// Age and words of the latest intent event. Not exported: the age is relative to now.
    Signal,
    /// The initials and the name of the company.
    Company,
    Text(fn(&LeadItem) -> Option<&str>),
    Date(fn(&LeadItem) -> Option<&str>),
    /// The ICP score, with its reasoning as a tooltip.
    Score,
    /// The approval status. The row with the cursor or the pointer has buttons instead.
    Status,
    /// How likely the user approves the lead. Without the status column, also what that would show of a decision.
    Likely,
}

const fn column(
    sort: LeadSort,
    label: &'static str,
    min_width: u32,
    flex: u32,
    cell: LeadCell,
) -> Column<LeadCell> {
    let spec = ColumnSpec::new(sort.as_str(), label, min_width, flex).sorted_by(sort.as_str());
    Column { spec, cell }
}

/// Returns a column that is hidden until the user shows it.
const fn hidden(
    sort: LeadSort,
    label: &'static str,
    min_width: u32,
    flex: u32,
    cell: LeadCell,
) -> Column<LeadCell> {
    let column = column(sort, label, min_width, flex, cell);
    let spec = column.spec.hidden();
    let spec = match cell {
        LeadCell::Score => spec.number(),
        _ => spec,
    };
    Column { spec, cell }
}

const SIGNAL: &str = "signal";

pub const STATUS: &str = LeadSort::ApprovalStatus.as_str();

/// Also the sort key of the order by likelihood, which the server does not have.
pub const LIKELY: &str = "likely";

/// In the default order. The last two columns are as wide as the two buttons.
pub const LEAD_COLUMNS: [Column<LeadCell>; 12] = {
    use LeadCell::{Company, Date, Fit, Likely, Name, Score, Signal, Status, Text};
    let fit = ColumnSpec::new("fit", "Fit", 112, 0).sorted_by(LeadSort::IcpScore.as_str());
    let name = column(LeadSort::Name, "Name", 188, 85, Name);
    let title = column(
        LeadSort::Title,
        "Title",
        224,
        120,
        Text(|lead| lead.title.as_deref()),
    );
    let company = column(LeadSort::Company, "Company", 166, 120, Company);
    let status = ColumnSpec::new(STATUS, "Status", 172, 0).sorted_by(STATUS);
    let likely = ColumnSpec::new(LIKELY, "Likely", 172, 0).sorted_by(LIKELY);
    [
        Column {
            spec: fit.compact(52),
            cell: Fit,
        },
        Column {
            spec: name.spec.compact(158).beside_details(146).always_visible(),
            ..name
        },
        Column {
            spec: title.spec.compact(196).beside_details(172),
            ..title
        },
        Column {
            spec: company.spec.compact(130),
            ..company
        },
        Column {
            spec: ColumnSpec::new(SIGNAL, "Why now", 216, 120).compact(140),
            cell: Signal,
        },
        hidden(
            LeadSort::Industry,
            "Industry",
            120,
            100,
            Text(|lead| lead.industry.as_deref()),
        ),
        hidden(
            LeadSort::Location,
            "Location",
            120,
            100,
            Text(|lead| lead.location.as_deref()),
        ),
        hidden(LeadSort::IcpScore, "ICP score", 80, 0, Score),
        hidden(
            LeadSort::IcpTier,
            "ICP tier",
            56,
            0,
            Text(|lead| lead.tier.as_deref()),
        ),
        hidden(
            LeadSort::CreatedAt,
            "Created",
            96,
            0,
            Date(|lead| lead.created.as_deref()),
        ),
        Column {
            spec: status.compact(168).beside_details(96),
            cell: Status,
        },
        Column {
            spec: likely.compact(168).beside_details(96).hidden(),
            cell: Likely,
        },
    ]
};

pub const LEAD_COLUMN_SET: ColumnSet = &ColumnSetSpec {
    columns: &specs(&LEAD_COLUMNS),
    gap: 12,
    // Beside the details, which show the signal, it goes first; otherwise both fit, except in a narrow host element.
    optional: &[SIGNAL, LeadSort::Company.as_str()],
    // Only if another column must stay because the list is sorted by it.
    optional_beside_details: &[LeadSort::Title.as_str()],
    swapped: Some([STATUS, LIKELY]),
    has_added: true,
};
