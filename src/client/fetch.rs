//! The browser's `fetch` as a transport.

use std::time::Duration;

use gloo_net::http::{Method as HttpMethod, RequestBuilder};
use js_sys::{Date, Function, Object, Promise, Reflect, Uint8Array, global};
use lead_workspace_api::Method;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortController, Headers, Request, RequestCache, RequestCredentials, RequestInit,
    RequestRedirect, Response, ResponseType, Url,
};

use super::browser::{is_online, method};
use super::property::property;
use super::retry_after;
use super::text_search::contains;
use super::transport::{
    Exception, HttpRequest, HttpResponse, PartReceiver, ResponseFuture, ResponsePart, Transport,
    TransportError,
};

#[wasm_bindgen]
extern "C" {
    /// The platform's `fetch`. gloo-net's own call would keep only the message of an exception;
    /// here, the exception becomes the `cause` of the error.
    #[wasm_bindgen(js_name = fetch)]
    fn fetch(request: &Request) -> Promise;
}

/// Sends requests with `fetch`, without cookies, cache and redirects.
#[derive(Clone, Debug, Default)]
pub struct Fetch {
    /// Called instead of the platform's `fetch`.
    function: Option<Function>,
    /// Called instead of the platform's `fetch`, with a request of the platform and its body.
    send: Option<Function>,
}

impl Fetch {
    /// Returns a transport that calls a function of the page like `fetch`. The function gets the URL as text,
    /// because a `Request` of the platform is not one for other implementations of `fetch`.
    #[cfg(any(feature = "js", feature = "embed"))]
    pub(crate) fn with_function(function: Option<Function>) -> Self {
        Self {
            function,
            send: None,
        }
    }

    /// Returns a transport that passes each request of the platform to a function, with its body as a second argument.
    #[cfg(feature = "ui")]
    pub(crate) fn with_send(send: Option<Function>) -> Self {
        Self {
            function: None,
            send,
        }
    }
}

impl Transport for Fetch {
    fn send(&self, request: HttpRequest) -> ResponseFuture {
        self.exchange(request, None)
    }

    fn send_streamed(&self, request: HttpRequest, receiver: PartReceiver) -> ResponseFuture {
        self.exchange(request, Some(receiver))
    }
}

impl Fetch {
    /// Sends a request. The parts of a success are passed to the receiver, if there is one.
    fn exchange(&self, request: HttpRequest, receiver: Option<PartReceiver>) -> ResponseFuture {
        let Self { function, send } = self.clone();
        Box::pin(async move {
            let refused = |error| TransportError::Refused(message(&error));
            let guard = AbortGuard(AbortController::new().map_err(refused)?);
            // The page's function may have sent the request in any case.
            let offline = function.is_none() && is_offline(&request.url);
            let started = start(function.as_ref(), send.as_ref(), &request, &guard);
            // In Node, a request that was collected is no longer aborted.
            let (_kept, promise) = started.map_err(refused)?;
            let thrown = |error| exception(error, &request);
            let response: Response = match JsFuture::from(promise).await {
                Ok(response) if function.is_none() || is_response(&response) => {
                    response.unchecked_into()
                }
                Ok(_) => {
                    let reason = "the given `fetch` did not return a Response";
                    return Err(TransportError::Network(reason.into()));
                }
                Err(error) if offline => return Err(TransportError::NotSent(thrown(error))),
                Err(error) => return Err(TransportError::Network(thrown(error))),
            };
            // With redirect "error", a redirect would look like any broken connection.
            if response.type_() == ResponseType::Opaqueredirect {
                return Err(TransportError::Redirected);
            }
            let complete = read(response, request.body_cap, receiver).await;
            complete.map_err(|error| TransportError::Network(thrown(error)))?
        })
    }
}

/// Starts the exchange, and returns the request with it. Fails if the platform refuses such a request. Inlined into the
/// asynchronous function, it would be more code; so would `head`.
#[inline(never)]
fn start(
    function: Option<&Function>,
    send: Option<&Function>,
    request: &HttpRequest,
    guard: &AbortGuard,
) -> Result<(Request, Promise), JsValue> {
    let built = build(request, guard)?;
    let promise = match (send, function) {
        (Some(send), _) => {
            let body = request.body.as_deref().into();
            send.call2(&JsValue::UNDEFINED, &built, &body)?
                .unchecked_into()
        }
        (None, None) => fetch(&built),
        (None, Some(function)) => {
            let init = init_of(&built, request, guard);
            let returned = function.call2(&JsValue::UNDEFINED, &built.url().into(), &init);
            match returned {
                Ok(response) => Promise::resolve(&response),
                Err(thrown) => Promise::reject(&thrown),
            }
        }
    };
    Ok((built, promise))
}

