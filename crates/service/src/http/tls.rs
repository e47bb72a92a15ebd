//! TLS with a certificate and a key from files. Renewed files take effect without a restart.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};

/// The files, and the configuration that was read from them. Clones share it.
#[derive(Clone)]
pub struct Tls(Arc<TlsState>);

struct TlsState {
    certificate: PathBuf,
    key: PathBuf,
    loaded: RwLock<Loaded>,
}

struct Loaded {
    config: Arc<ServerConfig>,
    files: Option<Stamp>,
}

/// Modification times of the two files.
type Stamp = (SystemTime, SystemTime);

impl Tls {
    /// Reads the files.
    ///
    /// # Errors
    /// If a file cannot be read, has no certificate or key, or the two do not belong together. The
    /// message never contains the contents of the files.
    pub fn from_files(certificate: PathBuf, key: PathBuf) -> Result<Self, String> {
        let files = stamp(&certificate, &key);
        let config = config(&certificate, &key)?;
        Ok(Self(Arc::new(TlsState {
            certificate,
            key,
            loaded: RwLock::new(Loaded { config, files }),
        })))
    }

    /// Reads the files again if they have changed, and returns whether there is a new certificate.
    ///
    /// # Errors
    /// Same as [`from_files`](Self::from_files). The previous certificate stays in use.
    pub fn reload_if_changed(&self) -> Result<bool, String> {
        let TlsState {
            certificate, key, ..
        } = &*self.0;
        let files = stamp(certificate, key);
        let lock = &self.0.loaded;
        let loaded = lock.read().unwrap_or_else(PoisonError::into_inner).files;
        if files.is_none() || loaded == files {
            return Ok(false);
        }
        let config = config(certificate, key)?;
        *lock.write().unwrap_or_else(PoisonError::into_inner) = Loaded { config, files };
        Ok(true)
    }

    pub(super) fn acceptor(&self) -> TlsAcceptor {
        let loaded = self.0.loaded.read().unwrap_or_else(PoisonError::into_inner);
        TlsAcceptor::from(Arc::clone(&loaded.config))
    }
}

/// Returns `None` while a file is missing, e.g. during its replacement.
fn stamp(certificate: &Path, key: &Path) -> Option<Stamp> {
    let modified = |path: &Path| std::fs::metadata(path).ok()?.modified().ok();
    Some((modified(certificate)?, modified(key)?))
}

fn config(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>, String> {
    let refused = |path: &Path, option: &str, problem: &dyn std::fmt::Display| {
        format!("{} cannot be used as {option}: {problem}", path.display())
    };
    let bad_certificate = |problem: &dyn std::fmt::Display| {
        refused(certificate, "--tls-cert", problem)
            + ". The file must contain the certificate and its chain, in PEM format"
    };
    let chain: Vec<_> = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect)
        .map_err(|error| bad_certificate(&error))?;
    if chain.is_empty() {
        return Err(bad_certificate(&"it contains no certificate"));
    }
    let private_key = PrivateKeyDer::from_pem_file(key).map_err(|error| {
        refused(key, "--tls-key", &error)
            + ". The file must contain the private key without a passphrase, in PEM format"
    })?;
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_no_client_auth()
        .with_single_cert(chain, private_key)
        .map_err(|error| match error {
            rustls::Error::InconsistentKeys(_) => format!(
                "the private key in {} does not belong to the certificate in {}. Use a pair that was \
                 issued together",
                key.display(),
                certificate.display()
            ),
            error => bad_certificate(&error),
        })?;
    Ok(Arc::new(config))
}
