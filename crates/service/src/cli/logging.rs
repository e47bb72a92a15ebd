//! Logging of the service, to stderr.

use tracing_subscriber::EnvFilter;

/// Starts logging at level `warn`, or at the level set in `LEAD_WORKSPACE_LOG` (e.g. `debug`).
pub(super) fn start() {
    let filter = EnvFilter::try_from_env("LEAD_WORKSPACE_LOG");
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter.unwrap_or_else(|_| EnvFilter::new("warn")))
        .with_writer(std::io::stderr)
        .with_target(false)
        .try_init();
}
