//! Decision buttons at the bottom of the details pane.

use lead_workspace_api::NewApprovalStatus;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{FocusEvent, KeyboardEvent, Node};

use super::LeadDetailsProps;
use crate::app::components::dom::{El, b, button, div, effect, kbd, span};
use crate::app::components::lead_row::RowAction;

/// A button: its class, its label, its key, the status it sets.
type Choice = (&'static str, &'static str, &'static str, NewApprovalStatus);

const FIRST: [Choice; 2] = [
    ("yes", "Approve", "a", NewApprovalStatus::Approved),
    ("no", "Reject", "r", NewApprovalStatus::Rejected),
];

const MORE: [Choice; 2] = [
    (
        "quiet",
        "Move back to pending",
        "p",
        NewApprovalStatus::PendingApproval,
    ),
    ("quiet", "Filter out", "f", NewApprovalStatus::Filtered),
];

/// Renders Approve, Reject, Skip, and a menu of less common actions.
pub fn footer(props: &LeadDetailsProps) -> El {
    let open = RwSignal::new(false);
    let choices =
        |of: [Choice; 2]| of.map(|of| choice(props, of).on(ev::click, move |_| open.set(false)));
    let (failure, on_act) = (props.decided, props.on_act);
    let failed = move || {
        let reason = failure.get().failed?;
        let (retry, revert) = (on_act, on_act);
        let failure = div()
            .class("error")
            .attr("role", "alert")
            .child(span().child(b().child("Not saved. ")).child(&reason))
            .child(
                button()
                    .class("")
                    .child("Retry")
                    .on(ev::click, move |_| retry.run(RowAction::Retry)),
            )
            .child(
                button()
                    .class("quiet")
                    .child("Revert")
                    .on(ev::click, move |_| revert.run(RowAction::Revert)),
            );
        Some(failure)
    };
    let (here, about) = (props.lead, props.lead);
    div()
        .class("decide")
        .attr("role", "group")
        .attr("aria-label", move || {
            about
                .get()
                .map_or_else(String::new, |lead| format!("Decision on {}", lead.name))
        })
        .prop("hidden", move || here.get().is_none().into())
        .child(failed)
        .children(choices(FIRST))
        .child(skip(props.on_skip))
        .child(more(open, choices(MORE), delete(props, open)))
}

fn choice(props: &LeadDetailsProps, (class, verb, key, to): Choice) -> El {
    let (decided, locked, on_act) = (props.decided, props.locked, props.on_act);
    button()
        .class(class)
        .child(verb)
        .attr("aria-keyshortcuts", key)
        // Not disabled: a disabled button would lose the focus after the decision.
        .attr("aria-disabled", move || {
            (locked.get() || decided.get().status.known() == Some(to)).to_string()
        })
        .child(kbd().attr("aria-hidden", "true").child(key))
        .on(ev::click, move |_| on_act.run(RowAction::Decide(to)))
}

/// Renders the button that moves to the next undecided lead.
fn skip(on_skip: Callback<()>) -> El {
    button()
        .class("")
        .child("Skip")
        .attr("aria-keyshortcuts", "n")
        .child(kbd().attr("aria-hidden", "true").child("n"))
        .on(ev::click, move |_| on_skip.run(()))
}

/// Renders the button that deletes a lead of the list.
fn delete(props: &LeadDetailsProps, open: RwSignal<bool>) -> El {
    let (position, locked, act) = (props.frame.position, props.locked, props.on_delete);
    button()
        .class("quiet no")
        .child("Delete")
        .prop("hidden", move || {
            (!position.get().is_listed || locked.get()).into()
        })
        .on(ev::click, move |_| {
            open.set(false);
            act.run(());
        })
}

/// Renders a button with a menu that closes on a choice, or when the focus leaves it.
fn more(open: RwSignal<bool>, choices: [El; 2], delete: El) -> El {
    let toggle = button()
        .class("")
        .child("More")
        .attr("aria-expanded", move || open.get().to_string())
        .on(ev::click, move |_| open.update(|open| *open = !*open));
    let node = toggle.node();
    let menu = div()
        .class("menu")
        .prop("hidden", move || (!open.get()).into())
        .children(choices)
        .child(delete);
    let container = div().class("further").child(toggle).child(menu);
    let around = container.node();
    effect({
        let around = around.clone();
        move || {
            if open.get()
                && let Ok(Some(first)) = around.query_selector(".menu button")
            {
                // It is in the page and visible, so it can take the focus.
                let _ = first.unchecked_into::<web_sys::HtmlElement>().focus();
            }
        }
    });
    container
        .on(ev::focusout, move |event| {
            let to = event.dyn_ref::<FocusEvent>();
            let to = to.and_then(FocusEvent::related_target);
            let to = to.and_then(|to| to.dyn_into::<Node>().ok());
            if !to.is_some_and(|to| around.contains(Some(&to))) {
                open.try_set(false);
            }
        })
        .on(ev::keydown, move |event| {
            let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key);
            if key.as_deref() == Some("Escape") && open.get_untracked() {
                // Close the menu before the details pane.
                event.prevent_default();
                open.set(false);
                let _ = node.unchecked_ref::<web_sys::HtmlElement>().focus();
            }
        })
}
