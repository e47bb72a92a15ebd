//! A lead as a card, for a phone: all that matters above, two large buttons under the thumb.

use std::rc::Rc;
use std::sync::Arc;

use leptos::html;
use leptos::prelude::*;

use super::avatar::Avatar;
use super::format;
use super::lead_row::{Act, Decide, Trouble};
use super::link::AwayLink;
use super::score::Score;
use super::status::Status;
use crate::model::decision::Decision;
use crate::model::lead::Lead;

/// A card. The same row of the same grid, in another shape.
#[component]
pub fn LeadCard(
    /// The lead.
    lead: Arc<Lead>,
    /// The decision on it.
    decision: ArcRwSignal<Decision>,
    /// Whether the card is ticked.
    selected: ArcRwSignal<bool>,
    /// Its number in the whole list.
    index: Signal<u64>,
    /// What the person wants.
    on_act: Rc<dyn Fn(Act)>,
) -> impl IntoView {
    let node = NodeRef::<html::Div>::new();
    let (status, phase) = (decision.clone(), decision.clone());
    let (ticked, tick) = (selected.clone(), selected.clone());
    let name = lead.name.clone();
    let away = lead.profile.clone().map(|href| {
        let label = format!("Profile of {}", lead.name);
        view! { <AwayLink href=href label=label /> }
    });
    let decide: Rc<dyn Fn(Act)> = {
        let on_act = Rc::clone(&on_act);
        Rc::new(move |act| {
            on_act(act);
            // The next lead comes by itself.
            if let Some(next) = node
                .get_untracked()
                .and_then(|node| node.next_element_sibling())
            {
                next.scroll_into_view();
            }
        })
    };
    view! {
        <div role="row" class="card" node_ref=node data-lead-id=lead.id.clone()
            data-status=move || status.with(Decision::shown).as_str().to_owned()
            data-phase=move || format!("{:?}", phase.with(Decision::phase))
            aria-rowindex=move || index.get().to_string()
            aria-selected=move || ticked.get().to_string()>
            <div role="gridcell" class="tick">
                <input type="checkbox" aria-label=format!("Select {name}")
                    prop:checked=move || selected.get()
                    on:change=move |event| tick.set(event_target_checked(&event)) />
            </div>
            <div role="gridcell" class="who">
                <Avatar initials=lead.initials.clone() picture=lead.picture.clone() />
                <b>{name.clone()}</b>
                {away}
            </div>
            <div role="gridcell" class="sub">{lead.title.clone().unwrap_or_default()}</div>
            <div role="gridcell" class="state"><Status decision=decision.clone() /></div>
            <div role="gridcell" class="why">
                <div class="fit">
                    <span>"ICP score"</span>
                    <Score score=lead.score />
                    {lead.tier.clone().map(|tier| view! { <span class="tier">"Tier "<b>{tier}</b></span> })}
                </div>
                {lead.reasoning.clone().map(|why| view! { <p>{why}</p> })}
            </div>
            <div role="gridcell" class="facts">
                <dl>
                    {fact("Company", lead.company.clone())}
                    {fact("Industry", lead.industry.clone())}
                    {fact("Size", lead.company_size.clone().map(|size| format!("{size} people")))}
                    {fact("Location", lead.location.clone())}
                    {fact("Intent", lead.intent.clone())}
                    {fact("Headline", lead.headline.clone())}
                    {fact("Created", lead.created.as_deref().map(format::date))}
                </dl>
            </div>
            <div role="gridcell" class="act">
                <Trouble decision=decision.clone() on_act=on_act />
                <Decide name=lead.name.clone() decision=decision on_act=decide />
            </div>
        </div>
    }
}

fn fact(term: &'static str, text: Option<String>) -> impl IntoView {
    text.map(|text| view! { <dt>{term}</dt><dd>{text}</dd> })
}
