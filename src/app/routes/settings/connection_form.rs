//! Connection settings: address, key, connection test, sign-out.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use super::{one_of, part};
use crate::app::components::dom::{El, b, button, div, element, form, input, label, p, span};
use crate::app::components::format;
use crate::app::model::command::Command;
use crate::app::model::diagnosis::Diagnosis;
use crate::app::model::known_workspaces::KnownWorkspace;
use crate::app::state::abort_on_drop::AbortOnDrop;
use crate::app::state::session::StartOptions;
use crate::app::state::{AppState, connection};

#[derive(Clone)]
enum TestStatus {
    Nothing,
    Underway,
    Wrong(String),
    Found(Diagnosis),
}

pub fn connection_form(app: AppState) -> El {
    let session = app.session;
    let here = connection::current_workspace(app);
    let elsewhere = RwSignal::new(!here.base.is_empty());
    let test_status = RwSignal::new(TestStatus::Nothing);
    let in_flight = StoredValue::new(None::<AbortOnDrop>);
    let changed = move || {
        in_flight.set_value(None);
        test_status.set(TestStatus::Nothing);
    };
    let which = one_of(
        "Workspace",
        &[(false, "This server"), (true, "Another address")],
        move || elsewhere.get(),
        move |to| {
            elsewhere.set(to);
            changed();
        },
    );
    let field = |kind: &str, name: &str, value: &str| {
        input()
            .attr("type", kind)
            .attr("name", name)
            .attr("value", value)
            .attr("autocomplete", "off")
            .attr("spellcheck", "false")
            .on(ev::input, move |_| changed())
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
    let label = |text: &str, field: El| label().child(text).child(field);
    let address = move || {
        let style = if elsewhere.get() { "" } else { "none" };
        style.to_owned()
    };
    let fields = div().class("fields")
        .child(which)
        .child(label("Address", base).style("display", address))
        .child(label("API key", key))
        .child(label("Workspace id", tenant)
            .child(span().class("fine").attr("id", "tenant-fine").child("Only needed if one key opens several workspaces.")))
        .child(label("Display name (optional)", name))
        .child(element("label").class("keep").child(keep).child("Keep the key in this tab after a reload"))
        .child(p().class("fine").child(
            "The key is held in this page's memory. If kept in the tab, it lasts until the tab is closed. It is never stored anywhere else.",
        ));
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
    let (test, connect) = (read.clone(), read);
    let needs_address = move |to: &KnownWorkspace| {
        let missing = elsewhere.get_untracked() && to.base.is_empty();
        if missing {
            test_status.set(TestStatus::Wrong(
                "The address is missing. Enter one like https://workspace.example.".to_owned(),
            ));
        }
        missing
    };
    let try_it = button()
        .class("")
        .child("Test connection")
        .on(ev::click, move |_| {
            let (to, key, _) = test();
            if needs_address(&to) {
                return;
            }
            match connection::client(app, &to, &key) {
                Err(problem) => test_status.set(TestStatus::Wrong(problem.to_string())),
                Ok(client) => {
                    test_status.set(TestStatus::Underway);
                    in_flight.set_value(Some(AbortOnDrop::start(async move {
                        let found = connection::test(&client, &to.base).await;
                        test_status.try_set(TestStatus::Found(found));
                    })));
                }
            }
        });
    let connect = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let (to, key, keep) = connect();
        if needs_address(&to) {
            return;
        }
        match connection::client(app, &to, &key) {
            Err(problem) => test_status.set(TestStatus::Wrong(problem.to_string())),
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
    let leave = button()
        .class("quiet sign-out-button")
        .child("Sign out…")
        .attr("aria-haspopup", "dialog")
        .on(ev::click, move |_| {
            app.commands.run(Command::SignOut);
        });
    let buttons = div()
        .class("buttons")
        .child(
            button()
                .class("main")
                .attr("type", "submit")
                .child("Connect"),
        )
        .child(try_it)
        .child(leave);
    let form = form()
        .attr("novalidate", "")
        .child(fields)
        .child(
            div()
                .class("verdict")
                .attr("role", "status")
                .child(move || verdict(&test_status.get())),
        )
        .child(buttons)
        .on(ev::submit, connect);
    part("Connection", "The workspace to review, and its API key.").child(form)
}

fn verdict(test_status: &TestStatus) -> Option<El> {
    let message = |result: &str, title: &str, text: &str| {
        div()
            .class("found")
            .attr("data-result", result)
            .child(b().child(title))
            .child(span().child(text))
    };
    Some(match test_status {
        TestStatus::Nothing => return None,
        TestStatus::Underway => message("pending", "Testing…", ""),
        TestStatus::Wrong(problem) => message("failed", "Nothing was sent", problem),
        TestStatus::Found(found) => {
            let here = window().location().origin().unwrap_or_default();
            let leads = match found {
                Diagnosis::Connected(leads) => [" ", &*format::count(*leads, "lead"), "."].concat(),
                _ => String::new(),
            };
            let text = [found.remedy(&here), leads].concat();
            message(
                if found.is_well() { "ok" } else { "failed" },
                found.title(),
                &text,
            )
        }
    })
}
