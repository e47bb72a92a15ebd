//! The options of `lead-workspace serve` that make it a gateway.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::gateway::{Gateway, Key, Limits, Routes, Template, Upstream};

/// No key is longer; what is, is some other file.
const MOST_KEY_BYTES: u64 = 8 << 10;

/// What turns the path of jobs off.
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
    /// The file that holds the upstream's key. It is read at the start.
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
    /// The gateway, if this is to be one.
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
        let key = key(file)?;
        if upstream.is_in_the_clear() {
            eprintln!(
                "warning: the key for {} goes over the network in the clear; use https where you can",
                upstream.host()
            );
        }
        Gateway::new(upstream.clone(), key, routes, Limits::default()).map(Some)
    }
}

/// Reads the upstream's key. No error shows what stands in the file.
fn key(file: &Path) -> Result<Key, String> {
    let told = |problem: String| {
        format!(
            "the upstream's key cannot be read from {}: {problem}. Nothing was started. \
             The file holds the key and nothing else, on one line",
            file.display()
        )
    };
    let length = fs::metadata(file)
        .map_err(|error| told(error.to_string()))?
        .len();
    if length > MOST_KEY_BYTES {
        return Err(told(format!("it has {length} bytes")));
    }
    let text = fs::read(file).map_err(|error| told(error.to_string()))?;
    let text = String::from_utf8(text).map_err(|_| told("it is not text".into()))?;
    text.parse().map_err(told)
}
