//! The suggestion for a lead, connected to the state.

use lead_workspace_api::NewApprovalStatus;

use crate::app::components::dom::El;
use crate::app::components::suggestion;
use crate::app::state::AppState;

/// Renders the suggestion for a lead of the loaded list, tracked. `None` if suggestions are off or have not learned
/// enough, or if the lead is decided.
pub fn suggestion(app: AppState, lead: &str) -> Option<El> {
    let learning = app.suggestions.tracked()?;
    let row = app.leads.listing.find(|row| row.lead.id == lead)?;
    let (shown, _) = app.decisions.shown(lead, &row.status);
    if shown.known() != Some(NewApprovalStatus::PendingApproval) {
        return None;
    }
    Some(suggestion::suggestion(&learning.suggestion(&row.lead)?))
}
