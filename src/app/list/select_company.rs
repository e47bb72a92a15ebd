//! Selects all leads of a company, loaded in the list or not.

use std::sync::Arc;

use crate::app::components::dom::{El, div};
use crate::app::components::format;
use crate::app::reactive::StoredValue;
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::abort_on_drop::AbortOnDrop;
use crate::app::state::open_account::load_account;
use crate::review::selection::SelectedValue;

/// Selects the leads of the company in `leads.selecting_company` while that is set. Renders nothing.
fn select_company(app: AppState) -> El {
    let account = app.leads.selecting_company.get_untracked();
    if let (Some(account), Some(client)) = (account, app.session.client_now()) {
        let select = async move {
            let company = load_account(&client, &account, app.decisions).await;
            let message = match company {
                Ok(company) => {
                    let ids = company.leads.iter().map(|lead| {
                        let value = SelectedValue::Status(lead.status());
                        (Arc::from(&*lead.id), value)
                    });
                    let selection = app.leads.grid_selection.selection;
                    selection.try_update(|selection| selection.add(ids));
                    let (some, all) = (company.leads.len() as u64, company.lead_count);
                    (some < all).then(|| {
                        let all = format::count(all, "lead");
                        let some = format::number(some);
                        format!("Selected the best {some} of {all} at {}", company.name)
                    })
                }
                Err(error) => {
                    app.session.check_key(&error);
                    Some(format!(
                        "The company's leads were not loaded, and nothing was selected. {error}"
                    ))
                }
            };
            if let Some(message) = message {
                app.notice.show_text(message);
            }
            app.leads.selecting_company.set(None);
        };
        // Cancelled when another company is selected.
        StoredValue::new(AbortOnDrop::start(select));
    }
    div()
}

lazy!(lazy_select_company: details, part, later, "The company", select_company);
