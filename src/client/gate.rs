//! The 429 gate: while a workspace is over its rate limit, calls wait here instead of each finding
//! out for itself, and afterwards they pass a few at a time. Pure; `now` is an argument, and what other tabs learn comes in as [`Gate::heard`].

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
    /// The limit may have passed: a call finds out, and then as many at a time as have shown that
    /// there is room. What stays silent until the moment given keeps nobody any longer.
    Opening {
        under_way: u32,
        room: u32,
        until: Moment,
    },
}

/// What a call may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Send.
    Go,
    /// Send, and report with [`Gate::answered`]: this call finds out for all.
    Probe,
    /// Send, and report with [`Gate::answered`]: a few calls at a time pass.
    Turn,
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
        match &mut self.state {
            State::Open => Entry::Go,
            State::Opening {
                under_way, room, ..
            } if *under_way < *room => {
                *under_way += 1;
                Entry::Turn
            }
            State::Closed { until } | State::Opening { until, .. } if now < *until => {
                Entry::Wait(*until)
            }
            State::Closed { .. } | State::Opening { .. } => {
                self.state = Self::probing(now);
                Entry::Probe
            }
        }
    }

    fn probing(now: Moment) -> State {
        State::Opening {
            under_way: 1,
            room: 1,
            until: now.saturating_add(Self::PROBE),
        }
    }

    /// A call was answered 429 and must wait until then. Gives whether that is news.
    pub fn limited(&mut self, until: Moment) -> bool {
        let later = match self.state {
            State::Closed { until: known } => until > known,
            State::Open | State::Opening { .. } => true,
        };
        if later {
            self.state = State::Closed { until };
        }
        later
    }

    /// A call that was let in was answered with anything but 429, while so many others wait: two
    /// more of them may go, and once nobody waits the gate is open. Gives whether it was the first to
    /// be answered. A call that was sent before the gate closed proves nothing, and does not come here.
    pub fn answered(&mut self, now: Moment, waiting: usize) -> bool {
        let State::Opening {
            under_way, room, ..
        } = self.state
        else {
            return false;
        };
        self.state = match waiting {
            0 => State::Open,
            _ => State::Opening {
                under_way: under_way.saturating_sub(1),
                room: room.saturating_add(1),
                until: now.saturating_add(Self::PROBE),
            },
        };
        room == 1
    }

    /// A call that was let in ended without an answer: the next one takes its turn. Gives whether it
    /// was to find out for all.
    pub fn abandoned(&mut self, now: Moment) -> bool {
        let State::Opening {
            under_way, room, ..
        } = &mut self.state
        else {
            return false;
        };
        let first = *room == 1;
        if first {
            self.state = State::Closed { until: now };
        } else {
            *under_way = under_way.saturating_sub(1);
        }
        first
    }

    /// Another tab of the same workspace closed or opened its gate.
    pub fn heard(&mut self, view: View, now: Moment) {
        match view {
            View::Open => self.state = State::Open,
            View::Closed { until } => {
                self.limited(until);
            }
            View::Probing => self.state = Self::probing(now),
        }
    }

    /// The gate as it stands at `now`.
    pub fn view(&self, now: Moment) -> View {
        match self.state {
            State::Closed { until } if now < until => View::Closed { until },
            State::Opening { room: 1, until, .. } if now < until => View::Probing,
            State::Open | State::Closed { .. } | State::Opening { .. } => View::Open,
        }
    }
}
