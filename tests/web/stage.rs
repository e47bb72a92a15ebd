//! The app mounted in a page, with a transport that responds when the test says so.

use std::any::Any;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use gloo_timers::future::TimeoutFuture;
use lead_workspace::app::mount;
use lead_workspace::client::{
    HttpRequest, HttpResponse, ResponseFuture, Transport, TransportError,
};
use serde_json::{Value, json};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement, HtmlInputElement, PointerEvent, PointerEventInit, window};

pub type Answer = Result<HttpResponse, TransportError>;

/// A response that is held back until the test opens the gate.
#[derive(Clone, Default)]
pub struct Gate(Arc<Mutex<GateState>>);

#[derive(Default)]
struct GateState {
    answer: Option<Answer>,
    waker: Option<Waker>,
    dropped: bool,
}

impl Gate {
    pub fn open(&self, answer: Answer) {
        let mut state = self.0.lock().unwrap();
        state.answer = Some(answer);
        if let Some(waker) = state.waker.take() {
            waker.wake();
        }
    }

    /// Returns whether the request was dropped or has completed.
    pub fn is_dropped(&self) -> bool {
        self.0.lock().unwrap().dropped
    }
}

struct Waiting(Gate);

impl Future for Waiting {
    type Output = Answer;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Answer> {
        let mut state = self.0.0.lock().unwrap();
        match state.answer.take() {
            Some(answer) => Poll::Ready(answer),
            None => {
                state.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.0.lock().unwrap().dropped = true;
    }
}

/// How the test handles a request.
pub enum Turn {
    Answer(Answer),
    Hold(Gate),
}

type Script = dyn Fn(&HttpRequest) -> Turn + Send + Sync;

pub struct Wire {
    script: Mutex<Arc<Script>>,
    sent: Mutex<Vec<HttpRequest>>,
}

impl Wire {
    pub fn new(script: impl Fn(&HttpRequest) -> Turn + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self {
            script: Mutex::new(Arc::new(script)),
            sent: Mutex::default(),
        })
    }
}

impl Transport for Wire {
    fn send(&self, request: HttpRequest) -> ResponseFuture {
        let script = Arc::clone(&self.script.lock().unwrap());
        let turn = script(&request);
        self.sent.lock().unwrap().push(request);
        match turn {
            Turn::Answer(answer) => Box::pin(std::future::ready(answer)),
            Turn::Hold(gate) => Box::pin(Waiting(gate)),
        }
    }
}

pub struct Stage {
    pub wire: Arc<Wire>,
    pub root: HtmlElement,
    _app: Box<dyn Any>,
}

impl Stage {
    /// Opens the app at a URL, with a key.
    pub fn open(
        address: &str,
        script: impl Fn(&HttpRequest) -> Turn + Send + Sync + 'static,
    ) -> Self {
        Self::open_as(&format!("{address}#key=lwk_1_first"), script)
    }

    pub fn open_as(
        address: &str,
        script: impl Fn(&HttpRequest) -> Turn + Send + Sync + 'static,
    ) -> Self {
        let window = window().unwrap();
        window.session_storage().unwrap().unwrap().clear().unwrap();
        // Otherwise this app would send decisions left in storage by another test's app.
        window.local_storage().unwrap().unwrap().clear().unwrap();
        let history = window.history().unwrap();
        history
            .replace_state_with_url(&JsValue::NULL, "", Some(address))
            .unwrap();
        let document = window.document().unwrap();
        let root: HtmlElement = document.create_element("div").unwrap().unchecked_into();
        document.body().unwrap().append_child(&root).unwrap();
        let wire = Wire::new(script);
        let app = mount(root.clone(), Arc::clone(&wire) as Arc<dyn Transport>);
        Self::over(wire, root, app)
    }

    /// Wraps an app that is already mounted in an element.
    pub fn over(wire: Arc<Wire>, root: HtmlElement, app: impl Any) -> Self {
        Self {
            wire,
            root,
            _app: Box::new(app),
        }
    }

    /// Replaces the script that answers requests.
    pub fn answers(&self, script: impl Fn(&HttpRequest) -> Turn + Send + Sync + 'static) {
        *self.wire.script.lock().unwrap() = Arc::new(script);
    }

    pub fn sent(&self, method: &str) -> Vec<HttpRequest> {
        let sent = self.wire.sent.lock().unwrap();
        let of = sent
            .iter()
            .filter(|request| request.method.as_str() == method);
        of.cloned().collect()
    }

    pub fn all(&self, selector: &str) -> Vec<Element> {
        let list = self.root.query_selector_all(selector).unwrap();
        (0..list.length())
            .map(|index| list.get(index).unwrap().unchecked_into())
            .collect()
    }

