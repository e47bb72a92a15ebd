//! Whether a request is sent again, and when. Pure: the clock and the dice are arguments.

use std::time::Duration;

use lead_workspace_api::Retry;

use super::budget::Budget;

/// A point on a monotonic clock, since a fixed start.
pub type Moment = Duration;

/// The figures of the policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// Requests per call at the most, the first included. A 429 that says when to come back is none of
    /// them, unless this is 1; nor is a 401 after which another key is asked for. Default 3.
    pub attempts: u32,
    /// Backoff before the first retry at the most. Default 200 ms.
    pub base: Duration,
    /// The same after 429. Default 1 s.
    pub base_limited: Duration,
    /// Backoff at the most. Default 20 s.
    pub cap: Duration,
    /// The longest wait that a server may ask for. Default 30 s.
    pub longest_wait: Duration,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            attempts: 3,
            base: Duration::from_millis(200),
            base_limited: Duration::from_secs(1),
            cap: Duration::from_secs(20),
            longest_wait: Duration::from_secs(30),
        }
    }
}

impl Policy {
    /// The longest backoff before retry number `retry`, from 0: base × 2ⁿ, capped.
    pub fn ceiling(&self, retry: u32, limited: bool) -> Duration {
        let base = if limited {
            self.base_limited
        } else {
            self.base
        };
        2_u32
            .checked_pow(retry)
            .and_then(|factor| base.checked_mul(factor))
            .map_or(self.cap, |wait| wait.min(self.cap))
    }

    /// Full jitter: anything up to the ceiling. `dice` is from 0 to below 1.
    pub fn backoff(&self, retry: u32, limited: bool, dice: f64) -> Duration {
        // Written so that a NaN counts as 0 and cannot panic the multiplication.
        let dice = if dice > 0.0 { dice.min(1.0) } else { 0.0 };
        self.ceiling(retry, limited).mul_f64(dice)
    }
}

/// How long one attempt and the whole call may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// One attempt.
    pub attempt: Duration,
    /// The call, with its waits.
    pub deadline: Duration,
}

impl Limits {
    /// The defaults of a retry class.
    pub const fn of(class: Retry) -> Self {
        let (attempt, deadline) = match class {
            Retry::Read => (10, 30),
            Retry::Idempotent => (15, 20),
            Retry::Delete => (15, 30),
            Retry::Start => (30, 60),
        };
        Self {
            attempt: Duration::from_secs(attempt),
            deadline: Duration::from_secs(deadline),
        }
    }
}

/// A start is not sent with less time than this: without an answer in time it may have happened or not.
const START_NEEDS: Duration = Duration::from_secs(1);

/// How an attempt went wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mishap {
    /// The platform makes no such request.
    Refused,
    /// Nothing left this computer.
    NotSent,
    /// The connection failed somewhere on the way.
    Network,
    /// The attempt took too long.
    TimedOut,
    /// The server did it, and its answer cannot be read.
    Unreadable,
    /// The server answered with an error.
    Status {
        /// The status.
        status: u16,
        /// The least time it asks to wait.
        retry_after: Option<Duration>,
    },
}

impl Mishap {
    /// Whether the rate limit was hit.
    pub fn limited(self) -> bool {
        matches!(self, Self::Status { status: 429, .. })
    }

    /// Whether the request may have taken effect.
    pub fn ambiguous(self) -> bool {
        match self {
            Self::Refused | Self::NotSent => false,
            Self::Network | Self::TimedOut | Self::Unreadable => true,
            // These may come from between us and a server that did the work.
            Self::Status { status, .. } => matches!(status, 408 | 500..),
        }
    }

    /// Whether there was an answer.
    pub fn answered(self) -> bool {
        matches!(self, Self::Unreadable | Self::Status { .. })
    }

    /// Whether sending again can help at all.
    fn passing(self) -> bool {
        match self {
            Self::NotSent | Self::Network | Self::TimedOut => true,
            Self::Refused | Self::Unreadable => false,
            Self::Status { status, .. } => {
                matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
            }
        }
    }
}

/// What to do after an attempt that failed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    /// Send again, not before this moment.
    Again(Moment),
    /// Report the failure.
    Fail(Reason),
}

