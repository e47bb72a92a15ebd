//! Wakes all tasks that wait for a change.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// A single-threaded notification. Create the [`Notified`] before reading the state; then no change is missed.
#[derive(Default)]
pub(super) struct Notify {
    count: Cell<u64>,
    waiting: RefCell<Vec<Waker>>,
}

impl Notify {
    pub(super) fn notify_all(&self) {
        self.count.set(self.count.get() + 1);
        // Taken out first: a waker may run code that waits again.
        for waker in self.waiting.take() {
            waker.wake();
        }
    }

    /// Returns a future that completes at the next [`notify_all`](Self::notify_all).
    pub(super) fn notified(&self) -> Notified<'_> {
        Notified {
            notify: self,
            seen: self.count.get(),
        }
    }
}

pub(super) struct Notified<'a> {
    notify: &'a Notify,
    seen: u64,
}

impl Future for Notified<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.notify.count.get() != self.seen {
            return Poll::Ready(());
        }
        let mut waiting = self.notify.waiting.borrow_mut();
        if !waiting.iter().any(|waker| waker.will_wake(context.waker())) {
            waiting.push(context.waker().clone());
        }
        Poll::Pending
    }
}
