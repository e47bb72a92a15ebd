//! Bindings to `face.js`, `requests.js` and `shapes.js`: errors, events and results are assembled
//! in JavaScript.

use js_sys::{Array, Function};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(module = "/src/js/face.js")]
extern "C" {
    #[allow(clippy::too_many_arguments, reason = "one value for each member")]
    pub(super) fn failed(
        kind: u8,
        operation: &str,
        status: Option<u16>,
        request_id: Option<&str>,
        attempts: u32,
        retryable: bool,
        writes: bool,
        ambiguous: bool,
        unpaid: bool,
        retry_after: Option<u32>,
        detail: Option<&str>,
        said: &str,
        limit: Option<u32>,
        cause: &JsValue,
    ) -> JsValue;

    pub(super) fn refused(reason: &str) -> JsValue;

    #[wasm_bindgen(js_name = cutShort)]
    pub(super) fn cut_short(outcome: &JsValue) -> JsValue;

    pub(super) fn tell(listener: &Function, event: &JsValue);

    #[wasm_bindgen(js_name = tellRequest)]
    pub(super) fn tell_request(
        listener: &Function,
        operation: &str,
        method: &str,
        url: &str,
        attempt: u32,
    );

    #[allow(clippy::too_many_arguments, reason = "one value for each member")]
    #[wasm_bindgen(js_name = tellResponse)]
    pub(super) fn tell_response(
        listener: &Function,
        operation: &str,
        method: &str,
        url: &str,
        attempt: u32,
        status: Option<u16>,
        request_id: Option<&str>,
        duration: f64,
    );

    #[wasm_bindgen(js_name = tellRetry)]
    pub(super) fn tell_retry(
        listener: &Function,
        operation: &str,
        attempt: u32,
        delay: u32,
        error: &JsValue,
    );

    pub(super) fn gate(state: &str, retry_after: u32, waiting: usize) -> JsValue;

    #[wasm_bindgen(js_name = tellProgress)]
    pub(super) fn tell_progress(
        listener: &Function,
        done: usize,
        total: usize,
        updated: usize,
        failed: usize,
        uncertain: usize,
        error: &JsValue,
    );

    pub(super) fn outcome(
        updated: &Array,
        failed: &Array,
        uncertain: &Array,
        errors: &Array,
    ) -> JsValue;

    pub(super) fn survey(page: &JsValue, id: &str) -> JsValue;

    pub(super) fn step(
        page: &JsValue,
        news: &[u8],
        before: Option<f64>,
        now: Option<f64>,
        repeated: Option<Array>,
        stuck: Option<u32>,
        incomplete: bool,
    ) -> JsValue;

    #[wasm_bindgen(catch)]
    pub(super) fn parse(body: &[u8]) -> Result<JsValue, JsValue>;

    pub(super) fn explain(body: &str) -> JsValue;
}

#[wasm_bindgen(module = "/src/js/requests.js")]
extern "C" {
    /// Reads and checks the parameters of an operation.
    #[wasm_bindgen(catch)]
    pub(super) fn prepare(operation: &str, name: &str, value: &JsValue)
    -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_name = prepareOne)]
    pub(super) fn prepare_one(
        operation: &str,
        name: &str,
        value: &JsValue,
    ) -> Result<JsValue, JsValue>;

    pub(super) fn turn(prepared: &JsValue, page: u32) -> JsValue;

    #[wasm_bindgen(catch)]
    pub(super) fn json(name: &str, value: &JsValue) -> Result<Option<String>, JsValue>;
}

#[wasm_bindgen(module = "/src/js/shapes.js")]
extern "C" {
    /// Parses the body of a response into the exact shape of its operation.
    #[wasm_bindgen(catch)]
    pub(super) fn read(operation: &str, body: &[u8]) -> Result<JsValue, JsValue>;
}

/// Returns the message of an exception.
pub(super) fn message(thrown: JsValue) -> String {
    js_sys::Error::from(thrown).message().into()
}
