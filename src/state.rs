//! What the review UI knows while it runs: where it is, who asks, what was loaded and what was
//! decided. Owned by the root of the app, so that no answer that comes late finds its place gone.

use std::pin::Pin;
use std::sync::Arc;

use leptos::prelude::*;

use crate::client::Transport;
use crate::model::place;
use crate::signal::RwSignal;

pub mod account;
pub mod accounts;
pub mod choice;
pub mod clipboard;
pub mod commands;
pub mod connection;
pub mod counts;
pub mod decisions;
pub mod deletion;
pub mod detail;
pub mod download;
pub mod errands;
pub mod facets;
pub mod flight;
pub mod idle;
pub mod import;
pub mod jobs;
pub mod keys;
pub mod language;
pub mod leads;
pub mod limit;
pub mod listing;
pub mod lock;
pub mod nav;
pub mod notice;
pub mod portfolio;
pub mod pulse;
pub mod remote;
pub mod session;
pub mod shelf;
pub mod sign_out;
pub mod surroundings;
pub mod theme;
pub mod upload;
pub mod views;
pub mod weighing;

/// Everything, for pages to take from the context.
#[derive(Clone, Copy)]
pub struct Workspace {
    /// Where we are.
    pub nav: nav::Nav,
    /// Who asks, and whom.
    pub session: session::Session,
    /// The decisions on leads.
    pub decisions: decisions::Decisions,
    /// The leads.
    pub leads: leads::Leads,
    /// Work that takes a while.
    pub errands: errands::Errands,
    /// Scoring that was started.
    pub jobs: jobs::Jobs,
    /// The lead that is being deleted.
    pub deletion: deletion::Deletion,
    /// What the rail offers.
    pub facets: facets::Facets,
    /// The lead that is looked at closely.
    pub details: detail::Details<crate::model::detail::Detail>,
    /// The accounts.
    pub accounts: accounts::Accounts,
    /// The account that is looked at closely.
    pub account: account::Account,
    /// A file on its way in.
    pub imports: import::Imports,
    /// How outreach to the accounts is going.
    pub pulses: pulse::Pulses,
    /// Accounts side by side.
    pub portfolio: portfolio::Portfolio,
    /// Light or dark.
    pub theme: theme::Theme,
    /// Connection and width of the screen.
    pub surroundings: surroundings::Surroundings,
    /// A word on what was just done.
    pub notice: notice::Notice,
    /// Who does what a command asks for.
    pub commands: commands::Commands,
    /// The keys.
    pub keys: keys::Keys,
    /// The saved views and the layout.
    pub views: views::Views,
}

impl Workspace {
    /// Sets everything up, under the owner of the root.
    pub fn start(transport: Arc<dyn Transport>, again: RwSignal<session::Opening>) -> Self {
        Self::of(
            nav::Nav::start(),
            session::Session::start(transport, again),
            theme::Theme::start(),
            surroundings::Surroundings::start(),
        )
    }

    /// Sets up what follows from where we are and who asks.
    pub fn of(
        nav: nav::Nav,
        session: session::Session,
        theme: theme::Theme,
        surroundings: surroundings::Surroundings,
    ) -> Self {
        // What a page of others keeps is theirs to say.
        let ours = !session.is_hosted();
        let notice = notice::Notice::start();
        let decisions = decisions::Decisions::start(session, notice, surroundings.online);
        let leads = leads::Leads::start(session, decisions);
        let pulses = pulse::Pulses::start(session);
        Self {
            nav,
            session,
            decisions,
            errands: errands::Errands::start(leads, decisions),
            jobs: jobs::Jobs::start(session),
            deletion: deletion::Deletion::start(session, leads, decisions, notice),
            leads,
            facets: facets::Facets::start(session),
            details: detail::Details::start(session, decisions),
            accounts: accounts::Accounts::start(session),
            account: account::Account::start(session, decisions),
            imports: import::Imports::start(session, notice),
            pulses,
            portfolio: portfolio::Portfolio::start(session, pulses),
            theme,
            surroundings,
            notice,
            commands: commands::Commands::start(ours),
            keys: keys::Keys::start(ours),
            views: views::Views::start(nav, ours),
        }
    }

    /// Cursor and ticks of the list that is shown.
    pub fn choice(self) -> choice::Choice {
        match untrack(|| self.nav.path().get()).as_str() {
            place::ACCOUNTS => self.accounts.choice,
            _ => self.leads.choice,
        }
    }
}

/// Runs a future by itself. Boxed, so that its machinery is compiled once.
pub(crate) fn spawn(work: impl Future<Output = ()> + 'static) {
    let work: Pin<Box<dyn Future<Output = ()>>> = Box::pin(work);
    wasm_bindgen_futures::spawn_local(work);
}
