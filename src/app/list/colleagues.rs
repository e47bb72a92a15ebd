//! The leads of the open lead's company: opened one by one, and decided together.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use lead_workspace_api::NewApprovalStatus;
use leptos::ev;
use leptos::prelude::*;

use super::details_pane::route_links;
use super::panes;
use crate::app::components::dom::{
    El, b, button, div, effect, h2, h3, kbd, li, ol, p, section, small, span,
};
use crate::app::components::format;
use crate::app::components::keycaps::keycaps;
use crate::app::components::status_label::status_mark;
use crate::app::model::account_detail::{AccountMember, AccountProfile};
use crate::app::model::command::Command;
use crate::app::model::lead_detail::LeadProfile;
use crate::app::model::lead_tab::Tab;
use crate::app::model::view::leads_of_account;
use crate::app::reactive::{Memo, memo};
use crate::app::state::AppState;
use crate::app::state::details::Details;

/// How many colleagues have a key in focus mode.
pub const WITH_KEYS: usize = 9;

/// How long a lead must be open before its company is loaded: a user may step through many.
const LOAD_DELAY: Duration = Duration::from_millis(200);

/// The lead that is shown.
type OpenLead = Memo<Option<Arc<LeadProfile>>>;

/// The account of the open lead, once it is loaded.
pub type Colleagues = Memo<Option<Arc<AccountProfile>>>;

/// Loads the account of the open lead under the current owner. An error is not shown: the lead has a link to its account.
pub fn load(app: AppState, lead: OpenLead) -> Colleagues {
    let (details, session) = (app.colleagues, app.session);
    let account = memo(move |_| lead.with(|lead| lead.as_ref()?.company.account.clone()));
    effect(move || {
        let (Some(id), Some(client)) = (account.get(), session.client()) else {
            return;
        };
        let load = move || {
            if account.try_get_untracked().flatten().as_ref() == Some(&id) {
                Details::<AccountProfile>::load(details, client, &id);
            }
        };
        set_timeout(load, LOAD_DELAY);
    });
    on_cleanup(move || details.clear());
    memo(move |_| {
        let account = account.get()?;
        details.shown().filter(|shown| shown.id == account)
    })
}

/// Renders the colleagues in the details of a lead. Empty until they are loaded, and if there are none.
pub fn details_section(app: AppState, lead: OpenLead, account: Colleagues) -> El {
    div().class("colleagues-section").child(move || {
        let account = account.get().filter(|account| account.leads.len() > 1)?;
        Some(list(app, &account, lead, false))
    })
}

/// Renders the company panel of focus mode.
pub fn side(app: AppState, account: &Arc<AccountProfile>, lead: OpenLead) -> El {
    let size = account.size.as_deref().map(format::people);
    let facts = [account.industry.clone(), size, account.location.clone()];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    div()
        .class("all")
        .child(
            div()
                .child(h2().child(&account.name))
                .child((!facts.is_empty()).then(|| p().class("sub").child(facts.join(" · ")))),
        )
        .child(list(app, account, lead, true))
}

fn list(app: AppState, account: &Arc<AccountProfile>, lead: OpenLead, has_keys: bool) -> El {
    let count = account.lead_count.max(account.leads.len() as u64);
    let title = [&format::count(count, "lead"), " at this company"].concat();
    let shown = account.leads.len() as u64;
    let others = (count > shown).then(|| {
        let label = ["Open all ", &format::number(count), " in the list"].concat();
        let link = route_links(app).link(&label, leads_of_account(&account.id));
        p().class("fine")
            .child(["The best ", &format::number(shown), " are shown. "].concat())
            .child(link)
    });
    let lines = account.leads.iter().enumerate().map(|(at, member)| {
        let number = Some(at + 1).filter(|number| has_keys && *number <= WITH_KEYS);
        line(app, member, lead, number)
    });
    section()
        .class("colleagues")
        .child(h3().child(title))
        .child(ol().children(lines))
        .child(others)
        .child(together(app, account, has_keys))
}

