//! The id of the current request.

use http::HeaderName;
use tokio::task_local;

pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

task_local! {
    static ID: String;
}

/// Runs a request under its id.
pub(super) async fn scope<T>(id: String, request: impl Future<Output = T>) -> T {
    ID.scope(id, request).await
}

/// Returns the id of the current request, or an empty string outside of a request.
pub(super) fn current() -> String {
    ID.try_with(Clone::clone).unwrap_or_default()
}
