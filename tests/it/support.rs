//! A transport that answers at once, and remembers what it was asked.

use std::collections::VecDeque;
use std::future::ready;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use lead_workspace::client::{
    Client, Config, Credentials, Exchange, Outgoing, Reply, Transport, Trouble,
};

/// The key of every client here.
pub const KEY: &str = "lwk_0001_s3cret";

#[derive(Default)]
pub struct Wire {
    sent: Mutex<Vec<Outgoing>>,
    answers: Mutex<VecDeque<Result<Reply, Trouble>>>,
}

impl Transport for Wire {
    fn send(&self, request: Outgoing) -> Exchange {
        self.sent.lock().unwrap().push(request);
        let answer = self.answers.lock().unwrap().pop_front();
        Box::pin(ready(answer.expect("a request that nobody expected")))
    }
}

impl Wire {
    pub fn answering(answers: impl IntoIterator<Item = Result<Reply, Trouble>>) -> Arc<Self> {
        Arc::new(Self {
            answers: Mutex::new(answers.into_iter().collect()),
            ..Self::default()
        })
    }

    pub fn sent(&self) -> Vec<Outgoing> {
        self.sent.lock().unwrap().clone()
    }

    /// A client with a key, over this wire.
    pub fn client(self: &Arc<Self>) -> Client {
        let config = Config::new("https://workspace.example/").unwrap();
        self.client_of(config.with(Credentials::new(KEY).unwrap()))
    }

    pub fn client_of(self: &Arc<Self>, config: Config) -> Client {
        let wire: Arc<dyn Transport> = Arc::clone(self) as _;
        Client::over(config, wire)
    }
}

pub fn json(status: u16, body: &str) -> Result<Reply, Trouble> {
    Ok(Reply {
        status,
        content_type: Some("application/json".into()),
        body: body.as_bytes().to_vec(),
        ..Reply::default()
    })
}

/// Runs a future that has nothing to wait for.
pub fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the future waits"),
    }
}
