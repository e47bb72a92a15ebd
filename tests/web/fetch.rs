//! The transport over the browser's `fetch`, with a mocked `fetch`.

use std::time::Duration;

use js_sys::{Function, Object, Promise, Reflect, global};
use lead_workspace::api::{LeadId, LeadQuery, Method};
use lead_workspace::client::{
    CallOptions, Client, Config, Credentials, ErrorKind, ExtraHeaders, Fetch, HttpRequest,
    Transport, TransportError,
};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

/// Replaces the global `fetch` until dropped. The script gets the argument `request`, and the object `seen` for
/// notes.
pub struct Mock {
    real: JsValue,
    seen: Object,
}

impl Mock {
    pub fn new(script: &str) -> Self {
        let seen = Object::new();
        let make =
            Function::new_with_args("seen", &format!("return async request => {{ {script} }}"));
        let fetch = make.call1(&JsValue::NULL, &seen).unwrap();
        let real = Reflect::get(&global(), &"fetch".into()).unwrap();
        Reflect::set(&global(), &"fetch".into(), &fetch).unwrap();
        Self { real, seen }
    }

    /// Returns the object `seen` itself.
    #[cfg(feature = "embed")]
    pub fn seen_all(&self) -> Object {
        self.seen.clone()
    }

    pub fn seen(&self, name: &str) -> JsValue {
        Reflect::get(&self.seen, &name.into()).unwrap()
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        Reflect::set(&global(), &"fetch".into(), &self.real).unwrap();
    }
}

fn client() -> Client {
    let config = Config::new("http://workspace.example").unwrap();
    Client::new(config.with(Credentials::new("lwk_1_x").unwrap()))
}

fn get(body_cap: usize) -> HttpRequest {
    HttpRequest {
        method: Method::Get,
        url: "http://workspace.example/api/x".into(),
        query: vec![("q".into(), "å&b".into())],
        headers: Vec::new(),
        extra_headers: ExtraHeaders::default(),
        body: None,
        body_cap,
    }
}

#[wasm_bindgen_test]
async fn a_request_sends_no_cookies_and_follows_no_redirects() {
    let mock = Mock::new(
        "seen.request = request; seen.body = await request.text();
         return new Response('{\"data\":[],\"total\":0}', {headers: {'content-type': 'application/json'}});",
    );
    client().query_leads(&LeadQuery::default()).await.unwrap();
    let request: web_sys::Request = mock.seen("request").into();
    assert_eq!(request.method(), "POST");
    assert_eq!(request.url(), "http://workspace.example/api/leads/query");
    assert_eq!(request.credentials(), web_sys::RequestCredentials::Omit);
    assert_eq!(request.redirect(), web_sys::RequestRedirect::Manual);
    assert_eq!(request.cache(), web_sys::RequestCache::NoStore);
    let header = |name| request.headers().get(name).unwrap();
    assert_eq!(header("authorization").as_deref(), Some("Bearer lwk_1_x"));
    assert_eq!(header("content-type").as_deref(), Some("application/json"));
    assert!(mock.seen("body").as_string().unwrap().contains("icp_score"));
}

#[wasm_bindgen_test]
async fn dropping_the_call_aborts_the_fetch() {
    let mock = Mock::new("seen.signal = request.signal; return new Promise(() => {});");
    {
        let client = client();
        let id = LeadId::new("l1");
        let mut call = Box::pin(client.get_lead(&id));
        let waker = std::task::Waker::noop();
        let polled = call
            .as_mut()
            .poll(&mut std::task::Context::from_waker(waker));
        assert!(polled.is_pending());
    }
    JsFuture::from(Promise::resolve(&JsValue::NULL))
        .await
        .unwrap();
    let signal: web_sys::AbortSignal = mock.seen("signal").into();
    assert!(signal.aborted());
}

#[wasm_bindgen_test]
async fn an_attempt_has_a_timeout() {
    let mock = Mock::new("seen.signal = request.signal; return new Promise(() => {});");
    let options = CallOptions {
        timeout: Some(Duration::from_millis(20)),
        retries: Some(0),
        ..CallOptions::default()
    };
    let client = client().with_options(options);
    let error = client.get_lead(&LeadId::new("l1")).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Timeout(_)), "{error:?}");
    let signal: web_sys::AbortSignal = mock.seen("signal").into();
    assert!(signal.aborted(), "the fetch was not aborted");
}

#[wasm_bindgen_test]
async fn body_size_is_limited() {
    let _mock = Mock::new("return new Response('x'.repeat(101));");
    let answer = Fetch::default().send(get(100)).await;
    assert_eq!(answer.unwrap_err(), TransportError::TooLarge);
    let answer = Fetch::default().send(get(101)).await;
    assert_eq!(answer.unwrap().body.len(), 101);
}

#[wasm_bindgen_test]
async fn a_body_that_cannot_be_read_does_not_panic() {
    for script in [
        "const answer = new Response('{}'); await answer.text(); return answer;",
        "const answer = new Response('{}'); answer.body.getReader(); return answer;",
        "const body = {getReader: () => ({read: () => { throw new Error('no') }})};
         return {status: 200, ok: true, type: 'basic', headers: new Headers(), body};",
    ] {
        let _mock = Mock::new(script);
        let error = Fetch::default().send(get(100)).await.unwrap_err();
        assert!(matches!(error, TransportError::Network(_)), "{error:?}");
    }
}

#[wasm_bindgen_test]
async fn query_parameters_are_encoded() {
    let mock = Mock::new("seen.url = request.url; return new Response(null, {status: 204});");
    Fetch::default().send(get(100)).await.unwrap();
    let url = mock.seen("url").as_string().unwrap();
    assert_eq!(url, "http://workspace.example/api/x?q=%C3%A5%26b");
}

#[wasm_bindgen_test]
async fn a_broken_connection_does_not_panic() {
    let _mock = Mock::new("throw new TypeError('Failed to fetch');");
    let error = client()
        .query_leads(&LeadQuery::default())
        .await
        .unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Network(_)), "{error:?}");
}

#[wasm_bindgen_test]
async fn retry_after_is_read_in_every_form() {
    let wait = async |headers: &str| {
        let _mock = Mock::new(&format!(
            "return new Response('', {{status: 429, headers: {headers}}});"
        ));
        Fetch::default().send(get(100)).await.unwrap().retry_after
    };
    let seconds = |seconds| Some(Duration::from_secs(seconds));
    assert_eq!(wait("{'retry-after': '7'}").await, seconds(7));
    assert_eq!(
        wait("{'retry-after-ms': '2000', 'retry-after': '7'}").await,
        seconds(2)
    );
    let dates =
        "{'date': 'Wed, 01 Jan 2025 00:00:00 GMT', 'retry-after': 'Wed, 01 Jan 2025 00:00:09 GMT'}";
    assert_eq!(wait(dates).await, seconds(9));
    assert_eq!(wait("{'retry-after': 'soon'}").await, None);
    assert_eq!(wait("{'retry-after': '-3'}").await, None);
}
