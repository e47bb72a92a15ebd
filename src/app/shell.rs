//! What surrounds the pages: app bar, key handler, dialogs, lazily loaded parts, error states.

pub mod app_bar;
pub mod dialogs;
pub mod error_state;
pub mod key_handler;
#[cfg(feature = "split")]
pub mod later_style;
pub mod lazy;
#[cfg(feature = "split")]
pub mod lazy_fallback;
pub mod toast_text;
