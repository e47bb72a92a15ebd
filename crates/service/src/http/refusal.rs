//! Refusals that protect the service.

/// Why a request was refused to protect the service. An extension of the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// A limit of the workspace.
    RateLimited,
    /// A limit of the whole service.
    Shed,
}