/// Returns a request as the second argument of `fetch`.
fn init_of(built: &Request, request: &HttpRequest, guard: &AbortGuard) -> Object {
    let init = Object::new();
    // Setting a member of a plain object cannot fail.
    let set = |name: &str, value: &JsValue| drop(Reflect::set(&init, &name.into(), value));
    for name in ["method", "redirect", "credentials", "cache", "keepalive"] {
        // All but `keepalive` are words.
        if let Some(value) = property(built, name).filter(JsValue::is_truthy) {
            set(name, &value);
        }
    }
    // Not the request's own signal: in Node it is no longer aborted once the request was collected.
    set("signal", &guard.0.signal());
    // A plain object, because the platform's `Headers` are none for other implementations.
    let headers = Object::from_entries(&built.headers()).unwrap_or_default();
    set("headers", &headers);
    if let Some(body) = &request.body {
        set("body", &body.into());
    }
    init
}

/// Whether a value has what is read of a `Response`, of any implementation.
fn is_response(value: &JsValue) -> bool {
    let has_method = |of: &JsValue, name| property(of, name).is_some_and(|it| it.is_function());
    property(value, "status").is_some_and(|status| status.as_f64().is_some())
        && property(value, "headers").is_some_and(|headers| has_method(&headers, "get"))
        && property(value, "body").is_none_or(|body| has_method(&body, "getReader"))
}

/// Whether the browser reports that it is offline. The local host is reachable nevertheless.
fn is_offline(url: &str) -> bool {
    let local = ["://127.", "://localhost", "://[::1]"];
    !is_online() && contains(url, "://") && !local.iter().any(|host| contains(url, host))
}

fn build(request: &HttpRequest, guard: &AbortGuard) -> Result<Request, JsValue> {
    let headers = gloo_net::http::Headers::new();
    let given = request
        .headers
        .iter()
        .map(|(name, value)| (&**name, &**value));
    let extra = request.extra_headers.iter();
    for (name, value) in given.chain(extra.map(|(name, value)| (&**name, &**value))) {
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
    receiver: Option<PartReceiver>,
) -> Result<Result<HttpResponse, TransportError>, JsValue> {
    let mut complete = head(&response);
    // An error is read whole.
    let receiver = receiver.filter(|_| response.ok());
    if let Some(receiver) = &receiver {
        receiver(ResponsePart::Head(complete.clone()));
    }
    let Some(stream) = response.body() else {
        return Ok(Ok(complete));
    };
    // Both throw if the page's own `fetch` has read the body, or returns a body of its own.
    let reader = call(&stream, "getReader")?;
    loop {
        let step = JsFuture::from(Promise::resolve(&call(&reader, "read")?)).await?;
        let Some(chunk) = property(&step, "value") else {
            return Ok(Ok(complete));
        };
        let chunk: Uint8Array = chunk.unchecked_into();
        if let Some(receiver) = &receiver {
            receiver(ResponsePart::Bytes(chunk.to_vec()));
            continue;
        }
        let from = complete.body.len();
        let to = from + chunk.length() as usize;
        if to > cap {
            return Ok(Err(TransportError::TooLarge));
        }
        complete.body.resize(to, 0);
        chunk.copy_to(&mut complete.body[from..]);
    }
}

/// Calls a method without arguments.
fn call(of: &JsValue, name: &str) -> Result<JsValue, JsValue> {
    let method = method(of, name).ok_or(JsValue::UNDEFINED)?;
    method.call0(of)
}

/// Returns the response without its body.
#[inline(never)]
fn head(response: &Response) -> HttpResponse {
    let headers = response.headers();
    let get = |name| header(&headers, name);
    HttpResponse {
        status: response.status(),
        content_type: get("content-type"),
        request_id: get("x-request-id"),
        retry_after: retry_after(&headers),
        headers: Some(headers.into()),
        body: Vec::new(),
    }
}

fn header(headers: &Headers, name: &str) -> Option<String> {
    headers.get(name).ok().flatten()
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
            retry_after_ms: header(headers, "retry-after-ms").as_deref(),
            retry_after: header(headers, "retry-after").as_deref(),
            date: header(headers, "date").as_deref(),
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
