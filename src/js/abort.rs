//! An `AbortSignal` as a future, and the rejection of aborted promises.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use futures_util::future::{Either, select};
use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::AbortSignal;

#[wasm_bindgen(module = "/src/js/follow.js")]
extern "C" {
    /// Calls the function when the signal is aborted. Returns a function that ends this.
    fn follow(signal: &AbortSignal, follower: &JsValue) -> Function;
}

/// The work of a method. Its result settles the promise.
pub(super) type Work = Pin<Box<dyn Future<Output = Result<JsValue, JsValue>>>>;

/// Returns the work's result. If the signal is aborted first, drops the work and fails with the signal's reason.
pub(super) async fn unless(signal: Option<AbortSignal>, work: Work) -> Result<JsValue, JsValue> {
    let Some(signal) = signal else {
        return work.await;
    };
    match select(Aborted::new(signal), work).await {
        Either::Left((reason, _)) => Err(reason),
        Either::Right((result, _)) => result,
    }
}

/// Completes with the signal's reason when it is aborted.
pub(super) struct Aborted {
    signal: AbortSignal,
    waker: Rc<RefCell<Option<Waker>>>,
    unfollow: Function,
    _listener: Closure<dyn FnMut()>,
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
        Self {
            unfollow: follow(&signal, listener.as_ref()),
            signal,
            waker,
            _listener: listener,
        }
    }
}

impl Future for Aborted {
    type Output = JsValue;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<JsValue> {
        if self.signal.aborted() {
            return Poll::Ready(self.signal.reason());
        }
        self.waker.replace(Some(context.waker().clone()));
        Poll::Pending
    }
}

impl Drop for Aborted {
    fn drop(&mut self) {
        // It does not throw.
        let _ = self.unfollow.call0(&JsValue::UNDEFINED);
    }
}
