//! The JavaScript API of the client: thin wrappers around [`Client`], generated from the same
//! endpoint table.
//!
//! Values cross the boundary as bytes of JSON, which JavaScript parses itself, in
//! `src/js/shapes.js`: building objects field by field across the boundary is several times slower
//! (ARCHITECTURE.md has the figures). Operations report every failure as a promise that rejects
//! with one of the errors of `src/js/errors.js`, not as an exception.

#![warn(missing_docs)]

use std::future::ready;

use js_sys::Promise;
use lead_workspace_api::{self as api, Request, endpoints};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::client::{ApiResponse, Call, Client, Parameters, TableRow};

mod abort;
mod argument;
mod bulk;
mod create;
mod error;
mod face;
mod fetch;
mod hooks;
mod job;
mod options;
mod pages;
mod panic;
mod world;

use self::options::PerCall;

/// The TypeScript declarations of the classes here.
#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("js/raw.d.ts");

/// A client of one workspace, for JavaScript.
#[wasm_bindgen(skip_typescript)]
#[derive(Debug)]
pub struct Workspace {
    client: Client,
}

#[wasm_bindgen]
impl Workspace {
    /// Creates a client of a workspace.
    ///
    /// # Errors
    /// `ArgumentError` if an option is invalid.
    #[wasm_bindgen(constructor, skip_typescript)]
    pub fn new(options: JsValue) -> Result<Workspace, JsValue> {
        Ok(Self {
            client: create::client(&options)?,
        })
    }

    /// Returns the state of the 429 gate: `{state, retryAfterMs, waiting}`.
    #[wasm_bindgen(getter, skip_typescript)]
    pub fn gate(&self) -> JsValue {
        hooks::gate(self.client.gate())
    }

    /// Calls the operation of this name, unless it has a method of its own. The arguments are its
    /// id, its parameters and the call's options, as far as it has them. One method for all, as
    /// each exported one costs a third of a kilobyte.
    #[wasm_bindgen(skip_typescript)]
    pub fn call(&self, name: &str, first: JsValue, second: JsValue, third: JsValue) -> Promise {
        let known = METHODS.iter().chain(&MORE_METHODS);
        let Some(method) = known.into_iter().find(|method| method.name == name) else {
            let refusal = error::argument("there is no such operation");
            return settle(None, Box::pin(ready(Err(refusal))));
        };
        let mut given = [first, second, third].into_iter();
        let mut next = || given.next().unwrap_or_default();
        let ids = match method.id {
            Some(id) => argument::id(id, &next()),
            None => Ok(Vec::new()),
        };
        let params = match method.params {
            Some(params) => face::prepare(method.row.name(), params, &next()).map(Params::Prepared),
            None => Ok(Params::Placed(Parameters::default())),
        };
        self.answer(method.row, ids, params, &next())
    }

    /// Sets the approval status of one lead.
    #[wasm_bindgen(js_name = updateLead, skip_typescript)]
    pub fn update_lead(&self, lead_id: JsValue, status: JsValue, options: JsValue) -> Promise {
        // The contract's body: a single field.
        let params = argument::status(&status).map(|status| Parameters {
            body: Some(format!("{{\"approval_status\":\"{}\"}}", status.as_str())),
            ..Parameters::default()
        });
        let ids = argument::id("lead_id", &lead_id);
        let row = TableRow::of::<endpoints::UpdateLead>();
        self.answer(row, ids, params.map(Params::Placed), &options)
    }

    /// Returns one account in full. Options may also be members of the same object as `include_unpromoted`.
    #[wasm_bindgen(js_name = getAccount, skip_typescript)]
    pub fn get_account(&self, account_id: JsValue, params: JsValue, options: JsValue) -> Promise {
        let options = if options.is_undefined() {
            params.clone()
        } else {
            options
        };
        let ids = argument::id("account_id", &account_id);
        let row = TableRow::of::<endpoints::GetAccount>();
        let wanted = face::prepare_one(row.name(), "include_unpromoted", &params);
        self.answer(row, ids, wanted.map(Params::Prepared), &options)
    }

    /// Sends a request to a path of the workspace that the contract names without specifying it.
    #[wasm_bindgen(skip_typescript)]
    pub fn request(
        &self,
        method: JsValue,
        path: JsValue,
        body: JsValue,
        options: JsValue,
    ) -> Promise {
        let parts: Result<_, JsValue> =
            argument::text("path", &path).and_then(|path| Ok((path, face::json("body", &body)?)));
        let method = argument::method(&method);
        let start = |client: &Client| {
            let (path, body) = parts?;
            Ok(client.request_bytes(method.clone()?, &path, body))
        };
        // Only called for a request that was sent, so the method is valid then.
        let verb = method.clone().unwrap_or(api::Method::Get);
        self.promise(&options, start, move |client, answer| {
            face::parse(&answer.body).map_err(|problem| {
                let reason = face::message(problem);
                error::to_js(&client.undecodable_request(verb, answer, &reason))
            })
        })
    }
}

