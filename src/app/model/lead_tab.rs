//! Tabs of the leads page and their counts.

use lead_workspace_api::{ApprovalStatus, FilterSpec, LeadField, NewApprovalStatus, filter};

/// A tab of the leads page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tab {
    #[default]
    Pending,
    Approved,
    Rejected,
    Filtered,
    /// All leads, including those with a status that this version does not support.
    All,
}

impl Tab {
    /// All tabs in display order.
    pub const ALL: [Self; 5] = [
        Self::Pending,
        Self::Approved,
        Self::Rejected,
        Self::Filtered,
        Self::All,
    ];

    pub fn label(self) -> &'static str {
        match self {
            Self::Pending => "Pending",
            Self::Approved => "Approved",
            Self::Rejected => "Rejected",
            Self::Filtered => "Filtered",
            Self::All => "All",
        }
    }

    /// Name in the address.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Filtered => "filtered",
            Self::All => "all",
        }
    }

    /// Parses the name in the address.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tab| tab.as_str() == text)
    }

    /// Returns the status of its leads; `None` for all leads.
    pub fn status(self) -> Option<NewApprovalStatus> {
        match self {
            Self::Pending => Some(NewApprovalStatus::PendingApproval),
            Self::Approved => Some(NewApprovalStatus::Approved),
            Self::Rejected => Some(NewApprovalStatus::Rejected),
            Self::Filtered => Some(NewApprovalStatus::Filtered),
            Self::All => None,
        }
    }

    /// Whether a lead with this status is in the tab.
    pub fn holds(self, status: &ApprovalStatus) -> bool {
        self.status().is_none_or(|of| status.known() == Some(of))
    }

    /// Returns the filters that restrict a query to this tab.
    pub fn filters(self) -> Vec<FilterSpec> {
        self.status()
            .map(|status| filter(LeadField::ApprovalStatus).is_in([status.as_str()]))
            .into_iter()
            .collect()
    }
}

/// Number of leads in each tab, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TabCounts([Option<u64>; 5]);

impl TabCounts {
    pub fn get(&self, tab: Tab) -> Option<u64> {
        self.0[tab as usize]
    }

    /// Sets the count from the server.
    pub fn set(&mut self, tab: Tab, count: u64) {
        self.0[tab as usize] = Some(count);
    }

    /// Updates the counts after a lead was removed or restored: `by` leads more.
    pub fn changed(&mut self, status: &ApprovalStatus, by: i64) {
        for tab in Tab::ALL {
            let count = self.0[tab as usize].as_mut();
            if let Some(count) = count.filter(|_| tab.holds(status)) {
                *count = count.saturating_add_signed(by);
            }
        }
    }

    /// Updates the counts after the status of a lead changed.
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
