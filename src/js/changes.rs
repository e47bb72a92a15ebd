//! `changes`: the basis of the package's async iterator of changes.

use std::cell::RefCell;
use std::future::poll_fn;
use std::rc::Rc;

use js_sys::{Date, Function, Promise, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::AbortSignal;

use super::convert::{notify, object, or_null};
use super::error::{argument as refused, options as refused_options, to_js};
use super::options::PerCall;
use super::{Workspace, results, settle};
use crate::client::changes::wire_event::{WireEvent, WireEventKind};
use crate::client::changes::{ChangeOptions, Connection, WireEvents};
use crate::client::property;

/// The options of a stream, besides those of every call.
const STREAM: [&str; 2] = ["since", "onConnection"];

/// The changes of a workspace as they happen.
#[wasm_bindgen(skip_typescript)]
pub struct ChangeStream {
    events: Rc<RefCell<Option<WireEvents>>>,
    signal: Option<AbortSignal>,
}

#[wasm_bindgen]
impl Workspace {
    /// Returns the changes of the workspace as they happen.
    ///
    /// # Errors
    /// `ArgumentError` if an option is invalid.
    #[wasm_bindgen(skip_typescript)]
    pub fn changes(&self, options: JsValue) -> Result<ChangeStream, JsValue> {
        let per_call = PerCall::read(&options, &STREAM)?;
        if per_call.options.retries.is_some() || per_call.options.deadline.is_some() {
            return Err(refused_options(
                "a stream of changes has no options.retries and options.deadlineMs: it connects again until it is left \
                 or aborted",
            ));
        }
        let on_connection = per_call
            .on_connection
            .map(|listener| -> Rc<dyn Fn(Connection)> { Rc::new(report(listener)) });
        let client = self.client.with_options(per_call.options);
        let events = client.wire_changes(ChangeOptions {
            since: per_call.since,
            on_connection,
        });
        Ok(ChangeStream {
            events: Rc::new(RefCell::new(Some(events))),
            signal: per_call.signal,
        })
    }
}

#[wasm_bindgen]
impl ChangeStream {
    /// Returns the next event; undefined after an error.
    #[wasm_bindgen(skip_typescript)]
    pub fn next(&self) -> Promise {
        let slot = Rc::clone(&self.events);
        // Taken immediately, so that a second call before this one ends finds nothing and fails. An abort drops it, which
        // aborts the request.
        let taken = slot.borrow_mut().take();
        let work = Box::pin(async move {
            let Some(mut events) = taken else {
                return Err(refused("the previous event is still being awaited"));
            };
            let event = poll_fn(|context| events.as_mut().poll_next(context)).await;
            slot.replace(Some(events));
            match event {
                Some(Ok(event)) => Ok(event_to_js(event)),
                Some(Err(error)) => Err(to_js(&error)),
                None => Ok(JsValue::UNDEFINED),
            }
        });
        settle(self.signal.clone(), work)
    }
}

/// Returns an event for JavaScript. Changes that cannot be read may be any: a reset.
fn event_to_js(event: WireEvent) -> JsValue {
    let changes = match &event.kind {
        WireEventKind::Change(data) => {
            results::read_changes(data).filter(|told| property(told, "changes").is_some())
        }
        WireEventKind::Open | WireEventKind::Reset => None,
    };
    let kind = match event.kind {
        WireEventKind::Open => "open",
        _ if changes.is_some() => "change",
        _ => "reset",
    };
    let told = changes.unwrap_or_else(|| object(&[]));
    for (name, value) in [
        ("kind", kind.into()),
        ("version", (event.version as f64).into()),
    ] {
        // Setting a member of a plain object cannot fail.
        let _ = Reflect::set(&told, &name.into(), &value);
    }
    told
}

/// Returns a function that calls the listener with the state of the connection.
fn report(listener: Function) -> impl Fn(Connection) {
    // On the page's clock, which is not the runtime's.
    let broken_since = RefCell::new(None);
    move |connection| {
        let event = match connection {
            Connection::Open => {
                broken_since.replace(None);
                object(&[
                    ("state", "open".into()),
                    ("since", JsValue::NULL),
                    ("error", JsValue::NULL),
                ])
            }
            Connection::Broken { since, error } => {
                let since = since.map(|_| *broken_since.borrow_mut().get_or_insert_with(Date::now));
                object(&[
                    ("state", "broken".into()),
                    ("since", or_null(since)),
                    ("error", to_js(&error)),
                ])
            }
        };
        notify(&listener, &event);
    }
}
