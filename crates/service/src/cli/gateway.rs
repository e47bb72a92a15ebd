//! The options of `lead-workspace serve` that make it a gateway.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::told;
use crate::gateway::{Gateway, Key, Routes, Template, Upstream, UpstreamLimits};

/// Size limit of the key file, in bytes. A larger file cannot be a key.
const MOST_KEY_BYTES: u64 = 8 << 10;

/// How often the key file is checked for a new key.
const READ_AGAIN: Duration = Duration::from_secs(1);

/// Value of `--upstream-job-path` that disables the job route.
const OFF: &str = "off";

#[derive(Args)]
#[command(next_help_heading = "In front of an upstream")]
pub(super) struct Options {
    /// Be a gateway: serve the UI, and send the calls of the API to this address.
    ///
    /// The data folder then only holds the keys that browsers use.
    #[arg(long, value_name = "URL", requires = "upstream_key_file")]
    #[arg(conflicts_with_all = ["demo", "import"])]
    upstream: Option<Upstream>,
    /// The file that holds the upstream's key. When another key is put into it, that one is used
    /// from the next second on.
    #[arg(long, value_name = "FILE", requires = "upstream")]
    upstream_key_file: Option<PathBuf>,
    /// Where the upstream tells how a job stands, or "off".
    ///
    /// The contract names jobs without showing their path, and the UI needs it to follow a
    /// scoring it has started.
    #[arg(long, value_name = "PATH", requires = "upstream")]
    #[arg(default_value = "/api/jobs/{job_id}")]
    upstream_job_path: String,
    /// A further path that may be read (GET) and asked (POST), with ids in braces; may be given
    /// several times. E.g. /api/emails/reverse-lookup
    #[arg(long, value_name = "PATH", requires = "upstream")]
    allow: Vec<Template>,
}

impl Options {
    /// Returns the gateway, or `None` without `--upstream`.
    pub(super) fn gateway(&self) -> Result<Option<Gateway>, String> {
        let (Some(upstream), Some(file)) = (&self.upstream, &self.upstream_key_file) else {
            return Ok(None);
        };
        let mut routes = Routes::of_the_table();
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
        if upstream.is_in_the_clear() {
            eprintln!(
                "warning: the key for {} goes over the network in the clear; use https where you can",
                upstream.host()
            );
        }
        Gateway::new(upstream.clone(), key, routes, UpstreamLimits::default()).map(Some)
    }
}

impl Options {
    /// Watches the upstream's key file while the service runs, so that a key can be changed without
    /// a restart.
    pub(super) async fn follow_key(&self, gateway: &Gateway) {
        let Some(file) = &self.upstream_key_file else {
            return;
        };
        let mut problem = String::new();
        loop {
            tokio::time::sleep(READ_AGAIN).await;
            let path = file.clone();
            let read = tokio::task::spawn_blocking(move || key(&path)).await;
            match read.unwrap_or_else(|error| Err(told(error))) {
                Ok(key) if gateway.use_key(&key) => {
                    problem.clear();
                    eprintln!("the upstream's key was read again from {}", file.display());
                }
                Ok(_) => problem.clear(),
                // Reported once: the file may be in the middle of being written.
                Err(now) if now != problem => {
                    eprintln!("warning: {now}. The gateway goes on with the key it has");
                    problem = now;
                }
                Err(_) => {}
            }
        }
    }
}

/// Reads the upstream's key. Error messages never contain the contents of the file.
fn key(file: &Path) -> Result<Key, String> {
    let refused = |problem: String| {
        format!(
            "the upstream's key cannot be read from {}: {problem}. \
             The file must hold the key and nothing else, on one line",
            file.display()
        )
    };
    let length = fs::metadata(file)
        .map_err(|error| refused(error.to_string()))?
        .len();
    if length > MOST_KEY_BYTES {
        return Err(refused(format!("it has {length} bytes")));
    }
    let text = fs::read(file).map_err(|error| refused(error.to_string()))?;
    let text = String::from_utf8(text).map_err(|_| refused("it is not text".into()))?;
    text.parse().map_err(refused)
}
