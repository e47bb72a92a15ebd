//! Intent signals of a lead, newest first.

use std::rc::Rc;
use std::sync::Arc;

use super::fields::{DefinitionList, ago, collapsible, in_steps, nothing, text, titled_section};
use super::tree_view::branch;
use crate::app::components::dom::{El, code, div, li, ol, p, summary};
use crate::app::components::format;
use crate::app::components::links::RouteLinks;
use crate::app::model::filters::Facet;
use crate::app::model::lead_detail::{LeadProfile, SUMMARY, TimelineEvent};
use crate::app::model::view::leads_with;

/// Number of signals shown at a time.
const STEP: usize = 8;

pub fn timeline(lead: &Arc<LeadProfile>, route_links: &RouteLinks) -> El {
    let count = lead.timeline.len() as u64;
    if count == 0 {
        return titled_section("", "Intent").child(nothing("No intent signals."));
    }
    let (lead, route_links) = (Arc::clone(lead), route_links.clone());
    let draw = move |from: usize| {
        let left = &lead.timeline[from.min(lead.timeline.len())..];
        let list = ol().class("time").children(
            left.iter()
                .take(STEP)
                .map(|event| entry(event, &route_links)),
        );
        (list, left.len())
    };
    titled_section("", "Intent")
        .attr(
            "aria-label",
            format!("Intent, {}", format::count(count, "signal")),
        )
        .child(in_steps(STEP, 0, Rc::new(draw)))
}

fn entry(event: &TimelineEvent, route_links: &RouteLinks) -> El {
    let about = [event.kind.as_deref(), event.list.as_deref()];
    let about: Vec<&str> = about.into_iter().flatten().collect();
    let about = (!about.is_empty()).then(|| p().class("fine").child(about.join(" · ")));
    let what = div()
        .child(text("p", &event.what))
        .child(about)
        .child(around(event, route_links))
        .child(particulars(event));
    li().child(what).child(event.when.as_deref().map(ago))
}

/// Renders links to all leads with the same signal, or from the same run.
fn around(event: &TimelineEvent, route_links: &RouteLinks) -> Option<El> {
    let filter_link = |label, facet, id: &Option<String>| {
        let id = id.as_deref()?;
        Some(route_links.button(label, leads_with(facet, id)))
    };
    let all = [
        filter_link("Leads with this signal", Facet::Signal, &event.signal),
        filter_link("Leads from this run", Facet::SignalRun, &event.run),
    ];
    let all: Vec<El> = all.into_iter().flatten().collect();
    (!all.is_empty()).then(|| p().class("around").children(all))
}

/// Renders further data of a signal when it is opened.
fn particulars(event: &TimelineEvent) -> Option<El> {
    if event.more.is_none() && event.ids.is_empty() {
        return None;
    }
    let event = event.clone();
    let draw = move || {
        let mut ids = DefinitionList::default();
        for (what, id) in &event.ids {
            ids = ids.child(what, Some(code().child(id)));
        }
        let more = event.more.as_ref();
        div()
            .child(more.map(|more| branch(more, &[SUMMARY], 1)))
            .child(ids.list())
    };
    Some(collapsible(summary().child("Details"), false, draw))
}