impl Workspace {
    /// Calls a table row and returns the promise of its response.
    fn answer(
        &self,
        row: TableRow,
        ids: Result<Vec<String>, JsValue>,
        params: Result<Params, JsValue>,
        options: &JsValue,
    ) -> Promise {
        let start = |client: &Client| {
            let (ids, params) = (ids?, params?);
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            let params = match params {
                Params::Placed(params) => Ok(params),
                Params::Prepared(params) => argument::place(client, row, &params),
            };
            Ok(client.exchange(row, &ids, params))
        };
        self.promise(options, start, move |client, answer| {
            face::read(row.name(), &answer.body).map_err(|problem| {
                error::to_js(&client.undecodable(row, answer, &face::message(problem)))
            })
        })
    }

    /// Starts a call immediately, so that later changes to its arguments have no effect, and
    /// returns its promise.
    fn promise(
        &self,
        options: &JsValue,
        start: impl FnOnce(&Client) -> Result<Call<ApiResponse>, JsValue>,
        read: impl FnOnce(&Client, &ApiResponse) -> Result<JsValue, JsValue> + 'static,
    ) -> Promise {
        let read: Read = Box::new(read);
        let started = PerCall::read(options).and_then(|per_call| {
            let client = self.client.with_options(per_call.options);
            let call = start(&client)?;
            Ok((client, per_call.signal, call))
        });
        let (signal, started) = match started {
            Ok((client, signal, call)) => (signal, Ok((client, call))),
            Err(refusal) => (None, Err(refusal)),
        };
        let work = Box::pin(async move {
            let (client, call) = started?;
            let answer = call.await.map_err(|failure| error::to_js(&failure))?;
            read(&client, &answer)
        });
        settle(signal, work)
    }
}

/// The parameters of a call.
enum Params {
    /// Placed in body or query already.
    Placed(Parameters),
    /// As parsed and checked by JavaScript.
    Prepared(JsValue),
}

/// Converts a response to a JavaScript value.
type Read = Box<dyn FnOnce(&Client, &ApiResponse) -> Result<JsValue, JsValue>>;

/// Returns the promise of work that is cancelled when the signal is aborted. Everything is boxed,
/// so that the promise code is compiled once.
fn settle(signal: Option<web_sys::AbortSignal>, work: abort::Work) -> Promise {
    let work: abort::Work = Box::pin(abort::unless(signal, work));
    wasm_bindgen_futures::future_to_promise(panic::noted(work))
}

/// A table row as a JavaScript method.
struct Method {
    /// The JavaScript name.
    name: &'static str,
    row: TableRow,
    /// The name of its id, if it has one.
    id: Option<&'static str>,
    /// The name of its parameters, if it has any.
    params: Option<&'static str>,
}

/// Generates a list of the rows.
macro_rules! methods {
    ($(
        #[doc = $summary:literal]
        $name:ident $js:ident $type:ident: $method:ident $path:literal [$($id:ident: $id_type:ty)?];
            $input:ident $params:ty => $status:literal $response:ty; $retry:ident;
    )*) => {
        [$(Method {
            name: stringify!($js),
            row: TableRow::of::<endpoints::$type>(),
            id: methods!(@first $(stringify!($id))?),
            params: methods!(@$input $params),
        },)*]
    };

    (@first) => { None };
    (@first $first:expr) => { Some($first) };
    (@Nothing $params:ty) => { None };
    (@$input:ident $params:ty) => { Some(<$params>::NAME) };
}

const METHODS: [Method; 12] = lead_workspace_api::for_each_endpoint!(methods);
const MORE_METHODS: [Method; 1] = lead_workspace_api::for_each_extension!(methods);

/// Generates a method per row without a hand-written one, for builds with wasm-pack. Those lack the
/// facade that adds the names.
#[cfg(not(feature = "module"))]
macro_rules! named {
    ($(
        #[doc = $summary:literal]
        $name:ident $js:ident $type:ident: $method:ident $path:literal [$($id:ident: $id_type:ty)?];
            $input:ident $params:ty => $status:literal $response:ty; $retry:ident;
    )*) => {
        $(named! {@$name $name $js #[doc = $summary] [$($id)?] $input})*
    };

    (@method $name:ident $js:ident #[doc = $summary:literal] [$first:ident $($more:ident)*]) => {
        #[wasm_bindgen]
        impl Workspace {
            #[doc = $summary]
            #[wasm_bindgen(js_name = $js, skip_typescript)]
            pub fn $name(&self, $first: JsValue, $($more: JsValue,)*) -> Promise {
                let mut given = [$first, $($more,)*].into_iter();
                let mut next = || given.next().unwrap_or_default();
                self.call(stringify!($js), next(), next(), next())
            }
        }
    };

    // Their arguments differ from the table's; see above and `bulk`.
    (@update_lead $($row:tt)*) => {};
    (@update_leads $($row:tt)*) => {};
    (@get_account $($row:tt)*) => {};

    (@$_:ident $name:ident $js:ident #[doc = $summary:literal] [$($id:ident)?] Nothing) => {
        named! {@method $name $js #[doc = $summary] [$($id)? options]}
    };
    (@$_:ident $name:ident $js:ident #[doc = $summary:literal] [$($id:ident)?] $input:ident) => {
        named! {@method $name $js #[doc = $summary] [$($id)? params options]}
    };
}

#[cfg(not(feature = "module"))]
lead_workspace_api::for_each_endpoint!(named);
#[cfg(not(feature = "module"))]
lead_workspace_api::for_each_extension!(named);

/// Runs when the module is instantiated.
#[wasm_bindgen(start)]
pub fn start() {
    panic::install();
}
