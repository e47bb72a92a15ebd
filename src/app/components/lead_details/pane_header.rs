//! Header of the lead details.

use std::sync::Arc;

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
use crate::app::reactive::{Memo, Signal, memo};

/// Renders name and status, then title and company, then location, network and profile. What is the same of the next
/// lead, or of the details after their preview, keeps its elements.
pub fn top(
    lead: Signal<Option<Arc<LeadProfile>>>,
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
    let picture = part(lead, |lead| {
        Some((lead.initials.clone(), lead.picture.clone()?))
    });
    let picture = move || {
        let (initials, picture) = picture.get()?;
        Some(avatar(&initials, Some(&picture)).into())
    };
    let id = div().class("id").child(picture).child(heading).child(state);
    let work = part(lead, |lead| {
        Some((lead.title.clone(), lead.company.clone()))
    });
    let route_links = route_links.clone();
    let work = move || {
        let (title, employer) = work.get()?;
        let company = company(&employer, &route_links);
        let comma = (title.is_some() && company.is_some()).then_some(", ");
        (title.is_some() || company.is_some()).then(|| {
            p().class("sub")
                .child(title.as_deref())
                .child(comma)
                .child(company)
        })
    };
    let facts = part(lead, |lead| {
        Some((facts(lead), lead.profile.clone(), lead.name.clone()))
    });
    let facts = move || {
        let (facts, profile, name) = facts.get()?;
        let dot = (!facts.is_empty() && profile.is_some()).then_some(" · ");
        let profile = profile
            .map(|href| link(&href, "Profile").attr("aria-label", ["Profile of ", &name].concat()));
        (!facts.is_empty() || profile.is_some())
            .then(|| p().class("fine").child(profile).child(dot).child(facts))
    };
    div().class("top").child(id).child(work).child(facts)
}

/// Returns a part of the lead.
fn part<T: Clone + PartialEq + Send + Sync + 'static>(
    lead: Signal<Option<Arc<LeadProfile>>>,
    get: fn(&LeadProfile) -> Option<T>,
) -> Memo<Option<T>> {
    memo(move |_| lead.with(|lead| get(lead.as_ref()?)))
}

/// Returns location and network in words.
fn facts(lead: &LeadProfile) -> String {
    let (connections, followers) = lead.reach;
    let facts = [
        lead.location.clone(),
        connections.map(|count| format::count(count, "connection")),
        followers.map(|count| format::count(count, "follower")),
        lead.premium.filter(|is| *is).map(|_| "Paid profile".into()),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    facts.join(" · ")
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
