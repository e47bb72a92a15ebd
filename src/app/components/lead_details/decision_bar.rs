//! Decision buttons at the bottom of the details pane.

use std::rc::Rc;

use lead_workspace_api::NewApprovalStatus;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{FocusEvent, KeyboardEvent, Node};

use super::LeadDetailsProps;
use crate::app::components::decision_cells::RowAction;
use crate::app::components::dom::{El, b, button, div, effect, span};
use crate::app::components::keycaps::keycaps;
use crate::app::model::command::Command;
use crate::app::reactive::RwSignal;

/// A button: its class, its label, the command that does the same, the status it sets.
type Choice = (&'static str, &'static str, Command, NewApprovalStatus);

const FIRST: [Choice; 2] = [
    (
        "yes",
        "Approve",
        Command::Approve,
        NewApprovalStatus::Approved,
    ),
    ("no", "Reject", Command::Reject, NewApprovalStatus::Rejected),
];

const MORE: [Choice; 2] = [
    (
        "quiet",
        "Move back to pending",
        Command::Pending,
        NewApprovalStatus::PendingApproval,
    ),
    (
        "quiet",
        "Filter out",
        Command::FilterOut,
        NewApprovalStatus::Filtered,
    ),
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
        .child(skip(props))
        .child(more(open, choices(MORE), host(props), delete(props, open)))
}

fn choice(props: &LeadDetailsProps, (class, verb, command, to): Choice) -> El {
    let (decided, locked, on_act) = (props.decided, props.locked, props.on_act);
    button()
        .class(class)
        .child(verb)
        .attr("aria-keyshortcuts", shortcut(props, command))
        // Not disabled: a disabled button would lose the focus after the decision.
        .attr("aria-disabled", move || {
            (locked.get() || decided.get().status.known() == Some(to)).to_string()
        })
        .child(caps(props, command))
        .on(ev::click, move |_| on_act.run(RowAction::Decide(to)))
}

/// Renders the button that moves to the next undecided lead.
fn skip(props: &LeadDetailsProps) -> El {
    let on_skip = props.on_skip;
    button()
        .class("")
        .child("Skip")
        .attr("aria-keyshortcuts", shortcut(props, Command::NextUndecided))
        .child(caps(props, Command::NextUndecided))
        .on(ev::click, move |_| on_skip.run(()))
}

/// Returns the key of a command for assistive technology; empty if it is not a single one.
fn shortcut(props: &LeadDetailsProps, command: Command) -> impl Fn() -> String + use<> {
    let keys = Rc::clone(&props.keys);
    move || match &*keys(command) {
        [key] => key.clone(),
        _ => String::new(),
    }
}

/// Renders the user's key of a command.
fn caps(props: &LeadDetailsProps, command: Command) -> impl Fn() -> Option<El> + use<> {
    let keys = Rc::clone(&props.keys);
    move || {
        let keys = keys(command);
        (!keys.is_empty()).then(|| keycaps(&keys).attr("aria-hidden", "true"))
    }
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

/// Renders the actions of a host page.
fn host(props: &LeadDetailsProps) -> El {
    let buttons = Rc::clone(&props.host_buttons);
    let lead = props.lead;
    div().class("from-host").child(move || {
        // Other leads have other accounts.
        lead.track();
        let buttons = buttons();
        (!buttons.is_empty()).then(|| div().children(buttons))
    })
}

/// Renders a button with a menu that closes on a choice, or when the focus leaves it.
fn more(open: RwSignal<bool>, choices: [El; 2], host: El, delete: El) -> El {
    let toggle = button()
        .class("")
        .child("More")
        .attr("aria-expanded", move || open.get().to_string())
        .on(ev::click, move |_| open.update(|open| *open = !*open));
    let node = toggle.node();
    let toggle_again = node.clone();
    let host = host.on(ev::click, move |_| {
        open.set(false);
        // The pressed button is rendered again, and would lose the focus.
        let _ = toggle_again.unchecked_ref::<web_sys::HtmlElement>().focus();
    });
    let menu = div()
        .class("menu")
        .prop("hidden", move || (!open.get()).into())
        .children(choices)
        .child(host)
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
                open.set(false);
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
