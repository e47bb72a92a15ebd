//! Browser tests of the app and the client, with a transport that the test controls.
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test may stop at once"
)]

use wasm_bindgen_test::wasm_bindgen_test_configure;

wasm_bindgen_test_configure!(run_in_browser);

#[cfg(feature = "embed")]
#[path = "web/account_pulse.rs"]
mod account_pulse;
#[cfg(feature = "ui")]
#[path = "web/decide.rs"]
mod decide;
#[cfg(feature = "embed")]
#[path = "web/element.rs"]
mod element;
#[cfg(feature = "embed")]
#[path = "web/embed.rs"]
mod embed;
#[path = "web/fetch.rs"]
mod fetch;
#[cfg(feature = "ui")]
#[path = "web/grid.rs"]
mod grid;
#[cfg(feature = "embed")]
#[path = "web/host_page.rs"]
mod host_page;
#[cfg(feature = "embed")]
#[path = "web/hosted.rs"]
mod hosted;
#[cfg(feature = "embed")]
#[path = "web/isolation.rs"]
mod isolation;
#[cfg(feature = "ui")]
#[path = "web/late_event.rs"]
mod late_event;
#[cfg(feature = "ui")]
#[path = "web/leptos_view.rs"]
mod leptos_view;
#[path = "web/random.rs"]
mod random;
#[cfg(feature = "ui")]
#[path = "web/rows.rs"]
mod rows;
#[path = "web/shapes.rs"]
mod shapes;
#[cfg(feature = "ui")]
#[path = "web/stage.rs"]
mod stage;
#[cfg(feature = "ui")]
#[path = "web/trouble.rs"]
mod trouble;
#[cfg(feature = "embed")]
#[path = "web/unmount.rs"]
mod unmount;
