//! A lead as a row of the grid.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;
use leptos::prelude::*;

use super::avatar::Avatar;
use super::format;
use super::link::AwayLink;
use super::score::Score;
use super::status::Status;
use crate::model::decision::Decision;
use crate::model::lead::Lead;

/// What can be done to a lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Decide on it.
    Decide(NewApprovalStatus),
    /// Send a decision that was not saved again.
    Retry,
    /// Give up a decision that was not saved.
    Revert,
}

/// A row. Only its status, its buttons and its tick change by themselves.
#[component]
pub fn LeadRow(
    /// The lead.
    lead: Arc<Lead>,
    /// The decision on it.
    decision: ArcRwSignal<Decision>,
    /// Whether the row is ticked.
    selected: ArcRwSignal<bool>,
    /// Its number in the whole list.
    index: Signal<u64>,
    /// What the person wants.
    on_act: Rc<dyn Fn(Act)>,
) -> impl IntoView {
    let (status, phase) = (decision.clone(), decision.clone());
    let (ticked, tick) = (selected.clone(), selected.clone());
    let name = lead.name.clone();
    let away = lead.profile.clone().map(|href| {
        let label = format!("Profile of {}", lead.name);
        view! { <AwayLink href=href label=label /> }
    });
    view! {
        <div role="row" class="row" data-lead-id=lead.id.clone()
            data-status=move || status.with(Decision::shown).as_str().to_owned()
            data-phase=move || format!("{:?}", phase.with(Decision::phase))
            aria-rowindex=move || index.get().to_string()
            aria-selected=move || ticked.get().to_string()>
            <div role="gridcell">
                <input type="checkbox" aria-label=format!("Select {name}")
                    prop:checked=move || selected.get()
                    on:change=move |event| tick.set(event_target_checked(&event)) />
            </div>
            <div role="gridcell" class="who">
                <Avatar initials=lead.initials.clone() picture=None />
                <b title=name.clone()>{name.clone()}</b>
                {away}
            </div>
            {text(&lead.title)}
            {text(&lead.company)}
            {text(&lead.industry)}
            {text(&lead.location)}
            <div role="gridcell" class="number" title=lead.reasoning.clone()><Score score=lead.score /></div>
            {text(&lead.tier)}
            <div role="gridcell" class="state"><Status decision=decision.clone() /></div>
            <div role="gridcell" class="sub date">{lead.created.as_deref().map(format::date)}</div>
            <div role="gridcell" class="act">
                <Trouble decision=decision.clone() on_act=Rc::clone(&on_act) />
                <Decide name=lead.name.clone() decision=decision on_act=on_act />
            </div>
        </div>
    }
}

/// A cell of plain text, with all of it at hand where it is cut off.
pub(super) fn text(text: &Option<String>) -> impl IntoView + use<> {
    view! { <div role="gridcell" class="sub" title=text.clone()>{text.clone().unwrap_or_default()}</div> }
}

/// Approve and Reject. The one that holds already cannot be pressed.
#[component]
pub(super) fn Decide(
    /// The lead's name.
    name: String,
    /// The decision on the lead.
    decision: ArcRwSignal<Decision>,
    /// What the person wants.
    on_act: Rc<dyn Fn(Act)>,
) -> impl IntoView {
    let button = move |class: &'static str, verb: &'static str, to: NewApprovalStatus| {
        let (decision, on_act) = (decision.clone(), Rc::clone(&on_act));
        let holds = move || decision.with(Decision::shown).known() == Some(to);
        view! {
            <button type="button" class=class aria-label=format!("{verb} {name}")
                disabled=holds on:click=move |_| on_act(Act::Decide(to))>
                {verb}
            </button>
        }
    };
    view! {
        {button("yes", "Approve", NewApprovalStatus::Approved)}
        {button("no", "Reject", NewApprovalStatus::Rejected)}
    }
}

/// Why a decision was not saved, with what can be done about it. Nothing while all is well.
#[component]
pub(super) fn Trouble(
    /// The decision on the lead.
    decision: ArcRwSignal<Decision>,
    /// What the person wants.
    on_act: Rc<dyn Fn(Act)>,
) -> impl IntoView {
    let on_act = StoredValue::new_local(on_act);
    let act = move |act| on_act.with_value(|on_act| on_act(act));
    move || {
        let (reason, wanted) = decision.with(|decision| {
            let (failure, wanted) = decision.failure()?;
            Some((failure.reason.clone(), wanted))
        })?;
        let verb = match wanted {
            NewApprovalStatus::Approved => "Not approved",
            NewApprovalStatus::Rejected => "Not rejected",
            NewApprovalStatus::PendingApproval => "Not set back",
            NewApprovalStatus::Filtered => "Not filtered out",
        };
        Some(view! {
            <div class="trouble" role="alert" title=reason.clone()>
                <span><b>{verb}</b>". "{reason.clone()}</span>
                <button type="button" on:click=move |_| act(Act::Retry)>"Retry"</button>
                <button type="button" class="quiet" on:click=move |_| act(Act::Revert)>"Revert"</button>
            </div>
        })
    }
}
