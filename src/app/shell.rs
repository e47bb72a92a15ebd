//! What pages and panels are framed by: app bar, lazily loaded parts, error states.

pub mod app_bar;
pub mod error_state;
pub mod key_prompt;
#[cfg(feature = "split")]
pub mod later_style;
pub mod lazy;
#[cfg(feature = "split")]
pub mod lazy_fallback;
pub mod live_dot;
pub mod rate_limit_banner;
pub mod retry;
pub mod toast_text;
#[cfg(not(feature = "embed"))]
pub mod workspace_button;
#[cfg(not(feature = "embed"))]
pub mod workspace_menu;