/// Renders a lead with its status; a click opens it.
fn line(app: AppState, member: &AccountMember, lead: OpenLead, number: Option<usize>) -> El {
    let (id, of) = (Arc::<str>::from(&*member.id), member.clone());
    let current = Arc::clone(&id);
    let is_current =
        move || lead.with(|lead| lead.as_ref().is_some_and(|lead| *lead.id == *current));
    let mark = memo(move |_| {
        let (status, phase) = app.decisions.shown(&of.id, &of.status());
        let (mark, words) = status_mark(&status, phase, app.decisions.is_paused());
        (mark.into_owned(), words.into_owned())
    });
    let state = span()
        .class("state")
        .attr("data-mark", move || mark.get().0)
        .child(move || mark.get().1);
    let key = number.map(|number| kbd().attr("aria-hidden", "true").child(number.to_string()));
    let open = button()
        .class("quiet")
        .child(key)
        .child(b().attr("dir", "auto").child(&member.name))
        .child(state)
        .child(member.title.as_deref().map(|title| small().child(title)))
        .on(ev::click, move |_| panes::of_leads(app).open(&id, true));
    let open = match number {
        Some(number) => open.attr("aria-keyshortcuts", number.to_string()),
        None => open,
    };
    li().attr("aria-current", move || is_current().to_string())
        .child(open)
}

/// Renders the buttons that decide on all pending leads of the company, if there are several.
fn together(app: AppState, account: &Arc<AccountProfile>, has_keys: bool) -> El {
    use Command::{ApproveSelected, RejectSelected};
    use NewApprovalStatus::{Approved, Rejected};
    let account = Arc::clone(account);
    let pending = {
        let account = Arc::clone(&account);
        memo(move |_| pending(app, &account).count())
    };
    div().class("together").child(move || {
        let count = pending.get();
        if count < 2 {
            return None;
        }
        let choice = |class: &str, verb: &str, command, to| {
            let keys = app.keys.caps(command);
            let keys =
                (has_keys && !keys.is_empty()).then(|| keycaps(&keys).attr("aria-hidden", "true"));
            let account = Arc::clone(&account);
            let label = [verb, " ", &format::number(count as u64), " pending"].concat();
            let decide = move |_| decide_together(app, &account, to);
            button()
                .class(class)
                .child(label)
                .child(keys)
                .on(ev::click, decide)
        };
        Some(
            div()
                .class("buttons")
                .child(choice("yes", "Approve", ApproveSelected, Approved))
                .child(choice("no", "Reject", RejectSelected, Rejected)),
        )
    })
}

/// Decides on all pending leads of the company as one step.
fn decide_together(app: AppState, account: &AccountProfile, to: NewApprovalStatus) {
    let leads = untrack(|| {
        let pending = pending(app, account);
        pending
            .map(|lead| (Arc::from(&*lead.id), lead.status()))
            .collect()
    });
    app.leads.decide_together(leads, to);
}

/// Makes the commands for the selection decide on the company in focus mode, where nothing is selected, and then move to
/// the next undecided lead.
pub fn register_commands(app: AppState, account: Colleagues) {
    for (command, to) in [
        (Command::ApproveSelected, NewApprovalStatus::Approved),
        (Command::RejectSelected, NewApprovalStatus::Rejected),
    ] {
        let has_pending = move || {
            let account = account.get();
            account.is_some_and(|account| pending(app, &account).next().is_some())
        };
        let decide = move || {
            if let Some(account) = account.get_untracked() {
                decide_together(app, &account, to);
                app.commands.run(Command::NextUndecided);
            }
        };
        app.commands
            .on_while(command, Rc::new(has_pending), Rc::new(decide));
    }
}

/// Returns the leads that wait for a decision.
fn pending(app: AppState, account: &AccountProfile) -> impl Iterator<Item = &AccountMember> {
    let leads = account.leads.iter();
    leads.filter(move |lead| {
        let (shown, _) = app.decisions.shown(&lead.id, &lead.status());
        Tab::Pending.holds(&shown)
    })
}
