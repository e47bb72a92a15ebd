//! Suggestions: the switch, what was learned and how well, and the decisions to check.

use std::rc::Rc;
use std::sync::Arc;

use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement};

use super::sections::part;
use crate::app::components::confirm::{Confirm, confirm};
use crate::app::components::dom::{El, a, b, button, div, element, h3, input, li, p, span, ul};
use crate::app::components::format;
use crate::app::components::links::is_plain;
use crate::app::components::outcome_dialog::LeadHeadline;
use crate::app::list::panes;
use crate::app::model::approval_model::{
    ApprovalModel, HeldOut, MAX_DECISIONS, UnusualDecision, percent,
};
use crate::app::model::route;
use crate::app::model::view::LeadsView;
use crate::app::panels::lead_names::LeadNames;
use crate::app::reactive::{RwSignal, Signal, StoredValue, memo};
use crate::app::state::AppState;
use crate::app::state::suggestions::learner::Learner;

/// Number of decisions to check that are shown at a time.
const MAX_UNUSUAL: usize = 5;

pub fn suggestions(app: AppState) -> El {
    let (suggestions, scope) = (app.suggestions, app.session.storage_scope());
    let part = part(
        "Suggestions",
        "A small model of your own decisions says how likely you are to approve a pending lead, and why. It never decides \
         by itself.",
    );
    let head: HtmlElement = part.node().unchecked_into();
    let head = StoredValue::new(head);
    let problem = RwSignal::new("");
    let checkbox = input().attr("type", "checkbox");
    let node: HtmlInputElement = checkbox.node().unchecked_into();
    let switch_scope = Arc::clone(&scope);
    let checkbox = checkbox
        .prop("checked", move || suggestions.is_on.get().into())
        .on(ev::change, move |_| {
            let stored = suggestions.switch(&switch_scope, node.checked());
            node.set_checked(suggestions.is_on.get_untracked());
            problem.set(match stored {
                true => "",
                false => "This browser stores nothing for this page, so nothing can be learned.",
            });
        });
    let stored = format!(
        "Stored in this browser only, for this workspace: your latest {} decisions on single leads. Each has the lead's \
         id, its score, industry, company size, title, location and intent, and a checksum of the company's name. No \
         names of people. Signing out deletes them.",
        format::number(MAX_DECISIONS as u64)
    );
    let learner = move || Some(suggestions.tracked()?.learner());
    let asks = RwSignal::new(false);
    let has_decisions = move || {
        asks.track();
        let learned = |learner: Learner| learner.learned.with(|learned| learned.decisions > 0);
        learner().map_or_else(|| suggestions.has_decisions(&scope), learned)
    };
    let forget = button()
        .class("")
        .child("Forget my decisions…")
        .attr("aria-haspopup", "dialog")
        .on(ev::click, move |_| asks.set(true));
    let buttons = div()
        .class("buttons")
        .prop("hidden", move || (!has_decisions()).into())
        .child(forget);
    let fields = div()
        .class("fields")
        .child(
            element("label")
                .class("keep")
                .child(checkbox)
                .child("Learn from my decisions in this browser"),
        )
        .child(
            div().child(p().class("fine").child(stored)).child(
                p().class("problem")
                    .attr("role", "alert")
                    .child(move || problem.get().to_owned()),
            ),
        )
        .child(move || learner().map(|learner| learned(app, learner)))
        .child(buttons);
    let prompt = Signal::derive(move || {
        asks.get().then(|| Confirm {
            title: "Forget your decisions?".to_owned(),
            text: "What was learned is deleted from this browser. The leads keep their statuses."
                .to_owned(),
            verb: "Forget",
            mild: false,
        })
    });
    let forgotten = confirm(
        prompt,
        move || {
            suggestions.forget(&app.session.storage_scope());
            asks.set(false);
            // The button that opened the dialog is hidden now.
            head.with_value(|head| {
                let _ = head.focus();
            });
        },
        move || asks.set(false),
    );
    part.attr("tabindex", "-1").child(fields).child(forgotten)
}