    pub fn find(&self, selector: &str) -> Option<Element> {
        self.root.query_selector(selector).unwrap()
    }

    pub fn the(&self, selector: &str) -> Element {
        self.find(selector)
            .unwrap_or_else(|| panic!("no {selector} in {}", self.root.inner_html()))
    }

    pub fn attr(&self, selector: &str, name: &str) -> String {
        self.the(selector).get_attribute(name).unwrap_or_default()
    }

    pub fn click(&self, selector: &str) {
        self.the(selector).unchecked_into::<HtmlElement>().click();
    }

    /// Moves the pointer onto a lead's row and waits until the row's buttons exist.
    pub async fn point_at(&self, lead: &str) {
        let moved = PointerEventInit::new();
        moved.set_bubbles(true);
        moved.set_composed(true);
        moved.set_pointer_type("mouse");
        let event = PointerEvent::new_with_event_init_dict("pointermove", &moved).unwrap();
        let row = self.the(&format!("[data-lead-id='{lead}']"));
        row.dispatch_event(&event).unwrap();
        self.until("the buttons of the row", |_| {
            row.query_selector("button").unwrap().is_some()
        })
        .await;
    }

    /// Clicks the Approve or Reject button of a row.
    pub async fn decide(&self, verb: &str, lead: u64) {
        self.point_at(&format!("l{lead}")).await;
        self.click(&format!("[aria-label='{verb} Lead {lead}']"));
    }

    /// Clicks the button or link with this text.
    pub fn press(&self, text: &str) {
        let button = self
            .all("button, a")
            .into_iter()
            .find(|button| button.text_content().unwrap_or_default().trim() == text)
            .unwrap_or_else(|| panic!("no button {text} in {}", self.root.inner_html()));
        button.unchecked_into::<HtmlElement>().click();
    }

    pub fn type_in(&self, selector: &str, text: &str) {
        let input: HtmlInputElement = self.the(selector).unchecked_into();
        input.set_value(text);
        let event = web_sys::Event::new("input").unwrap();
        input.dispatch_event(&event).unwrap();
    }

    pub fn says(&self, text: &str) -> bool {
        self.root.text_content().unwrap_or_default().contains(text)
    }

    /// Waits until a condition is true. Panics after about 30 s.
    pub async fn until(&self, what: &str, is: impl Fn(&Self) -> bool) {
        // Generous for slow machines.
        for _ in 0..3000 {
            if is(self) {
                return;
            }
            TimeoutFuture::new(10).await;
        }
        panic!("never: {what}; {}", self.root.inner_html());
    }

    pub async fn loaded(&self) {
        self.until("rows", |stage| stage.find("[data-lead-id]").is_some())
            .await;
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.root.remove();
    }
}

pub fn ok(body: &Value) -> Turn {
    status(200, body)
}

pub fn status(status: u16, body: &Value) -> Turn {
    Turn::Answer(reply(status, body))
}

pub fn reply(status: u16, body: &Value) -> Answer {
    Ok(HttpResponse {
        status,
        content_type: Some("application/json".into()),
        body: body.to_string().into_bytes(),
        ..HttpResponse::default()
    })
}

pub fn body(request: &HttpRequest) -> Value {
    serde_json::from_str(request.body.as_deref().unwrap_or("null")).unwrap()
}

pub fn lead(number: u64) -> Value {
    json!({
        "lead_id": format!("l{number}"), "name": format!("Lead {number}"), "approval_status": "pending_approval",
        "profile_data": {"title": format!("Title {number}"), "location": "Bergen"},
        "current_account": {"name": "Halden", "industry": "Maritime"},
        "list_scores": [{"icp_score": 80.0, "icp_tier": "A"}], "created_at": "2025-04-01T10:00:00Z",
    })
}

/// Returns a page of leads with these numbers.
pub fn page(of: std::ops::Range<u64>, total: u64) -> Value {
    json!({"data": of.map(lead).collect::<Vec<_>>(), "total": total})
}

/// A server that has three leads and saves every decision.
pub fn three(request: &HttpRequest) -> Turn {
    match request.method.as_str() {
        "PATCH" => ok(&updated(request)),
        _ => ok(&page(1..4, 3)),
    }
}

pub fn updated(request: &HttpRequest) -> Value {
    let id = request.url.rsplit('/').next().unwrap();
    json!({"lead_id": id, "approval_status": body(request)["approval_status"]})
}

pub fn address() -> String {
    let location = window().unwrap().location();
    location.pathname().unwrap() + &location.search().unwrap() + &location.hash().unwrap()
}
