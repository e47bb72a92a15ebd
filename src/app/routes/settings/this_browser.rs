//! The list of remembered workspaces.

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::part;
use crate::app::components::dom::{El, button, classed, el};
use crate::app::model::known_workspaces::KnownWorkspace;
use crate::app::signal::RwSignal;
use crate::app::state::session::StartOptions;
use crate::app::state::{AppState, connection};

pub fn places(app: AppState) -> El {
    let here = connection::here(app);
    let all = RwSignal::new(connection::remembered());
    let part = part(
        "Workspaces",
        "Recent workspaces. This browser remembers addresses and names, but not keys.",
    );
    let head: HtmlElement = part.node().unchecked_into();
    let list = move || {
        let known = all.get();
        let others: Vec<El> = known
            .all()
            .iter()
            .map(|known| place(app, known, known.is(&here), all, &head))
            .collect();
        Some(if others.is_empty() {
            classed("p", "none-yet").text("None yet. Workspaces you connect to appear here.")
        } else {
            classed("ul", "places-list").els(others)
        })
    };
    let fields = classed("div", "fields").el_of(list);
    part.attr("tabindex", "-1").el(fields)
}

fn place(
    app: AppState,
    known: &KnownWorkspace,
    is_here: bool,
    all: RwSignal<crate::app::model::known_workspaces::KnownWorkspaces>,
    head: &HtmlElement,
) -> El {
    let label = known.label().to_owned();
    let words = classed("div", "which")
        .el(el("b").text(&label))
        .el(el("span").text(&known.place()));
    let (to, gone, head) = (known.clone(), known.clone(), head.clone());
    let open = button("", "Open")
        .attr("aria-label", &["Open ", &*label].concat())
        .on("click", move |_| {
            connection::open(app, to.clone(), StartOptions::default());
        });
    let forget = button("quiet", "Forget")
        .attr("aria-label", &["Forget ", &*label].concat())
        .on("click", move |_| {
            connection::remember(|all| all.forget(&gone));
            all.set(connection::remembered());
            // The pressed button was removed, and the focus with it.
            let _ = head.focus();
        });
    let now = is_here.then(|| classed("span", "now").text("Open now"));
    el("li")
        .el(words)
        .el_opt(now)
        .el_opt((!is_here).then_some(open))
        .el(forget)
}
