//! A client of the stream of changes, for tests.

use std::time::Duration;

use axum::body::Body;
use http::{HeaderMap, Request};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

use crate::common::Service;

/// How long an event may take on a slow machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// An open stream.
pub struct Events {
    pub headers: HeaderMap,
    body: Body,
    received: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub name: String,
    pub id: i64,
    pub data: Value,
}

impl Event {
    /// Reads an event. Comments are none.
    pub fn of(text: &str) -> Option<Self> {
        let field = |name: &str| {
            let mut lines = text.lines();
            lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
        };
        Some(Self {
            name: field("event")?.to_owned(),
            id: field("id").unwrap().parse().unwrap(),
            data: serde_json::from_str(field("data").unwrap()).unwrap(),
        })
    }

    /// The ids of a kind of change.
    pub fn ids(&self, kind: &str) -> Option<Vec<String>> {
        let changes = self.data["changes"].as_array()?;
        let change = changes.iter().find(|change| change["kind"] == kind)?;
        let ids = change["ids"].as_array()?.iter();
        Some(ids.map(|id| id.as_str().unwrap().to_owned()).collect())
    }

    /// The kinds of its changes.
    pub fn kinds(&self) -> Vec<&str> {
        let changes = self.data["changes"].as_array().into_iter().flatten();
        changes
            .map(|change| change["kind"].as_str().unwrap())
            .collect()
    }
}

impl Events {
    /// Opens the stream of a path, with the key of the service.
    pub async fn open(service: &Service, path: &str) -> Self {
        Self::of(service, service.request("GET", path, "")).await
    }

    pub async fn of(service: &Service, request: Request<Body>) -> Self {
        let response = service.router.clone().oneshot(request).await.unwrap();
        let (head, body) = response.into_parts();
        assert_eq!(head.status, 200);
        Self {
            headers: head.headers,
            body,
            received: String::new(),
        }
    }

    /// Returns the next event, or nothing at the end of the stream.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            while let Some((event, rest)) = self.received.split_once("\n\n") {
                let event = Event::of(event);
                self.received = rest.to_owned();
                if event.is_some() {
                    return event;
                }
            }
            let frame = tokio::time::timeout(TIMEOUT, self.body.frame()).await;
            let data = frame.expect("no event came")?.unwrap().into_data().unwrap();
            self.received += std::str::from_utf8(&data).unwrap();
        }
    }

    /// Returns the next event, which must have this name.
    pub async fn expect(&mut self, name: &str) -> Event {
        let event = self.next().await.expect("the stream has ended");
        assert_eq!(event.name, name, "{event:?}");
        event
    }

    /// Returns the next event with changes of a kind. Those before may have others.
    pub async fn change(&mut self, kind: &str) -> Event {
        loop {
            let event = self.expect("change").await;
            if event.kinds().contains(&kind) {
                return event;
            }
        }
    }
}
