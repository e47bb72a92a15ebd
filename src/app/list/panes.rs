//! The details panes of the two lists.

use super::details_pane::DetailsPane;
use crate::app::model::route;
use crate::app::state::AppState;
use crate::app::state::account_list::ListedAccount;
use crate::app::state::lead_list::listed_lead::ListedLead;

pub fn of_leads(app: AppState) -> DetailsPane<ListedLead> {
    DetailsPane {
        app,
        listing: app.leads.listing,
        grid_selection: app.leads.grid_selection,
        focus: app.details.focus,
        path: route::LEADS_PATH,
        name: route::LEAD_PARAM,
    }
}

pub fn of_accounts(app: AppState) -> DetailsPane<ListedAccount> {
    DetailsPane {
        app,
        listing: app.accounts.listing,
        grid_selection: app.accounts.grid_selection,
        focus: app.account.details.focus,
        path: route::ACCOUNTS_PATH,
        name: route::ACCOUNT_PARAM,
    }
}
