//! The browser's `fetch` as a transport.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use gloo_net::http::{Headers, Method as HttpMethod, RequestBuilder, Response};
use gloo_timers::callback::Timeout;
use js_sys::{Date, Number, Reflect, Uint8Array};
use lead_workspace_api::Method;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortController, ReadableStreamDefaultReader, RequestCache, RequestCredentials,
    RequestRedirect, ResponseType,
};

use super::transport::{Exchange, Outgoing, Reply, Transport, Trouble};

/// Sends requests with `fetch`. No cookies, no cache, no redirects.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fetch;

impl Transport for Fetch {
    fn send(&self, request: Outgoing) -> Exchange {
        Box::pin(async move {
            let limit = Limit::start(request.timeout).map_err(broken)?;
            let cap = request.body_cap;
            let response = start(&request, &limit)?
                .send()
                .await
                .map_err(|error| limit.blame(Trouble::Network(error.to_string())))?;
            // With redirect "error" a redirect would look like any broken connection.
            if response.type_() == ResponseType::Opaqueredirect {
                return Err(Trouble::Redirected);
            }
            read(response, cap)
                .await
                .map_err(|trouble| limit.blame(trouble))
        })
    }
}

fn start(request: &Outgoing, limit: &Limit) -> Result<gloo_net::http::Request, Trouble> {
    let network = |error: gloo_net::Error| Trouble::Network(error.to_string());
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
        .abort_signal(Some(&limit.controller.signal()));
    match &request.body {
        Some(body) => {
            headers.set("content-type", "application/json");
            builder
                .headers(headers)
                .body(body.as_str())
                .map_err(network)
        }
        None => builder.headers(headers).build().map_err(network),
    }
}

async fn read(response: Response, cap: usize) -> Result<Reply, Trouble> {
    let headers = response.headers();
    let mut reply = Reply {
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
            return Err(Trouble::TooLarge);
        }
        reply.body.resize(to, 0);
        chunk.copy_to(&mut reply.body[from..]);
    }
}

/// Seconds, or a date, which is held against the response's own clock where that is known.
fn retry_after(headers: &Headers) -> Option<Duration> {
    // By the browser: reading fractions takes a table of 10 kB that it has already.
    let number = |text: String| {
        let number = Number::from(JsValue::from_str(&text)).value_of();
        (!number.is_nan() && !text.trim().is_empty()).then_some(number)
    };
    let milliseconds = headers.get("retry-after-ms").and_then(number).or_else(|| {
        let text = headers.get("retry-after")?;
        number(text.clone())
            .map(|seconds| seconds * 1000.0)
            .or_else(|| {
                let now = headers.get("date").map(|date| Date::parse(&date));
                let wait =
                    Date::parse(&text) - now.filter(|now| !now.is_nan()).unwrap_or_else(Date::now);
                (!wait.is_nan()).then_some(wait)
            })
    })?;
    // A day is longer than anybody waits and short enough for every sum.
    Some(Duration::from_millis(
        milliseconds.clamp(0.0, 86_400_000.0) as u64
    ))
}

fn broken(error: JsValue) -> Trouble {
    let text = error.dyn_ref::<js_sys::Error>().map(js_sys::Error::message);
    Trouble::Network(text.map_or_else(String::new, String::from))
}

/// Ends the fetch when the time is up, and when the exchange is dropped.
struct Limit {
    controller: AbortController,
    up: Rc<Cell<bool>>,
    _timer: Timeout,
}

impl Limit {
    fn start(timeout: Duration) -> Result<Self, JsValue> {
        let controller = AbortController::new()?;
        let up = Rc::new(Cell::new(false));
        let timer = {
            let (controller, up) = (controller.clone(), Rc::clone(&up));
            let milliseconds = u32::try_from(timeout.as_millis()).unwrap_or(u32::MAX);
            Timeout::new(milliseconds, move || {
                up.set(true);
                controller.abort();
            })
        };
        Ok(Self {
            controller,
            up,
            _timer: timer,
        })
    }

    /// An aborted fetch fails like a broken one; only we know that the time was up.
    fn blame(&self, trouble: Trouble) -> Trouble {
        if self.up.get() {
            Trouble::Timeout
        } else {
            trouble
        }
    }
}

impl Drop for Limit {
    fn drop(&mut self) {
        self.controller.abort();
    }
}
