//! Why now: the last intent signal of a lead, and the conversation with it.

use std::rc::Rc;
use std::sync::Arc;

use super::fields::{DefinitionList, ago, collapsible, heading_line, in_steps, nothing, text};
use super::tree_view::branch;
use crate::app::components::dom::{El, code, div, li, ol, p, section, summary};
use crate::app::components::format;
use crate::app::components::links::RouteLinks;
use crate::app::model::filters::Facet;
use crate::app::model::lead_detail::{Conversation, LeadProfile, SUMMARY, TimelineEvent};
use crate::app::model::time::Freshness;
use crate::app::model::view::leads_with;

/// Number of earlier signals shown at a time.
const STEP: usize = 8;

pub fn signals(lead: &Arc<LeadProfile>, route_links: &RouteLinks) -> El {
    let last = lead.timeline.first().and_then(|last| last.when.as_deref());
    let freshness = last.and_then(format::age).map(|age| age.freshness);
    let is_fresh = freshness == Some(Freshness::Fresh);
    section()
        .class(if is_fresh { "why-now fresh" } else { "why-now" })
        .child(last_signal(lead, route_links))
        .child(lead.conversation.as_ref().map(conversation))
}

fn last_signal(lead: &Arc<LeadProfile>, route_links: &RouteLinks) -> El {
    let Some((last, earlier)) = lead.timeline.split_first() else {
        return div()
            .child(heading_line("Why now", None))
            .child(nothing("No intent signals."));
    };
    let label = match earlier.len() {
        0 => "Details".to_owned(),
        1 => "1 earlier signal".to_owned(),
        many => format!("{many} earlier signals"),
    };
    let has_earlier = !earlier.is_empty();
    let has_more = has_earlier || has_details(last);
    let (all, route_links) = (Arc::clone(lead), route_links.clone());
    let draw = move || {
        let (all, links) = (Arc::clone(&all), route_links.clone());
        let last = details(&all.timeline[0], &links);
        let draw = move |from: usize| {
            let left = &all.timeline[(from + 1).min(all.timeline.len())..];
            let some = left.iter().take(STEP);
            let list = ol()
                .class("time")
                .children(some.map(|event| entry(event, &links)));
            (list, left.len())
        };
        div()
            .children(last)
            .child(has_earlier.then(|| in_steps(STEP, 0, Rc::new(draw))))
    };
    div()
        .child(heading_line("Why now", last.when.as_deref().map(ago)))
        .child(p().class("big").child(text("span", &last.what)))
        .child(about(last))
        .child(has_more.then(|| collapsible(summary().child(&label), false, draw)))
}

fn conversation(conversation: &Conversation) -> El {
    let state = match conversation.replied {
        Some(true) => "Replied",
        Some(false) => "No reply yet",
        None => "Started",
    };
    let campaign = conversation.campaign.as_deref();
    div()
        .child(heading_line("Conversation", None))
        .child(p().class("big").child(state))
        .child(campaign.map(|campaign| p().class("fine").child(campaign)))
}

/// Renders an earlier signal.
fn entry(event: &TimelineEvent, route_links: &RouteLinks) -> El {
    let more = has_details(event).then(|| {
        let (event, links) = (event.clone(), route_links.clone());
        collapsible(summary().child("Details"), false, move || {
            div().children(details(&event, &links))
        })
    });
    let what = div()
        .child(text("p", &event.what))
        .child(about(event))
        .child(more);
    li().child(what).child(event.when.as_deref().map(ago))
}

/// Renders the type of a signal and its list.
fn about(event: &TimelineEvent) -> Option<El> {
    let about = [event.kind.as_deref(), event.list.as_deref()];
    let about: Vec<&str> = about.into_iter().flatten().collect();
    (!about.is_empty()).then(|| p().class("fine").child(about.join(" · ")))
}

fn has_details(event: &TimelineEvent) -> bool {
    event.more.is_some() || !event.ids.is_empty()
}

/// Renders links to all leads with the same signal or from the same run, and further data of a signal.
fn details(event: &TimelineEvent, route_links: &RouteLinks) -> Vec<El> {
    let filter_link = |label, facet, id: &Option<String>| {
        let id = id.as_deref()?;
        Some(route_links.button(label, leads_with(facet, id)))
    };
    let around = [
        filter_link("Leads with this signal", Facet::Signal, &event.signal),
        filter_link("Leads from this run", Facet::SignalRun, &event.run),
    ];
    let around: Vec<El> = around.into_iter().flatten().collect();
    let around = (!around.is_empty()).then(|| p().class("around").children(around));
    let more = event.more.as_ref();
    let more = more.map(|more| branch(more, &[SUMMARY], 1));
    let mut ids = DefinitionList::default();
    for (what, id) in &event.ids {
        ids = ids.child(what, Some(code().child(id)));
    }
    [around, more, ids.list()].into_iter().flatten().collect()
}
