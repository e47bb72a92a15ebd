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
    shown: Cell<GateStatus>,
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
            gate: RefCell::default(),
            queue: Queue::default(),
            waiting: Cell::new(0),
            timer: Cell::new(None),
            shown: Cell::new(GateStatus::Open),
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
    /// is after the deadline or further away than `longest`.
    pub(super) async fn acquire(
        self: &Rc<Self>,
        deadline: MonotonicTime,
        longest: Duration,
    ) -> Result<Permit, MonotonicTime> {
        if self.queue.is_empty()
            && let Some(permit) = self.enter()
        {
            return Ok(permit);
        }
        let now = self.runtime.now();
        let limit = WaitLimit { deadline, longest };
        self.refuse(&limit, now)?;
        let ticket = self.queue.join(limit);
        let _queued = self.queue();
        self.advance();
        let sleep = self.runtime.sleep(deadline.saturating_sub(now));
        match select(ticket, sleep).await {
            Either::Left((turn, _)) => turn,
            Either::Right(_) => Err(self.gate.borrow().opens(self.runtime.now())),
        }
    }

    /// Returns the right to send if there is room now.
    fn enter(self: &Rc<Self>) -> Option<Permit> {
        let now = self.runtime.now();
        let mut gate = self.gate.borrow_mut();
        let admission = gate.enter(now);
        let permit = |turn| Permit {
            gate_queue: Rc::clone(self),
            turn,
        };
        match admission {
            Admission::Wait(_) => None,
            Admission::Go => Some(permit(None)),
            Admission::Turn => Some(permit(Some(gate.round()))),
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
    fn refuse(&self, limit: &WaitLimit, now: MonotonicTime) -> Result<(), MonotonicTime> {
        match self.gate.borrow().view(now) {
            GateStatus::Closed { until } if !limit.reaches(until, now) => Err(until),
            _ if now >= limit.deadline => Err(self.gate.borrow().opens(now)),
            GateStatus::Open | GateStatus::Closed { .. } | GateStatus::Probing => Ok(()),
        }
    }

    /// Lets in as many calls as allowed, the longest waiting first, and wakes only those. Sets the
    /// timer for the next one.
    fn advance(self: &Rc<Self>) {
        while !self.queue.is_empty() {
            let Some(permit) = self.enter() else { break };
            self.queue.let_in(permit);
        }
        let now = self.runtime.now();
        let open = self.gate.borrow().view(now) == GateStatus::Open;
        if !(open && self.queue.is_empty()) {
            let opens = self.gate.borrow().opens(now);
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
                if gate_queue.view().view != gate_queue.shown.get() {
                    gate_queue.show();
                }
            }
        }));
    }

    /// Closes the gate, as the workspace is over its limit until then.
    pub(super) fn limited(self: &Rc<Self>, until: MonotonicTime) {
        let now = self.runtime.now();
        let changed = self.gate.borrow_mut().limited(until, now);
        if changed {
            self.closed();
            self.announce(TabMessage::Closed(self.gate.borrow().limit(now)));
        }
    }

    /// Rejects the calls that would now wait in vain.
    fn closed(self: &Rc<Self>) {
        let now = self.runtime.now();
        self.queue.refuse(|limit| self.refuse(limit, now).err());
        self.advance();
    }

    /// Counts a waiting call for as long as the guard lives.
    pub(super) fn queue(self: &Rc<Self>) -> WaiterGuard {
        self.waiting.set(self.waiting.get() + 1);
        self.show();
        WaiterGuard(Rc::clone(self))
    }

    /// Returns the current state of the gate.
    pub(super) fn view(&self) -> GateEvent {
        let now = self.runtime.now();
        let view = self.gate.borrow().view(now);
        let wait = match view {
            GateStatus::Closed { until } => until.saturating_sub(now),
            GateStatus::Open | GateStatus::Probing => Duration::ZERO,
        };
        GateEvent {
            view,
            wait,
            waiting: self.waiting.get(),
        }
    }

    fn on_message(self: &Rc<Self>, message: TabMessage) -> Option<TabMessage> {
        let now = self.runtime.now();
        let report = match message {
            TabMessage::StateRequest => {
                return match self.view().view {
                    GateStatus::Open => None,
                    GateStatus::Closed { .. } => {
                        Some(TabMessage::Closed(self.gate.borrow().limit(now)))
                    }
                    GateStatus::Probing => Some(TabMessage::Probing),
                };
            }
            // The limited tab probes first. The others follow at random delays, in case that tab was closed.
            TabMessage::Closed(wait) => TabReport::Closed {
                until: now.saturating_add(wait),
                later: STAGGER.mul_f64(0.2 + 0.8 * self.runtime.random()),
            },
            TabMessage::Probing => TabReport::Probing,
            TabMessage::Opening => TabReport::Opening,
        };
        let before = self.gate.borrow().clone();
        self.gate
            .borrow_mut()
            .apply(report, now, self.waiting.get());
        if *self.gate.borrow() != before {
            self.closed();
            self.show();
        }
        None
    }

    fn announce(&self, message: TabMessage) {
        if let Some(tabs) = self.tabs.get() {
            tabs.post(message);
        }
        self.show();
    }

    fn show(&self) {
        let event = self.view();
        self.shown.set(event.view);
        if let Some(hooks) = &self.hooks {
            hooks.on_gate(event);
        }
    }
}

/// Maximum delay of the other tabs after the limited one.
const STAGGER: Duration = Duration::from_millis(250);

/// The right to send one request.
pub(super) struct Permit {
    gate_queue: Rc<GateQueue>,
    /// The round of the gate, if the gate counts this request.
    turn: Option<Round>,
}

impl Permit {
    /// Reports a response other than 429.
    pub(super) fn responded(mut self) {
        let Some(round) = self.turn.take() else {
            return;
        };
        let gate_queue = &self.gate_queue;
        let (now, waiting) = (gate_queue.runtime.now(), gate_queue.waiting.get());
        let first = gate_queue.gate.borrow_mut().responded(round, now, waiting);
        if first {
            gate_queue.announce(TabMessage::Opening);
        }
        gate_queue.advance();
    }

    /// Reports a 429.
    pub(super) fn limited(mut self, until: MonotonicTime) {
        self.turn = None;
        self.gate_queue.limited(until);
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let Some(round) = self.turn.take() else {
            return;
        };
        let gate_queue = &self.gate_queue;
        let now = gate_queue.runtime.now();
        let first = gate_queue.gate.borrow_mut().abandoned(round, now);
        if first {
            // The gate is not open: the next call becomes the probe.
            gate_queue.announce(TabMessage::Closed(Duration::ZERO));
        }
        gate_queue.advance();
    }
}

/// A waiting call.
pub(super) struct WaiterGuard(Rc<GateQueue>);

impl Drop for WaiterGuard {
    fn drop(&mut self) {
        self.0.waiting.set(self.0.waiting.get() - 1);
        self.0.show();
    }
}
