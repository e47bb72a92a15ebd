//! A FIFO queue of waiting calls. Each call is woken once: when it may proceed, or when waiting is
//! no longer useful.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::retry::MonotonicTime;

/// A queue whose first call receives permits of type `T`.
pub(super) struct Queue<T> {
    /// Sorted by number, which only grows.
    waiting: RefCell<VecDeque<(u64, Waiting<T>)>>,
    next: Cell<u64>,
}

/// How long a call is willing to wait.
#[derive(Clone, Copy)]
pub(super) struct WaitLimit {
    /// The latest instant.
    pub(super) deadline: MonotonicTime,
    /// The longest wait.
    pub(super) max_wait: Duration,
}

impl WaitLimit {
    /// Whether the call can wait until then.
    pub(super) fn allows(&self, until: MonotonicTime, now: MonotonicTime) -> bool {
        until < self.deadline && until.saturating_sub(now) <= self.max_wait
    }
}

struct Waiting<T> {
    limit: WaitLimit,
    slot: Rc<Slot<T>>,
}

/// Holds the permit of a call, or the instant that it cannot wait for.
struct Slot<T> {
    result: Cell<Option<Result<T, MonotonicTime>>>,
    waker: RefCell<Option<Waker>>,
}

impl<T> Slot<T> {
    fn settle(&self, result: Result<T, MonotonicTime>) {
        self.result.set(Some(result));
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

impl<T> Queue<T> {
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.borrow().is_empty()
    }

    /// Joins the queue at its end. Dropping the ticket leaves the queue.
    pub(super) fn join(&self, limit: WaitLimit) -> Ticket<'_, T> {
        let number = self.next.replace(self.next.get() + 1);
        let slot = Rc::new(Slot {
            result: Cell::new(None),
            waker: RefCell::default(),
        });
        let waiting = Waiting {
            limit,
            slot: Rc::clone(&slot),
        };
        self.waiting.borrow_mut().push_back((number, waiting));
        Ticket {
            queue: self,
            number,
            slot,
        }
    }

    /// Gives the permit to the call that has waited longest.
    pub(super) fn grant(&self, permit: T) {
        let first = self.waiting.borrow_mut().pop_front();
        if let Some((_, first)) = first {
            first.slot.settle(Ok(permit));
        }
    }

    /// Rejects the calls for which `until` returns an instant.
    pub(super) fn reject(&self, until: impl Fn(&WaitLimit) -> Option<MonotonicTime>) {
        let mut rejected = Vec::new();
        self.waiting
            .borrow_mut()
            .retain(|(_, waiting)| match until(&waiting.limit) {
                Some(until) => {
                    rejected.push((until, Rc::clone(&waiting.slot)));
                    false
                }
                None => true,
            });
        for (until, slot) in rejected {
            slot.settle(Err(until));
        }
    }
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self {
            waiting: RefCell::default(),
            next: Cell::new(0),
        }
    }
}

/// A place in the queue. Resolves to a permit, or to the instant that the call cannot wait for.
pub(super) struct Ticket<'a, T> {
    queue: &'a Queue<T>,
    number: u64,
    slot: Rc<Slot<T>>,
}

impl<T> Future for Ticket<'_, T> {
    type Output = Result<T, MonotonicTime>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if let Some(result) = self.slot.result.take() {
            return Poll::Ready(result);
        }
        self.slot.waker.replace(Some(context.waker().clone()));
        Poll::Pending
    }
}

impl<T> Drop for Ticket<'_, T> {
    fn drop(&mut self) {
        let mut waiting = self.queue.waiting.borrow_mut();
        if let Ok(index) = waiting.binary_search_by_key(&self.number, |(number, _)| *number) {
            waiting.remove(index);
        }
    }
}
