//! The gate as calls meet it: who waits, who is let in, and what the other tabs know.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::select;

use super::bell::Bell;
use super::gate::{Entry, Gate, View};
use super::hooks::{GateEvent, Hooks};
use super::retry::Moment;
use super::runtime::{Runtime, Tabs, Told};

/// The gate of one workspace.
pub(super) struct Door {
    gate: RefCell<Gate>,
    changed: Bell,
    waiting: Cell<usize>,
    tabs: OnceCell<Box<dyn Tabs>>,
    runtime: Rc<dyn Runtime>,
    hooks: Option<Rc<dyn Hooks>>,
}

impl Door {
    pub(super) fn new(
        workspace: &str,
        runtime: Rc<dyn Runtime>,
        hooks: Option<Rc<dyn Hooks>>,
    ) -> Rc<Self> {
        let door = Rc::new(Self {
            gate: RefCell::default(),
            changed: Bell::default(),
            waiting: Cell::new(0),
            tabs: OnceCell::new(),
            runtime,
            hooks,
        });
        let listener = Rc::downgrade(&door);
        let hear = Box::new(move |told| listener.upgrade()?.hear(told));
        if let Some(tabs) = door.runtime.tabs(workspace, hear) {
            tabs.tell(Told::Asked);
            // The cell was empty: this is the only place that fills it.
            let _ = door.tabs.set(tabs);
        }
        door
    }

    /// Waits until the call may be sent. Fails with the moment at which the gate will open, when
    /// that is after the deadline or further away than anybody waits.
    pub(super) async fn pass(
        self: &Rc<Self>,
        deadline: Moment,
        longest: Duration,
    ) -> Result<Pass, Moment> {
        let mut queued = None;
        loop {
            let changed = self.changed.next();
            let now = self.runtime.now();
            let entry = self.gate.borrow_mut().enter(now);
            let turn = match entry {
                Entry::Go => false,
                Entry::Probe | Entry::Turn => true,
                Entry::Wait(until) => {
                    // A probe may answer at any moment; a closed gate will not open early.
                    let closed = matches!(self.view().view, View::Closed { .. });
                    let hopeless = until >= deadline || until.saturating_sub(now) > longest;
                    if (closed && hopeless) || now >= deadline {
                        return Err(until);
                    }
                    queued.get_or_insert_with(|| self.queue());
                    let wait = until.min(deadline).saturating_sub(now);
                    select(changed, self.runtime.sleep(wait)).await;
                    continue;
                }
            };
            drop(queued);
            if entry == Entry::Probe {
                self.announce(self.told());
            }
            return Ok(Pass {
                door: Rc::clone(self),
                turn,
            });
        }
    }

    /// The workspace is over its limit until then.
    pub(super) fn limited(&self, until: Moment) {
        let news = self.gate.borrow_mut().limited(until);
        if news {
            self.announce(self.told());
        }
    }

    /// Counts somebody who waits, for as long as the guard lives.
    pub(super) fn queue(self: &Rc<Self>) -> Queued {
        self.waiting.set(self.waiting.get() + 1);
        self.show();
        Queued(Rc::clone(self))
    }

    /// How the gate stands now.
    pub(super) fn view(&self) -> GateEvent {
        let now = self.runtime.now();
        let view = self.gate.borrow().view(now);
        let wait = match view {
            View::Closed { until } => until.saturating_sub(now),
            View::Open | View::Probing => Duration::ZERO,
        };
        GateEvent {
            view,
            wait,
            waiting: self.waiting.get(),
        }
    }

    fn told(&self) -> Told {
        let event = self.view();
        match event.view {
            View::Open => Told::Open,
            View::Closed { .. } => Told::Closed(event.wait),
            View::Probing => Told::Probing,
        }
    }

    fn hear(&self, told: Told) -> Option<Told> {
        let now = self.runtime.now();
        let view = match told {
            Told::Asked => return Some(self.told()).filter(|told| *told != Told::Open),
            Told::Open => View::Open,
            // Who was limited asks first; the others follow scattered, should that tab be gone.
            Told::Closed(wait) => View::Closed {
                until: now
                    .saturating_add(wait)
                    .saturating_add(STAGGER.mul_f64(0.2 + 0.8 * self.runtime.dice())),
            },
            Told::Probing => View::Probing,
        };
        let before = self.gate.borrow().clone();
        self.gate.borrow_mut().heard(view, now);
        if *self.gate.borrow() != before {
            self.changed.ring();
            self.show();
        }
        None
    }

    fn announce(&self, told: Told) {
        if let Some(tabs) = self.tabs.get() {
            tabs.tell(told);
        }
        self.changed.ring();
        self.show();
    }

    fn show(&self) {
        if let Some(hooks) = &self.hooks {
            hooks.on_gate(self.view());
        }
    }
}

/// How much later than the limited tab the others ask, at the most.
const STAGGER: Duration = Duration::from_millis(250);

/// The right to send one request.
pub(super) struct Pass {
    door: Rc<Door>,
    /// Whether the gate counts it.
    turn: bool,
}

impl Pass {
    /// The request was answered with anything but 429.
    pub(super) fn answered(mut self) {
        if self.turn {
            self.turn = false;
            let (now, waiting) = (self.door.runtime.now(), self.door.waiting.get());
            let first = self.door.gate.borrow_mut().answered(now, waiting);
            if first {
                self.door.announce(Told::Open);
            } else {
                self.door.changed.ring();
            }
        }
    }

    /// The request was answered with 429.
    pub(super) fn limited(mut self, until: Moment) {
        self.turn = false;
        self.door.limited(until);
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        if self.turn {
            let now = self.door.runtime.now();
            let first = self.door.gate.borrow_mut().abandoned(now);
            if first {
                // Not open: whoever is next finds out.
                self.door.announce(Told::Closed(Duration::ZERO));
            } else {
                self.door.changed.ring();
            }
        }
    }
}

/// Somebody who waits.
pub(super) struct Queued(Rc<Door>);

impl Drop for Queued {
    fn drop(&mut self) {
        self.0.waiting.set(self.0.waiting.get() - 1);
        self.0.show();
    }
}
