//! The browser's `fetch` as a transport.

use std::time::Duration;

use gloo_net::http::{Headers, Method as HttpMethod, RequestBuilder, Response};
use js_sys::{Reflect, Uint8Array, global};
use lead_workspace_api::Method;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortController, ReadableStreamDefaultReader, RequestCache, RequestCredentials, RequestInit,
    RequestRedirect, ResponseType,
};

use super::browser::property;
use super::retry_after;
use super::transport::{HttpRequest, HttpResponse, ResponseFuture, Transport, TransportError};

/// Sends requests with `fetch`, without cookies, cache and redirects.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fetch;

impl Transport for Fetch {
    fn send(&self, request: HttpRequest) -> ResponseFuture {
        Box::pin(async move {
            let guard = Guard(AbortController::new().map_err(not_sent)?);
            let offline = is_offline(&request.url);
            let response = start(&request, &guard)?.send().await.map_err(|error| {
                let words = error.to_string();
                if offline {
                    TransportError::NotSent(words)
                } else {
                    TransportError::Network(words)
                }
            })?;
            // With redirect "error", a redirect would look like any broken connection.
            if response.type_() == ResponseType::Opaqueredirect {
                return Err(TransportError::Redirected);
            }
            read(response, request.body_cap).await
        })
    }
}

/// Whether the browser reports that it is offline. The local host is reachable nevertheless.
fn is_offline(url: &str) -> bool {
    let local = ["://127.", "://localhost", "://[::1]"];
    let online = property(&global(), "navigator")
        .and_then(|navigator| property(&navigator, "onLine"))
        .is_none_or(|online| online.is_truthy());
    !online && url.contains("://") && !local.iter().any(|host| url.contains(host))
}

fn start(request: &HttpRequest, guard: &Guard) -> Result<gloo_net::http::Request, TransportError> {
    let refused = |error: gloo_net::Error| TransportError::Refused(error.to_string());
    let headers = Headers::new();
    for (name, value) in &request.headers {
        headers.set(name, value);
    }
    let builder = RequestBuilder::new(&request.url)
        .method(match request.method {
            Method::Get => HttpMethod::GET,
            Method::Post => HttpMethod::POST,
            Method::Patch => HttpMethod::PATCH,
            Method::Delete => HttpMethod::DELETE,
        })
        .query(
            request
                .query
                .iter()
                .map(|(name, value)| (name.as_str(), value)),
        )
        .redirect(RequestRedirect::Manual)
        .credentials(RequestCredentials::Omit)
        .cache(RequestCache::NoStore)
        .abort_signal(Some(&guard.0.signal()));
    match &request.body {
        Some(body) => {
            headers.set("content-type", "application/json");
            builder
                .headers(headers)
                .body(body.as_str())
                .map_err(refused)
        }
        None => {
            let built = builder.headers(headers).build().map_err(refused)?;
            match request.method {
                Method::Delete => lasting(built),
                _ => Ok(built),
            }
        }
    }
}

/// Returns the same request with `keepalive`, so that it completes when the user leaves the page
/// and the deleted item does not reappear.
fn lasting(request: gloo_net::http::Request) -> Result<gloo_net::http::Request, TransportError> {
    let options = RequestInit::new();
    Reflect::set(&options, &"keepalive".into(), &true.into()).map_err(refused)?;
    let request = web_sys::Request::from(request);
    let lasting = web_sys::Request::new_with_request_and_init(&request, &options);
    Ok(lasting.map_err(refused)?.into())
}

async fn read(response: Response, cap: usize) -> Result<HttpResponse, TransportError> {
    let headers = response.headers();
    let mut reply = HttpResponse {
        status: response.status(),
        content_type: headers.get("content-type"),
        request_id: headers.get("x-request-id"),
        retry_after: retry_after(&headers),
        body: Vec::new(),
    };
    let Some(stream) = response.body() else {
        return Ok(reply);
    };
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    loop {
        let step = JsFuture::from(reader.read()).await.map_err(broken)?;
        let chunk = Reflect::get(&step, &"value".into()).map_err(broken)?;
        let Ok(chunk) = chunk.dyn_into::<Uint8Array>() else {
            return Ok(reply);
        };
        let from = reply.body.len();
        let to = from + chunk.length() as usize;
        if to > cap {
            return Err(TransportError::TooLarge);
        }
        reply.body.resize(to, 0);
        chunk.copy_to(&mut reply.body[from..]);
    }
}

/// Reads the requested wait, as far as the browser exposes the headers: cross-origin it hides them
/// unless the server exposes them.
fn retry_after(headers: &Headers) -> Option<Duration> {
    retry_after::wait(retry_after::Headers {
        retry_after_ms: headers.get("retry-after-ms").as_deref(),
        retry_after: headers.get("retry-after").as_deref(),
        date: headers.get("date").as_deref(),
    })
}

fn broken(error: JsValue) -> TransportError {
    TransportError::Network(words(error))
}

fn refused(error: JsValue) -> TransportError {
    TransportError::Refused(words(error))
}

fn not_sent(error: JsValue) -> TransportError {
    TransportError::NotSent(words(error))
}

fn words(error: JsValue) -> String {
    let text = error.dyn_ref::<js_sys::Error>().map(js_sys::Error::message);
    text.map_or_else(String::new, String::from)
}

/// Aborts the request when the exchange is dropped.
struct Guard(AbortController);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.abort();
    }
}
