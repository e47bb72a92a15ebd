//! An `AbortSignal` as a future, and the rejection of aborted promises.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use futures_util::future::{Either, select};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

use super::error;

/// The work of a method. Its result settles the promise.
pub(super) type Work = Pin<Box<dyn Future<Output = Result<JsValue, JsValue>>>>;

/// Returns the work's result. If the signal is aborted first, drops the work and fails with an `AbortError`.
pub(super) async fn unless(signal: Option<AbortSignal>, work: Work) -> Result<JsValue, JsValue> {
    let Some(signal) = signal else {
        return work.await;
    };
    if signal.aborted() {
        return Err(error::abort());
    }
    match select(Aborted::new(signal), work).await {
        Either::Left(_) => Err(error::abort()),
        Either::Right((result, _)) => result,
    }
}

/// Completes when the signal is aborted.
pub(super) struct Aborted {
    signal: AbortSignal,
    waker: Rc<RefCell<Option<Waker>>>,
    listener: Closure<dyn FnMut()>,
}

impl Aborted {
    pub(super) fn new(signal: AbortSignal) -> Self {
        let waker = Rc::new(RefCell::<Option<Waker>>::default());
        let woken = Rc::clone(&waker);
        let listener = Closure::new(move || {
            if let Some(waker) = woken.take() {
                waker.wake();
            }
        });
        // If adding the listener fails, the signal counts as never aborted.
        let _ = signal.add_event_listener_with_callback("abort", listener.as_ref().unchecked_ref());
        Self {
            signal,
            waker,
            listener,
        }
    }
}

impl Future for Aborted {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.signal.aborted() {
            return Poll::Ready(());
        }
        self.waker.replace(Some(context.waker().clone()));
        Poll::Pending
    }
}

impl Drop for Aborted {
    fn drop(&mut self) {
        let _ = self
            .signal
            .remove_event_listener_with_callback("abort", self.listener.as_ref().unchecked_ref());
    }
}