/// Renders what was learned, and how well.
fn learned(app: AppState, learner: Learner) -> El {
    let learned = learner.learned;
    let progress = move || learner.progress().sentence();
    let full = move || {
        let text = "This browser's storage is full. The latest decisions are lost when this tab is closed.";
        learned
            .with(|learned| learned.is_storage_full)
            .then(|| p().child(text))
    };
    let accuracy = move || {
        let model = learned.with(|learned| learned.model.clone())?;
        Some(
            div()
                .child(accuracy(model.held_out()))
                .child(offers(&model)),
        )
    };
    let unusual = memo(move |_| {
        learned.with(|learned| {
            let model = learned.model.as_ref();
            model.map_or_else(Vec::new, |model| model.unusual_decisions().to_vec())
        })
    });
    div()
        .class("learned")
        .child(
            div()
                .class("found")
                .attr("role", "status")
                .child(b().child(progress))
                .child(full)
                .child(accuracy),
        )
        .child(move || checks(app, learner, unusual.get()))
}

fn accuracy(held_out: &HeldOut) -> El {
    let all = held_out.decisions();
    let share = |count: usize| count * 100 / all.max(1);
    let (agreed, majority) = (held_out.agreed(), held_out.majority());
    p().child(format!(
        "Each was predicted by a model trained without it and without other leads of its company: {agreed} of {all} were \
         right ({}%). Always predicting your more frequent decision would be right for {majority} ({}%).",
        share(agreed),
        share(majority),
    ))
}

fn offers(model: &ApprovalModel) -> El {
    let what = match model.offers() {
        (true, true) => "to approve and to reject",
        (true, false) => "to approve",
        (false, true) => "to reject",
        (false, false) => {
            let text = "It is not sure enough to offer several leads at once. For that, 98% of at least 133 such predictions \
                        must be right.";
            return p().child(text);
        }
    };
    p().child(
        [
            "It is sure enough to offer several leads ",
            what,
            " at once: at least 98% of such predictions are right.",
        ]
        .concat(),
    )
}

/// Renders the decisions that differ from those on similar leads.
fn checks(app: AppState, learner: Learner, unusual: Vec<UnusualDecision>) -> Option<El> {
    if unusual.is_empty() {
        return None;
    }
    let shown = unusual.into_iter().take(MAX_UNUSUAL);
    let shown: Vec<UnusualDecision> = shown.collect();
    let leads = shown.iter().map(|decision| Arc::from(&*decision.lead));
    let names = LeadNames::load(app, Rc::new(leads.collect()), RwSignal::new(MAX_UNUSUAL));
    let rows = shown
        .iter()
        .map(|decision| check(app, learner, names, decision));
    let text = "You decided differently on similar leads. Keep a decision, or open the lead and change it.";
    Some(
        div()
            .class("checks")
            .child(h3().child("Decisions to check"))
            .child(p().class("fine").child(text))
            .child(ul().class("workspace-list").children(rows)),
    )
}

fn check(app: AppState, learner: Learner, names: LeadNames, decision: &UnusualDecision) -> El {
    let lead: Arc<str> = decision.lead.as_str().into();
    let verb = if decision.approved {
        "Approved"
    } else {
        "Not approved"
    };
    let likelihood = percent(decision.likelihood);
    let about = format!("{verb}, but {likelihood}% like those you approved");
    let href = app.nav.href(
        route::LEADS_PATH,
        &LeadsView::default().opened(Some(&lead)).to_query(),
    );
    let (named, opened) = (Arc::clone(&lead), Arc::clone(&lead));
    let name = move || {
        let headline: Option<LeadHeadline> = names.headline(&named);
        headline.map_or_else(|| "Loading…".to_owned(), |headline| headline.name)
    };
    let link = a()
        .attr("href", href)
        .child(name)
        .on(ev::click, move |event| {
            if is_plain(&event) {
                event.prevent_default();
                panes::of_leads(app).open(&opened, true);
            }
        });
    let keep = button()
        .class("")
        .child("Keep")
        .on(ev::click, move |_| learner.confirm(Arc::clone(&lead)));
    li().child(div().class("which").child(link).child(span().child(about)))
        .child(keep)
}
