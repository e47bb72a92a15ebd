//! Wakes all tasks that wait for a change.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// A single-threaded notification. Create the [`Notified`] before reading the state; then no change is missed.
#[derive(Default)]
pub(super) struct Notify {
    rung: Cell<u64>,
    waiting: RefCell<Vec<Waker>>,
}

impl Notify {
    pub(super) fn notify_all(&self) {
        self.rung.set(self.rung.get() + 1);
        // Taken out first: a waker may run code that waits again.
        for waker in self.waiting.take() {
            waker.wake();
        }
    }

    /// Returns a future that completes at the next [`ring`](Self::ring).
    pub(super) fn notified(&self) -> Notified<'_> {
        Notified {
            bell: self,
            heard: self.rung.get(),
        }
    }
}

pub(super) struct Notified<'a> {
    bell: &'a Notify,
    heard: u64,
}

impl Future for Notified<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.bell.rung.get() != self.heard {
            return Poll::Ready(());
        }
        let mut waiting = self.bell.waiting.borrow_mut();
        if !waiting.iter().any(|waker| waker.will_wake(context.waker())) {
            waiting.push(context.waker().clone());
        }
        Poll::Pending
    }
}
