//! A response that is read part by part. Turns what a transport pushes into what a reader asks for.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use super::super::transport::{
    HttpRequest, HttpResponse, ResponseFuture, ResponsePart, Transport, TransportError,
};

/// A successful response whose body arrives. Dropping it aborts the request.
pub(super) struct Streamed {
    pub(super) content_type: Option<String>,
    inbox: Rc<Inbox>,
    /// `None` once it has ended.
    exchange: Option<ResponseFuture>,
    /// How it ended, if it failed.
    failure: Option<TransportError>,
}

/// Where the response of a request is put as soon as its head has arrived.
pub(super) type Slot = Rc<RefCell<Option<Streamed>>>;

/// The parts that have arrived and were not read yet.
#[derive(Default)]
struct Inbox {
    head: Cell<Option<HttpResponse>>,
    chunks: RefCell<VecDeque<Vec<u8>>>,
}

/// Sends a request. Completes with the head of a success, whose body can then be read in `slot`, or with any other
/// response as a whole.
pub(super) fn open(transport: &dyn Transport, request: HttpRequest, slot: Slot) -> ResponseFuture {
    let inbox = Rc::<Inbox>::default();
    // The exchange owns only the inbox, so dropping `Streamed` drops the exchange.
    let filled = Rc::clone(&inbox);
    let receiver = Rc::new(move |part| match part {
        ResponsePart::Head(head) => filled.head.set(Some(head)),
        ResponsePart::Bytes(bytes) => filled.chunks.borrow_mut().push_back(bytes),
    });
    let mut running = Some(transport.send_streamed(request, receiver));
    Box::pin(poll_fn(move |context| {
        let Some(exchange) = &mut running else {
            return Poll::Pending;
        };
        let end = exchange.as_mut().poll(context);
        let Some(head) = inbox.head.take() else {
            return end;
        };
        let (exchange, failure) = match end {
            Poll::Pending => (running.take(), None),
            Poll::Ready(result) => (None, result.err()),
        };
        slot.replace(Some(Streamed {
            content_type: head.content_type.clone(),
            inbox: Rc::clone(&inbox),
            exchange,
            failure,
        }));
        Poll::Ready(Ok(head))
    }))
}

impl Streamed {
    /// Returns the next bytes; `None` at the end of the body.
    pub(super) async fn next(&mut self) -> Option<Result<Vec<u8>, TransportError>> {
        let arrived = |inbox: &Inbox| inbox.chunks.borrow_mut().pop_front();
        poll_fn(move |context| {
            if let Some(bytes) = arrived(&self.inbox) {
                return Poll::Ready(Some(Ok(bytes)));
            }
            if let Some(exchange) = &mut self.exchange
                && let Poll::Ready(result) = exchange.as_mut().poll(context)
            {
                self.exchange = None;
                self.failure = result.err();
            }
            match arrived(&self.inbox) {
                Some(bytes) => Poll::Ready(Some(Ok(bytes))),
                None if self.exchange.is_some() => Poll::Pending,
                None => Poll::Ready(self.failure.take().map(Err)),
            }
        })
        .await
    }
}
