//! Follows the stream over any number of connections.

use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{Stream, unfold};
use lead_workspace_api::{Endpoint, Request, StreamChanges};

use super::super::Client;
use super::super::call_options::CallOptions;
use super::super::error::{Error, ErrorKind};
use super::super::hooks::RetryEvent;
use super::super::operation::{Operation, Parameters};
use super::super::response::ResponseReader;
use super::super::running_call::RunningCall;
use super::super::shared::Shared;
use super::super::transport::TransportError;
use super::event_parser::EventParser;
use super::reconnect::{MAX_SILENCE, Reconnect};
use super::streamed::{Slot, Streamed, open};
use super::wire_event::{NotAnEvent, WireEvent};
use super::{ChangeOptions, Connection};

/// The events of the stream, over all its connections. Ends after an error.
pub(crate) type WireEvents = Pin<Box<dyn Stream<Item = Result<WireEvent, Error>>>>;

const OPERATION: Operation = Operation::of::<StreamChanges>();

/// The names of the parameters: there is one.
const PARAMETERS: &[&str] = <StreamChanges as Endpoint>::Params::FIELDS;

impl Client {
    /// Returns the events of the stream of changes, with their data as sent.
    pub(crate) fn wire_changes(&self, options: ChangeOptions) -> WireEvents {
        let follower = Follower {
            shared: Rc::clone(&self.shared),
            call_options: CallOptions {
                // The stream has a backoff of its own.
                retries: Some(0),
                ..self.options.clone()
            },
            options,
            parser: EventParser::default(),
            body: None,
            events: VecDeque::new(),
            failure: None,
            reconnect: Reconnect::default(),
            is_over: false,
        };
        Box::pin(unfold(follower, |mut follower| async move {
            let event = follower.next().await?;
            Some((event, follower))
        }))
    }
}

impl Shared {
    /// Records that the server has no stream of changes.
    fn on_no_changes(&self, error: &Error) {
        let mut error = error.clone();
        // What the next streams will have sent.
        error.attempts = 0;
        self.no_changes.replace(Some(error));
    }
}

struct Follower {
    shared: Rc<Shared>,
    call_options: CallOptions,
    /// `since` is the version of the last event that was returned.
    options: ChangeOptions,
    parser: EventParser,
    /// The connection, if there is one.
    body: Option<Streamed>,
    /// What has arrived and was not returned yet.
    events: VecDeque<WireEvent>,
    /// Why the connection ended, once its events are returned.
    failure: Option<Error>,
    reconnect: Reconnect,
    is_over: bool,
}

impl Follower {
    async fn next(&mut self) -> Option<Result<WireEvent, Error>> {
        while !self.is_over {
            if let Some(event) = self.events.pop_front() {
                self.on_event(&event);
                return Some(Ok(event));
            }
            if let Some(error) = self.failure.take() {
                self.body = None;
                if error.is_not_offered() {
                    self.shared.on_no_changes(&error);
                }
                if self.reconnect.is_final(&error) {
                    self.is_over = true;
                    return Some(Err(error));
                }
                let pause = self.on_failure(error);
                self.shared.runtime.sleep(pause).await;
            }
            let step = match &mut self.body {
                Some(body) => {
                    let until = self.shared.now().saturating_add(MAX_SILENCE);
                    let read = Box::pin(body.next());
                    let part = self.shared.timeout_at(read, until).await;
                    self.read(part)
                }
                None => self.connect().await,
            };
            self.failure = step.err();
        }
        None
    }

    async fn connect(&mut self) -> Result<(), Error> {
        let slot = Slot::default();
        let call = self.prepare(&slot)?;
        let response = self.shared.run(call).await?;
        self.parser = EventParser::default();
        self.body = slot.take();
        let kind = self
            .body
            .as_ref()
            .and_then(|body| body.content_type.as_deref());
        let kind = kind.unwrap_or_default().to_ascii_lowercase();
        if kind.trim_start().starts_with("text/event-stream") {
            return Ok(());
        }
        let reason = "it is not a stream of events";
        Err(self.shared.undecodable(OPERATION, &response, reason))
    }

