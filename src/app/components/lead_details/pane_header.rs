//! Header of the lead details.

use leptos::prelude::*;

use super::LeadDecision;
use super::fields::link;
use crate::app::components::avatar::avatar;
use crate::app::components::dom::{El, div, p, span};
use crate::app::components::format;
use crate::app::components::links::RouteLinks;
use crate::app::components::status_label::status_mark;
use crate::app::model::lead::initials;
use crate::app::model::lead_detail::{Company, LeadProfile};
use crate::app::model::route::Route;

/// Renders name and status, then title and company, then location, network and profile.
pub fn top(
    lead: &LeadProfile,
    heading: El,
    decided: &Signal<LeadDecision>,
    route_links: &RouteLinks,
) -> El {
    let decided = *decided;
    let mark = move || {
        let LeadDecision { status, phase, .. } = decided.get();
        status_mark(&status, phase, false)
    };
    let state = span()
        .class("state")
        .attr("data-mark", move || mark().0.into_owned())
        .child(move || mark().1.into_owned());
    let picture = lead.picture.as_deref();
    let picture = picture.map(|picture| avatar(&lead.initials, Some(picture)));
    let id = div().class("id").child(picture).child(heading).child(state);
    let company = company(&lead.company, route_links);
    let title = lead.title.as_deref();
    let sub = (title.is_some() || company.is_some()).then(|| {
        let comma = (title.is_some() && company.is_some()).then_some(", ");
        p().class("sub").child(title).child(comma).child(company)
    });
    let (connections, followers) = lead.reach;
    let facts = [
        lead.location.clone(),
        connections.map(|count| format::count(count, "connection")),
        followers.map(|count| format::count(count, "follower")),
        lead.premium.filter(|is| *is).map(|_| "Paid profile".into()),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    let profile = lead.profile.as_deref();
    let profile = profile
        .map(|href| link(href, "Profile").attr("aria-label", ["Profile of ", &lead.name].concat()));
    let dot = (!facts.is_empty() && profile.is_some()).then_some(" · ");
    let facts = (!facts.is_empty() || profile.is_some()).then(|| {
        p().class("fine")
            .child(facts.join(" · "))
            .child(dot)
            .child(profile)
    });
    div().class("top").child(id).child(sub).child(facts)
}

/// Renders the logo and the name of the company, which links to its account, or else to its page.
fn company(company: &Company, route_links: &RouteLinks) -> Option<El> {
    let page = company.page.as_deref();
    let name = company.name.as_deref().or(page)?;
    let logo = company.logo.as_deref();
    let logo = logo.map(|logo| avatar(&initials(name), Some(logo)));
    let name = match (&company.account, page) {
        (Some(id), _) => route_links.link(name, Route::account(id)),
        (None, Some(page)) => link(page, name),
        (None, None) => span().child(name),
    };
    Some(span().class("company").child(logo).child(name))
}
