//! The state of the app: location, session, loaded data, decisions. Owned by the root of the app, so that a late
//! response never finds its signals disposed.

use std::pin::Pin;
use std::sync::Arc;

use leptos::prelude::*;

use super::model::route;
use crate::app::model::view::LeadsView;
use crate::app::reactive::{Memo, RwSignal, memo};
use crate::client::Transport;

pub mod abort_on_drop;
pub mod account_list;
pub mod added_cells;
pub mod bulk_tasks;
pub mod clipboard;
pub mod commands;
pub mod connection;
pub mod custom_fields;
pub mod decision_pace;
pub mod decisions;
pub mod deletion;
pub mod details;
pub mod download;
pub mod environment;
pub mod facets;
pub mod first_query;
pub mod grid_selection;
pub mod host_page;
pub mod imports;
pub mod insights;
pub mod job_tracker;
pub mod key_bindings;
pub mod language;
pub mod lead_list;
pub mod listing;
pub mod live;
pub mod nav;
pub mod notice;
pub mod open_account;
pub mod portfolio_accounts;
pub mod pulses;
pub mod rate_limit_state;
pub mod relaxation_counts;
pub mod remote_value;
pub mod session;
pub mod sign_out;
pub mod similar_accounts;
pub mod storage;
pub mod suggestions;
pub mod theme;
pub mod upload;
pub mod view_store;
pub mod workspace_name;

/// All state. It is `Copy`, and passed to pages by value.
#[derive(Clone, Copy)]
pub struct AppState {
    pub nav: nav::Nav,
    /// The view of the leads page, from the address.
    pub leads_view: Memo<LeadsView>,
    pub session: session::Session,
    pub decisions: decisions::Decisions,
    /// Suggestions from the user's own decisions.
    pub suggestions: suggestions::Suggestions,
    pub leads: lead_list::LeadList,
    /// Long-running tasks.
    pub bulk_tasks: bulk_tasks::BulkTasks,
    /// Scoring jobs.
    pub jobs: job_tracker::Jobs,
    pub deletion: deletion::Deletion,
    /// The filter sidebar of the leads.
    pub facets: facets::Facets,
    /// The lead in the details pane.
    pub details: details::Details<super::model::lead_detail::LeadProfile>,
    /// The account of the open lead, for its other leads.
    pub colleagues: details::Details<super::model::account_detail::AccountProfile>,
    pub accounts: account_list::AccountList,
    /// The account in the details pane.
    pub account: open_account::OpenAccount,
    pub imports: imports::Imports,
    pub pulses: pulses::Pulses,
    pub portfolio: portfolio_accounts::Portfolio,
    pub theme: theme::Theme,
    pub environment: environment::Environment,
    pub notice: notice::Notice,
    /// Changes of others.
    pub live: live::Live,
    pub commands: commands::Commands,
    pub keys: key_bindings::KeyBindings,
    /// Saved views and layout.
    pub views: view_store::Views,
    /// What a host page adds.
    pub host: host_page::HostPage,
    pub custom_fields: custom_fields::CustomFields,
    #[cfg(feature = "split")]
    pub missing_parts: super::shell::lazy_fallback::MissingParts,
}

impl AppState {
    /// Creates all state under the current owner, which must be that of the root.
    pub fn start(transport: Arc<dyn Transport>, restart: RwSignal<session::StartOptions>) -> Self {
        Self::new(
            nav::Nav::start(),
            session::Session::start(transport, restart),
            theme::Theme::start(),
            environment::Environment::start(),
        )
    }

    /// Creates the state that depends on these parts.
    pub fn new(
        nav: nav::Nav,
        session: session::Session,
        theme: theme::Theme,
        environment: environment::Environment,
    ) -> Self {
        // Nothing is stored in the browser for a host page.
        let persistent = !session.is_embedded();
        let notice = notice::Notice::start();
        let suggestions = suggestions::Suggestions::start(session);
        let decisions =
            decisions::Decisions::start(session, notice, suggestions, environment.online);
        let leads = lead_list::LeadList::start(session, decisions, suggestions);
        let pulses = pulses::Pulses::start(session);
        Self {
            nav,
            leads_view: list_view(nav, route::LEADS_PATH, LeadsView::from_query),
            session,
            decisions,
            suggestions,
            bulk_tasks: bulk_tasks::BulkTasks::start(decisions),
            jobs: job_tracker::Jobs::start(session),
            deletion: deletion::Deletion::start(session, leads, decisions, notice),
            leads,
            facets: facets::Facets::start(session, decisions),
            details: details::Details::start(session, decisions),
            colleagues: details::Details::start_account(session, decisions),
            accounts: account_list::AccountList::start(session),
            account: open_account::OpenAccount::start(session, decisions),
            imports: imports::Imports::start(session, notice),
            pulses,
            portfolio: portfolio_accounts::Portfolio::start(session, pulses),
            theme,
            environment,
            notice,
            live: live::Live::start(),
            commands: commands::Commands::start(persistent),
            keys: key_bindings::KeyBindings::start(persistent),
            views: view_store::Views::start(nav, suggestions, persistent),
            host: host_page::HostPage::start(),
            custom_fields: custom_fields::CustomFields::new(session),
            #[cfg(feature = "split")]
            missing_parts: super::shell::lazy_fallback::MissingParts::none(),
        }
    }

    /// Returns cursor and selection of the current list, or of the leads on other pages.
    pub fn grid_selection(self) -> grid_selection::GridSelection {
        match untrack(|| self.nav.path().get()).as_str() {
            route::ACCOUNTS_PATH => self.accounts.grid_selection,
            _ => self.leads.grid_selection,
        }
    }
}

/// Returns the view of a list, from the address. On other pages it stays as it was, so that leaving the list does not
/// request another one.
pub(crate) fn list_view<V: Clone + PartialEq + Send + Sync + 'static>(
    nav: nav::Nav,
    list: &'static str,
    from_query: fn(&str) -> V,
) -> Memo<V> {
    let (path, query) = (nav.path(), nav.query());
    memo(move |was: Option<&V>| {
        let is_here = path.with(|path| path == list);
        match was {
            Some(was) if !is_here => was.clone(),
            _ => query.with(|query| from_query(query)),
        }
    })
}

/// Spawns a future. Boxed, so that the machinery is compiled once and not per future.
pub(crate) fn spawn(work: impl Future<Output = ()> + 'static) {
    let work: Pin<Box<dyn Future<Output = ()>>> = Box::pin(work);
    wasm_bindgen_futures::spawn_local(work);
}