    /// Returns the call that connects. Not asynchronous, like all of `RunningCall`.
    #[inline(never)]
    fn prepare(&self, slot: &Slot) -> Result<RunningCall, Error> {
        let known = self.shared.no_changes.borrow().clone();
        known.map_or(Ok(()), Err)?;
        let extra = &self.call_options.extra;
        let refusal = match self.options.since {
            Some(..0) => Some("since must be a version, 0 or more".to_owned()),
            _ => extra.refusal(PARAMETERS, StreamChanges::INPUT),
        };
        if let Some(reason) = refusal {
            return Err(OPERATION.argument_error(reason));
        }
        // `Last-Event-ID` says the same. As a header, it needs permission from the server of another origin.
        let since = self.options.since.iter();
        let since = since.map(|version| (PARAMETERS[0].to_owned(), version.to_string()));
        let parameters = Parameters {
            query: since.chain(extra.query.iter().cloned()).collect(),
            body: None,
        };
        let request = OPERATION.outgoing(&self.shared.config, StreamChanges::PATH, parameters);
        let shared = Rc::clone(&self.shared);
        let call = RunningCall::new(shared, OPERATION, request, &self.call_options);
        let (transport, slot) = (Arc::clone(&self.shared.transport), Rc::clone(slot));
        Ok(call.with_exchange(Box::new(move |mut request| {
            for (name, value) in &mut request.headers {
                if *name == "accept" {
                    *value = "text/event-stream".to_owned();
                }
            }
            open(&*transport, request, Rc::clone(&slot))
        })))
    }

    /// Reads a part of the body. `None` means that none came in time.
    #[inline(never)]
    fn read(&mut self, part: Option<Option<Result<Vec<u8>, TransportError>>>) -> Result<(), Error> {
        let failure = match part {
            Some(Some(Ok(bytes))) => {
                for event in self.parser.feed(&bytes) {
                    match WireEvent::read(event) {
                        Ok(event) => self.events.extend(event),
                        Err(NotAnEvent) => {
                            let reason = "an event of the stream has no version";
                            return Err(OPERATION.error(ErrorKind::Decode(reason.into())));
                        }
                    }
                }
                return Ok(());
            }
            Some(Some(Err(failure))) => failure,
            Some(None) => TransportError::Network("the server ended the stream".into()),
            None => TransportError::Timeout,
        };
        let key = self.shared.keys.current();
        let reader = ResponseReader {
            operation: OPERATION,
            key: key.as_ref(),
            cap: self.shared.config.body_cap,
            limit: MAX_SILENCE,
        };
        reader.read(Err(failure)).map(drop)
    }

    fn on_event(&mut self, event: &WireEvent) {
        self.options.since = Some(event.version);
        if self.reconnect.on_event(self.shared.now()) {
            self.report(Connection::Open);
        }
    }

    /// Returns the pause before the next attempt.
    #[inline(never)]
    fn on_failure(&mut self, error: Error) -> Duration {
        let Shared {
            config, runtime, ..
        } = &*self.shared;
        let (now, random) = (runtime.now(), runtime.random());
        let retry = self.parser.retry();
        let policy = &config.policy;
        let pause = self
            .reconnect
            .on_failure(&error, retry, policy, now, random);
        if let Some(hooks) = &config.hooks {
            hooks.on_retry(&RetryEvent {
                operation: error.operation,
                attempt: self.reconnect.failures(),
                delay: pause,
                error: &error,
            });
        }
        let since = self.reconnect.broken_since();
        self.report(Connection::Broken { since, error });
        pause
    }

    fn report(&self, connection: Connection) {
        if let Some(on_connection) = &self.options.on_connection {
            on_connection(connection);
        }
    }
}
