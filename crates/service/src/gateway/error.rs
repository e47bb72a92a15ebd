//! Errors of a request through the gateway.

use crate::store::StoreError;

/// Reason why the upstream did not answer a request. The texts are for the browser's user.
pub(crate) enum GatewayError {
    /// The address of the request is not valid at the upstream.
    Address(http::Error),
    /// The name of the workspace is not valid in a header.
    TenantName,
    /// The upstream cannot be reached, or its response is unusable.
    Upstream(String),
    /// The upstream did not respond in time.
    Timeout(String),
    Store(StoreError),
}

impl From<http::Error> for GatewayError {
    fn from(error: http::Error) -> Self {
        Self::Address(error)
    }
}

impl From<StoreError> for GatewayError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
