//! A source of keys that change.

use std::pin::Pin;

/// A future with the key, or the reason why there is none.
pub type KeyFuture = Pin<Box<dyn Future<Output = Result<String, String>>>>;

/// Supplies keys that change.
pub trait KeySource {
    /// Fetches the current key. Called once for all calls, and again after a server refused the
    /// key. The future is run to its end even if the call that needed the key was dropped.
    fn key(&self) -> KeyFuture;
}
