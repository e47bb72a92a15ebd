//! The JavaScript API of the client: thin wrappers around [`Client`], generated from the same
//! endpoint table.
//!
//! Parameters and options are read from JavaScript values and checked by `lead-workspace-api`.
//! Results are parsed by the browser; see `src/js/results.rs`. Operations report every failure as a promise
//! that rejects with one of the errors of `src/js/errors.js`, not as an exception.

#![warn(missing_docs)]

use js_sys::Promise;
use lead_workspace_api::json::object;
use lead_workspace_api::{Endpoint, Request, endpoints};
use serde_json::Value;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::client::{Check, Client, TableRow};

mod abort;
mod argument;
mod bulk;
mod changes;
mod convert;
mod create;
mod error;
mod hooks;
mod members;
mod options;
mod pages;
mod panic;
mod reads;
mod results;
mod review;
mod reviewed;
mod wait_for_job;

use self::options::{CALL, PerCall};
use self::reads::Reviews;

/// The TypeScript declarations of the classes here.
#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("js/raw.d.ts");

/// A client of one workspace, for JavaScript.
#[wasm_bindgen(skip_typescript)]
pub struct Workspace {
    client: Client,
    reviews: Reviews,
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
            reviews: Reviews::default(),
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
        let known = METHODS.iter().chain(&MORE_METHODS).chain(&OWN_METHODS);
        let Some(method) = known.into_iter().find(|method| method.name == name) else {
            return Promise::reject(&error::argument("there is no such operation"));
        };
        let mut given = [first, second, third].into_iter();
        let mut next = || given.next().unwrap_or_default();
        let id = method.id.map(|name| argument::text(name, &next()));
        let params = match method.takes_params {
            true => argument::params(&next(), method.row.fields(), &[]),
            false => Ok(object([])),
        };
        self.send(method.row, method.check, id, params, &next(), &[])
    }

    /// Sets the approval status of one lead.
    #[wasm_bindgen(js_name = updateLead, skip_typescript)]
    pub fn update_lead(&self, lead_id: JsValue, status: JsValue, options: JsValue) -> Promise {
        let params = argument::status(&status)
            .map(|status| object([("approval_status", status.as_str().into())]));
        let id = argument::text("lead_id", &lead_id);
        self.send_to::<endpoints::UpdateLead>(id, params, &options, &[])
    }

    /// Returns one account in full. Without a third argument, the options may also be members of the second.
    #[wasm_bindgen(js_name = getAccount, skip_typescript)]
    pub fn get_account(&self, account_id: JsValue, params: JsValue, options: JsValue) -> Promise {
        let fields = <endpoints::GetAccount as Endpoint>::Params::FIELDS;
        let id = argument::text("account_id", &account_id);
        if options.is_undefined() {
            let read = argument::params(&params, fields, &CALL);
            self.send_to::<endpoints::GetAccount>(id, read, &params, fields)
        } else {
            let read = argument::params(&params, fields, &[]);
            self.send_to::<endpoints::GetAccount>(id, read, &options, &[])
        }
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
        let arguments = (|| {
            Ok::<_, JsValue>((
                argument::method(&method)?,
                argument::text("path", &path)?,
                argument::json_text("body", &body)?,
                PerCall::read(&options, &[])?,
            ))
        })();
        let (method, path, body, per_call) = match arguments {
            Ok(arguments) => arguments,
            Err(refusal) => return Promise::reject(&refusal),
        };
        let client = self.client.with_options(per_call.options);
        let call = client.request_bytes(method, &path, body);
        let signal = per_call.signal.clone();
        let work = Box::pin(async move {
            let response = call.await.map_err(|failure| error::to_js(&failure))?;
            results::keep_response(signal.as_ref(), &response);
            results::read_any(&client, method, &response)
        });
        settle(per_call.signal, work)
    }
}

impl Workspace {
    /// Calls an operation of the table.
    fn send_to<E: Endpoint>(
        &self,
        id: Result<String, JsValue>,
        params: Result<Value, JsValue>,
        options: &JsValue,
        more: &[&str],
    ) -> Promise {
        let row = TableRow::of::<E>();
        self.send(row, E::Params::check_wire, Some(id), params, options, more)
    }

    /// Calls a table row and returns the promise of its result. The request is built immediately,
    /// so that later changes to the arguments have no effect.
    fn send(
        &self,
        row: TableRow,
        check: Check,
        id: Option<Result<String, JsValue>>,
        params: Result<Value, JsValue>,
        options: &JsValue,
        more: &[&str],
    ) -> Promise {
        let arguments = PerCall::read(options, more)
            .and_then(|per_call| Ok((per_call, id.transpose()?, params?)));
        let (per_call, id, params) = match arguments {
            Ok(arguments) => arguments,
            Err(refusal) => return Promise::reject(&refusal),
        };
        let client = self.client.with_options(per_call.options);
        let params = client.bind(row, &params, check);
        let read = self.reviews.start_read();
        let call = client.exchange(row, id.as_deref().as_slice(), params);
        let signal = per_call.signal.clone();
        let work = Box::pin(async move {
            let response = call.await.map_err(|failure| error::to_js(&failure))?;
            results::keep_response(signal.as_ref(), &response);
            let result = results::read(&client, row, &response)?;
            read.done(&result);
            Ok(result)
        });
        settle(per_call.signal, work)
    }
}

/// Returns the promise of work that is cancelled when the signal is aborted. Everything is boxed,
/// so that the promise code is compiled once.
fn settle(signal: Option<web_sys::AbortSignal>, work: abort::Work) -> Promise {
    let work: abort::Work = Box::pin(abort::unless(signal, work));
    wasm_bindgen_futures::future_to_promise(panic::noted(work))
}

/// A table row as a JavaScript method.
struct JsMethod {
    /// The JavaScript name.
    name: &'static str,
    row: TableRow,
    /// The name of its id, if it has one.
    id: Option<&'static str>,
    takes_params: bool,
    check: Check,
}

/// Generates a list of the rows.
macro_rules! methods {
    ($(
        #[doc = $summary:literal]
        $name:ident $js:ident $type:ident: $method:ident $path:literal [$($id:ident: $id_type:ty)?];
            $input:ident $params:ty => $status:literal $response:ty; $retry:ident;
    )*) => {
        [$(JsMethod {
            name: stringify!($js),
            row: TableRow::of::<endpoints::$type>(),
            id: methods!(@first $(stringify!($id))?),
            takes_params: methods!(@$input),
            check: <$params>::check_wire,
        },)*]
    };

    (@first) => { None };
    (@first $first:expr) => { Some($first) };
    (@Nothing) => { false };
    (@$input:ident) => { true };
}

const METHODS: [JsMethod; 12] = lead_workspace_api::for_each_endpoint!(methods);
const MORE_METHODS: [JsMethod; 1] = lead_workspace_api::for_each_extension!(methods);

/// The operation of our service that has a method.
const OWN_METHODS: [JsMethod; 1] = [JsMethod {
    name: <endpoints::GetLeadFields as Endpoint>::JS_NAME,
    row: TableRow::of::<endpoints::GetLeadFields>(),
    id: None,
    takes_params: false,
    check: <endpoints::GetLeadFields as Endpoint>::Params::check_wire,
}];

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
#[cfg(not(feature = "module"))]
named! {@method get_lead_fields getLeadFields #[doc = "List the custom fields of the leads."] [options]}

/// Runs when the module is instantiated.
#[wasm_bindgen(start)]
pub fn start() {
    panic::install();
}
