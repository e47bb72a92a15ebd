//! Connects calls to the rate-limit gate: the queue, the timer, and the messages of other tabs.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::{Either, select};

use super::gate::{Admission, Gate, GateStatus, Round, TabReport};
use super::hooks::{GateEvent, Hooks};
use super::retry::MonotonicTime;
use super::runtime::{Broadcast, Runtime, TabMessage};
use super::wait_queue::{Queue, WaitLimit};

/// The gate of one workspace, with its queue.
pub(super) struct GateQueue {
    gate: RefCell<Gate>,
    queue: Queue<Permit>,
    /// Calls in the queue, and limited calls that wait before they join it.
    waiting: Cell<usize>,
    /// When the timer fires that checks the gate again.
    timer: Cell<Option<MonotonicTime>>,
    /// The state last reported to the hooks.
    reported: Cell<GateStatus>,
    tabs: OnceCell<Box<dyn Broadcast>>,
    runtime: Rc<dyn Runtime>,
    hooks: Option<Rc<dyn Hooks>>,
}

impl GateQueue {
    pub(super) fn new(
        workspace: &str,
        runtime: Rc<dyn Runtime>,
        hooks: Option<Rc<dyn Hooks>>,
    ) -> Rc<Self> {
        let gate_queue = Rc::new(Self {
            gate: RefCell::new(Gate::new(runtime.random())),
            queue: Queue::default(),
            waiting: Cell::new(0),
            timer: Cell::new(None),
            reported: Cell::new(GateStatus::Open),
            tabs: OnceCell::new(),
            runtime,
            hooks,
        });
        let listener = Rc::downgrade(&gate_queue);
        let on_message = Box::new(move |message| listener.upgrade()?.on_message(message));
        if let Some(tabs) = gate_queue.runtime.broadcast(workspace, on_message) {
            tabs.post(TabMessage::StateRequest);
            // The cell was empty: this is the only place that fills it.
            let _ = gate_queue.tabs.set(tabs);
        }
        gate_queue
    }

    /// Waits until the call may be sent. Fails with the instant at which the gate will open if that
    /// is after the deadline or further away than `max_wait`.
    pub(super) async fn acquire(
        self: &Rc<Self>,
        deadline: MonotonicTime,
        max_wait: Duration,
    ) -> Result<Permit, MonotonicTime> {
        if self.queue.is_empty()
            && let Some(permit) = self.enter()
        {
            return Ok(permit);
        }
        let now = self.runtime.now();
        let limit = WaitLimit { deadline, max_wait };
        self.check_wait(&limit, now)?;
        let ticket = self.queue.join(limit);
        let _waiter = self.add_waiter();
        self.advance();
        let sleep = self.runtime.sleep(deadline.saturating_sub(now));
        match select(ticket, sleep).await {
            Either::Left((result, _)) => result,
            Either::Right(_) => Err(self.gate.borrow().opens_at(self.runtime.now())),
        }
    }

    /// Returns the right to send if the gate lets a call pass now.
    fn enter(self: &Rc<Self>) -> Option<Permit> {
        let now = self.runtime.now();
        let mut gate = self.gate.borrow_mut();
        let admission = gate.enter(now);
        let permit = |round| Permit {
            gate_queue: Rc::clone(self),
            round,
        };
        match admission {
            Admission::Wait(_) => None,
            Admission::Send => Some(permit(None)),
            Admission::SendAndReport => Some(permit(Some(gate.round()))),
            Admission::Probe => {
                let permit = permit(Some(gate.round()));
                drop(gate);
                self.announce(TabMessage::Probing);
                Some(permit)
            }
        }
    }

    /// Fails for a call that would wait in vain. A probe may succeed at any time, but a closed
    /// gate will not open early.
    fn check_wait(&self, limit: &WaitLimit, now: MonotonicTime) -> Result<(), MonotonicTime> {
        match self.gate.borrow().status(now) {
            GateStatus::Closed { until } if !limit.allows(until, now) => Err(until),
            _ if now >= limit.deadline => Err(self.gate.borrow().opens_at(now)),
            GateStatus::Open | GateStatus::Closed { .. } | GateStatus::Probing => Ok(()),
        }
    }

    /// Lets in as many calls as allowed, the longest waiting first, and wakes only those. Sets the
    /// timer for the next one.
    fn advance(self: &Rc<Self>) {
        while !self.queue.is_empty() {
            let Some(permit) = self.enter() else { break };
            self.queue.grant(permit);
        }
        let now = self.runtime.now();
        let is_open = self.gate.borrow().status(now) == GateStatus::Open;
        if !(is_open && self.queue.is_empty()) {
            let opens = self.gate.borrow().opens_at(now);
            self.schedule_check(opens);
        }
    }

