//! Card of the best signal: the one conversation worth acting on.

use super::LeadsLink;
use super::charts::tone;
use crate::app::components::avatar::avatar;
use crate::app::components::dom::{El, b, div, span};
use crate::app::components::icon;
use crate::app::model::account_pulse::{PulseSignal, ReplyClass};

/// Renders the card. It links to the lead if the server names the lead.
pub fn signal(signal: &PulseSignal, lead_links: &LeadsLink) -> El {
    let who = span()
        .class("who")
        .child(b().child(&signal.name))
        .child(signal.class.as_ref().map(pill))
        .child(
            signal
                .campaign
                .as_deref()
                .map(|campaign| span().class("from").child("from ").child(campaign)),
        );
    let card = match signal.lead.as_deref() {
        Some(lead) => lead_links.link(lead),
        None => div(),
    };
    let arrow = signal.lead.is_some().then(icon::right);
    card.attr("class", "signal")
        .child(avatar(&signal.initials, None))
        .child(who)
        .child(arrow)
}

/// Renders the class of a reply.
pub fn pill(class: &ReplyClass) -> El {
    span()
        .class("class")
        .attr("data-tone", tone(class.tone))
        .child(&class.name)
}
