//! Header of the lead details.

use leptos::prelude::*;

use super::LeadDecision;
use super::fields::link;
use crate::app::components::avatar::avatar;
use crate::app::components::dom::{El, b, div, p, span};
use crate::app::components::status_label::{phase_word, status_word};
use crate::app::model::lead_detail::LeadProfile;

/// Renders picture, name, title and company, then status, score and links.
pub fn top(lead: &LeadProfile, heading: El, decided: &Signal<LeadDecision>) -> El {
    let (tone, word, phase) = (*decided, *decided, *decided);
    let sub = match (&lead.title, &lead.company.name) {
        (Some(title), Some(company)) => format!("{title}, {company}"),
        (Some(one), None) | (None, Some(one)) => one.clone(),
        (None, None) => String::new(),
    };
    let who = div()
        .child(heading)
        .child((!sub.is_empty()).then(|| p().class("sub").child(&sub)));
    let id = div()
        .class("id")
        .child(avatar(&lead.initials, lead.picture.as_deref()))
        .child(who);
    let pill = span()
        .class("pill")
        .attr("data-tone", move || tone.get().status.as_str().to_owned())
        .child(move || status_word(&word.get().status));
    let phase = span()
        .class("phase")
        .child(move || phase_word(phase.get().phase).to_owned());
    let best = lead.best();
    let tier = best.and_then(|score| score.tier.as_deref());
    let tier = tier.map(|tier| span().class("chip").child("Tier ").child(b().child(tier)));
    let points = best.and_then(|score| score.points);
    let points = points.map(|points| {
        let points = (points.round().clamp(0.0, 100.0) as u8).to_string();
        span()
            .class("chip")
            .child(b().child(&points))
            .child(" of 100")
    });
    let premium = lead.premium.filter(|premium| *premium);
    let premium = premium.map(|_| span().class("chip").child("Paid profile"));
    let profile = lead.profile.as_deref();
    let profile = profile
        .map(|href| link(href, "Profile").attr("aria-label", format!("Profile of {}", lead.name)));
    let chips = div()
        .class("chips")
        .child(pill)
        .child(phase)
        .child(tier)
        .child(points)
        .child(premium)
        .child(profile);
    div().class("top").child(id).child(chips)
}
