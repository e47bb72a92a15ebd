//! The list of remembered workspaces.

use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::sections::part;
use crate::app::components::dom::{El, b, button, div, li, p, span, ul};
use crate::app::model::known_workspaces::KnownWorkspace;
use crate::app::reactive::RwSignal;
use crate::app::state::session::StartOptions;
use crate::app::state::{AppState, connection};

pub fn known_workspaces(app: AppState) -> El {
    let here = connection::current_workspace(app);
    let all = RwSignal::new(connection::remembered());
    let part = part(
        "Other workspaces",
        "This browser remembers addresses and names, but not keys.",
    );
    let head: HtmlElement = part.node().unchecked_into();
    let list = move || {
        let known = all.get();
        let others: Vec<El> = known
            .all()
            .iter()
            .map(|known| workspace_item(app, known, known.is(&here), all, &head))
            .collect();
        Some(if others.is_empty() {
            p().class("none-yet")
                .child("None yet. Workspaces you connect to appear here.")
        } else {
            ul().class("workspace-list").children(others)
        })
    };
    let fields = div().class("fields").child(list);
    part.attr("tabindex", "-1").child(fields)
}

fn workspace_item(
    app: AppState,
    known: &KnownWorkspace,
    is_here: bool,
    all: RwSignal<crate::app::model::known_workspaces::KnownWorkspaces>,
    head: &HtmlElement,
) -> El {
    let label = known.label().to_owned();
    let words = div()
        .class("which")
        .child(b().child(&label))
        .child(span().child(known.address()));
    let (to, gone, head) = (known.clone(), known.clone(), head.clone());
    let open = button()
        .class("")
        .child("Open")
        .attr("aria-label", ["Open ", &*label].concat())
        .on(ev::click, move |_| {
            connection::open(app, to.clone(), StartOptions::default());
        });
    let forget = button()
        .class("quiet")
        .child("Forget")
        .attr("aria-label", ["Forget ", &*label].concat())
        .on(ev::click, move |_| {
            connection::remember(|all| all.forget(&gone));
            all.set(connection::remembered());
            // The pressed button was removed, and the focus with it.
            let _ = head.focus();
        });
    let now = is_here.then(|| span().class("now").child("Open now"));
    li().child(words)
        .child(now)
        .child((!is_here).then_some(open))
        .child(forget)
}
