//! Calls whose effect the contract does not show, and which may be far larger than was meant.

use serde_json::Value;

use super::Config;

/// Refuses a body that names nothing to change or to score, unless the configuration lets it pass.
pub(super) fn body(operation: &str, body: &Value, config: &Config) -> Result<(), &'static str> {
    let nothing = |name: &str| match body.get(name) {
        None | Some(Value::Null) => true,
        Some(Value::Array(items)) => items.is_empty(),
        Some(_) => false,
    };
    // spec: not shown; what these do without ids or a status is anybody's guess.
    match operation {
        "update_leads" if nothing("approval_status") && !config.allow_update_without_status => {
            Err("the update names no approval_status")
        }
        "score_leads"
            if nothing("lead_ids")
                && nothing("lead_list_ids")
                && !config.allow_scoring_of_everything =>
        {
            Err("the scoring names no leads and no lists")
        }
        "score_accounts"
            if nothing("account_ids")
                && nothing("lead_list_id")
                && !config.allow_scoring_of_everything =>
        {
            Err("the scoring names no accounts and no list")
        }
        _ => Ok(()),
    }
}
