//! The 429 gate: while a workspace is over its rate limit, calls wait here instead of each finding
//! out for itself. Pure; `now` is an argument, and what other tabs learn comes in as [`Gate::heard`].

use std::time::Duration;

use super::retry::Moment;

/// One gate per workspace, shared by every call to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gate {
    state: State,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum State {
    /// Calls pass.
    #[default]
    Open,
    /// Calls wait until then.
    Closed { until: Moment },
    /// One call is finding out, the others wait; given up at the moment given.
    Probing { until: Moment },
}

/// What a call may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Send.
    Go,
    /// Send, and report with [`Gate::probed`]: this call finds out for all.
    Probe,
    /// Ask again at this moment, or when the gate changes.
    Wait(Moment),
}

/// The gate as a person may see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Calls pass.
    Open,
    /// Calls wait until then.
    Closed {
        /// When the gate will let a first call through.
        until: Moment,
    },
    /// One call is finding out whether the limit has passed.
    Probing,
}

impl Gate {
    /// A probe that says nothing for this long no longer keeps the others waiting.
    pub const PROBE: Duration = Duration::from_secs(10);

    /// A call wants to be sent.
    pub fn enter(&mut self, now: Moment) -> Entry {
        match self.state {
            State::Open => Entry::Go,
            State::Closed { until } | State::Probing { until } if now < until => Entry::Wait(until),
            State::Closed { .. } | State::Probing { .. } => {
                self.state = State::Probing {
                    until: now.saturating_add(Self::PROBE),
                };
                Entry::Probe
            }
        }
    }

    /// A call was answered 429 and must wait until then. Gives whether that is news.
    pub fn limited(&mut self, until: Moment) -> bool {
        let later = match self.state {
            State::Closed { until: known } => until > known,
            State::Open | State::Probing { .. } => true,
        };
        if later {
            self.state = State::Closed { until };
        }
        later
    }

    /// A call was answered with anything but 429: the limit has passed. A call that was sent before
    /// the gate closed proves nothing, so only a probe opens it.
    pub fn probed(&mut self) -> bool {
        let probing = matches!(self.state, State::Probing { .. });
        if probing {
            self.state = State::Open;
        }
        probing
    }

    /// The probe ended without an answer: the next call is the probe.
    pub fn abandoned(&mut self, now: Moment) {
        if matches!(self.state, State::Probing { .. }) {
            self.state = State::Closed { until: now };
        }
    }

    /// Another tab of the same workspace closed or opened its gate.
    pub fn heard(&mut self, view: View, now: Moment) {
        match view {
            View::Open => self.state = State::Open,
            View::Closed { until } => {
                self.limited(until);
            }
            View::Probing => {
                self.state = State::Probing {
                    until: now.saturating_add(Self::PROBE),
                }
            }
        }
    }

    /// The gate as it stands at `now`.
    pub fn view(&self, now: Moment) -> View {
        match self.state {
            State::Closed { until } if now < until => View::Closed { until },
            State::Probing { until } if now < until => View::Probing,
            State::Open | State::Closed { .. } | State::Probing { .. } => View::Open,
        }
    }
}
