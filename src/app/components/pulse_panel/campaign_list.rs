//! Campaigns with their leads, and recent conversations.

use std::rc::Rc;

use leptos::prelude::*;

use super::best_signal::pill;
use super::{LeadsLink, part};
use crate::app::components::dom::{El, b, div, li, span, summary, ul};
use crate::app::components::format;
use crate::app::components::lead_details::fields::{ago, collapsible, in_steps};
use crate::app::model::account_pulse::{AccountCampaign, Conversation, PulseLead};

/// Numbers shown at a time: campaigns, leads of a campaign, conversations.
const CAMPAIGNS: usize = 5;
const PEOPLE: usize = 20;
const CHATS: usize = 5;

/// Renders the campaigns; `None` if there are none.
pub fn campaigns(campaigns: &[AccountCampaign], lead_links: &LeadsLink) -> Option<El> {
    let (all, lead_links): (Rc<[AccountCampaign]>, _) = (campaigns.into(), lead_links.clone());
    let draw = move |from: usize| {
        let left = &all[from.min(all.len())..];
        let rows = left.iter().take(CAMPAIGNS);
        let list = ul()
            .class("campaigns")
            .children(rows.map(|row| campaign(row, &lead_links)));
        (list, left.len())
    };
    (!campaigns.is_empty())
        .then(|| part("", "Campaigns").child(in_steps(CAMPAIGNS, 0, Rc::new(draw))))
}

fn campaign(campaign: &AccountCampaign, lead_links: &LeadsLink) -> El {
    let count = campaign.count.map(|count| format::count(count, "lead"));
    let count = span()
        .class("figure")
        .child(count.as_deref().unwrap_or_default());
    let name = b().child(&campaign.name);
    if campaign.people.is_empty() {
        return li().child(div().class("entry").child(name).child(count));
    }
    let (people, lead_links): (Rc<[_]>, _) =
        (campaign.people.as_slice().into(), lead_links.clone());
    let draw = move || {
        if people
            .iter()
            .any(|person: &PulseLead| person.name.is_none())
        {
            lead_links.on_unknown.run(());
        }
        let (people, lead_links) = (Rc::clone(&people), lead_links.clone());
        let draw = move |from: usize| {
            let left = &people[from.min(people.len())..];
            let rows = left.iter().take(PEOPLE);
            let list = ul()
                .class("people")
                .children(rows.map(|row| li().child(lead_links.person(row))));
            (list, left.len())
        };
        in_steps(PEOPLE, 0, Rc::new(draw))
    };
    let summary = summary().class("entry").child(name).child(count);
    li().child(collapsible(summary, false, draw))
}

/// Renders the latest conversations; `None` if there are none.
pub fn chats(chats: &[Conversation], lead_links: &LeadsLink) -> Option<El> {
    let (all, lead_links): (Rc<[Conversation]>, _) = (chats.into(), lead_links.clone());
    let draw = move |from: usize| {
        let left = &all[from.min(all.len())..];
        let rows = left.iter().take(CHATS);
        let list = ul()
            .class("chats")
            .children(rows.map(|row| chat(row, &lead_links)));
        (list, left.len())
    };
    (!chats.is_empty())
        .then(|| part("", "Recent conversations").child(in_steps(CHATS, 0, Rc::new(draw))))
}

fn chat(chat: &Conversation, lead_links: &LeadsLink) -> El {
    let name = match &chat.person {
        Some(person) => lead_links.link(&person.id).child(&chat.name),
        None => b().child(&chat.name),
    };
    li().child(name)
        .child(chat.class.as_ref().map(pill))
        .child(chat.last.as_deref().map(ago))
}
