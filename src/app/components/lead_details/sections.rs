//! Sections of the lead details, the most important first.

use std::rc::Rc;
use std::sync::Arc;

use super::fields::{DefinitionList, in_steps, link, text, titled_section};
use super::{memberships_section, score_section, timeline, tree_view};
use crate::app::components::avatar::avatar;
use crate::app::components::dom::{El, code, details, div, h3, section, span, summary};
use crate::app::components::format;
use crate::app::components::links::RouteLinks;
use crate::app::model::lead::initials;
use crate::app::model::lead_detail::{Company, LeadProfile, PROFILE_FACTS};
use crate::app::model::route::Route;

/// Number of ids shown at a time.
const STEP: usize = 30;

pub fn body(lead: &Arc<LeadProfile>, route_links: &RouteLinks) -> El {
    let custom = lead.custom_data.as_ref();
    let profile = lead.profile_data.as_ref();
    div()
        .class("sections")
        .child(score_section::why(&lead.scores))
        .child(facts(lead, route_links))
        .child(timeline::timeline(lead, route_links))
        .child(memberships_section::lists(lead))
        .child(memberships_section::campaigns(lead, route_links))
        .child(lead.warming.as_ref().map(memberships_section::warming))
        .child(custom.map(|raw| titled_section("", "Custom data").child(tree_view::tree(raw, &[]))))
        .child(profile.map(|raw| {
            titled_section("", "Profile data").child(tree_view::tree(raw, PROFILE_FACTS))
        }))
        .child(about(&lead.company))
        .child(ids(&lead.ids))
}

/// Renders the main facts about the lead and its company.
fn facts(lead: &LeadProfile, route_links: &RouteLinks) -> Option<El> {
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
        .child("Company", name(company, route_links))
        .text("Job title", company.title.as_deref())
        .text("Industry", company.industry.as_deref())
        .text("Size", size.as_deref())
        .text("Location", lead.location.as_deref())
        .text("Based in", company.location.as_deref())
        .text("Network", both(connections, followers).as_deref())
        .child("Conversation", conversation.map(|id| code().child(id)))
        .child("Background", background.map(|href| link(href, "Picture")))
        .list()
        .map(|facts| titled_section("", "Facts").child(facts))
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
    let logo = logo.map(|logo| avatar(&initials(name), Some(logo)));
    let page = company.page.as_deref();
    let (name, away) = match (&company.account, page) {
        (Some(id), page) => {
            let label = ["Company page of ", name].concat();
            let away = page.map(|page| link(page, "Company page").attr("aria-label", &label));
            (route_links.link(name, Route::account(id)), away)
        }
        (None, Some(page)) => (link(page, name), None),
        (None, None) => (span().child(name), None),
    };
    Some(span().class("company").child(logo).child(name).child(away))
}

fn about(company: &Company) -> Option<El> {
    said_of_itself(company.tagline.as_deref(), company.description.as_deref())
}

/// Renders the company's own description; `None` if there is none.
pub fn said_of_itself(tagline: Option<&str>, description: Option<&str>) -> Option<El> {
    let paragraph = |paragraph: Option<&str>| paragraph.map(|paragraph| text("p", paragraph));
    let (tagline, description) = (paragraph(tagline), paragraph(description));
    if tagline.is_none() && description.is_none() {
        return None;
    }
    Some(
        titled_section("about", "About the company")
            .child(tagline)
            .child(description),
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
            facts = facts.child(what, Some(code().child(id)));
        }
        (div().child(facts.list()), left.len())
    };
    let ids = details()
        .child(summary().child(h3().child("Ids")))
        .child(in_steps(STEP, 0, Rc::new(draw)));
    Some(section().class("ids").child(ids))
}
