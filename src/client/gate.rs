//! The 429 gate: while a workspace is over its rate limit, calls wait here instead of each hitting
//! the limit. Afterwards they pass a few at a time. Pure: `now` is an argument, and messages of
//! other tabs arrive through [`Gate::apply`].

use std::time::Duration;

use super::retry::{MonotonicTime, scaled};

/// The gate of one workspace, shared by every call to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gate {
    state: State,
    rank: Rank,
    /// This tab received a 429 itself and sends nothing until then, regardless of messages from other tabs.
    own_limit_until: MonotonicTime,
    round: Round,
}

/// The order in which tabs probe, random for each tab: of the tabs that the server limited, the one with the lowest rank
/// goes first. In `0.0..1.0`.
pub type Rank = f64;

/// Counts how often the gate closed. A request that was sent before a closing says nothing about
/// the time after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Round(u32);

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum State {
    /// Calls pass.
    #[default]
    Open,
    /// Calls wait until `until`. The tab with the rank `first` probes then, the others some time later.
    Closed { until: MonotonicTime, first: Rank },
    /// The limit may have passed. One call probes it. Each response then raises
    /// `max_in_flight`. A probe without a response by `until` no longer blocks the others.
    Opening {
        in_flight: u32,
        max_in_flight: u32,
        until: MonotonicTime,
    },
}

/// What a call may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// Send the request.
    Send,
    /// Send the request as the probe, and report with [`Gate::on_response`].
    Probe,
    /// Send the request as one of a few at a time, and report with [`Gate::on_response`].
    SendAndReport,
    /// Enter again at this instant, or when the gate changes.
    Wait(MonotonicTime),
}

/// A message from another tab of the same workspace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TabReport {
    /// A tab was limited by the server.
    Closed {
        /// The end of the limit.
        until: MonotonicTime,
        /// The lowest rank of the tabs that were.
        first: Rank,
    },
    /// One of its calls probes whether the limit has passed.
    Probing,
    /// The limit has passed.
    Opening,
}

/// The state of the gate, as shown to users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateStatus {
    /// Calls pass.
    Open,
    /// Calls wait.
    Closed {
        /// When the gate will let a first call through.
        until: MonotonicTime,
    },
    /// One call probes whether the limit has passed.
    Probing,
}

impl Gate {
    /// After this time without a response, a probe no longer blocks the other calls.
    pub const PROBE_TIMEOUT: Duration = Duration::from_secs(10);

    /// The longest time that the gate stays closed; then a call probes. A server that requests more
    /// may mean it, or may send a date where seconds belong.
    pub const MAX_CLOSED: Duration = Duration::from_secs(5 * 60);

    /// Two tabs that report the same limit differ by the delay of messages. A smaller difference is ignored.
    const MIN_DIFFERENCE: Duration = Duration::from_millis(50);

    /// The longest time that a tab leaves to the one that probes first, in case that tab was closed. The shortest, half
    /// of it, is longer than the smallest difference and two messages.
    const MAX_STAGGER: Duration = Duration::from_millis(500);

    /// Returns an open gate.
    pub fn new(rank: Rank) -> Self {
        Self {
            rank,
            ..Self::default()
        }
    }

    /// Decides whether a call may be sent now.
    pub fn enter(&mut self, now: MonotonicTime) -> Admission {
        if let State::Opening {
            in_flight,
            max_in_flight,
            ..
        } = &mut self.state
            && *in_flight < *max_in_flight
        {
            *in_flight += 1;
            return Admission::SendAndReport;
        }
        let opens = self.opens_at(now);
        match self.state {
            State::Open => Admission::Send,
            State::Closed { .. } | State::Opening { .. } if now < opens => Admission::Wait(opens),
            State::Closed { .. } | State::Opening { .. } => {
                self.state = Self::probing(now);
                Admission::Probe
            }
        }
    }

    /// Returns when a waiting call should enter again.
    pub fn opens_at(&self, now: MonotonicTime) -> MonotonicTime {
        match self.state {
            State::Open => now,
            State::Closed { until, first } if first == self.rank => until,
            State::Closed { until, .. } => {
                until.saturating_add(scaled(Self::MAX_STAGGER, 0.5 + 0.5 * self.rank))
            }
            State::Opening { until, .. } => until,
        }
    }

    /// Returns the round that a call sent now belongs to.
    pub fn round(&self) -> Round {
        self.round
    }

    fn probing(now: MonotonicTime) -> State {
        State::Opening {
            in_flight: 1,
            max_in_flight: 1,
            until: now.saturating_add(Self::PROBE_TIMEOUT),
        }
    }

