//! The options of `lead-workspace serve` that make it a gateway.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::message;
use crate::gateway::{Gateway, Routes, Template, Upstream, UpstreamKey, UpstreamLimits};

/// Size limit of the key file, in bytes. A larger file cannot be a key.
const MAX_KEY_BYTES: u64 = 8 << 10;

/// How often the key file is checked for a new key.
const KEY_POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Value of `--upstream-job-path` that disables the job route.
const OFF: &str = "off";

#[derive(Args)]
#[command(next_help_heading = "Gateway options")]
pub(super) struct GatewayArgs {
    /// Run as a gateway: serve the UI, and forward API requests to this URL.
    ///
    /// The data folder then contains only the API keys of the gateway's users.
    #[arg(long, value_name = "URL", requires = "upstream_key_file")]
    #[arg(conflicts_with_all = ["demo", "import"])]
    upstream: Option<Upstream>,
    /// File with the upstream's API key. A changed key takes effect within a second, without a
    /// restart.
    #[arg(long, value_name = "FILE", requires = "upstream")]
    upstream_key_file: Option<PathBuf>,
    /// Path of the upstream's job status, or "off".
    ///
    /// The API contract does not define this path. The UI uses it to show the progress of scoring
    /// jobs.
    #[arg(long, value_name = "PATH", requires = "upstream")]
    #[arg(default_value = "/api/jobs/{job_id}")]
    upstream_job_path: String,
    /// Additional path to forward (GET and POST), with ids in braces, e.g.
    /// /api/emails/reverse-lookup. Can be repeated.
    #[arg(
        long,
        value_name = "PATH",
        requires = "upstream",
        value_delimiter = ','
    )]
    allow: Vec<Template>,
}

impl GatewayArgs {
    /// Returns the gateway, or `None` without `--upstream`.
    pub(super) fn gateway(&self) -> Result<Option<Gateway>, String> {
        let (Some(upstream), Some(file)) = (&self.upstream, &self.upstream_key_file) else {
            return Ok(None);
        };
        let mut routes = Routes::from_endpoints();
        if self.upstream_job_path != OFF {
            let path = self.upstream_job_path.parse::<Template>();
            let with_jobs = path.and_then(|path| routes.with_jobs(&path));
            routes = with_jobs.map_err(|error| format!("--upstream-job-path: {error}"))?;
        }
        for path in &self.allow {
            routes = routes
                .with(path)
                .map_err(|error| format!("--allow: {error}"))?;
        }
        let key = key(file).map_err(|error| format!("{error}. Nothing was started"))?;
        if upstream.is_unencrypted() {
            tracing::warn!(
                "the key for {} is sent over the network unencrypted; use https if possible",
                upstream.host()
            );
        }
        Gateway::new(upstream.clone(), key, routes, UpstreamLimits::default()).map(Some)
    }
}

impl GatewayArgs {
    /// Watches the upstream's key file while the service runs, so that a key can be changed without
    /// a restart. Never returns.
    pub(super) async fn follow_key(&self, gateway: Option<&Gateway>) {
        let (Some(gateway), Some(file)) = (gateway, &self.upstream_key_file) else {
            return std::future::pending().await;
        };
        let mut problem = String::new();
        loop {
            tokio::time::sleep(KEY_POLL_INTERVAL).await;
            let path = file.clone();
            let read = tokio::task::spawn_blocking(move || key(&path)).await;
            match read.unwrap_or_else(|error| Err(message(error))) {
                Ok(key) if gateway.replace_key(&key) => {
                    problem.clear();
                    tracing::info!("reloaded the upstream's key from {}", file.display());
                }
                Ok(_) => problem.clear(),
                // Reported once: the file may be in the middle of being written.
                Err(now) if now != problem => {
                    tracing::warn!("{now}. The gateway keeps using the previous key");
                    problem = now;
                }
                Err(_) => {}
            }
        }
    }
}

/// Reads the upstream's key. Error messages never contain the contents of the file.
fn key(file: &Path) -> Result<UpstreamKey, String> {
    let refused = |problem: String| {
        format!(
            "the upstream's key cannot be read from {}: {problem}. \
             The file must contain only the key, on one line",
            file.display()
        )
    };
    let length = fs::metadata(file)
        .map_err(|error| refused(error.to_string()))?
        .len();
    if length > MAX_KEY_BYTES {
        return Err(refused(format!("it is too large ({length} bytes)")));
    }
    let text = fs::read(file).map_err(|error| refused(error.to_string()))?;
    let text = String::from_utf8(text).map_err(|_| refused("it is not text".into()))?;
    text.parse().map_err(refused)
}
