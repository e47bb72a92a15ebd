//! The program with a certificate of its own.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lead_workspace_service::http::{Limits, Tls, accept_loop};
use tokio::io::AsyncReadExt;
use tokio::sync::oneshot;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::common::failed;
use crate::program::{Running, refused, run, start};

/// A folder with the two files, and the certificate that they hold.
struct Files {
    dir: tempfile::TempDir,
    certificate: CertificateDer<'static>,
}

impl Files {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let certificate = issue(dir.path());
        Self { dir, certificate }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn options(&self) -> Vec<String> {
        let path = |name| self.path(name).to_str().unwrap().to_owned();
        vec![
            "--tls-cert".into(),
            path("cert.pem"),
            "--tls-key".into(),
            path("key.pem"),
        ]
    }

    fn start(&self) -> Running {
        let options = self.options();
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        start(&self.path("data"), &options)
    }

    fn refused(&self) -> String {
        let options = self.options();
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let message = refused(&self.path("data"), &options);
        assert!(!self.path("data").exists());
        message
    }
}

/// Writes a new certificate and its key into a folder.
fn issue(dir: &Path) -> CertificateDer<'static> {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".into()]).unwrap();
    std::fs::write(dir.join("cert.pem"), made.cert.pem()).unwrap();
    std::fs::write(dir.join("key.pem"), made.signing_key.serialize_pem()).unwrap();
    made.cert.der().clone()
}

/// Sends a request to a service whose certificate must be this one.
fn get(address: &str, trusted: &CertificateDer<'static>) -> std::io::Result<String> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let config = ClientConfig::builder()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let client = ClientConnection::new(Arc::new(config), name).unwrap();
    let mut stream = StreamOwned::new(client, TcpStream::connect(address)?);
    stream.write_all(b"GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

#[test]
fn the_service_is_encrypted_and_takes_renewed_files() {
    let files = Files::new();
    let running = files.start();
    let answer = get(&running.address, &files.certificate).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    let renewed = issue(files.dir.path());
    let began = Instant::now();
    while get(&running.address, &renewed).is_err() {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "the renewed certificate is not in use"
        );
    }
    assert!(get(&running.address, &files.certificate).is_err());
}

#[test]
fn a_bad_renewal_keeps_the_previous_certificate() {
    let files = Files::new();
    let tls = Tls::from_files(files.path("cert.pem"), files.path("key.pem")).unwrap();
    assert_eq!(tls.reload_if_changed(), Ok(false));
    let other = Files::new();
    let rewrite = |name: &str, text: &[u8]| {
        std::fs::write(files.path(name), text).unwrap();
        // Two writes may fall into one tick of the file system's clock.
        let file = std::fs::File::options()
            .append(true)
            .open(files.path(name))
            .unwrap();
        let later = std::time::SystemTime::now() + Duration::from_secs(60);
        file.set_modified(later).unwrap();
    };
    rewrite("key.pem", &std::fs::read(other.path("key.pem")).unwrap());
    let error = tls.reload_if_changed().unwrap_err();
    assert!(error.contains("does not belong to"), "{error}");
    // Tried again: a file may become readable without being written.
    assert_eq!(tls.reload_if_changed(), Err(error));
    rewrite("cert.pem", &std::fs::read(other.path("cert.pem")).unwrap());
    assert_eq!(tls.reload_if_changed(), Ok(true));
}

#[test]
fn a_missing_wrong_or_mismatched_pair_is_refused() {
    let files = Files::new();
    let other = Files::new();
    let cert = std::fs::read(files.path("cert.pem")).unwrap();
    std::fs::copy(other.path("key.pem"), files.path("key.pem")).unwrap();
    let message = files.refused();
    assert!(message.contains("does not belong to"), "{message}");

    std::fs::write(files.path("key.pem"), "canary-of-a-key").unwrap();
    let message = files.refused();
    assert!(
        message.contains("--tls-key") && message.contains("PEM"),
        "{message}"
    );
    assert!(!message.contains("canary"), "{message}");

    std::fs::write(files.path("cert.pem"), "").unwrap();
    let message = files.refused();
    assert!(message.contains("contains no certificate"), "{message}");

    std::fs::remove_file(files.path("key.pem")).unwrap();
    std::fs::write(files.path("cert.pem"), cert).unwrap();
    let message = files.refused();
    assert!(
        message.contains("key.pem") && message.contains("Nothing was started"),
        "{message}"
    );

    let path = files.path("cert.pem");
    let message = refused(&files.path("data"), &["--tls-cert", path.to_str().unwrap()]);
    assert!(message.contains("--tls-key"), "{message}");
}

/// Serves nothing over TLS, until the returned sender is dropped.
async fn serve_nothing(files: &Files, header_time: Duration) -> (SocketAddr, oneshot::Sender<()>) {
    let tls = Tls::from_files(files.path("cert.pem"), files.path("key.pem")).unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let limits = Limits {
        header_time,
        ..Limits::default()
    };
    let (stop, stopped) = oneshot::channel();
    let stopped = async { drop(stopped.await) };
    let router = axum::Router::new();
    tokio::spawn(accept_loop::serve_tls(
        listener,
        router,
        limits,
        Some(tls),
        stopped,
    ));
    (address, stop)
}

/// The service closes the connection; there is no time limit in this test.
#[tokio::test]
async fn a_client_without_a_handshake_is_disconnected() {
    let files = Files::new();
    let (address, _stop) = serve_nothing(&files, Duration::from_millis(100)).await;
    let mut silent = tokio::net::TcpStream::connect(address).await.unwrap();
    let mut answer = Vec::new();
    silent.read_to_end(&mut answer).await.unwrap();
    assert!(answer.is_empty());
}

#[tokio::test]
async fn a_stop_does_not_wait_for_handshakes() {
    let files = Files::new();
    let (address, stop) = serve_nothing(&files, Duration::from_secs(3600)).await;
    let mut silent = tokio::net::TcpStream::connect(address).await.unwrap();
    // A second connection that is served shows that the first was accepted.
    let address = address.to_string();
    let get = move || get(&address, &files.certificate);
    tokio::task::spawn_blocking(get).await.unwrap().unwrap();
    drop(stop);
    let mut answer = Vec::new();
    let closed = tokio::time::timeout(Duration::from_secs(60), silent.read_to_end(&mut answer));
    closed.await.expect("the connection is still open").unwrap();
}

#[test]
fn other_machines_may_be_served_with_tls() {
    let files = Files::new();
    let mut options = files.options();
    options.extend(["--host".into(), "0.0.0.0".into()]);
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let running = start(&files.path("data"), &options);
    let port = running.address.rsplit(':').next().unwrap();
    let answer = get(&format!("127.0.0.1:{port}"), &files.certificate).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

#[test]
fn an_import_beside_a_service_with_tls_says_what_to_do() {
    let files = Files::new();
    let _running = files.start();
    let leads = files.path("leads.csv");
    std::fs::write(&leads, "Name\nAna\n").unwrap();
    let import = ["import", leads.to_str().unwrap()];
    let message = failed(&run(&import, &files.path("data")));
    assert!(
        message.contains("uses TLS") && message.contains("Nothing was imported"),
        "{message}"
    );
}
