//! What is known about the current request: its id, its operation, and its caller.

use std::sync::{Arc, OnceLock};

use http::HeaderName;
use tokio::task_local;

pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

task_local! {
    static CURRENT: Arc<RequestContext>;
}

/// Filled in while the request is handled.
#[derive(Default)]
pub(super) struct RequestContext {
    pub id: String,
    operation: OnceLock<&'static str>,
    caller: OnceLock<CallerNames>,
}

/// Names of the caller that a log may show.
pub(super) struct CallerNames {
    pub workspace: String,
    /// The name of the workspace that people see, if it has one.
    pub workspace_name: Option<String>,
    pub key_id: String,
}

impl RequestContext {
    pub(super) fn new(id: String) -> Self {
        Self {
            id,
            ..Self::default()
        }
    }

    /// Returns the name of the operation, or `none` for a request that is not one.
    pub(super) fn operation(&self) -> &'static str {
        self.operation.get().copied().unwrap_or("none")
    }

    pub(super) fn caller(&self) -> Option<&CallerNames> {
        self.caller.get()
    }
}

/// Runs a request in its context.
pub(super) async fn scope<T>(context: Arc<RequestContext>, request: impl Future<Output = T>) -> T {
    CURRENT.scope(context, request).await
}

/// Returns the id of the current request, or an empty string outside of a request.
pub(super) fn id() -> String {
    CURRENT
        .try_with(|context| context.id.clone())
        .unwrap_or_default()
}

/// Names the operation of the current request.
pub(super) fn set_operation(name: &'static str) {
    let _ = CURRENT.try_with(|context| context.operation.set(name));
}

/// Names the caller of the current request, once its key was checked.
pub(super) fn set_caller(workspace: String, workspace_name: Option<String>, key_id: &str) {
    let caller = CallerNames {
        workspace,
        workspace_name,
        key_id: key_id.to_owned(),
    };
    let _ = CURRENT.try_with(|context| context.caller.set(caller));
}
