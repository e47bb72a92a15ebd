//! Which database, and how to connect to it.
//!
//! A pooler such as PgBouncer may give each transaction another connection to the server. It is recognized by a start-up
//! option that the server accepts and poolers refuse or drop.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper_rustls::ConfigBuilderExt;
use postgres::{Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{self, ClientConfig, DigitallySignedStruct, SignatureScheme};

use super::{distribution, error};
use crate::store::db::{Session, Tls, simple_row};
use crate::store::error::StoreError;

/// How long one attempt to connect takes at most, unless the URL says otherwise.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The same for another server than the one of the URL, which can be done without.
const TIMEOUT_OF_OTHERS: Duration = Duration::from_secs(1);

/// The oldest version whose SQL has everything that the statements use.
const OLDEST_VERSION: i64 = 15;

/// What a pooler refuses, or does not pass on to the server.
const IS_DIRECT: &str = "lead_workspace.is_direct";

/// What the URLs of hosted poolers often end with. The driver does not know it.
const POOLER_PARAMETER: &str = "pgbouncer=true";

/// A database and how to connect to it. It contains the password, so it is never printed.
#[derive(Clone)]
pub struct Target {
    config: Config,
    tls: Tls,
    /// Whether there is known to be a pooler.
    is_pooled: Arc<AtomicBool>,
}

impl fmt::Debug for Target {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Target")
    }
}

impl Target {
    /// Reads a URL such as `postgres://user:password@host:5432/database?sslmode=verify-full`.
    ///
    /// `sslmode` is one of
    /// - `disable`: without encryption,
    /// - `prefer`, the default: encrypted if the server can,
    /// - `require`: encrypted, without proof that the server is the right one,
    /// - `verify-full`: encrypted, and the server's certificate must be valid for the host. The system's CA
    ///   certificates are trusted, or those in the file that `SSL_CERT_FILE` names.
    ///
    /// `pgbouncer=true` changes nothing: a pooler is recognized without it.
    ///
    /// # Errors
    /// When it is no such URL. The message does not contain it.
    pub fn of_url(url: &str) -> Result<Self, StoreError> {
        let url = &without_pooler_parameter(url.trim());
        let (url, is_verified) = match url.split_once("sslmode=verify-full") {
            Some((before, after)) => (format!("{before}sslmode=require{after}"), true),
            None => (url.to_owned(), false),
        };
        let has_scheme = url.starts_with("postgres://") || url.starts_with("postgresql://");
        // The error of the driver may contain a part of the password.
        let config: Result<Config, _> = url.parse();
        let mut config = match config {
            Ok(config) if has_scheme && !config.get_hosts().is_empty() => config,
            _ => {
                return Err(StoreError::Refused(
                    "the database URL cannot be read. Nothing was changed. Write it as \
                     postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=MODE, with special characters of \
                     the password as % and two hexadecimal digits, and MODE one of disable, prefer, require \
                     and verify-full"
                        .into(),
                ));
            }
        };
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_application_name().is_none() {
            config.application_name("lead-workspace");
        }
        Ok(Self {
            config,
            tls: tls(is_verified)?,
            is_pooled: Arc::default(),
        })
    }

    /// Reads the URL from a file, so that it is not visible in the list of processes.
    ///
    /// # Errors
    /// When the file cannot be read or has no URL.
    pub fn of_file(file: &Path) -> Result<Self, StoreError> {
        let text = std::fs::read_to_string(file).map_err(|source| {
            StoreError::io(
                format!("reading the database URL in {}", file.display()),
                source,
            )
        })?;
        Self::of_url(&text)
    }

    /// Returns the same database on another server.
    pub(super) fn at(&self, host: &str, port: u16) -> Self {
        let given = &self.config;
        let mut config = Config::new();
        config
            .host(host)
            .port(port)
            .ssl_mode(given.get_ssl_mode())
            .channel_binding(given.get_channel_binding())
            .connect_timeout(TIMEOUT_OF_OTHERS)
            .keepalives(given.get_keepalives())
            .keepalives_idle(given.get_keepalives_idle());
        given.get_user().map(|user| config.user(user));
        given
            .get_password()
            .map(|password| config.password(password));
        given.get_dbname().map(|name| config.dbname(name));
        given.get_options().map(|options| config.options(options));
        given
            .get_application_name()
            .map(|name| config.application_name(name));
        Self {
            config,
            tls: self.tls.clone(),
            is_pooled: Arc::default(),
        }
    }

    pub(super) fn tls(&self) -> &Tls {
        &self.tls
    }

    /// Connects. Blocks.
    pub(super) fn connect(&self) -> Result<Session, StoreError> {
        let mut client = self.client().map_err(error::of_connecting)?;
        // Not prepared, because a pooler may be there.
        let sql = format!(
            "SELECT current_setting('server_version_num'), current_setting('{IS_DIRECT}', true),
               to_regclass('{}') IS NOT NULL",
            distribution::TABLES
        );
        let row = simple_row(&mut client, &sql)?;
        let text = |column| {
            row.as_ref()
                .and_then(|row| row.get(column))
                .unwrap_or_default()
        };
        let found = text(0).parse::<i64>().unwrap_or(0) / 10_000;
        if found < OLDEST_VERSION {
            return Err(StoreError::ServerTooOld {
                found,
                oldest: OLDEST_VERSION,
            });
        }
        let session = Session::new(client, text(1) != "on", text(2) == "t");
        distribution::set_up(&session)?;
        Ok(session)
    }

    fn client(&self) -> Result<Client, postgres::Error> {
        if !self.is_pooled.load(Ordering::Relaxed) {
            let given = self.config.get_options().unwrap_or_default();
            let mut direct = self.config.clone();
            direct.options(&format!("{given} -c {IS_DIRECT}=on"));
            match direct.connect(self.tls.clone()) {
                Err(error) if is_about_parameters(&error) => {
                    self.is_pooled.store(true, Ordering::Relaxed);
                }
                connected => return connected,
            }
        }
        self.config.connect(self.tls.clone())
    }
}

/// Whether a pooler refuses the parameters of a connection. PgBouncer has no code for that.
fn is_about_parameters(error: &postgres::Error) -> bool {
    let message = error.as_db_error().map(|error| error.message());
    message.is_some_and(|message| message.contains("startup parameter"))
}

fn without_pooler_parameter(url: &str) -> String {
    let Some((before, parameters)) = url.rsplit_once('?') else {
        return url.to_owned();
    };
    let others = parameters.split('&').filter(|one| *one != POOLER_PARAMETER);
    match others.collect::<Vec<_>>().join("&") {
        others if others.is_empty() => before.to_owned(),
        others => format!("{before}?{others}"),
    }
}

fn tls(is_verified: bool) -> Result<Tls, StoreError> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| StoreError::Unexpected(error.to_string()))?;
    let builder = if is_verified {
        builder.with_native_roots().map_err(|error| {
            StoreError::Refused(format!(
                "no trusted CA certificates found ({error}), so the certificate of the database server cannot \
                 be verified. Nothing was changed. Install the system's ca-certificates, or set SSL_CERT_FILE"
            ))
        })?
    } else {
        builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(AnyServer(provider)))
    };
    Ok(MakeRustlsConnect::new(builder.with_no_client_auth()))
}

/// Accepts every certificate, as libpq does with `sslmode` `prefer` and `require`.
#[derive(Debug)]
struct AnyServer(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyServer {
    fn verify_server_cert(
        &self,
        _certificate: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let schemes = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signature, schemes)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let schemes = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signature, schemes)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