/// Why no further attempt is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Sending again cannot help.
    Final,
    /// The server may have started what must not be started twice.
    OutcomeUnknown,
    /// Every attempt was used.
    Exhausted,
    /// Too many requests have failed lately.
    NoBudget,
    /// The server asks for a longer wait than the call has.
    WaitTooLong {
        /// When the server will answer again.
        until: Moment,
    },
    /// The time for the call is over.
    Deadline,
}

/// The attempts of one call, from the first to the last.
#[derive(Clone, Debug)]
pub struct Attempts {
    class: Retry,
    policy: Policy,
    limits: Limits,
    deadline: Moment,
    attempts: u32,
    /// Waits that the server named, which are none of the attempts. Each is longer all the same.
    waits: u32,
    ambiguous: bool,
}

impl Attempts {
    /// Starts a call at `now`.
    pub fn start(class: Retry, policy: Policy, limits: Limits, now: Moment) -> Self {
        Self {
            class,
            policy,
            limits,
            deadline: now.saturating_add(limits.deadline),
            attempts: 0,
            waits: 0,
            ambiguous: false,
        }
    }

    /// When the call must be over.
    pub fn deadline(&self) -> Moment {
        self.deadline
    }

    /// Whether there is time left at `now` for one more attempt.
    pub fn has_time(&self, now: Moment) -> bool {
        let left = self.deadline.saturating_sub(now);
        let Limits { attempt, deadline } = self.limits;
        let needed = match self.class {
            // A caller that gives it less in all means that.
            Retry::Start => START_NEEDS.min(attempt).min(deadline / 2),
            Retry::Read | Retry::Idempotent | Retry::Delete => Duration::ZERO,
        };
        left > Duration::ZERO && left >= needed
    }

    /// Attempts that were made.
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// Whether an attempt may have taken effect although none succeeded.
    pub fn ambiguous(&self) -> bool {
        self.ambiguous
    }

    /// Whether "not found" means that an earlier attempt of this call did it.
    pub fn gone_is_success(&self) -> bool {
        self.class == Retry::Delete && self.ambiguous
    }

    /// Notes that an attempt failed at `now`, and decides. A retry is paid for here.
    pub fn failed(&mut self, mishap: Mishap, now: Moment, dice: f64, budget: &mut Budget) -> Next {
        let retry = self.attempts + self.waits;
        self.attempts += 1;
        let ambiguous = self.class != Retry::Read && mishap.ambiguous();
        self.ambiguous |= ambiguous;

        if self.class == Retry::Start && ambiguous {
            return Next::Fail(Reason::OutcomeUnknown);
        }
        let again = match self.class {
            Retry::Start => mishap == Mishap::NotSent || mishap.limited(),
            Retry::Read | Retry::Idempotent | Retry::Delete => mishap.passing(),
        };
        if !again {
            return Next::Fail(Reason::Final);
        }
        if now >= self.deadline {
            return Next::Fail(Reason::Deadline);
        }

        let limited = mishap.limited();
        let backoff = self.policy.backoff(retry, limited, dice);
        let asked = match mishap {
            Mishap::Status { retry_after, .. } => retry_after.unwrap_or_default(),
            _ => Duration::ZERO,
        };
        let at = now.saturating_add(backoff.max(asked));
        // A wait that cannot be kept is told at once, even where no attempt is left.
        if asked > self.policy.longest_wait || !self.has_time(now.saturating_add(asked)) {
            return Next::Fail(Reason::WaitTooLong {
                until: now.saturating_add(asked),
            });
        }
        // Where the server says when, nothing is guessed: such a wait is none of the attempts, and
        // adds nothing to the load of a server in trouble. Who wants no retry gets none.
        let told = limited && !asked.is_zero() && self.policy.attempts > 1;
        if told {
            self.attempts -= 1;
            self.waits += 1;
        } else if self.attempts >= self.policy.attempts.max(1) {
            return Next::Fail(Reason::Exhausted);
        }
        if !self.has_time(at) {
            return Next::Fail(Reason::Deadline);
        }
        // What never left adds nothing to anybody's load.
        let free = told || mishap == Mishap::NotSent;
        if !free && !budget.take(limited) {
            return Next::Fail(Reason::NoBudget);
        }
        Next::Again(at)
    }
}
