//! The current time as text.

use jiff::Timestamp;

pub use lead_workspace_logic::iso;

/// Returns the current time in the form of [`iso`].
pub fn now() -> String {
    iso(Timestamp::now())
}
