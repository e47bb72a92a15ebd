//! Column sets of the grids.

use lead_workspace_api::{AccountSort, LeadSort};

use super::{ColumnSet, ColumnSetSpec, ColumnSpec};

const fn column(id: &'static str, label: &'static str, least: u32, share: u32) -> ColumnSpec {
    ColumnSpec {
        id,
        label,
        least,
        share,
        needed: false,
    }
}

const fn needed(id: &'static str, label: &'static str, least: u32, share: u32) -> ColumnSpec {
    ColumnSpec {
        needed: true,
        ..column(id, label, least, share)
    }
}

/// Leads. The checkbox is before the columns that can be arranged. The status column is as wide as
/// the two buttons that replace it in the row with the cursor or the pointer.
pub const LEADS: ColumnSet = &ColumnSetSpec {
    columns: &[
        needed(LeadSort::Name.as_str(), "Name", 168, 125),
        column(LeadSort::Title.as_str(), "Title", 150, 140),
        column(LeadSort::Company.as_str(), "Company", 120, 105),
        column(LeadSort::Industry.as_str(), "Industry", 78, 100),
        column(LeadSort::Location.as_str(), "Location", 78, 100),
        column(LeadSort::IcpScore.as_str(), "ICP score", 80, 0),
        column(LeadSort::IcpTier.as_str(), "ICP tier", 56, 0),
        column(LeadSort::CreatedAt.as_str(), "Created", 96, 0),
        needed(LeadSort::ApprovalStatus.as_str(), "Status", 140, 0),
    ],
    before: &[18],
    gap: 12,
    spare: &[
        LeadSort::CreatedAt.as_str(),
        LeadSort::Location.as_str(),
        LeadSort::Industry.as_str(),
        LeadSort::IcpTier.as_str(),
        LeadSort::Company.as_str(),
    ],
    spare_beside: &[LeadSort::Title.as_str(), LeadSort::IcpScore.as_str()],
};

/// Accounts. The checkbox is before the columns that can be arranged.
pub const ACCOUNTS: ColumnSet = &ColumnSetSpec {
    columns: &[
        needed(AccountSort::Name.as_str(), "Name", 190, 150),
        column(AccountSort::Industry.as_str(), "Industry", 126, 110),
        column(AccountSort::StaffCountRange.as_str(), "Size", 92, 0),
        column(AccountSort::Location.as_str(), "Location", 126, 110),
        column(AccountSort::LeadCount.as_str(), "Leads", 60, 0),
        column(AccountSort::IcpScore.as_str(), "ICP score", 100, 0),
        column("icp_tier", "ICP tier", 58, 0),
        column(AccountSort::CreatedAt.as_str(), "Created", 94, 0),
        column("tagline", "Tagline", 150, 130),
    ],
    before: &[18],
    gap: 16,
    spare: &[
        "tagline",
        AccountSort::CreatedAt.as_str(),
        AccountSort::Location.as_str(),
        AccountSort::StaffCountRange.as_str(),
        AccountSort::Industry.as_str(),
    ],
    spare_beside: &["icp_tier", AccountSort::LeadCount.as_str()],
};
