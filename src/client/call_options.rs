//! What single calls can set.

use std::rc::Rc;
use std::time::Duration;

use super::extra::Extra;

/// Overrides of the client's settings for single calls. A duration of zero ends the call at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallOptions {
    /// The time limit of one attempt.
    pub timeout: Option<Duration>,
    /// The time limit of the call, with its waits.
    pub deadline: Option<Duration>,
    /// How often the request may be sent again: `n` means at most `n + 1` requests. One more is
    /// sent after the key was refused and the source can supply another one, as a refused request
    /// has no effect.
    pub retries: Option<u32>,
    /// What the call sends beyond the contract.
    pub extra: Rc<Extra>,
}
