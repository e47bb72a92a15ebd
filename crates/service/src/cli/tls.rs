//! The options of `lead-workspace serve` for TLS.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::message;
use crate::http::Tls;

/// How often the files are checked for a new certificate.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

#[derive(Args)]
#[command(next_help_heading = "TLS options")]
pub(super) struct TlsArgs {
    /// File with the certificate and its chain, in PEM format; turns TLS on. Renewed files take
    /// effect within a second, without a restart.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// File with the private key of the certificate, in PEM format.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

impl TlsArgs {
    /// Returns the certificate, or `None` without these options.
    pub(super) fn load(&self) -> Result<Option<Tls>, String> {
        let (Some(certificate), Some(key)) = (&self.tls_cert, &self.tls_key) else {
            return Ok(None);
        };
        let tls = Tls::from_files(certificate.clone(), key.clone());
        tls.map(Some)
            .map_err(|error| format!("{error}. Nothing was started"))
    }
}

/// Watches the files while the service runs. Never returns.
pub(super) async fn follow_files(tls: Option<&Tls>) {
    let Some(tls) = tls else {
        return std::future::pending().await;
    };
    let mut reported = None;
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        let files = tls.clone();
        let reloaded = tokio::task::spawn_blocking(move || files.reload_if_changed()).await;
        match reloaded.unwrap_or_else(|error| Err(message(error))) {
            Ok(true) => {
                tracing::info!("reloaded the certificate");
                reported = None;
            }
            Ok(false) => {}
            Err(error) if reported.as_ref() == Some(&error) => {}
            Err(error) => {
                tracing::warn!("{error}. The previous certificate stays in use");
                reported = Some(error);
            }
        }
    }
}
