//! The workspace in the settings: connection, name, address and key.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use super::connection_form::connection_form;
use super::connection_test::{ConnectionTest, verdict};
use super::row::{OpenForm, editable, form_buttons, row};
use super::sections::part;
use crate::app::components::dom::{El, button, code, div, form, input, p, small, span};
use crate::app::components::key_form::short_key_form;
use crate::app::model::command::Command;
use crate::app::model::known_workspaces::KnownWorkspace;
use crate::app::model::masked_key::masked;
use crate::app::model::view::LeadsView;
use crate::app::state::{AppState, connection, spawn};

const ADDRESS: &str = "Address";

pub fn workspace(app: AppState) -> El {
    let session = app.session;
    let client = session.client_now();
    let is_new = client.is_none();
    if let Some(client) = client.filter(|_| session.name.with_untracked(String::is_empty)) {
        // Every response has the workspace's name, and the settings may be the first page.
        spawn(async move {
            // The bar says if the server does not respond.
            drop(client.query_leads(&LeadsView::default().query(1, 1)).await);
        });
    }
    // Without a key there is nothing in force.
    let forms = OpenForm::new(is_new.then_some(ADDRESS));
    let test = ConnectionTest::new();
    let fields = div()
        .class("fields")
        .child(connected(app, test))
        .child(editable(
            forms,
            "Display name",
            "Change",
            move || name_shown(app),
            move || name_form(app, forms),
        ))
        .child(editable(
            forms,
            ADDRESS,
            "Change",
            move || address_shown(app),
            move || connection_form(app, forms),
        ))
        .child((!is_new).then(|| {
            editable(
                forms,
                "Key",
                "Replace",
                move || key_shown(app),
                move || key_form(app, forms, test),
            )
        }));
    part(
        "Workspace",
        "The workspace you review, and the key that opens it.",
    )
    .child(fields)
}

/// Whether the server responds, and a test that says more.
fn connected(app: AppState, test: ConnectionTest) -> El {
    let session = app.session;
    let state = move || {
        let (mark, word) = match (session.client().is_some(), session.reached.get()) {
            (false, _) => ("failed", "Not connected"),
            (true, false) => ("waiting", "The server does not respond"),
            (true, true) => ("approved", "Connected"),
        };
        Some(span().class("state").attr("data-mark", mark).child(word))
    };
    let try_it = move || {
        session.client().map(|client| {
            button()
                .class("quiet")
                .child("Test now")
                .on(ev::click, move |_| {
                    let here = connection::current_workspace(app);
                    let key = client.key().unwrap_or_default();
                    test.run(app, here, &key);
                })
        })
    };
    let value = div().child(state).child(move || verdict(&test.get()));
    row("Connection", value.attr("role", "status")).child(try_it)
}

fn name_shown(app: AppState) -> El {
    match &*connection::current_workspace(app).name {
        "" => div().child(small().child(move || match &*app.session.name.get() {
            "" => "None. The bar shows the address.".to_owned(),
            sent => ["None. The bar shows the server’s: ", sent].concat(),
        })),
        name => div().child(name),
    }
}

fn name_form(app: AppState, forms: OpenForm) -> El {
    let here = connection::current_workspace(app);
    let field = input()
        .attr("type", "text")
        .attr("name", "name")
        .attr("value", &here.name)
        .attr("autocomplete", "off")
        .attr("maxlength", "60")
        .attr("aria-label", "Display name")
        .attr("data-first", "");
    let node: HtmlInputElement = field.node().unchecked_into();
    form()
        .child(field)
        .child(
            p().class("fine")
                .child("Shown in the bar, in this browser only."),
        )
        .child(form_buttons(forms, "Save", None))
        .on(ev::submit, move |event| {
            event.prevent_default();
            let named = KnownWorkspace {
                name: node.value().trim().to_owned(),
                ..here.clone()
            };
            connection::remember(|all| all.named(named));
            app.session.renamed.notify();
            forms.close();
        })
}

fn address_shown(app: AppState) -> El {
    let here = connection::current_workspace(app);
    let host = window().location().host().unwrap_or_default();
    let (address, note) = match &*here.base {
        "" => (host, " · this server"),
        base => (base.to_owned(), ""),
    };
    let id = (!here.tenant.is_empty()).then(|| [" · workspace ", &*here.tenant].concat());
    div().child(&address).child(small().child(note).child(id))
}

fn key_shown(app: AppState) -> El {
    let session = app.session;
    let key = session.client().and_then(|client| client.key());
    let note = match session.is_kept() {
        true => " · kept in this tab until you close it",
        false => " · until you reload or close this tab",
    };
    div()
        .child(code().child(masked(&key.unwrap_or_default())))
        .child(small().child(note))
}

fn key_form(app: AppState, forms: OpenForm, test: ConnectionTest) -> El {
    let session = app.session;
    let buttons = form_buttons(forms, "Use this key", None);
    short_key_form(session.is_kept(), buttons, move |key, keep| {
        session
            .use_key(&key, keep)
            .map_err(|problem| problem.to_string())?;
        app.decisions.retry_refused();
        forms.close();
        test.run(app, connection::current_workspace(app), &key);
        Ok(())
    })
}

/// The last section: sign-out.
pub fn session(app: AppState) -> El {
    let leave = button()
        .class("")
        .child("Sign out…")
        .attr("aria-haspopup", "dialog")
        .on(ev::click, move |_| {
            app.commands.run(Command::SignOut);
        });
    let text = div().child("Removes the keys. Nothing changes on the server.");
    part(
        "Sign out",
        "On a shared computer, also forget the remembered workspaces.",
    )
    .child(
        div()
            .class("fields")
            .child(row("This browser", text).child(leave)),
    )
}