    /// Sets the single timer. It lets calls in, and notifies the hooks of an open gate even if no call waits.
    fn schedule_check(self: &Rc<Self>, at: MonotonicTime) {
        if self.timer.get().is_some_and(|earlier| earlier <= at) {
            return;
        }
        self.timer.set(Some(at));
        // Waiting calls have their own timers, which keep the process running.
        let wait = at.saturating_sub(self.runtime.now());
        let sleep = self.runtime.idle_sleep(wait);
        let gate_queue = Rc::downgrade(self);
        self.runtime.spawn(Box::pin(async move {
            sleep.await;
            let Some(gate_queue) = gate_queue.upgrade() else {
                return;
            };
            // An earlier timer may have been set in the meantime.
            if gate_queue.timer.get() == Some(at) {
                gate_queue.timer.set(None);
                gate_queue.advance();
                if gate_queue.event().status != gate_queue.reported.get() {
                    gate_queue.report();
                }
            }
        }));
    }

    /// Closes the gate, as the workspace is over its limit until then.
    pub(super) fn on_rate_limited(self: &Rc<Self>, until: MonotonicTime) {
        let now = self.runtime.now();
        let changed = self.gate.borrow_mut().on_rate_limited(until, now);
        if changed {
            self.reject_hopeless();
            self.announce(self.closed(now));
        }
    }

    fn closed(&self, now: MonotonicTime) -> TabMessage {
        let (wait, first) = self.gate.borrow().remaining_limit(now);
        TabMessage::Closed(wait, first)
    }

    /// Rejects the calls that would now wait in vain.
    fn reject_hopeless(self: &Rc<Self>) {
        let now = self.runtime.now();
        self.queue.reject(|limit| self.check_wait(limit, now).err());
        self.advance();
    }

    /// Counts a waiting call for as long as the guard lives.
    pub(super) fn add_waiter(self: &Rc<Self>) -> WaiterGuard {
        self.waiting.set(self.waiting.get() + 1);
        self.report();
        WaiterGuard(Rc::clone(self))
    }

    /// Returns the current state of the gate.
    pub(super) fn event(&self) -> GateEvent {
        let now = self.runtime.now();
        let status = self.gate.borrow().status(now);
        let wait = match status {
            GateStatus::Closed { until } => until.saturating_sub(now),
            GateStatus::Open | GateStatus::Probing => Duration::ZERO,
        };
        GateEvent {
            status,
            wait,
            waiting: self.waiting.get(),
        }
    }

    fn on_message(self: &Rc<Self>, message: TabMessage) -> Option<TabMessage> {
        let now = self.runtime.now();
        let report = match message {
            TabMessage::StateRequest => {
                return match self.event().status {
                    GateStatus::Open => None,
                    GateStatus::Closed { .. } => Some(self.closed(now)),
                    GateStatus::Probing => Some(TabMessage::Probing),
                };
            }
            TabMessage::Closed(wait, first) => TabReport::Closed {
                until: now.saturating_add(wait),
                first,
            },
            TabMessage::Probing => TabReport::Probing,
            TabMessage::Opening => TabReport::Opening,
        };
        let before = self.gate.borrow().clone();
        self.gate
            .borrow_mut()
            .apply(report, now, self.waiting.get());
        if *self.gate.borrow() != before {
            self.reject_hopeless();
            self.report();
        }
        None
    }

    fn announce(&self, message: TabMessage) {
        if let Some(tabs) = self.tabs.get() {
            tabs.post(message);
        }
        self.report();
    }

    fn report(&self) {
        let event = self.event();
        self.reported.set(event.status);
        if let Some(hooks) = &self.hooks {
            hooks.on_gate(event);
        }
    }
}

/// The right to send one request.
pub(super) struct Permit {
    gate_queue: Rc<GateQueue>,
    /// The round of the gate, if the gate counts this request.
    round: Option<Round>,
}

impl Permit {
    /// Reports a response other than 429.
    pub(super) fn on_response(mut self) {
        let Some(round) = self.round.take() else {
            return;
        };
        let gate_queue = &self.gate_queue;
        let (now, waiting) = (gate_queue.runtime.now(), gate_queue.waiting.get());
        let was_probe = gate_queue
            .gate
            .borrow_mut()
            .on_response(round, now, waiting);
        if was_probe {
            gate_queue.announce(TabMessage::Opening);
        }
        gate_queue.advance();
    }

    /// Reports a 429.
    pub(super) fn on_rate_limited(mut self, until: MonotonicTime) {
        self.round = None;
        self.gate_queue.on_rate_limited(until);
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let Some(round) = self.round.take() else {
            return;
        };
        let gate_queue = &self.gate_queue;
        let now = gate_queue.runtime.now();
        let was_probe = gate_queue.gate.borrow_mut().on_abandoned(round, now);
        if was_probe {
            // The gate is not open: the next call becomes the probe.
            gate_queue.announce(gate_queue.closed(now));
        }
        gate_queue.advance();
    }
}

/// A waiting call.
pub(super) struct WaiterGuard(Rc<GateQueue>);

impl Drop for WaiterGuard {
    fn drop(&mut self) {
        self.0.waiting.set(self.0.waiting.get() - 1);
        self.0.report();
    }
}
