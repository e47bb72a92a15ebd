//! The tabs over the leads, and how many leads each one holds.

use lead_workspace_api::{ApprovalStatus, FilterSpec, LeadField, NewApprovalStatus, filter};

/// A tab over the leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tab {
    /// Leads that wait for a decision.
    #[default]
    Pending,
    /// Approved leads.
    Approved,
    /// Rejected leads.
    Rejected,
    /// Leads that were filtered out.
    Filtered,
    /// Every lead, also one with a status that this version does not know.
    All,
}

impl Tab {
    /// Every tab, in the order in which they stand.
    pub const ALL: [Self; 5] = [
        Self::Pending,
        Self::Approved,
        Self::Rejected,
        Self::Filtered,
        Self::All,
    ];

    /// The word on the tab.
    pub fn label(self) -> &'static str {
        match self {
            Self::Pending => "Pending",
            Self::Approved => "Approved",
            Self::Rejected => "Rejected",
            Self::Filtered => "Filtered",
            Self::All => "All",
        }
    }

    /// The word in the address.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Filtered => "filtered",
            Self::All => "all",
        }
    }

    /// The tab of a word in the address.
    pub fn of(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tab| tab.as_str() == text)
    }

    /// The status that its leads have; none for all.
    pub fn status(self) -> Option<NewApprovalStatus> {
        match self {
            Self::Pending => Some(NewApprovalStatus::PendingApproval),
            Self::Approved => Some(NewApprovalStatus::Approved),
            Self::Rejected => Some(NewApprovalStatus::Rejected),
            Self::Filtered => Some(NewApprovalStatus::Filtered),
            Self::All => None,
        }
    }

    /// Whether a lead with this status is among its leads.
    pub fn holds(self, status: &ApprovalStatus) -> bool {
        self.status().is_none_or(|of| status.known() == Some(of))
    }

    /// The filters that make a query one for this tab.
    pub fn filters(self) -> Vec<FilterSpec> {
        self.status()
            .map(|status| filter(LeadField::ApprovalStatus).is_in([status.as_str()]))
            .into_iter()
            .collect()
    }
}

/// How many leads each tab holds, as far as that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([Option<u64>; 5]);

impl Counts {
    /// The count of a tab.
    pub fn of(&self, tab: Tab) -> Option<u64> {
        self.0[tab as usize]
    }

    /// Takes over what the server says.
    pub fn set(&mut self, tab: Tab, count: u64) {
        self.0[tab as usize] = Some(count);
    }

    /// A lead is gone, or is back: `by` is how many leads there are more.
    pub fn changed(&mut self, status: &ApprovalStatus, by: i64) {
        for tab in Tab::ALL {
            let count = self.0[tab as usize].as_mut();
            if let Some(count) = count.filter(|_| tab.holds(status)) {
                *count = count.saturating_add_signed(by);
            }
        }
    }

    /// A lead went from one status to another.
    pub fn moved(&mut self, from: &ApprovalStatus, to: &ApprovalStatus) {
        for tab in Tab::ALL {
            let Some(status) = tab.status() else { continue };
            if let Some(count) = &mut self.0[tab as usize] {
                let leaves = from.known() == Some(status);
                let comes = to.known() == Some(status);
                *count = (*count + u64::from(comes)).saturating_sub(u64::from(leaves));
            }
        }
    }
}
