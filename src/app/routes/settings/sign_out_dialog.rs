//! The sign-out dialog.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlInputElement};

use crate::app::components::dom::{El, button, classed, el};
use crate::app::components::format;
use crate::app::components::modal::modal;
use crate::app::state::sign_out::{WipeOptions, sign_out};
use crate::app::state::{AppState, connection};

pub fn sign_out_dialog(app: AppState) -> El {
    let dialog_open = app.commands.dialog;
    let tally = untrack(|| app.decisions.decision_counts());
    let open = (tally.open + tally.failed) as u64;
    let any = !connection::remembered().all().is_empty();
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
    let wish = |label: &str, ticked: bool| {
        let tick = el("input").attr("type", "checkbox");
        let node: HtmlInputElement = tick.node().unchecked_into();
        node.set_checked(ticked);
        (classed("label", "keep").el(tick).text(label), node)
    };
    let waiting = format::count(open, "decision");
    let verb = if open == 1 { " is" } else { " are" };
    let kept = [&*waiting, verb, " not saved yet. Unless you discard them, they wait in this browser and are sent after the next sign-in."].concat();
    // Selected by default: a user who leaves a shared computer wants every tab signed out.
    let (everywhere, is_everywhere) = wish("Sign out everywhere in this browser", true);
    let (forget, forgets) = wish("Forget the remembered workspaces, too", false);
    let (discard, discards) = wish(&["Discard ", &*waiting].concat(), false);
    let close = node.clone();
    let go = move |_| {
        wiped.set_value(Some(WipeOptions {
            everywhere: is_everywhere.checked(),
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
        .el(el("p").text("The keys are removed from this tab. Nothing changes on the server."))
        .el(everywhere)
        .el_opt((open > 0).then(|| el("p").text(&kept)))
        .el_opt((open > 0).then_some(discard))
        .el_opt(any.then_some(forget))
        .el(buttons);
    dialog.el(form)
}
