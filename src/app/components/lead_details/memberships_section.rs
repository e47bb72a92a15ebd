//! Lists and campaigns of a lead, and its nurture state.

use std::rc::Rc;
use std::sync::Arc;

use super::fields::{DefinitionList, ago, day, in_steps, titled_section};
use crate::app::components::dom::{El, b, li, p, span, ul};
use crate::app::components::links::RouteLinks;
use crate::app::model::filters::Facet;
use crate::app::model::lead_detail::{LeadCampaign, LeadProfile, ListMembership, Nurturing};
use crate::app::model::view::leads_with;

/// Number of lists and campaigns shown at a time.
const STEP: usize = 12;

/// Renders the lists that contain the lead.
pub fn lists(lead: &Arc<LeadProfile>) -> Option<El> {
    let lead = Arc::clone(lead);
    let is_empty = lead.lists.is_empty();
    (!is_empty).then(|| {
        let draw = move |from: usize| {
            let left = &lead.lists[from.min(lead.lists.len())..];
            let list = ul()
                .class("entries")
                .children(left.iter().take(STEP).map(list));
            (list, left.len())
        };
        titled_section("", "Lists").child(in_steps(STEP, 0, Rc::new(draw)))
    })
}

fn list(list: &ListMembership) -> El {
    let added = list.added.as_deref();
    li().child(b().child(&list.name))
        .child(added.map(|added| span().class("fine").child("added ").child(ago(added))))
}

/// Renders the campaigns that contain the lead, each with its status and that of the lead in it.
pub fn campaigns(lead: &Arc<LeadProfile>, route_links: &RouteLinks) -> Option<El> {
    let (lead, route_links) = (Arc::clone(lead), route_links.clone());
    let is_empty = lead.campaigns.is_empty();
    (!is_empty).then(|| {
        let draw = move |from: usize| {
            let left = &lead.campaigns[from.min(lead.campaigns.len())..];
            let some = left.iter().take(STEP);
            let list = ul()
                .class("entries")
                .children(some.map(|one| campaign(one, &route_links)));
            (list, left.len())
        };
        titled_section("", "Campaigns").child(in_steps(STEP, 0, Rc::new(draw)))
    })
}

fn campaign(campaign: &LeadCampaign, route_links: &RouteLinks) -> El {
    let around = campaign.id.as_deref().map(|id| {
        let route = leads_with(Facet::Campaign, id);
        p().class("around")
            .child(route_links.button("Leads in this campaign", route))
    });
    let chip = |text: &str| span().class("chip").child(text);
    let yes_or_no = |known: Option<bool>, yes: &'static str, no: &'static str| {
        known.map(|known| if known { yes } else { no })
    };
    let chips = span()
        .class("chips")
        .child(campaign.lead_status.as_deref().map(chip))
        .child(yes_or_no(campaign.accepted, "Connected", "Not connected").map(chip))
        .child(yes_or_no(campaign.replied, "Replied", "No reply").map(chip));
    let status = campaign.status.as_deref();
    let sender = campaign.sender.as_deref();
    let sender = sender.map(|sender| {
        span()
            .class("fine")
            .child("by ")
            .child(span().child(sender))
    });
    let added = campaign.added.as_deref();
    li().child(b().child(&campaign.name))
        .child(status.map(|status| span().class("fine").child(status)))
        .child(chips)
        .child(sender)
        .child(added.map(|added| span().class("fine").child("added ").child(ago(added))))
        .child(around)
}

/// Renders the nurture state of the lead.
pub fn nurture(nurturing: &Nurturing) -> El {
    let state = nurturing
        .active
        .map(|active| if active { "Active" } else { "Stopped" });
    let facts = DefinitionList::default()
        .text("State", state)
        .text("Likes", nurturing.likes.as_deref())
        .child("Since", nurturing.began.as_deref().map(day));
    titled_section("", "Nurture").child(facts.list())
}
