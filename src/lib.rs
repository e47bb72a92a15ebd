//! Lead review for the browser: a typed client for the lead and account workspace API and, with the
//! feature `ui`, the review app.
//!
//! - [`api`]: the wire contract.
//! - [`client`]: one async method per operation.
//! - `js`: the client for JavaScript.
//! - `review`: decisions on leads, without a screen.
//! - `app`: the review UI.
//! - `embed`, with the feature of this name: the review UI embedded in another page.

pub use lead_workspace_api as api;

#[cfg(feature = "ui")]
pub mod app;
pub mod client;
#[cfg(feature = "embed")]
pub mod embed;
#[cfg(feature = "js")]
pub mod js;
mod platform;
pub mod review;

/// Half the size of the default allocator.
#[cfg(all(target_arch = "wasm32", feature = "module"))]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// Compiles the README's examples with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
