//! The way out: what is wiped, and what is asked before.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlInputElement};

use crate::components::dom::{El, button, classed, el};
use crate::components::format;
use crate::components::modal::modal;
use crate::signal::RwSignal;
use crate::state::Workspace;
use crate::state::connection::{self, Wipe};

/// The button, and the question behind it.
pub fn leave(workspace: Workspace) -> El {
    let asking = RwSignal::new(false);
    classed("span", "leave")
        .el(button("quiet", "Sign out…").on("click", move |_| asking.set(true)))
        .el_of(move || {
            asking
                .get()
                .then(|| untrack(|| question(workspace, asking)))
        })
}

fn question(workspace: Workspace, asking: RwSignal<bool>) -> El {
    let tally = workspace.decisions.tally();
    let open = (tally.open + tally.failed) as u64;
    let any = !connection::remembered().all().is_empty();
    // Done once the dialog is closed, as everything goes with it.
    let wiped = StoredValue::new(None::<Wipe>);
    let dialog = modal("ask sign-out", "Sign out", move || {
        match wiped.get_value() {
            Some(wipe) => connection::sign_out(workspace, wipe),
            None => asking.set(false),
        }
    });
    let node: HtmlDialogElement = dialog.node().unchecked_into();
    let wish = |label: &str| {
        let tick = el("input").attr("type", "checkbox");
        let node: HtmlInputElement = tick.node().unchecked_into();
        (classed("label", "keep").el(tick).text(label), node)
    };
    let waiting = format::count(open, "decision");
    let verb = if open == 1 { " is" } else { " are" };
    let kept = [&*waiting, verb, " not saved yet. Left alone, they wait in this browser and are sent when somebody signs in again."].concat();
    let (forget, forgets) = wish("Forget the remembered workspaces, too");
    let (discard, discards) = wish(&["Discard ", &*waiting].concat());
    let close = node.clone();
    let go = move |_| {
        wiped.set_value(Some(Wipe {
            remembered: forgets.checked(),
            decisions: discards.checked(),
        }));
        node.close();
    };
    let buttons = classed("div", "buttons")
        .el(button("quiet", "Cancel").on("click", move |_| close.close()))
        .el(button("main", "Sign out").on("click", go));
    let form = classed("div", "form")
        .el(el("h2").text("Sign out?"))
        .el(el("p").text("Every key is wiped from this tab. Nothing changes on the server."))
        .el_opt((open > 0).then(|| el("p").text(&kept)))
        .el_opt((open > 0).then_some(discard))
        .el_opt(any.then_some(forget))
        .el(buttons);
    dialog.el(form)
}
