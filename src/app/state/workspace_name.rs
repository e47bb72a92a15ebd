//! The name of the workspace, from a header of the responses that the app requests anyway.

use std::sync::Arc;

use lead_workspace_api::WORKSPACE_NAME_HEADER;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Headers;

use crate::app::reactive::RwSignal;
use crate::client::{HttpRequest, PartReceiver, ResponseFuture, Transport};

/// A transport that reads the name from every response.
pub struct NameReader {
    pub transport: Arc<dyn Transport>,
    /// Keeps its value if a response has no name.
    pub name: RwSignal<String>,
}

impl Transport for NameReader {
    fn send(&self, request: HttpRequest) -> ResponseFuture {
        let (sent, name) = (self.transport.send(request), self.name);
        Box::pin(async move {
            let response = sent.await;
            let headers = response.as_ref().ok().and_then(|of| of.headers.as_ref());
            if let Some(sent) = headers.and_then(read) {
                name.try_maybe_update(|shown| {
                    let changed = *shown != sent;
                    *shown = sent;
                    (changed, ())
                });
            }
            response
        })
    }

    fn send_streamed(&self, request: HttpRequest, receiver: PartReceiver) -> ResponseFuture {
        self.transport.send_streamed(request, receiver)
    }
}

/// Reads the name; `None` if there is none, or it is not percent-encoded UTF-8.
fn read(headers: &JsValue) -> Option<String> {
    let headers: &Headers = headers.dyn_ref()?;
    let sent = headers.get(WORKSPACE_NAME_HEADER).ok()??;
    js_sys::decode_uri_component(&sent).ok().map(String::from)
}
