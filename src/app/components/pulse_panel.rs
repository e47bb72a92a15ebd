//! Pulse panel: how outreach to an account is going. The funnel first, then the reply classes, then the best signal.

use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;

use super::chart_card::table_switch;
use super::dom::{El, div, h3, h4, section};
use super::empty_state::{Severity, empty_state_under};
use super::lead_details::fields::nothing;
use super::links::route_link;
use crate::app::components::skeleton::skeleton;
use crate::app::model::account_pulse::{OutreachStage, Pulse, PulseLead};
use crate::app::reactive::{RwSignal, Signal};

mod best_signal;
mod campaign_list;
mod charts;
pub mod portfolio_row;
mod sparkline;
mod timeline;

/// Inputs of the pulse panel.
#[derive(Clone)]
pub struct PulsePanel {
    pub pulse: Signal<Option<Arc<Pulse>>>,
    /// Whether a response is pending.
    pub busy: Signal<bool>,
    /// Error state, shown above the pulse or in its place.
    pub error_state: Rc<dyn Fn() -> Option<El>>,
    pub as_table: RwSignal<bool>,
    pub lead_links: LeadsLink,
}

/// Links from the pulse to leads, by lead id.
#[derive(Clone)]
pub struct LeadsLink {
    /// Returns the URL of a lead.
    pub href: Rc<dyn Fn(&str) -> String>,
    /// Opens a lead.
    pub on_open: Callback<String>,
    /// Returns the name of a lead that the pulse does not name, if it is known from elsewhere.
    pub name: NameOf,
    /// Requests the names of leads that the pulse does not name.
    pub on_unknown: Callback<()>,
}

/// Lookup of a lead's name by its id.
pub type NameOf = Rc<dyn Fn(&str) -> Option<String>>;

impl LeadsLink {
    /// Returns a link to a lead, without content.
    fn link(&self, id: &str) -> El {
        let (lead_links, href) = (self.clone(), (self.href)(id));
        let id = id.to_owned();
        route_link(
            "",
            move || href.clone(),
            || false,
            move || lead_links.on_open.run(id.clone()),
        )
    }

    /// Returns a link to a lead with its name, or with its id while the name is unknown.
    fn person(&self, person: &PulseLead) -> El {
        let link = self.link(&person.id);
        match &person.name {
            Some(name) => link.child(name),
            None => {
                let (name, id) = (Rc::clone(&self.name), person.id.clone());
                link.child(move || name(&id).unwrap_or_else(|| ["Lead ", &id].concat()))
            }
        }
    }
}

pub fn pulse_panel(panel: &PulsePanel) -> El {
    let (pulse, busy) = (panel.pulse, panel.busy);
    let (here, blank) = (panel.pulse, panel.busy);
    let (shown, error_state) = (panel.pulse, Rc::clone(&panel.error_state));
    let (as_table, lead_links) = (panel.as_table, panel.lead_links.clone());
    let switch = move || {
        let pulse = shown.get()?;
        (pulse.stage() == OutreachStage::Going).then(|| table_switch(as_table))
    };
    let head = div()
        .class("pulse-head")
        .child(h3().child("Pulse"))
        .child(switch);
    section()
        .class("pulse")
        .attr("role", "region")
        .attr("aria-label", "Pulse")
        .attr("aria-busy", move || busy.get().to_string())
        .child(head)
        .child(move || error_state())
        .child(move || Some(body(&*pulse.get()?, as_table, &lead_links)))
        .child(move || (here.get().is_none() && blank.get()).then(|| skeleton("skeleton", &[3, 2])))
}

fn body(pulse: &Pulse, as_table: RwSignal<bool>, lead_links: &LeadsLink) -> El {
    let body = div().class("pulse-body");
    let (title, text) = match pulse.stage() {
        OutreachStage::Going => {
            return body
                .child(charts::funnel(&pulse.funnel, as_table))
                .child(charts::classes(pulse, as_table))
                .child(pulse.best.as_ref().map(|best| {
                    part("best", "Best signal").child(best_signal::signal(best, lead_links))
                }))
                .child(timeline::timeline(pulse, as_table))
                .child(campaign_list::campaigns(&pulse.campaigns, lead_links))
                .child(campaign_list::chats(&pulse.chats, lead_links));
        }
        OutreachStage::Silent => (
            "No conversations yet",
            "Replies show up here once a campaign reaches the leads of this account.",
        ),
        OutreachStage::NoLeads => (
            "No leads yet",
            "No leads in this workspace work here, so there is nobody to contact.",
        ),
        OutreachStage::Unknown => (
            "No data yet",
            "The server returned no outreach data for this account.",
        ),
    };
    let counted = pulse.stage() == OutreachStage::Silent;
    body.child(counted.then(|| charts::funnel(&pulse.funnel, as_table)))
        .child(empty_state_under("h4", Severity::Calm, title, text))
        .child(campaign_list::campaigns(&pulse.campaigns, lead_links))
}

/// Renders a section of the panel with a heading.
fn part(class: &str, title: &str) -> El {
    section().class(class).child(h4().child(title))
}

/// Renders a section that has nothing to show.
fn bare(class: &str, title: &str, text: &str) -> El {
    part(class, title).child(nothing(text))
}
