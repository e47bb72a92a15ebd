//! The transport for JavaScript, implemented in `src/js/fetch.js`.

use std::time::Duration;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::world::Work;
use crate::client::{
    HttpRequest, HttpResponse, ResponseFuture, Transport, TransportError, property,
};

#[wasm_bindgen(module = "/src/js/fetch.js")]
extern "C" {
    fn send(
        method: &str,
        url: &str,
        query: &Array,
        headers: &Array,
        body: Option<&str>,
        cap: usize,
    ) -> JsValue;
}

/// Sends requests with `fetch`, like the client's own [`Fetch`](crate::client::Fetch). Reading
/// headers and streams from Rust would add an import to the glue for each member used.
pub(super) struct PageFetch;

impl Transport for PageFetch {
    fn send(&self, request: HttpRequest) -> ResponseFuture {
        let query = Array::new();
        for (name, value) in &request.query {
            query.push(&JsValue::from_str(name));
            query.push(&JsValue::from_str(value));
        }
        let headers = Array::new();
        for (name, value) in &request.headers {
            headers.push(&JsValue::from_str(name));
            headers.push(&JsValue::from_str(value));
        }
        let exchange = Work(send(
            request.method.as_str(),
            &request.url,
            &query,
            &headers,
            request.body.as_deref(),
            request.body_cap,
        ));
        Box::pin(async move { read(&exchange.answer().await) })
    }
}

fn read(answer: &JsValue) -> Result<HttpResponse, TransportError> {
    let text = |name: &str| property(answer, name).and_then(|text| text.as_string());
    if let Some(trouble) = text("trouble") {
        let words = text("words").unwrap_or_default();
        return Err(match trouble.as_str() {
            "refused" => TransportError::Refused(words),
            "unsent" => TransportError::NotSent(words),
            "redirected" => TransportError::Redirected,
            "too large" => TransportError::TooLarge,
            _ => TransportError::Network(words),
        });
    }
    let status = property(answer, "status").and_then(|status| status.as_f64());
    let bytes = property(answer, "bytes").and_then(|bytes| bytes.dyn_into::<Uint8Array>().ok());
    Ok(HttpResponse {
        status: status.unwrap_or_default() as u16,
        content_type: text("contentType"),
        request_id: text("requestId"),
        retry_after: property(answer, "wait")
            .and_then(|wait| wait.as_f64())
            .map(|wait| Duration::from_micros((wait * 1000.0) as u64)),
        body: bytes.map(|bytes| bytes.to_vec()).unwrap_or_default(),
    })
}
