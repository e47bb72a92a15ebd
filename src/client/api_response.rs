//! What a call returns before it is decoded.

use wasm_bindgen::JsValue;

/// The response to a call that succeeded on the wire.
#[derive(Debug)]
pub(crate) struct ApiResponse {
    pub(crate) body: Vec<u8>,
    pub(crate) status: Option<u16>,
    pub(crate) request_id: Option<String>,
    pub(crate) attempts: u32,
    /// The platform's `Headers`.
    #[cfg_attr(
        not(feature = "js"),
        expect(dead_code, reason = "only read for JavaScript")
    )]
    pub(crate) headers: Option<JsValue>,
}
