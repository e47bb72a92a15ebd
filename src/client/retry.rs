//! Whether a request is sent again, and when. Pure: the clock and the random number are arguments.

use std::time::Duration;

use lead_workspace_api::Retry;

use super::budget::Budget;

/// An instant on a monotonic clock, since a fixed start.
pub type MonotonicTime = Duration;

/// The parameters of the retry policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// Maximum number of requests per call, including the first. Two cases do not count: a 429 with
    /// a requested wait, unless this is 1, and a 401 after which another key is fetched. Default 3.
    pub attempts: u32,
    /// Maximum backoff before the first retry. Default 200 ms.
    pub base: Duration,
    /// The same after 429. Default 1 s.
    pub base_limited: Duration,
    /// Maximum backoff. Default 20 s.
    pub cap: Duration,
    /// The longest wait that a server may request. Default 30 s.
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
    /// Returns the maximum backoff before retry number `retry`, from 0: base × 2ⁿ, capped.
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

    /// Returns a backoff between zero and the ceiling (full jitter). `random` is in `0.0..1.0`.
    pub fn backoff(&self, retry: u32, limited: bool, random: f64) -> Duration {
        scaled(self.ceiling(retry, limited), random.clamp(0.0, 1.0))
    }
}

/// Time limits of one attempt and of the whole call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeLimits {
    /// One attempt.
    pub attempt: Duration,
    /// The call, with its waits.
    pub deadline: Duration,
}

impl TimeLimits {
    /// Returns the defaults of a retry class.
    pub const fn for_class(class: Retry) -> Self {
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

/// A start is not sent with less time left than this: without a response in time, its outcome would
/// be unknown.
const MIN_START_TIME: Duration = Duration::from_secs(1);

/// How an attempt failed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AttemptError {
    /// The platform does not send such a request.
    Refused,
    /// The request did not leave this computer.
    NotSent,
    /// The connection failed at some point.
    Network,
    /// The attempt timed out.
    TimedOut,
    /// The server did the work, but its response cannot be read.
    Unreadable,
    /// The server responded with an error.
    Status {
        /// The HTTP status.
        status: u16,
        /// The least time to wait that it requests.
        retry_after: Option<Duration>,
    },
}

impl AttemptError {
    /// Whether the rate limit was hit.
    pub fn is_rate_limited(self) -> bool {
        matches!(self, Self::Status { status: 429, .. })
    }

    /// Whether the request may have taken effect.
    pub fn is_ambiguous(self) -> bool {
        match self {
            Self::Refused | Self::NotSent => false,
            Self::Network | Self::TimedOut | Self::Unreadable => true,
            // These may come from a proxy in front of a server that did the work.
            Self::Status { status, .. } => matches!(status, 408 | 500..),
        }
    }

    /// Whether there was a response.
    pub fn has_response(self) -> bool {
        matches!(self, Self::Unreadable | Self::Status { .. })
    }

    /// Returns the least time to wait that the server requests; zero if it requests none.
    fn requested_wait(self) -> Duration {
        match self {
            Self::Status { retry_after, .. } => retry_after.unwrap_or_default(),
            _ => Duration::ZERO,
        }
    }

    /// Whether sending again can help at all.
    fn is_transient(self) -> bool {
        match self {
            Self::NotSent | Self::Network | Self::TimedOut => true,
            Self::Refused | Self::Unreadable => false,
            Self::Status { status, .. } => is_transient_status(status),
        }
    }
}

/// Whether the same request may succeed later, although the server responded with this status.
pub fn is_transient_status(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
}

/// What to do after a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RetryDecision {
    /// Send again, not before this instant.
    Again(MonotonicTime),
    /// Report the failure.
    Fail(StopReason),
}

/// Why there is no further attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// Sending again cannot help.
    Final,
    /// The server may have started something that must not be started twice.
    OutcomeUnknown,
    /// All attempts are used up.
    Exhausted,
    /// Too many requests have failed recently.
    NoBudget,
    /// The server requests a longer wait than the policy or the deadline allows.
    WaitTooLong {
        /// When the server will accept requests again.
        until: MonotonicTime,
    },
    /// The deadline of the call has passed.
    Deadline,
}

/// The attempts of one call.
#[derive(Clone, Debug)]
pub struct Attempts {
    class: Retry,
    policy: Policy,
    limits: TimeLimits,
    deadline: MonotonicTime,
    attempts: u32,
    /// Waits requested by the server, which do not count as attempts. They still lengthen the backoff.
    waits: u32,
    ambiguous: bool,
}

