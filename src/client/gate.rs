//! The 429 gate: while a workspace is over its rate limit, calls wait here instead of each finding
//! out for itself, and afterwards they pass a few at a time. Pure; `now` is an argument, and what other tabs learn comes in as [`Gate::heard`].

use std::time::Duration;

use super::retry::Moment;

/// One gate per workspace, shared by every call to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gate {
    state: State,
    /// A 429 of this tab's own forbids requests until then, whatever other tabs tell.
    own: Moment,
    round: Round,
}

/// Counts how often the gate closed. What was sent before it closed says nothing about the time
/// after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Round(u32);

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum State {
    /// Calls pass.
    #[default]
    Open,
    /// Calls wait until then, and for `later` more, so that the limited tab asks first.
    Closed { until: Moment, later: Duration },
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

/// What another tab of the same workspace tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It was limited until then. This tab follows so much later, for that one is to ask first.
    Closed {
        /// The end of the limit.
        until: Moment,
        /// What this tab waits on top.
        later: Duration,
    },
    /// One of its calls is finding out whether the limit has passed.
    Probing,
    /// The limit has passed.
    Opening,
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

    /// The gate is closed for this long at the most, and then a call finds out. A server that asks for
    /// more may mean it, or give a date where seconds belong.
    pub const LONGEST: Duration = Duration::from_secs(5 * 60);

    /// Two tabs that tell of one limit differ by the time that messages take. Less than this is no news.
    const SAME: Duration = Duration::from_millis(100);

    /// A call wants to be sent.
    pub fn enter(&mut self, now: Moment) -> Entry {
        if let State::Opening {
            under_way, room, ..
        } = &mut self.state
            && *under_way < *room
        {
            *under_way += 1;
            return Entry::Turn;
        }
        let opens = self.opens(now);
        match self.state {
            State::Open => Entry::Go,
            State::Closed { .. } | State::Opening { .. } if now < opens => Entry::Wait(opens),
            State::Closed { .. } | State::Opening { .. } => {
                self.state = Self::probing(now);
                Entry::Probe
            }
        }
    }

    /// When a call that waits should ask again.
    pub fn opens(&self, now: Moment) -> Moment {
        match self.state {
            State::Open => now,
            State::Closed { until, later } => until.saturating_add(later),
            State::Opening { until, .. } => until,
        }
    }

    /// Which closing of the gate a call follows that is sent now.
    pub fn round(&self) -> Round {
        self.round
    }

    fn probing(now: Moment) -> State {
        State::Opening {
            under_way: 1,
            room: 1,
            until: now.saturating_add(Self::PROBE),
        }
    }

    /// A call was answered 429 and must wait until then. Gives whether that is news.
    pub fn limited(&mut self, until: Moment, now: Moment) -> bool {
        let until = until.min(now.saturating_add(Self::LONGEST));
        self.own = self.own.max(until);
        let news = match self.state {
            State::Closed { until: known, .. } => until > known,
            State::Open | State::Opening { .. } => true,
        };
        if news {
            self.close(until, Duration::ZERO);
        }
        news
    }

    fn close(&mut self, until: Moment, later: Duration) {
        self.state = State::Closed { until, later };
        self.round = Round(self.round.0.wrapping_add(1));
    }

    /// A call that was let in was answered with anything but 429, while so many others wait: two
    /// more of them may go, and once nobody waits the gate is open. Gives whether it was the first to
    /// be answered. A call that was sent before the gate closed proves nothing.
    pub fn answered(&mut self, round: Round, now: Moment, waiting: usize) -> bool {
        let State::Opening {
            under_way, room, ..
        } = self.state
        else {
            return false;
        };
        if round != self.round {
            return false;
        }
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
    pub fn abandoned(&mut self, round: Round, now: Moment) -> bool {
        let State::Opening {
            under_way, room, ..
        } = &mut self.state
        else {
            return false;
        };
        if round != self.round {
            return false;
        }
        let first = *room == 1;
        if first {
            self.close(now, Duration::ZERO);
        } else {
            *under_way = under_way.saturating_sub(1);
        }
        first
    }

    /// Another tab of the same workspace tells of its gate, while so many calls wait here. A limit that
    /// is known already is not pushed back, and what this tab was told by the server itself holds.
    pub fn heard(&mut self, heard: Heard, now: Moment, waiting: usize) {
        match (heard, self.state) {
            (Heard::Closed { until, later }, state) => {
                let until = until.min(now.saturating_add(Self::LONGEST));
                let news = match state {
                    State::Closed { until: known, .. } => until > known.saturating_add(Self::SAME),
                    State::Open | State::Opening { .. } => true,
                };
                if news {
                    self.close(until, later);
                }
            }
            (Heard::Probing | Heard::Opening, _) if now < self.own => {}
            (Heard::Probing, State::Opening { until, .. }) if now < until => {}
            (Heard::Probing, _) => self.state = Self::probing(now),
            (Heard::Opening, State::Open) => {}
            (Heard::Opening, State::Opening { room, .. }) if room > 1 => {}
            (Heard::Opening, _) if waiting == 0 => self.state = State::Open,
            (Heard::Opening, _) => {
                self.state = State::Opening {
                    under_way: 0,
                    room: 2,
                    until: now.saturating_add(Self::PROBE),
                };
            }
        }
    }

    /// The gate as it stands at `now`.
    pub fn view(&self, now: Moment) -> View {
        let until = self.opens(now);
        match self.state {
            State::Closed { .. } if now < until => View::Closed { until },
            State::Opening { room: 1, .. } if now < until => View::Probing,
            State::Open | State::Closed { .. } | State::Opening { .. } => View::Open,
        }
    }

    /// How long the workspace is limited, as other tabs are told, while the gate is closed.
    pub fn limit(&self, now: Moment) -> Duration {
        match self.state {
            State::Closed { until, .. } => until.saturating_sub(now),
            State::Open | State::Opening { .. } => Duration::ZERO,
        }
    }
}
