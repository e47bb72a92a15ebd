//! Refuses calls whose effect the contract does not specify and which may be far larger than intended.

use super::Config;

/// Refuses a body that does not say what to change or to score, unless the configuration allows it.
/// `nothing` returns whether a member of the body is absent, null or an empty array.
pub(super) fn check_scope(
    operation: &str,
    nothing: &dyn Fn(&str) -> bool,
    config: &Config,
) -> Result<(), &'static str> {
    // spec: not shown; the effect of these without ids or a status is unknown.
    match operation {
        "update_leads" if nothing("approval_status") && !config.allow_update_without_status => {
            Err("the update has no approval_status")
        }
        "score_leads"
            if nothing("lead_ids")
                && nothing("lead_list_ids")
                && !config.allow_scoring_of_everything =>
        {
            Err("the scoring request has no leads and no lists")
        }
        "score_accounts"
            if nothing("account_ids")
                && nothing("lead_list_id")
                && !config.allow_scoring_of_everything =>
        {
            Err("the scoring request has no accounts and no list")
        }
        _ => Ok(()),
    }
}
