//! The browser's `fetch` as a transport.

use std::time::Duration;

use gloo_net::http::{Headers, Method as HttpMethod, RequestBuilder, Response};
use js_sys::{Date, Promise, Reflect, Uint8Array, global};
use lead_workspace_api::Method;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortController, ReadableStreamDefaultReader, Request, RequestCache, RequestCredentials,
    RequestInit, RequestRedirect, ResponseType, Url,
};

use super::browser::property;
use super::retry_after;
use super::text_search::contains;
use super::transport::{
    Exception, HttpRequest, HttpResponse, ResponseFuture, Transport, TransportError,
};

#[wasm_bindgen]
extern "C" {
    /// The platform's `fetch`. gloo-net's own call would keep only the message of an exception;
    /// here, the exception becomes the `cause` of the error.
    #[wasm_bindgen(js_name = fetch)]
    fn fetch(request: &Request) -> Promise;
}

/// Sends requests with `fetch`, without cookies, cache and redirects.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fetch;

impl Transport for Fetch {
    fn send(&self, request: HttpRequest) -> ResponseFuture {
        Box::pin(async move {
            let refused = |error| TransportError::Refused(message(&error));
            let guard = AbortGuard(AbortController::new().map_err(refused)?);
            let offline = is_offline(&request.url);
            let sent = build(&request, &guard).map_err(refused)?;
            let thrown = |error| exception(error, &request);
            let response = match JsFuture::from(fetch(&sent)).await {
                Ok(response) => Response::from(response.unchecked_into::<web_sys::Response>()),
                Err(error) if offline => return Err(TransportError::NotSent(thrown(error))),
                Err(error) => return Err(TransportError::Network(thrown(error))),
            };
            // With redirect "error", a redirect would look like any broken connection.
            if response.type_() == ResponseType::Opaqueredirect {
                return Err(TransportError::Redirected);
            }
            let complete = read(response, request.body_cap).await;
            complete.map_err(|error| TransportError::Network(thrown(error)))?
        })
    }
}

/// Whether the browser reports that it is offline. The local host is reachable nevertheless.
fn is_offline(url: &str) -> bool {
    let local = ["://127.", "://localhost", "://[::1]"];
    let online = property(&global(), "navigator")
        .and_then(|navigator| property(&navigator, "onLine"))
        .is_none_or(|online| online.is_truthy());
    !online && contains(url, "://") && !local.iter().any(|host| contains(url, host))
}

fn build(request: &HttpRequest, guard: &AbortGuard) -> Result<Request, JsValue> {
    let headers = Headers::new();
    for (name, value) in &request.headers {
        headers.set(name, value);
    }
    let query = request.query.iter();
    let mut builder = RequestBuilder::new(&request.url)
        .method(match request.method {
            Method::Get => HttpMethod::GET,
            Method::Post => HttpMethod::POST,
            Method::Patch => HttpMethod::PATCH,
            Method::Delete => HttpMethod::DELETE,
        })
        .query(query.map(|(name, value)| (name.as_str(), value)))
        .redirect(RequestRedirect::Manual)
        .abort_signal(Some(&guard.0.signal()));
    // Some platforms without cookies or a cache reject these options.
    if supports("credentials") {
        builder = builder.credentials(RequestCredentials::Omit);
    }
    if supports("cache") {
        builder = builder.cache(RequestCache::NoStore);
    }
    let built = match &request.body {
        Some(body) => {
            headers.set("content-type", "application/json");
            builder.headers(headers).body(body.as_str())
        }
        None => builder.headers(headers).build(),
    };
    let built = Request::from(built.map_err(|error| JsValue::from_str(&error.to_string()))?);
    if request.method != Method::Delete || !supports("keepalive") {
        return Ok(built);
    }
    // Lets the request complete when the user leaves the page, so that the deleted item does not reappear.
    let options = RequestInit::new();
    Reflect::set(&options, &"keepalive".into(), &true.into())?;
    Request::new_with_request_and_init(&built, &options)
}

