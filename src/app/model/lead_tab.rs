//! Tabs of the leads page and their counts.

use lead_workspace_api::{ApprovalStatus, FilterSpec, LeadField, NewApprovalStatus, filter};

use crate::review::outbox::DELETED;

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

    /// Whether a lead with this status is in the tab. One that someone else deleted is in none.
    pub fn holds(self, status: &ApprovalStatus) -> bool {
        match self.status() {
            Some(of) => status.known() == Some(of),
            None => status.as_str() != DELETED,
        }
    }

    /// Returns the filters that restrict a query to this tab.
    pub fn filters(self) -> Vec<FilterSpec> {
        self.status()
            .map(|status| filter(LeadField::ApprovalStatus).is_in([status.as_str()]))
            .into_iter()
            .collect()
    }
}

/// Number of leads by [`Tab`], as far as it is known.
type Counts = [Option<u64>; 5];

/// Number of leads by status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusCounts(pub Vec<(ApprovalStatus, u64)>);

impl StatusCounts {
    /// Returns the counts with more or fewer leads of some statuses.
    #[must_use]
    pub fn with(mut self, changes: &[(ApprovalStatus, i64)]) -> Self {
        for (status, by) in changes {
            match self.0.iter_mut().find(|(of, _)| of == status) {
                Some((_, count)) => *count = count.saturating_add_signed(*by),
                None => self
                    .0
                    .push((status.clone(), u64::try_from(*by).unwrap_or(0))),
            }
        }
        self
    }

    fn by_tab(&self) -> Counts {
        Tab::ALL.map(|tab| {
            let counts = self.0.iter().filter(|(status, _)| tab.holds(status));
            Some(counts.map(|(_, count)| count).sum())
        })
    }
}

/// Number of leads in each tab: within the filters and the search of the view, and in the whole
/// workspace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TabCounts {
    whole: Counts,
    /// `None` if the view is the whole workspace, or the server cannot count within it.
    view: Option<Counts>,
}

impl TabCounts {
    /// Returns the number to show in a tab.
    pub fn get(&self, tab: Tab) -> Option<u64> {
        self.view.as_ref().unwrap_or(&self.whole)[tab as usize]
    }

    /// Returns the number without filters and search.
    pub fn whole(&self, tab: Tab) -> Option<u64> {
        self.whole[tab as usize]
    }

    /// Sets the number of a tab in the whole workspace.
    pub fn set_whole(&mut self, tab: Tab, count: u64) {
        self.whole[tab as usize] = Some(count);
    }

    /// Sets the numbers of all tabs in the whole workspace.
    pub fn set_all_whole(&mut self, counts: &StatusCounts) {
        self.whole = counts.by_tab();
    }

    /// Shows the numbers within a view with filters or a search; `None` if they could not be read.
    pub fn show_view(&mut self, counts: Option<&StatusCounts>) {
        self.view = Some(counts.map(StatusCounts::by_tab).unwrap_or_default());
    }

    /// Shows the numbers of the whole workspace.
    pub fn show_whole(&mut self) {
        self.view = None;
    }

    /// Sets the number of leads that the list of a tab has. `is_whole`: it has no filters and no
    /// search.
    pub fn set_listed(&mut self, tab: Tab, count: u64, is_whole: bool) {
        if is_whole {
            self.show_whole();
            self.set_whole(tab, count);
        } else if let Some(view) = &mut self.view {
            view[tab as usize] = Some(count);
        }
    }

    fn each(&mut self, mut change: impl FnMut(Tab, &mut u64)) {
        for counts in [Some(&mut self.whole), self.view.as_mut()]
            .into_iter()
            .flatten()
        {
            for tab in Tab::ALL {
                if let Some(count) = &mut counts[tab as usize] {
                    change(tab, count);
                }
            }
        }
    }

    /// Updates the counts after a lead was removed or restored: `by` leads more.
    pub fn changed(&mut self, status: &ApprovalStatus, by: i64) {
        self.each(|tab, count| {
            if tab.holds(status) {
                *count = count.saturating_add_signed(by);
            }
        });
    }

    /// Updates the counts after the status of a lead changed.
    pub fn moved(&mut self, from: &ApprovalStatus, to: &ApprovalStatus) {
        self.each(|tab, count| {
            let Some(status) = tab.status() else { return };
            let leaves = from.known() == Some(status);
            let comes = to.known() == Some(status);
            *count = (*count + u64::from(comes)).saturating_sub(u64::from(leaves));
        });
    }
}
