//! Header of the lead details.

use std::rc::Rc;

use super::LeadDecision;
use super::fields::link;
use crate::app::components::avatar::avatar;
use crate::app::components::dom::{El, Reader, classed, el};
use crate::app::components::status_label::{phase_word, status_word};
use crate::app::model::lead_detail::Detail;

/// Renders picture, name, title and company, then status, score and links.
pub fn top(lead: &Detail, heading: El, decided: &Reader<LeadDecision>) -> El {
    let (tone, word, phase) = (Rc::clone(decided), Rc::clone(decided), Rc::clone(decided));
    let sub = match (&lead.title, &lead.company.name) {
        (Some(title), Some(company)) => format!("{title}, {company}"),
        (Some(one), None) | (None, Some(one)) => one.clone(),
        (None, None) => String::new(),
    };
    let who = el("div")
        .el(heading)
        .el_opt((!sub.is_empty()).then(|| classed("p", "sub").text(&sub)));
    let id = classed("div", "id")
        .el(avatar(&lead.initials, lead.picture.as_deref()).into())
        .el(who);
    let pill = classed("span", "pill")
        .attr_of("data-tone", move || tone().status.as_str().to_owned())
        .text_of(move || status_word(&word().status));
    let phase = classed("span", "phase").text_of(move || phase_word(phase().phase).to_owned());
    let best = lead.best();
    let tier = best.and_then(|score| score.tier.as_deref());
    let tier = tier.map(|tier| classed("span", "chip").text("Tier ").el(el("b").text(tier)));
    let points = best.and_then(|score| score.points);
    let points = points.map(|points| {
        let points = (points.round().clamp(0.0, 100.0) as u8).to_string();
        classed("span", "chip")
            .el(el("b").text(&points))
            .text(" of 100")
    });
    let premium = lead.premium.filter(|premium| *premium);
    let premium = premium.map(|_| classed("span", "chip").text("Paid profile"));
    let profile = lead.profile.as_deref();
    let profile = profile
        .map(|href| link(href, "Profile").attr("aria-label", &format!("Profile of {}", lead.name)));
    let chips = classed("div", "chips")
        .el(pill)
        .el(phase)
        .el_opt(tier)
        .el_opt(points)
        .el_opt(premium)
        .el_opt(profile);
    classed("div", "top").el(id).el(chips)
}
