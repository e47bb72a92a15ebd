//! The sign-out dialog.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlInputElement};

use crate::app::components::dialog::{dialog_buttons, modal};
use crate::app::components::dom::{El, button, div, element, h2, input, p};
use crate::app::components::format;
use crate::app::reactive::StoredValue;
#[cfg(not(feature = "embed"))]
use crate::app::shell::lazy::lazy;
use crate::app::state::sign_out::{WipeOptions, sign_out};
use crate::app::state::{AppState, connection, decision_pace, suggestions};
use crate::platform::storage;

pub fn sign_out_dialog(app: AppState) -> El {
    let dialog_open = app.commands.dialog;
    let tally = untrack(|| app.decisions.decision_counts());
    let open = (tally.open + tally.failed + tally.uncertain) as u64;
    let any = !connection::remembered().all().is_empty();
    let has = |slots| {
        let storage = storage::local();
        storage.is_some_and(|storage| !storage::names(&storage, slots).is_empty())
    };
    let (learned, counted) = (has(suggestions::slots::SLOTS), has(decision_pace::SLOTS));
    // Signs out after the dialog is closed, because signing out removes the dialog, too.
    let wiped = StoredValue::new(None::<WipeOptions>);
    let dialog = modal("ask sign-out", "Sign out", move || {
        let wipe = wiped.get_value();
        dialog_open.set(None);
        if let Some(wipe) = wipe {
            sign_out(app, wipe);
        }
    });
    let node: HtmlDialogElement = dialog.node().unchecked_into();
    let wish = |label: &str, checked: bool| {
        let checkbox = input().attr("type", "checkbox");
        let node: HtmlInputElement = checkbox.node().unchecked_into();
        node.set_checked(checked);
        (
            element("label").class("keep").child(checkbox).child(label),
            node,
        )
    };
    let waiting = format::count(open, "decision");
    let verb = if open == 1 { " is" } else { " are" };
    let stored = [&*waiting, verb, " not saved yet. Unless you discard them, they wait in this browser and are sent after the next sign-in."].concat();
    // Selected by default: a user who leaves a shared computer wants every tab signed out.
    let (everywhere, is_everywhere) = wish("Sign out everywhere in this browser", true);
    let (forget, forgets) = wish("Forget the remembered workspaces, too", false);
    let (discard, discards) = wish(&["Discard ", &*waiting].concat(), false);
    let close = node.clone();
    let sign_out = move |_| {
        wiped.set_value(Some(WipeOptions {
            everywhere: is_everywhere.checked(),
            remembered: forgets.checked(),
            decisions: discards.checked(),
        }));
        node.close();
    };
    let confirm = button()
        .class("main")
        .child("Sign out")
        .on(ev::click, sign_out);
    let buttons = dialog_buttons(move || close.close(), confirm);
    let form = div()
        .class("form")
        .child(h2().child("Sign out?"))
        .child(p().child("The keys are removed from this tab. Nothing changes on the server."))
        .child(learned.then(|| {
            p().child("What suggestions learned from your decisions is deleted from this browser.")
        }))
        .child(counted.then(|| {
            p().child("The counts of your decisions by day and hour are deleted from this browser.")
        }))
        .child(everywhere)
        .child((open > 0).then(|| p().child(&stored)))
        .child((open > 0).then_some(discard))
        .child(any.then_some(forget))
        .child(buttons);
    dialog.child(form)
}

// The embedded review has none.
#[cfg(not(feature = "embed"))]
lazy!(lazy_sign_out: pages, dialog, later, "Signing out", sign_out_dialog);
