//! Details of an account: its leads to decide on, why it fits, and all its data.

use std::rc::Rc;
use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;

use super::avatar::avatar;
use super::dom::{El, b, button, div, li, p, span, ul};
use super::format;
use super::lead_details::PeekFrame;
use super::lead_details::fields::{DefinitionList, day, in_steps, link, titled_section};
use super::lead_details::score_section::fit;
use super::lead_details::sections::{about_company, further, ids};
use super::links::RouteLinks;
use crate::app::model::account_detail::AccountProfile;
use crate::app::model::view::leads_of_account;
use crate::app::reactive::{Signal, StoredValue, memo};

/// Number of lists shown at a time.
const STEP: usize = 12;

/// Renders the leads of an account.
pub type RenderLeads = Rc<dyn Fn(&Arc<AccountProfile>) -> El>;

/// Inputs and callbacks of the account details.
pub struct AccountDetailsProps {
    pub frame: PeekFrame,
    pub account: Signal<Option<Arc<AccountProfile>>>,
    /// Content right below the header, rendered once the account is loaded.
    pub first: Rc<dyn Fn() -> Option<El>>,
    pub leads: RenderLeads,
    pub on_score: Callback<()>,
    /// Further buttons of the header.
    pub buttons: Rc<dyn Fn() -> Vec<El>>,
    pub route_links: RouteLinks,
}

pub fn account_details(props: AccountDetailsProps) -> El {
    let here = props.account;
    let shows_more = StoredValue::new(false);
    let frame = props.frame.clone();
    let is_listed = Signal::derive(move || here.get().is_some());
    let id = memo(move |_| here.with(|account| account.as_ref().map(|account| account.id.clone())));
    frame.panel(is_listed, move || {
        let account = props.account.get()?;
        let name = account.name.clone();
        let heading = props.frame.heading(move || name.clone(), id);
        let top = top(&account, heading, &props.on_score, (props.buttons)());
        let has_text = account.tagline.is_some() || account.description.is_some();
        let names = [("about the company", has_text), ("ids", true)];
        let all = div()
            .class("sections")
            .child((props.first)())
            .child(leads(&account, &props))
            .child(fit(&account.scores))
            .child(facts(&account))
            .child(lists(&account))
            .child(further(&names, shows_more, move || {
                let (tagline, description) = (&account.tagline, &account.description);
                vec![
                    about_company(tagline.as_deref(), description.as_deref()),
                    ids(&account.ids),
                ]
            }));
        Some(div().class("all").child(top).child(all))
    })
}

/// Renders the header: logo, name, industry and location, then the company page and the button that scores the account.
fn top(account: &AccountProfile, heading: El, on_score: &Callback<()>, more: Vec<El>) -> El {
    let sub = [&account.industry, &account.location];
    let sub: Vec<&str> = sub.into_iter().flatten().map(String::as_str).collect();
    let sub = (!sub.is_empty()).then(|| p().class("sub").child(sub.join(", ")));
    let id = div()
        .class("id")
        .child(avatar(&account.initials, account.logo.as_deref()))
        .child(div().child(heading).child(sub));
    let page = account.page.as_deref();
    let page = page.map(|href| {
        link(href, "Company page").attr("aria-label", ["Company page of ", &account.name].concat())
    });
    let unpromoted = account.promoted == Some(false);
    let unpromoted = unpromoted.then(|| span().class("chip").child("Not promoted"));
    let score = *on_score;
    let score = button()
        .class("link")
        .child("Score this account")
        .attr("aria-haspopup", "dialog")
        .on(ev::click, move |_| score.run(()));
    let chips = div()
        .class("chips")
        .child(unpromoted)
        .child(page)
        .child(score)
        .children(more);
    div().class("top").child(id).child(chips)
}

/// Renders the leads, and a link to all of them.
fn leads(account: &Arc<AccountProfile>, props: &AccountDetailsProps) -> El {
    let all = format::count(account.lead_count, "lead");
    let shown = account.leads.len() as u64;
    let some = (account.lead_count > shown && shown > 0).then(|| {
        let message = ["The best ", &format::number(shown), " of ", &all, "."].concat();
        p().class("fine").child(&message)
    });
    let leads_link = (account.lead_count > 0).then(|| {
        let label = ["Open ", &all, " in the list"].concat();
        let link = props
            .route_links
            .link(&label, leads_of_account(&account.id));
        p().class("around").child(link)
    });
    titled_section("leads", "Leads")
        .child((props.leads)(account))
        .child(some)
        .child(leads_link)
}

fn facts(account: &AccountProfile) -> Option<El> {
    let size = account.size.as_deref().map(format::people);
    let created = account.created.as_deref();
    let promoted = account.promoted.map(|yes| if yes { "Yes" } else { "No" });
    DefinitionList::default()
        .text("Size", size.as_deref())
        .text("Leads", Some(&format::number(account.lead_count)))
        .text("On the network", account.username.as_deref())
        .text("Promoted", promoted)
        .child("Created", created.map(day))
        .list()
        .map(|facts| titled_section("", "Facts").child(facts))
}

fn lists(account: &Arc<AccountProfile>) -> Option<El> {
    let account = Arc::clone(account);
    let is_empty = account.lists.is_empty();
    (!is_empty).then(|| {
        let draw = move |from: usize| {
            let left = &account.lists[from.min(account.lists.len())..];
            let line = |(name, _): &(String, Option<String>)| li().child(b().child(name));
            let list = ul()
                .class("entries")
                .children(left.iter().take(STEP).map(line));
            (list, left.len())
        };
        titled_section("", "Lists").child(in_steps(STEP, 0, Rc::new(draw)))
    })
}
