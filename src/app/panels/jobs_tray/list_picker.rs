//! The dialog that picks a list to score. The rows of the list are counted before the user can continue.

use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlSelectElement};

use crate::app::components::dialog::{dialog_buttons, head, modal};
use crate::app::components::dom::{El, button, div, label, option, p, select};
use crate::app::components::format;
use crate::app::model::facet_options::options_by_facet;
use crate::app::model::filters::Facet;
use crate::app::model::scoring_jobs::{RecordKind, Scoring, accounts_on, leads_on};
use crate::app::reactive::{RwSignal, StoredValue};
use crate::app::state::AppState;
use crate::app::state::abort_on_drop::AbortOnDrop;
use crate::app::state::job_tracker::JobPrompt;
use crate::client::{Client, Error};

#[derive(Clone)]
enum ListsStatus {
    Underway,
    /// Ids and names.
    Lists(Vec<(String, String)>),
    Failed(String),
}

/// The number of rows on the chosen list.
#[derive(Clone)]
enum RowCount {
    Underway,
    Count(u64),
    Failed(String),
}

pub fn lists(app: AppState, kind: RecordKind) -> El {
    let jobs = app.jobs;
    let found = RwSignal::new(ListsStatus::Underway);
    let chosen = RwSignal::new((String::new(), String::new()));
    let many = RwSignal::new(None::<RowCount>);
    let counting = StoredValue::new(None::<AbortOnDrop>);
    let client = app.session.client_now();
    let _reading = StoredValue::new(client.clone().map(|client| {
        AbortOnDrop::start(async move {
            let lists = match client.get_lead_facets(&Default::default()).await {
                Ok(facets) => {
                    let all = options_by_facet(facets);
                    let lists = all.into_iter().find(|(facet, _)| *facet == Facet::List);
                    let lists = lists.map(|(_, lists)| lists).unwrap_or_default();
                    ListsStatus::Lists(
                        lists
                            .into_iter()
                            .map(|list| (list.value, list.label))
                            .collect(),
                    )
                }
                Err(error) => ListsStatus::Failed(failed(&error)),
            };
            found.set(lists);
        })
    }));
    let choose = move |(id, name): (String, String)| {
        many.set(None);
        counting.set_value(None);
        if let Some(client) = client.clone().filter(|_| !id.is_empty()) {
            many.set(Some(RowCount::Underway));
            let list = id.clone();
            counting.set_value(Some(AbortOnDrop::start(async move {
                let counted = match count(&client, kind, &list).await {
                    Ok(count) => RowCount::Count(count),
                    Err(error) => RowCount::Failed(failed(&error)),
                };
                many.set(Some(counted));
            })));
        }
        chosen.set((id, name));
    };
    // The confirmation opens after this dialog is closed, so that the focus is restored correctly.
    let next = StoredValue::new(None::<Scoring>);
    let dialog = modal("ask pick-list", "Score a list", move || {
        let scoring = next.try_update_value(Option::take).flatten();
        jobs.prompt.set(scoring.map(JobPrompt::For));
    });
    let top = head("Score a list", &dialog.node());
    let (node, close): (HtmlDialogElement, HtmlDialogElement) = (
        dialog.node().unchecked_into(),
        dialog.node().unchecked_into(),
    );
    let confirm = move |_| {
        let (id, name) = chosen.get_untracked();
        let count = match many.get_untracked() {
            Some(RowCount::Count(count)) => count,
            _ => 0,
        };
        if let Some(scoring) = Scoring::for_list(kind, &id, &name, count) {
            next.set_value(Some(scoring));
            node.close();
        }
    };
    let count = move || match many.get() {
        None => String::new(),
        Some(RowCount::Underway) => "Counting…".to_owned(),
        Some(RowCount::Count(0)) => {
            ["It has no ", kind.one(), "s: there is nothing to score."].concat()
        }
        Some(RowCount::Count(count)) => {
            ["It has ", &*format::count(count, kind.one()), "."].concat()
        }
        Some(RowCount::Failed(reason)) => reason,
    };
    let ready = move || matches!(many.get(), Some(RowCount::Count(count)) if count > 0);
    let confirm = button()
        .class("main")
        .child("Continue")
        .prop("disabled", move || (!ready()).into())
        .on(ev::click, confirm);
    let buttons = dialog_buttons(move || close.close(), confirm);
    let inside = move || {
        Some(match found.get() {
            ListsStatus::Underway => p().child("Loading lists…"),
            ListsStatus::Failed(reason) => p().class("wrong").attr("role", "alert").child(&reason),
            ListsStatus::Lists(lists) if lists.is_empty() => {
                p().child("This workspace has no lists yet.")
            }
            ListsStatus::Lists(lists) => list_select(lists, choose.clone()),
        })
    };
    let form = div()
        .class("form")
        .child(top)
        .child(inside)
        .child(p().class("fine").attr("role", "status").child(count))
        .child(buttons);
    dialog.child(form)
}

fn list_select(lists: Vec<(String, String)>, on_choose: impl Fn((String, String)) + 'static) -> El {
    let select = select().child(option().attr("value", "").child("Choose a list"));
    let select = select.children(
        lists
            .iter()
            .map(|(id, name)| option().attr("value", id).child(name)),
    );
    let field: HtmlSelectElement = select.node().unchecked_into();
    let select = select.on(ev::change, move |_| {
        let id = field.value();
        let name = lists.iter().find(|(of, _)| *of == id);
        let name = name.map(|(_, name)| name.clone()).unwrap_or_default();
        on_choose((id, name));
    });
    label().child("List").child(select)
}

async fn count(client: &Client, kind: RecordKind, list: &str) -> Result<u64, Error> {
    let total = match kind {
        RecordKind::Leads => client.query_leads(&leads_on(list, 1)).await?.total,
        RecordKind::Accounts => client.query_accounts(&accounts_on(list, 1)).await?.total,
    };
    Ok(total.unwrap_or_default())
}

fn failed(error: &Error) -> String {
    [
        &*error.summary(),
        ". Nothing was started. ",
        &error.remedy(),
        ".",
    ]
    .concat()
}
