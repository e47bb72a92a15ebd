//! Sections of the lead details: what decides first, everything else behind "More".

use std::rc::Rc;
use std::sync::Arc;

use leptos::ev;

use super::fields::{DefinitionList, collapsible, in_steps, link, text, titled_section};
use super::{memberships_section, score_section, signals_section, tree_view};
use crate::app::components::dom::{El, code, div, li, ol, small, span, summary};
use crate::app::components::format;
use crate::app::components::links::RouteLinks;
use crate::app::components::skeleton::skeleton;
use crate::app::model::lead_detail::{Company, LeadProfile, Position};
use crate::app::reactive::{Signal, StoredValue};

/// Number of ids shown at a time.
const STEP: usize = 30;

/// Renders the sections, with the suggestion and the section of a host page. Those after the first screen follow when these are
/// painted.
pub fn body(
    lead: &Arc<LeadProfile>,
    is_painted: Signal<bool>,
    colleagues: Option<El>,
    [suggestion, host]: [&Rc<dyn Fn() -> Option<El>>; 2],
    route_links: &RouteLinks,
    shows_more: StoredValue<bool>,
) -> El {
    let (suggestion, host) = (Rc::clone(suggestion), Rc::clone(host));
    let later = |draw: fn(&Arc<LeadProfile>, &RouteLinks) -> Option<El>| {
        let (lead, route_links) = (Arc::clone(lead), route_links.clone());
        move || (!lead.is_preview && is_painted.get()).then(|| draw(&lead, &route_links))?
    };
    let is_preview = lead.is_preview;
    let about = &lead.company;
    let names = [
        ("headline", lead.headline.is_some()),
        ("nurture", lead.warming.is_some()),
        ("custom data", lead.custom_data.is_some()),
        ("profile data", lead.profile_data.is_some()),
        (
            "about the company",
            about.tagline.is_some() || about.description.is_some(),
        ),
        ("ids", true),
    ];
    let more = {
        let lead = Arc::clone(lead);
        move || {
            let custom = lead.custom_data.as_ref();
            let profile = lead.profile_data.as_ref();
            let company = &lead.company;
            vec![
                facts(&lead),
                lead.warming.as_ref().map(memberships_section::nurture),
                custom
                    .map(|raw| titled_section("", "Custom data").child(tree_view::tree(raw, &[]))),
                profile.map(|(raw, hidden)| {
                    titled_section("", "Profile data").child(tree_view::tree(raw, hidden))
                }),
                about_company(company.tagline.as_deref(), company.description.as_deref()),
                ids(&lead.ids),
            ]
        }
    };
    div()
        .class("sections")
        .child(signals_section::signals(lead, route_links))
        .child(score_section::fit(&lead.scores))
        .child(move || suggestion())
        .child(move || host())
        .child(later(|lead, _| experience(&lead.experience)))
        .child(colleagues)
        .child(later(|lead, _| company(&lead.company)))
        .child(later(|lead, _| memberships_section::lists(lead)))
        .child(later(memberships_section::campaigns))
        .child(is_preview.then(|| skeleton("skeleton", &[2, 3])))
        .child(move || {
            (!is_preview && is_painted.get()).then(|| further(&names, shows_more, more.clone()))
        })
}

/// Renders the positions that the lead has held.
fn experience(positions: &[Position]) -> Option<El> {
    if positions.is_empty() {
        return None;
    }
    let positions: Rc<[Position]> = positions.into();
    let draw = move |from: usize| {
        let left = &positions[from.min(positions.len())..];
        let line = |position: &Position| {
            li().class(if position.is_current { "here" } else { "" })
                .child(span().child(&position.what))
                .child(position.years.as_deref().map(|years| small().child(years)))
        };
        let list = ol()
            .class("time")
            .children(left.iter().take(STEP).map(line));
        (list, left.len())
    };
    Some(titled_section("experience", "Experience").child(in_steps(STEP, 0, Rc::new(draw))))
}

fn company(company: &Company) -> Option<El> {
    let founded = company.founded.map(|year| format!("founded {year}"));
    let size = company.size.as_deref().map(format::people);
    let size: Vec<String> = size.into_iter().chain(founded).collect();
    let size = (!size.is_empty()).then(|| size.join(", "));
    let name = company.name.as_deref().unwrap_or("the company");
    let page = company.page.as_deref().map(|page| {
        let label = ["Company page of ", name].concat();
        link(page, "Company page").attr("aria-label", label)
    });
    DefinitionList::default()
        .text("Industry", company.industry.as_deref())
        .text("Size", size.as_deref())
        .text("Based in", company.location.as_deref())
        .text("Job title", company.title.as_deref())
        .child("Page", page)
        .list()
        .map(|facts| titled_section("", "Company").child(facts))
}

/// Renders what the header does not show of the lead.
fn facts(lead: &LeadProfile) -> Option<El> {
    let background = lead.background.as_deref();
    DefinitionList::default()
        .text("Headline", lead.headline.as_deref())
        .child("Background", background.map(|href| link(href, "Picture")))
        .list()
}

/// Renders the company's own description; `None` if there is none.
pub fn about_company(tagline: Option<&str>, description: Option<&str>) -> Option<El> {
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

/// Renders the ids for use in other tools.
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
    Some(titled_section("", "Ids").child(in_steps(STEP, 0, Rc::new(draw))))
}

/// Renders sections that are drawn when they are first opened. `names` are those that may be there, and whether they are.
/// `shows_more` keeps for the next row whether the user opened them.
pub fn further(
    names: &[(&'static str, bool)],
    shows_more: StoredValue<bool>,
    draw: impl Fn() -> Vec<Option<El>> + 'static,
) -> El {
    let names: Vec<&str> = names
        .iter()
        .filter(|(_, is_there)| *is_there)
        .map(|(name, _)| *name)
        .collect();
    let label = ["More: ", &names.join(", ")].concat();
    let summary = summary().child(label).on(ev::click, move |_| {
        shows_more.try_update_value(|shows_more| *shows_more = !*shows_more);
    });
    let is_open = shows_more.try_get_value() == Some(true);
    collapsible(summary, is_open, move || {
        div()
            .class("sections")
            .children(draw().into_iter().flatten())
    })
    .class("further-data")
}
