//! Details of an account: its leads to decide on, why it fits, and all its data.

use std::rc::Rc;
use std::sync::Arc;

use super::avatar::avatar;
use super::dom::{Action, El, Reader, button, classed, el, reader};
use super::format;
use super::lead_details::PeekFrame;
use super::lead_details::fields::{DefinitionList, day, in_steps, link, section};
use super::lead_details::score_section::why;
use super::lead_details::sections::{ids, said_of_itself};
use super::links::RouteLinks;
use crate::app::model::account_detail::AccountDetail;
use crate::app::model::view::leads_of_account;

/// Number of lists shown at a time.
const STEP: usize = 12;

/// Renders the leads of an account.
pub type RenderLeads = Rc<dyn Fn(&Arc<AccountDetail>) -> El>;

/// Inputs and callbacks of the account details.
pub struct AccountPeek {
    pub frame: PeekFrame,
    pub account: Reader<Option<Arc<AccountDetail>>>,
    /// Content right below the header, rendered once the account is loaded.
    pub first: Rc<dyn Fn() -> Option<El>>,
    pub leads: RenderLeads,
    pub on_score: Action<()>,
    pub route_links: RouteLinks,
}

pub fn account_peek(peek: AccountPeek) -> El {
    let here = Rc::clone(&peek.account);
    let frame = peek.frame.clone();
    frame.panel(reader(move || here().is_some()), move || {
        let account = (peek.account)()?;
        let top = top(&account, peek.frame.heading(&account.name), &peek.on_score);
        let all = classed("div", "sections")
            .el_opt((peek.first)())
            .el(leads(&account, &peek))
            .el(why(&account.scores))
            .el_opt(facts(&account))
            .el_opt(lists(&account))
            .el_opt(said_of_itself(
                account.tagline.as_deref(),
                account.description.as_deref(),
            ))
            .el_opt(ids(&account.ids));
        Some(classed("div", "all").el(top).el(all))
    })
}

/// Renders the header: logo, name, industry and location, then tier, score and company page.
fn top(account: &AccountDetail, heading: El, on_score: &Action<()>) -> El {
    let sub = [&account.industry, &account.location];
    let sub: Vec<&str> = sub.into_iter().flatten().map(String::as_str).collect();
    let sub = (!sub.is_empty()).then(|| classed("p", "sub").text(&sub.join(", ")));
    let id = classed("div", "id")
        .el(avatar(&account.initials, account.logo.as_deref()).into())
        .el(el("div").el(heading).el_opt(sub));
    let chip = |text: &str| classed("span", "chip").text(text);
    let tier = account.tier.as_deref();
    let tier = tier.map(|tier| chip("Tier ").el(el("b").text(tier)));
    let points = account.points.map(|points| {
        let points = (points.round().clamp(0.0, 100.0) as u8).to_string();
        chip("").el(el("b").text(&points)).text(" of 100")
    });
    let unpromoted = (account.promoted == Some(false)).then(|| chip("Not promoted"));
    let page = account.page.as_deref();
    let page = page.map(|href| {
        link(href, "Company page").attr("aria-label", &["Company page of ", &account.name].concat())
    });
    let score = Rc::clone(on_score);
    let score = button("link", "Score this account")
        .attr("aria-haspopup", "dialog")
        .on("click", move |_| score(()));
    let chips = classed("div", "chips")
        .el_opt(tier)
        .el_opt(points)
        .el_opt(unpromoted)
        .el_opt(page)
        .el(score);
    classed("div", "top").el(id).el(chips)
}

/// Renders the leads, and a link to all of them.
fn leads(account: &Arc<AccountDetail>, peek: &AccountPeek) -> El {
    let all = format::count(account.lead_count, "lead");
    let shown = account.leads.len() as u64;
    let some = (account.lead_count > shown && shown > 0).then(|| {
        let message = ["The best ", &format::number(shown), " of ", &all, "."].concat();
        classed("p", "fine").text(&message)
    });
    let way = (account.lead_count > 0).then(|| {
        let label = ["Open ", &all, " in the list"].concat();
        let link = peek.route_links.link(&label, leads_of_account(&account.id));
        classed("p", "around").el(link)
    });
    section("leads", "Leads")
        .el((peek.leads)(account))
        .el_opt(some)
        .el_opt(way)
}

fn facts(account: &AccountDetail) -> Option<El> {
    let size = account.size.as_deref().map(format::people);
    let created = account.created.as_deref();
    let promoted = account.promoted.map(|yes| if yes { "Yes" } else { "No" });
    DefinitionList::default()
        .text("Industry", account.industry.as_deref())
        .text("Size", size.as_deref())
        .text("Location", account.location.as_deref())
        .text("Leads", Some(&format::number(account.lead_count)))
        .text("On the network", account.username.as_deref())
        .text("Promoted", promoted)
        .el("Created", created.map(day))
        .list()
        .map(|facts| section("", "Facts").el(facts))
}

fn lists(account: &Arc<AccountDetail>) -> Option<El> {
    let account = Arc::clone(account);
    let is_empty = account.lists.is_empty();
    (!is_empty).then(|| {
        let draw = move |from: usize| {
            let left = &account.lists[from.min(account.lists.len())..];
            let line = |(name, _): &(String, Option<String>)| el("li").el(el("b").text(name));
            let list = classed("ul", "places").els(left.iter().take(STEP).map(line));
            (list, left.len())
        };
        section("", "Lists").el(in_steps(STEP, 0, Rc::new(draw)))
    })
}
