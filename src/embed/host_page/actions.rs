//! The actions of the host page: what it gave, their keys, and how they run.

use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

use js_sys::{Array, Function, Promise};
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortController;

use super::{function, list, message, object, warn};
use crate::app::components::dom::effect;
use crate::app::list::host_actions;
use crate::app::model::host_action::{ActionTarget, HostAction, free_key};
use crate::app::reactive::StoredValue;
use crate::app::state::AppState;
use crate::app::state::host_page::{ActionWork, StartAction};
use crate::client::property;

/// Offers the page's actions from now on, under the current owner.
pub(super) fn start(app: AppState) {
    let host = app.host;
    // A page that gives its actions again, as frameworks do, is told of a conflict once.
    let told = StoredValue::new(Vec::<String>::new());
    let before = StoredValue::new(JsValue::NULL);
    effect(move || {
        let given = host.get(|parts| parts.given.clone());
        if before.with_value(|before| *before == given) {
            return;
        }
        before.set_value(given.clone());
        let mut actions = Vec::new();
        let mut functions = Vec::new();
        for given in list(&given, "actions") {
            let Some((mut action, run)) = read(&given) else {
                tell(
                    told,
                    "an action needs an id, a label, `for` with \"lead\", \"leads\" or \"account\", and `run`.",
                );
                continue;
            };
            if let Some(wanted) = property(&given, "key").and_then(|key| key.as_string()) {
                let free = app.keys.now(|map| free_key(&wanted, map, &actions));
                match free {
                    Some(Ok(key)) => action.key = Some(key),
                    Some(Err(refusal)) => {
                        let refused = [
                            "the action \"",
                            &action.label,
                            "\" does not get the key \"",
                            &wanted,
                            "\": ",
                        ];
                        tell(told, &[&*refused.concat(), &refusal.words(), "."].concat());
                    }
                    None => {}
                }
            }
            functions.push((action.id.clone(), run));
            actions.push(action);
        }
        let start: StartAction = Rc::new(move |id, ids, progress| {
            let run = functions.iter().find(|(of, _)| of == id);
            work(run.map(|(_, run)| run), ids, progress)
        });
        host.update(|parts| {
            let is_new = parts.actions != actions;
            (parts.actions, parts.start) = (actions, Some(start));
            is_new
        });
    });
    host.update(|parts| {
        parts.on_key = Some(Rc::new(move |press, at| {
            host_actions::press(app, press, at)
        }));
        false
    });
    on_cleanup(move || {
        host.update(|parts| {
            (parts.on_key, parts.start) = (None, None);
            parts.actions.clear();
            true
        });
    });
}

fn read(given: &JsValue) -> Option<(HostAction, Function)> {
    let text = |name| property(given, name).and_then(|text| text.as_string());
    let action = HostAction {
        id: text("id")?,
        label: text("label")?,
        target: ActionTarget::parse(&text("for")?)?,
        key: None,
    };
    Some((action, function(given, "run")?))
}

fn tell(told: StoredValue<Vec<String>>, text: &str) {
    if !told.with_value(|told| told.iter().any(|other| other == text)) {
        told.update_value(|told| told.push(text.to_owned()));
        warn(text);
    }
}

/// A call of the page. Dropped before its end, it was cancelled.
struct Running {
    result: JsFuture,
    controller: AbortController,
    is_over: bool,
}

impl Future for Running {
    type Output = Result<(), String>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let poll = Pin::new(&mut self.result).poll(context);
        self.is_over = poll.is_ready();
        poll.map(|result| result.map(|_| ()).map_err(|thrown| message(&thrown)))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.is_over {
            self.controller.abort();
        }
    }
}

/// Calls `run(ids, { signal, progress })`.
fn work(run: Option<&Function>, ids: &[Arc<str>], progress: Rc<dyn Fn(f64)>) -> ActionWork {
    let fail = |reason: String| -> ActionWork { Box::pin(std::future::ready(Err(reason))) };
    let (Some(run), Ok(controller)) = (run, AbortController::new()) else {
        return fail("this page does not offer it any more".to_owned());
    };
    let ids: Array = ids.iter().map(|id| JsValue::from_str(id)).collect();
    let report = Closure::<dyn Fn(JsValue)>::new(move |share: JsValue| {
        if let Some(share) = share.as_f64().filter(|share| share.is_finite()) {
            progress(share.clamp(0.0, 1.0));
        }
    });
    // The page may call it for as long as it has it, also after the action ended or was cancelled.
    let report = report.into_js_value();
    let options = object(&[("signal", controller.signal().into()), ("progress", report)]);
    let called = untrack(|| run.call2(&JsValue::UNDEFINED, &ids, &options));
    match called {
        Ok(result) => Box::pin(Running {
            result: JsFuture::from(Promise::resolve(&result)),
            controller,
            is_over: false,
        }),
        Err(thrown) => fail(message(&thrown)),
    }
}