impl Attempts {
    /// Starts a call at `now`.
    pub fn start(class: Retry, policy: Policy, limits: TimeLimits, now: MonotonicTime) -> Self {
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

    /// Returns the deadline of the call.
    pub fn deadline(&self) -> MonotonicTime {
        self.deadline
    }

    /// Whether there is time left at `now` for one more attempt.
    pub fn has_time(&self, now: MonotonicTime) -> bool {
        let left = self.deadline.saturating_sub(now);
        let TimeLimits { attempt, deadline } = self.limits;
        let needed = match self.class {
            // A caller may set a shorter limit on purpose.
            Retry::Start => MIN_START_TIME.min(attempt).min(deadline / 2),
            Retry::Read | Retry::Idempotent | Retry::Delete => Duration::ZERO,
        };
        left > Duration::ZERO && left >= needed
    }

    /// Returns the number of attempts made.
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// Whether a failed attempt may have taken effect.
    pub fn is_ambiguous(&self) -> bool {
        self.ambiguous
    }

    /// Whether "not found" means that an earlier attempt of this call succeeded.
    pub fn not_found_is_success(&self) -> bool {
        self.class == Retry::Delete && self.ambiguous
    }

    /// Returns when the next attempt may start at the earliest, after an attempt that failed at
    /// `now`: after the backoff and the wait that the server requests. Call it before
    /// [`failed`](Self::failed), which counts the attempt.
    pub fn next_start(
        &self,
        error: AttemptError,
        now: MonotonicTime,
        random: f64,
    ) -> MonotonicTime {
        let retry = self.attempts + self.waits;
        let backoff = self.policy.backoff(retry, error.is_rate_limited(), random);
        now.saturating_add(backoff.max(error.requested_wait()))
    }

    /// Records that an attempt failed at `now`, and decides what to do. Takes the cost of a retry
    /// from the budget.
    pub fn failed(
        &mut self,
        error: AttemptError,
        now: MonotonicTime,
        random: f64,
        budget: &mut Budget,
    ) -> RetryDecision {
        let next_start = self.next_start(error, now, random);
        self.attempts += 1;
        let ambiguous = self.class != Retry::Read && error.is_ambiguous();
        self.ambiguous |= ambiguous;

        if self.class == Retry::Start && ambiguous {
            return RetryDecision::Fail(StopReason::OutcomeUnknown);
        }
        let again = match self.class {
            Retry::Start => error == AttemptError::NotSent || error.is_rate_limited(),
            Retry::Read | Retry::Idempotent | Retry::Delete => error.is_transient(),
        };
        if !again {
            return RetryDecision::Fail(StopReason::Final);
        }
        if now >= self.deadline {
            return RetryDecision::Fail(StopReason::Deadline);
        }

        let limited = error.is_rate_limited();
        let requested = error.requested_wait();
        // A wait that is too long is reported at once, even if no attempt is left.
        if requested > self.policy.longest_wait || !self.has_time(now.saturating_add(requested)) {
            return RetryDecision::Fail(StopReason::WaitTooLong {
                until: now.saturating_add(requested),
            });
        }
        // A wait requested by the server does not count as an attempt and adds no load to a failing
        // server. A caller that wants no retries gets none.
        let is_requested = limited && !requested.is_zero() && self.policy.attempts > 1;
        if is_requested {
            self.attempts -= 1;
            self.waits += 1;
        } else if self.attempts >= self.policy.attempts.max(1) {
            return RetryDecision::Fail(StopReason::Exhausted);
        }
        if !self.has_time(next_start) {
            return RetryDecision::Fail(StopReason::Deadline);
        }
        // A request that was not sent adds no load.
        let adds_no_load = is_requested || error == AttemptError::NotSent;
        if !adds_no_load && !budget.try_take(limited) {
            return RetryDecision::Fail(StopReason::NoBudget);
        }
        RetryDecision::Again(next_start)
    }
}

/// Returns a wait multiplied by a factor. A negative factor or NaN gives zero. `Duration::mul_f64` would panic, and
/// adds its messages to the Wasm.
pub(crate) fn scaled(wait: Duration, factor: f64) -> Duration {
    Duration::from_micros((wait.as_secs_f64() * 1e6 * factor) as u64)
}
