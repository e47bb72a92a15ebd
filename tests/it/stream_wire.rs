//! A transport whose responses arrive part by part, on the fake clock.

use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lead_workspace::client::{
    Client, Config, HttpRequest, HttpResponse, PartReceiver, ResponseFuture, ResponsePart,
    Transport, TransportError,
};

use crate::support::{Answer, World, clock_now, config, sleep};

/// What a server does with a request.
#[derive(Clone)]
pub struct Scripted {
    /// How long the response takes to begin.
    pub wait: Duration,
    pub answer: Answer,
    /// The parts of the body of a success, each after a pause.
    pub parts: Vec<(Duration, Vec<u8>)>,
    pub end: End,
}

/// How a body ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    Clean,
    Broken,
    /// It does not.
    Silent,
}

type Script = dyn Fn(usize, &HttpRequest) -> Scripted + Send + Sync;

/// Calls a script with the number of each request, from 0, and the request.
pub struct StreamWire {
    script: Box<Script>,
    sent: Mutex<Vec<(Duration, HttpRequest)>>,
    open: Arc<Mutex<usize>>,
}

impl StreamWire {
    pub fn new(
        script: impl Fn(usize, &HttpRequest) -> Scripted + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            script: Box::new(script),
            sent: Mutex::default(),
            open: Arc::default(),
        })
    }

    /// Returns a transport with a script for each request.
    pub fn answering(scripts: impl IntoIterator<Item = Scripted>) -> Arc<Self> {
        let scripts: Vec<Scripted> = scripts.into_iter().collect();
        let scripts = Mutex::new(scripts.into_iter());
        Self::new(move |_, _| scripts.lock().unwrap().next().expect("unexpected request"))
    }

    pub fn client(self: &Arc<Self>) -> Client {
        self.client_of(config())
    }

    pub fn client_of(self: &Arc<Self>, config: Config) -> Client {
        let wire: Arc<dyn Transport> = Arc::clone(self) as _;
        Client::with_runtime(config, wire, Rc::new(World::default()))
    }

    pub fn sent(&self) -> Vec<HttpRequest> {
        let sent = self.sent.lock().unwrap();
        sent.iter().map(|(_, request)| request.clone()).collect()
    }

    /// Returns the time between each request and the one before it.
    pub fn gaps(&self) -> Vec<Duration> {
        let sent = self.sent.lock().unwrap();
        sent.windows(2).map(|pair| pair[1].0 - pair[0].0).collect()
    }

    /// Returns the query of each request.
    pub fn queries(&self) -> Vec<Vec<(String, String)>> {
        let sent = self.sent();
        sent.into_iter().map(|request| request.query).collect()
    }

    /// Returns the number of exchanges in progress.
    pub fn open(&self) -> usize {
        *self.open.lock().unwrap()
    }
}

impl Transport for StreamWire {
    fn send(&self, _: HttpRequest) -> ResponseFuture {
        panic!("a stream is not received as a whole")
    }

    fn send_streamed(&self, request: HttpRequest, receiver: PartReceiver) -> ResponseFuture {
        let number = self.sent.lock().unwrap().len();
        let Scripted {
            wait,
            answer,
            parts,
            end,
        } = (self.script)(number, &request);
        self.sent.lock().unwrap().push((clock_now(), request));
        let open = Open::new(&self.open);
        Box::pin(async move {
            let _open = open;
            sleep(wait).await;
            let response = answer?;
            if !(200..300).contains(&response.status) {
                return Ok(response);
            }
            receiver(ResponsePart::Head(response.clone()));
            for (pause, bytes) in parts {
                sleep(pause).await;
                receiver(ResponsePart::Bytes(bytes));
            }
            match end {
                End::Clean => Ok(response),
                End::Broken => Err(TransportError::Network("reset".into())),
                End::Silent => std::future::pending().await,
            }
        })
    }
}

struct Open(Arc<Mutex<usize>>);

impl Open {
    fn new(count: &Arc<Mutex<usize>>) -> Self {
        *count.lock().unwrap() += 1;
        Self(Arc::clone(count))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        *self.0.lock().unwrap() -= 1;
    }
}

/// A stream with these parts.
pub fn stream(parts: &[(Duration, &str)], end: End) -> Scripted {
    let parts = parts.iter();
    Scripted {
        wait: Duration::ZERO,
        answer: Ok(HttpResponse {
            status: 200,
            content_type: Some("text/event-stream".into()),
            ..HttpResponse::default()
        }),
        parts: parts
            .map(|(pause, text)| (*pause, text.as_bytes().to_vec()))
            .collect(),
        end,
    }
}

/// Any other response, as a whole.
pub fn whole(answer: Answer) -> Scripted {
    Scripted {
        wait: Duration::ZERO,
        answer,
        parts: Vec::new(),
        end: End::Clean,
    }
}

pub fn open(version: i64) -> String {
    format!("id: {version}\nevent: open\ndata: {{\"version\":{version}}}\n\n")
}

pub fn change(version: i64) -> String {
    format!("id: {version}\nevent: change\ndata: {{\"version\":{version},\"changes\":[]}}\n\n")
}

pub fn reset(version: i64) -> String {
    format!("id: {version}\nevent: reset\ndata: {{\"version\":{version}}}\n\n")
}
