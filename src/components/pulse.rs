//! How outreach to an account is going: the funnel first, then the classes of the replies, then the
//! one conversation worth acting on.

use std::rc::Rc;
use std::sync::Arc;

use super::dom::{Action, El, Reader, button, classed, drawn, el};
use super::link::place_link;
use super::peek::parts::nothing;
use super::plate::{Mood, plate_under};
use crate::model::pulse::{Person, Pulse, Stage};
use crate::signal::RwSignal;

pub mod card;
mod chart;
mod outreach;
mod signal;

/// What the panel shows, and what can be done with it.
#[derive(Clone)]
pub struct Panel {
    /// The pulse that is shown.
    pub pulse: Reader<Option<Arc<Pulse>>>,
    /// Whether an answer is awaited.
    pub busy: Reader<bool>,
    /// What went wrong, above what is shown or in its place.
    pub trouble: Reader<Option<El>>,
    /// Whether the charts are shown as tables.
    pub as_table: RwSignal<bool>,
    /// The way to a lead.
    pub door: Door,
}

/// The way to a lead: its address, and going there. Both take the lead's id.
#[derive(Clone)]
pub struct Door {
    /// The address.
    pub href: Rc<dyn Fn(&str) -> String>,
    /// Goes there.
    pub on_open: Action<String>,
    /// The name of a lead that the pulse does not name, where it is known elsewhere.
    pub name: NameOf,
    /// Names of such leads are wanted.
    pub on_strangers: Action<()>,
}

/// The name of a lead by its id.
pub type NameOf = Rc<dyn Fn(&str) -> Option<String>>;

impl Door {
    /// A link to a lead, with nothing in it yet.
    fn link(&self, id: &str) -> El {
        let (door, href) = (self.clone(), (self.href)(id));
        let id = id.to_owned();
        place_link(
            "",
            move || href.clone(),
            || false,
            move || (door.on_open)(id.clone()),
        )
    }

    /// A lead by its name, else by its id.
    fn person(&self, person: &Person) -> El {
        let link = self.link(&person.id);
        match &person.name {
            Some(name) => link.text(name),
            None => {
                let (name, id) = (Rc::clone(&self.name), person.id.clone());
                link.text_of(move || name(&id).unwrap_or_else(|| ["Lead ", &id].concat()))
            }
        }
    }
}

/// The panel.
pub fn pulse_panel(panel: &Panel) -> El {
    let (pulse, busy) = (Rc::clone(&panel.pulse), Rc::clone(&panel.busy));
    let (here, blank) = (Rc::clone(&panel.pulse), Rc::clone(&panel.busy));
    let (shown, trouble) = (Rc::clone(&panel.pulse), Rc::clone(&panel.trouble));
    let (as_table, door) = (panel.as_table, panel.door.clone());
    let switch = move || {
        let pulse = shown()?;
        (pulse.stage() == Stage::Going).then(|| table_switch(as_table))
    };
    let head = classed("div", "pulse-head")
        .el(el("h3").text("Pulse"))
        .el_of(switch);
    classed("section", "pulse")
        .attr("role", "region")
        .attr("aria-label", "Pulse")
        .attr_of("aria-busy", move || busy().to_string())
        .el(head)
        .el_of(move || trouble())
        .el_of(move || Some(body(&*pulse()?, as_table, &door)))
        .el_of(move || (here().is_none() && blank()).then(ghost))
}

/// Shows the charts as tables, and back.
fn table_switch(as_table: RwSignal<bool>) -> El {
    button("quiet", "Show as table")
        .attr_of("aria-pressed", move || as_table.get().to_string())
        .on("click", move |_| as_table.update(|is| *is = !*is))
}

fn body(pulse: &Pulse, as_table: RwSignal<bool>, door: &Door) -> El {
    let body = classed("div", "pulse-body");
    let (title, text) = match pulse.stage() {
        Stage::Going => {
            return body
                .el(chart::funnel(&pulse.funnel, as_table))
                .el(chart::classes(pulse, as_table))
                .el_opt(
                    pulse
                        .best
                        .as_ref()
                        .map(|best| part("best", "Best signal").el(signal::signal(best, door))),
                )
                .el_opt(outreach::campaigns(&pulse.campaigns, door))
                .el_opt(outreach::chats(&pulse.chats, door));
        }
        Stage::Silent => (
            "No conversations yet",
            "Replies show up here once a campaign reaches the leads of this account.",
        ),
        Stage::NoLeads => (
            "No leads yet",
            "No lead of this workspace works here, so there is nobody to write to.",
        ),
        Stage::Unknown => (
            "Nothing known yet",
            "The server says nothing of the outreach to this account.",
        ),
    };
    let counted = pulse.stage() == Stage::Silent;
    body.el_opt(counted.then(|| chart::funnel(&pulse.funnel, as_table)))
        .el(plate_under("h4", Mood::Calm, title, text))
        .el_opt(outreach::campaigns(&pulse.campaigns, door))
}

/// A part of the panel, under a heading.
fn part(class: &str, title: &str) -> El {
    classed("section", class).el(el("h4").text(title))
}

/// A part of the panel that has nothing to show.
fn bare(class: &str, title: &str, text: &str) -> El {
    part(class, title).el(nothing(text))
}

/// Stands where the first pulse will be. The style sheet shows it only after a moment.
fn ghost() -> El {
    drawn(
        r#"<div class="ghost" aria-hidden="true"><div><i></i><i></i><i></i></div><div><i></i><i></i></div></div>"#,
    )
}