    /// Records a 429 after which calls must wait until `until`. Returns whether this closed the
    /// gate or extended the limit.
    pub fn on_rate_limited(&mut self, until: MonotonicTime, now: MonotonicTime) -> bool {
        let until = until.min(now.saturating_add(Self::MAX_CLOSED));
        self.own_limit_until = self.own_limit_until.max(until);
        let current = match self.state {
            State::Closed { until, .. } => until,
            State::Open | State::Opening { .. } => MonotonicTime::ZERO,
        };
        // A message of another tab may have brought almost this limit already, but not to all tabs.
        let changed = current < until.saturating_add(Self::MIN_DIFFERENCE);
        if changed {
            self.close(until.max(current), self.rank, now);
        }
        changed
    }

    /// Closes the gate because the tab with the rank `first` was limited.
    fn close(&mut self, until: MonotonicTime, first: Rank, now: MonotonicTime) {
        let first = match self.state {
            State::Closed {
                until,
                first: other,
            } if now <= until.saturating_add(Self::MAX_STAGGER) => first.min(other),
            _ => first,
        };
        self.state = State::Closed { until, first };
        self.round = Round(self.round.0.wrapping_add(1));
    }

    /// Records a response other than 429 to a call that passed, while `waiting` calls wait. Two
    /// more calls may pass; with none waiting, the gate opens. Returns whether this was the probe.
    /// A call that was sent before the gate closed is ignored.
    pub fn on_response(&mut self, round: Round, now: MonotonicTime, waiting: usize) -> bool {
        let State::Opening {
            in_flight,
            max_in_flight,
            ..
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
                in_flight: in_flight.saturating_sub(1),
                max_in_flight: max_in_flight.saturating_add(1),
                until: now.saturating_add(Self::PROBE_TIMEOUT),
            },
        };
        max_in_flight == 1
    }

    /// Records that a call that passed ended without a response; the next call takes its turn.
    /// Returns whether it was the probe.
    pub fn on_abandoned(&mut self, round: Round, now: MonotonicTime) -> bool {
        let State::Opening {
            in_flight,
            max_in_flight,
            ..
        } = &mut self.state
        else {
            return false;
        };
        if round != self.round {
            return false;
        }
        let was_probe = *max_in_flight == 1;
        if was_probe {
            self.close(now, self.rank, now);
        } else {
            *in_flight = in_flight.saturating_sub(1);
        }
        was_probe
    }

    /// Handles a message from another tab of the same workspace, while `waiting` calls wait here.
    /// It does not postpone a limit that is already known, and does not override a 429 that this
    /// tab received itself.
    pub fn apply(&mut self, report: TabReport, now: MonotonicTime, waiting: usize) {
        match (report, self.state) {
            (TabReport::Closed { until, first }, state) => {
                let until = until.min(now.saturating_add(Self::MAX_CLOSED));
                let until = match state {
                    // Not before the tab that goes first.
                    State::Closed {
                        until: known,
                        first: other,
                    } if first < other => known.max(until),
                    State::Closed { until: known, .. }
                        if until <= known.saturating_add(Self::MIN_DIFFERENCE) =>
                    {
                        known
                    }
                    _ => until,
                };
                self.close(until, first, now);
            }
            (TabReport::Probing | TabReport::Opening, _)
                if now.saturating_add(Self::MIN_DIFFERENCE) < self.own_limit_until => {}
            // The limit of this tab ends a moment later.
            (TabReport::Opening, _) if now < self.own_limit_until => {
                self.close(self.own_limit_until, self.rank, now);
            }
            (TabReport::Probing, State::Opening { until, .. }) if now < until => {}
            (TabReport::Probing, _) => self.state = Self::probing(now),
            (TabReport::Opening, State::Open) => {}
            (TabReport::Opening, State::Opening { max_in_flight, .. }) if max_in_flight > 1 => {}
            (TabReport::Opening, _) if waiting == 0 => self.state = State::Open,
            (TabReport::Opening, _) => {
                self.state = State::Opening {
                    in_flight: 0,
                    max_in_flight: 2,
                    until: now.saturating_add(Self::PROBE_TIMEOUT),
                };
            }
        }
    }

    /// Returns the state of the gate at `now`.
    pub fn status(&self, now: MonotonicTime) -> GateStatus {
        let until = self.opens_at(now);
        match self.state {
            State::Closed { .. } if now < until => GateStatus::Closed { until },
            State::Opening {
                max_in_flight: 1, ..
            } if now < until => GateStatus::Probing,
            State::Open | State::Closed { .. } | State::Opening { .. } => GateStatus::Open,
        }
    }

    /// Returns the remaining limit and the rank of the tab that probes first, as sent to other tabs. Zero unless the gate
    /// is closed.
    pub fn remaining_limit(&self, now: MonotonicTime) -> (Duration, Rank) {
        match self.state {
            State::Closed { until, first } => (until.saturating_sub(now), first),
            State::Open | State::Opening { .. } => (Duration::ZERO, self.rank),
        }
    }
}