/// Whether the platform's requests have this option.
fn supports(option: &str) -> bool {
    let prototype = property(&global(), "Request").and_then(|class| property(&class, "prototype"));
    prototype.is_some_and(|prototype| Reflect::has(&prototype, &option.into()) == Ok(true))
}

/// Reads the whole response. The outer error is what the platform threw.
async fn read(
    response: Response,
    cap: usize,
) -> Result<Result<HttpResponse, TransportError>, JsValue> {
    let headers = response.headers();
    let mut complete = HttpResponse {
        status: response.status(),
        content_type: headers.get("content-type"),
        request_id: headers.get("x-request-id"),
        retry_after: retry_after(&headers),
        body: Vec::new(),
    };
    let Some(stream) = response.body() else {
        return Ok(Ok(complete));
    };
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    loop {
        let step = JsFuture::from(reader.read()).await?;
        let Some(chunk) = property(&step, "value") else {
            return Ok(Ok(complete));
        };
        let chunk: Uint8Array = chunk.unchecked_into();
        let from = complete.body.len();
        let to = from + chunk.length() as usize;
        if to > cap {
            return Ok(Err(TransportError::TooLarge));
        }
        complete.body.resize(to, 0);
        chunk.copy_to(&mut complete.body[from..]);
    }
}

/// Reads the requested wait, as far as the browser exposes the headers: cross-origin it hides them
/// unless the server exposes them.
fn retry_after(headers: &Headers) -> Option<Duration> {
    let parse_date = |text: &str| {
        // The oldest of the three forms names no time zone: it would be the browser's.
        let text = text.trim_end();
        let time = match text.ends_with("GMT") {
            true => Date::parse(text),
            false => Date::parse(&[text, " GMT"].concat()),
        };
        Some(time).filter(|time| time.is_finite())
    };
    retry_after::wait(
        retry_after::Headers {
            retry_after_ms: headers.get("retry-after-ms").as_deref(),
            retry_after: headers.get("retry-after").as_deref(),
            date: headers.get("date").as_deref(),
        },
        parse_date,
    )
}

/// Describes an exception. If it contains the key, only its message is kept, which is redacted later.
fn exception(error: JsValue, request: &HttpRequest) -> Exception {
    let text = |of: &JsValue, name| property(of, name).and_then(|text| text.as_string());
    let message = message(&error);
    let cause = property(&error, "cause").unwrap_or_default();
    let stacks = [text(&error, "stack"), text(&cause, "stack")];
    let mut secrets = request.headers.iter();
    let secret = secrets.find_map(|(_, value)| value.strip_prefix("Bearer "));
    let leaks = secret.is_some_and(|secret| {
        let mut texts = stacks.iter().flatten().chain([&message]);
        texts.any(|text| contains(text, secret))
    });
    Exception {
        message,
        cross_origin: is_cross_origin(&request.url),
        value: (!leaks && error.is_instance_of::<js_sys::Error>()).then_some(error),
    }
}

/// Whether the request goes to another origin than that of the page or worker, if there is one. The
/// URL of a blob worker or a `srcdoc` frame does not contain their origin, so the global is used.
fn is_cross_origin(url: &str) -> bool {
    let origin = property(&global(), "origin").and_then(|origin| origin.as_string());
    match (origin, Url::new(url)) {
        (Some(origin), Ok(url)) => url.origin() != origin,
        _ => false,
    }
}

fn message(error: &JsValue) -> String {
    match property(error, "message").and_then(|message| message.as_string()) {
        Some(message) => message,
        None => error.as_string().unwrap_or_default(),
    }
}

/// Aborts the request when the exchange is dropped.
struct AbortGuard(AbortController);

impl Drop for AbortGuard {
    fn drop(&mut self) {
        self.0.abort();
    }
}
