//! Card of the best signal: the one conversation worth acting on.

use super::LeadsLink;
use super::charts::tone;
use crate::app::components::avatar::avatar;
use crate::app::components::dom::{El, classed, el};
use crate::app::components::icon;
use crate::app::model::account_pulse::{ReplyClass, Signal};

/// Renders the card. It links to the lead if the server names the lead.
pub fn signal(signal: &Signal, lead_links: &LeadsLink) -> El {
    let who = classed("span", "who")
        .el(el("b").text(&signal.name))
        .el_opt(signal.class.as_ref().map(pill))
        .el_opt(
            signal
                .campaign
                .as_deref()
                .map(|campaign| classed("span", "from").text("from ").text(campaign)),
        );
    let card = match signal.lead.as_deref() {
        Some(lead) => lead_links.link(lead),
        None => el("div"),
    };
    let go = signal.lead.is_some().then(icon::right);
    card.attr("class", "signal")
        .el(avatar(&signal.initials, None).into())
        .el(who)
        .el_opt(go)
}

/// Renders the class of a reply.
pub fn pill(class: &ReplyClass) -> El {
    classed("span", "class")
        .attr("data-tone", tone(class.tone))
        .text(&class.name)
}
