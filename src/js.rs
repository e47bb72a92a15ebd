//! The client's JavaScript face: thin wrappers around [`Client`], made from the same table.
//!
//! Values cross as bytes of JSON that JavaScript parses itself, in `src/js/shapes.js`: anything
//! built field by field across the boundary is several times slower (ARCHITECTURE.md has the
//! figures). Everything that can fail is a rejected promise with one of the errors of
//! `src/js/errors.js`, never an exception.

#![warn(missing_docs)]

use std::future::ready;

use js_sys::Promise;
use lead_workspace_api::{self as api, Request, endpoints};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::client::{Answer, Call, Client, Parameters, TableRow};

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

/// What TypeScript is told of the classes here.
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
    /// Connects to a workspace.
    ///
    /// # Errors
    /// `ArgumentError` when an option makes no sense.
    #[wasm_bindgen(constructor, skip_typescript)]
    pub fn new(options: JsValue) -> Result<Workspace, JsValue> {
        Ok(Self {
            client: create::client(&options)?,
        })
    }

    /// How the 429 gate stands: `{state, retryAfterMs, waiting}`.
    #[wasm_bindgen(getter, skip_typescript)]
    pub fn gate(&self) -> JsValue {
        hooks::gate(self.client.gate())
    }

    /// Calls the operation of this name that needs nothing special, with its id, its parameters and
    /// the call's options, as far as it has them. One method, as each weighs a third of a kilobyte.
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

    /// Reads one account in full. Options may also stand beside `include_unpromoted`.
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

    /// Sends a request to a path of the workspace that the contract names without showing it.
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
        // Only a request that was sent is read, so the method is known then.
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
    /// One row of the table: arguments in, promise of the answer out.
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

    /// Starts a call now, so that nothing changes its arguments any more, and gives its promise.
    fn promise(
        &self,
        options: &JsValue,
        start: impl FnOnce(&Client) -> Result<Call<Answer>, JsValue>,
        read: impl FnOnce(&Client, &Answer) -> Result<JsValue, JsValue> + 'static,
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
    /// Where they belong already.
    Placed(Parameters),
    /// As JavaScript read and checked them.
    Prepared(JsValue),
}

/// What makes a value of an answer.
type Read = Box<dyn FnOnce(&Client, &Answer) -> Result<JsValue, JsValue>>;

/// The promise of work that ends early when the signal is aborted. All of it is boxed, so that the
/// machinery of promises is compiled once.
fn settle(signal: Option<web_sys::AbortSignal>, work: abort::Work) -> Promise {
    let work: abort::Work = Box::pin(abort::unless(signal, work));
    wasm_bindgen_futures::future_to_promise(panic::noted(work))
}

/// A row of the table as JavaScript calls it.
struct Method {
    /// Its name there.
    name: &'static str,
    row: TableRow,
    /// The name of its id, where it has one.
    id: Option<&'static str>,
    /// The name of its parameters, where it has any.
    params: Option<&'static str>,
}

/// Makes a list of the rows.
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

/// Makes a method of each row that needs nothing special, for builds with wasm-pack: there is no
/// facade around those that would have the names.
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

    // Their arguments differ from the table's, see above and in `bulk`.
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
