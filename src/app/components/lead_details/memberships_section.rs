//! Lists and campaigns of a lead, and its nurture state.

use std::rc::Rc;
use std::sync::Arc;

use super::fields::{DefinitionList, ago, day, in_steps, section};
use crate::app::components::dom::{El, classed, el};
use crate::app::components::links::RouteLinks;
use crate::app::model::filters::Facet;
use crate::app::model::lead_detail::{Detail, LeadCampaign, Membership, Nurturing};
use crate::app::model::view::leads_with;

/// Number of lists and campaigns shown at a time.
const STEP: usize = 12;

/// Renders the lists that contain the lead.
pub fn lists(lead: &Arc<Detail>) -> Option<El> {
    let lead = Arc::clone(lead);
    let is_empty = lead.lists.is_empty();
    (!is_empty).then(|| {
        let draw = move |from: usize| {
            let left = &lead.lists[from.min(lead.lists.len())..];
            let list = classed("ul", "places").els(left.iter().take(STEP).map(list));
            (list, left.len())
        };
        section("", "Lists").el(in_steps(STEP, 0, Rc::new(draw)))
    })
}

fn list(list: &Membership) -> El {
    let added = list.added.as_deref();
    el("li")
        .el(el("b").text(&list.name))
        .el_opt(added.map(|added| classed("span", "fine").text("added ").el(ago(added))))
}

/// Renders the campaigns that contain the lead, each with its status and that of the lead in it.
pub fn campaigns(lead: &Arc<Detail>, route_links: &RouteLinks) -> Option<El> {
    let (lead, route_links) = (Arc::clone(lead), route_links.clone());
    let is_empty = lead.campaigns.is_empty();
    (!is_empty).then(|| {
        let draw = move |from: usize| {
            let left = &lead.campaigns[from.min(lead.campaigns.len())..];
            let some = left.iter().take(STEP);
            let list = classed("ul", "places").els(some.map(|one| campaign(one, &route_links)));
            (list, left.len())
        };
        section("", "Campaigns").el(in_steps(STEP, 0, Rc::new(draw)))
    })
}

fn campaign(campaign: &LeadCampaign, route_links: &RouteLinks) -> El {
    let around = campaign.id.as_deref().map(|id| {
        let place = leads_with(Facet::Campaign, id);
        classed("p", "around").el(route_links.button("Leads in this campaign", place))
    });
    let chip = |text: &str| classed("span", "chip").text(text);
    let said = |known: Option<bool>, yes: &'static str, no: &'static str| {
        known.map(|known| if known { yes } else { no })
    };
    let chips = classed("span", "chips")
        .el_opt(campaign.lead_status.as_deref().map(chip))
        .el_opt(said(campaign.accepted, "Connected", "Not connected").map(chip))
        .el_opt(said(campaign.replied, "Replied", "No reply").map(chip));
    let status = campaign.status.as_deref();
    let sender = campaign.sender.as_deref();
    let sender = sender.map(|sender| {
        classed("span", "fine")
            .text("by ")
            .el(el("span").text(sender))
    });
    let added = campaign.added.as_deref();
    el("li")
        .el(el("b").text(&campaign.name))
        .el_opt(status.map(|status| classed("span", "fine").text(status)))
        .el(chips)
        .el_opt(sender)
        .el_opt(added.map(|added| classed("span", "fine").text("added ").el(ago(added))))
        .el_opt(around)
}

/// Renders the nurture state of the lead.
pub fn warming(warming: &Nurturing) -> El {
    let state = warming
        .active
        .map(|active| if active { "Active" } else { "Stopped" });
    let facts = DefinitionList::default()
        .text("State", state)
        .text("Likes", warming.likes.as_deref())
        .el("Since", warming.began.as_deref().map(day));
    section("", "Nurture").el_opt(facts.list())
}
