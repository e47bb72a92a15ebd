//! The form that connects to another address, workspace or key.

use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use super::choice::one_of;
use super::connection_test::{ConnectionTest, verdict};
use super::row::{OpenForm, form_buttons};
use crate::app::components::dom::{El, button, div, element, form, input, label, p, span};
use crate::app::model::known_workspaces::KnownWorkspace;
use crate::app::reactive::RwSignal;
use crate::app::state::session::StartOptions;
use crate::app::state::{AppState, connection};

pub fn connection_form(app: AppState, forms: OpenForm) -> El {
    let session = app.session;
    let here = connection::current_workspace(app);
    let elsewhere = RwSignal::new(!here.base.is_empty());
    let test = ConnectionTest::new();
    let which = one_of(
        "Server",
        &[(false, "This server"), (true, "Another address")],
        move || elsewhere.get(),
        move |to| {
            elsewhere.set(to);
            test.clear();
        },
    );
    let field = |kind: &str, name: &str, value: &str| {
        input()
            .attr("type", kind)
            .attr("name", name)
            .attr("value", value)
            .attr("autocomplete", "off")
            .attr("spellcheck", "false")
            .on(ev::input, move |_| test.clear())
    };
    let base = field("url", "base", &here.base).attr("placeholder", "https://workspace.example");
    let used = session.client_now().is_some();
    let at_home = here.base.is_empty();
    let key = field("password", "key", "").attr("placeholder", move || {
        let hint = if used && elsewhere.get() != at_home {
            "Current key"
        } else {
            "lwk_…"
        };
        hint.to_owned()
    });
    let key = key.attr("data-first", (!used).then_some(""));
    let tenant = field("text", "tenant", &here.tenant).attr("aria-describedby", "tenant-fine");
    let name = field("text", "name", &here.name);
    let keep = input().attr("type", "checkbox");
    let input = |of: &El| -> HtmlInputElement { of.node().unchecked_into() };
    let nodes = [
        input(&base),
        input(&key),
        input(&tenant),
        input(&name),
        input(&keep),
    ];
    nodes[4].set_checked(true);
    let label = |text: &str, field: El| label().child(text).child(field);
    let address = move || {
        let style = if elsewhere.get() { "" } else { "none" };
        style.to_owned()
    };
    let tenant_fine = span()
        .class("fine")
        .attr("id", "tenant-fine")
        .child("Only needed if one key opens several workspaces.");
    let fine = "If kept in the tab, the key lasts until the tab is closed, else until the page is left. \
                It is never stored anywhere else.";
    let read = move || {
        let [base, key, tenant, name, keep] = nodes.each_ref().map(Clone::clone);
        let text = |of: &HtmlInputElement| of.value().trim().to_owned();
        let base = match elsewhere.get_untracked() {
            true => text(&base).trim_end_matches('/').to_owned(),
            false => String::new(),
        };
        let mut to = KnownWorkspace {
            base,
            tenant: text(&tenant),
            name: text(&name),
        };
        let here = connection::current_workspace(app);
        // The key in use is only sent to the workspace it was given for. The name, too, belongs to that workspace
        // only.
        let same = to.is(&here);
        if !same && to.name == here.name {
            to.name.clear();
        }
        let typed = Some(text(&key)).filter(|key| !key.is_empty());
        let in_use = || session.restart_options().filter(|_| same)?.key;
        let key = typed.or_else(in_use).unwrap_or_default();
        (to, key, keep.checked())
    };
    let (tested, connected) = (read.clone(), read);
    let needs_address = move |to: &KnownWorkspace| {
        let missing = elsewhere.get_untracked() && to.base.is_empty();
        if missing {
            test.refuse(
                "The address is missing. Enter one like https://workspace.example.".to_owned(),
            );
        }
        missing
    };
    let try_it = button()
        .class("")
        .child("Test connection")
        .on(ev::click, move |_| {
            let (to, key, _) = tested();
            if !needs_address(&to) {
                test.run(app, to, &key);
            }
        });
    let connect = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let (to, key, keep) = connected();
        if needs_address(&to) {
            return;
        }
        match connection::client(app, &to, &key) {
            Err(problem) => test.refuse(problem.to_string()),
            Ok(_) => connection::open(
                app,
                to,
                StartOptions {
                    key: Some(key),
                    keep,
                    ..StartOptions::default()
                },
            ),
        }
    };
    let verdict = div()
        .class("verdict")
        .attr("role", "status")
        .child(move || verdict(&test.get()));
    form()
        .attr("novalidate", "")
        .child(which)
        .child(label("Address", base).style("display", address))
        .child(label("Workspace id", tenant).child(tenant_fine))
        .child(label("API key", key))
        .child(label("Display name (optional)", name))
        .child(
            element("label")
                .class("keep")
                .child(keep)
                .child("Keep the key in this tab after a reload"),
        )
        .child(p().class("fine").child(fine))
        .child(verdict)
        .child(form_buttons(forms, "Connect", Some(try_it)))
        .on(ev::submit, connect)
}
