//! Sections of the lead details, the most important first.

use std::rc::Rc;
use std::sync::Arc;

use super::fields::{DefinitionList, in_steps, link, section, text};
use super::{memberships_section, score_section, timeline, tree_view};
use crate::app::components::avatar::avatar;
use crate::app::components::dom::{El, classed, el};
use crate::app::components::format;
use crate::app::components::links::RouteLinks;
use crate::app::model::lead::initials;
use crate::app::model::lead_detail::{Company, Detail, PROFILE_FACTS};
use crate::app::model::route::Route;

/// Number of ids shown at a time.
const STEP: usize = 30;

pub fn body(lead: &Arc<Detail>, route_links: &RouteLinks) -> El {
    let custom = lead.custom_data.as_ref();
    let profile = lead.profile_data.as_ref();
    classed("div", "sections")
        .el(score_section::why(&lead.scores))
        .el_opt(facts(lead, route_links))
        .el(timeline::timeline(lead, route_links))
        .el_opt(memberships_section::lists(lead))
        .el_opt(memberships_section::campaigns(lead, route_links))
        .el_opt(lead.warming.as_ref().map(memberships_section::warming))
        .el_opt(custom.map(|raw| section("", "Custom data").el(tree_view::tree(raw, &[]))))
        .el_opt(
            profile.map(|raw| section("", "Profile data").el(tree_view::tree(raw, PROFILE_FACTS))),
        )
        .el_opt(about(&lead.company))
        .el_opt(ids(&lead.ids))
}

/// Renders the main facts about the lead and its company.
fn facts(lead: &Detail, route_links: &RouteLinks) -> Option<El> {
    let company = &lead.company;
    let founded = company.founded.map(|year| format!("founded {year}"));
    let size = company.size.as_deref().map(format::people);
    let size = both(size, founded);
    let (connections, followers) = lead.reach;
    let connections = connections.map(|count| format::count(count, "connection"));
    let followers = followers.map(|count| format::count(count, "follower"));
    let conversation = lead.conversation.as_deref();
    let background = lead.background.as_deref();
    DefinitionList::default()
        .text("Headline", lead.headline.as_deref())
        .el("Company", name(company, route_links))
        .text("Job title", company.title.as_deref())
        .text("Industry", company.industry.as_deref())
        .text("Size", size.as_deref())
        .text("Location", lead.location.as_deref())
        .text("Based in", company.location.as_deref())
        .text("Network", both(connections, followers).as_deref())
        .el("Conversation", conversation.map(|id| el("code").text(id)))
        .el("Background", background.map(|href| link(href, "Picture")))
        .list()
        .map(|facts| section("", "Facts").el(facts))
}

fn both(one: Option<String>, other: Option<String>) -> Option<String> {
    match (one, other) {
        (Some(one), Some(other)) => Some(format!("{one}, {other}")),
        (one, other) => one.or(other),
    }
}

/// Renders the company with links to its account and its page.
fn name(company: &Company, route_links: &RouteLinks) -> Option<El> {
    let name = company.name.as_deref().or(company.page.as_deref())?;
    let logo = company.logo.as_deref();
    let logo = logo.map(|logo| avatar(&initials(name), Some(logo)).into());
    let page = company.page.as_deref();
    let (name, away) = match (&company.account, page) {
        (Some(id), page) => {
            let label = ["Company page of ", name].concat();
            let away = page.map(|page| link(page, "Company page").attr("aria-label", &label));
            (route_links.link(name, Route::of_account(id)), away)
        }
        (None, Some(page)) => (link(page, name), None),
        (None, None) => (el("span").text(name), None),
    };
    Some(
        classed("span", "company")
            .el_opt(logo)
            .el(name)
            .el_opt(away),
    )
}

fn about(company: &Company) -> Option<El> {
    said_of_itself(company.tagline.as_deref(), company.description.as_deref())
}

/// Renders the company's own description; `None` if there is none.
pub fn said_of_itself(tagline: Option<&str>, description: Option<&str>) -> Option<El> {
    let said = |said: Option<&str>| said.map(|said| text("p", said));
    let (tagline, description) = (said(tagline), said(description));
    if tagline.is_none() && description.is_none() {
        return None;
    }
    Some(
        section("about", "About the company")
            .el_opt(tagline)
            .el_opt(description),
    )
}

/// Renders the ids, collapsed, for use in other tools.
pub fn ids(ids: &[(String, String)]) -> Option<El> {
    if ids.is_empty() {
        return None;
    }
    let all: Rc<[(String, String)]> = ids.into();
    let draw = move |from: usize| {
        let left = &all[from.min(all.len())..];
        let mut facts = DefinitionList::default();
        for (what, id) in left.iter().take(STEP) {
            facts = facts.el(what, Some(el("code").text(id)));
        }
        (el("div").el_opt(facts.list()), left.len())
    };
    let ids = el("details")
        .el(el("summary").el(el("h3").text("Ids")))
        .el(in_steps(STEP, 0, Rc::new(draw)));
    Some(classed("section", "ids").el(ids))
}
