//! A row of the lead list.

use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;
#[cfg(feature = "embed")]
use lead_workspace_api::LeadListItem;

#[cfg(feature = "embed")]
use crate::app::model::kept::Kept;
use crate::app::model::lead::LeadItem;
use crate::app::state::grid_selection::Selectable;
use crate::review::selection::SelectedValue;

#[derive(Clone)]
pub struct ListedLead {
    pub lead: Arc<LeadItem>,
    /// The status that the server reported.
    pub status: ApprovalStatus,
    /// The lead as the server sent it, for the columns of a host page.
    #[cfg(feature = "embed")]
    pub item: Option<Kept<LeadListItem>>,
}

impl PartialEq for ListedLead {
    /// A row that was read again and is equal stays as it is.
    fn eq(&self, other: &Self) -> bool {
        let is_same = self.lead == other.lead && self.status == other.status;
        #[cfg(feature = "embed")]
        let is_same = is_same && self.item.as_deref() == other.item.as_deref();
        is_same
    }
}

impl Selectable for ListedLead {
    fn id(&self) -> &str {
        &self.lead.id
    }

    fn selected_value(&self) -> SelectedValue {
        SelectedValue::Status(self.status.clone())
    }
}
