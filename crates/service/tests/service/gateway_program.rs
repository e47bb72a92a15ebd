//! The program as a gateway: its options, and an upstream behind TLS.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use crate::program::{refused, start, start_in};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, text: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

/// The options of a gateway.
fn of<'a>(upstream: &'a str, key: &'a Path) -> [&'a str; 4] {
    let key = key.to_str().unwrap();
    ["--upstream", upstream, "--upstream-key-file", key]
}

#[test]
fn a_gateway_serves_the_leads_of_its_upstream() {
    let (up, down) = (Folder::new(), Folder::new());
    let upstream = start(up.path(), &["--demo", "30"]);
    let key = down.file("upstream-key", format!("{}\n", upstream.key).as_bytes());
    let url = format!("http://{}", upstream.address);
    let gateway = start(&down.path().join("data"), &of(&url, &key));
    assert_ne!(gateway.key, upstream.key);
    let (status, body) = gateway.call("POST", "/api/leads/query", &json!({}));
    assert_eq!((status, &body["total"]), (200, &json!(30)));
    drop(upstream);
    let (status, body) = gateway.call("POST", "/api/leads/query", &json!({}));
    assert_eq!(status, 502, "{body}");
}

#[test]
fn a_changed_key_file_applies_without_a_restart() {
    let (up, down) = (Folder::new(), Folder::new());
    let upstream = start(up.path(), &[]);
    let key = down.file("upstream-key", b"lwk_0123456789ab_of-yesterday\n");
    let url = format!("http://{}", upstream.address);
    let gateway = start(&down.path().join("data"), &of(&url, &key));
    let send = || gateway.call("POST", "/api/leads/query", &json!({}));
    let (status, body) = send();
    assert_eq!(status, 502);
    let message = body["detail"].as_str().unwrap();
    assert!(message.contains("no restart is needed"), "{message}");
    let until = |wanted: u16| {
        let deadline = Instant::now() + Duration::from_secs(30);
        while send().0 != wanted {
            assert!(Instant::now() < deadline, "the key file was not reloaded");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    // An invalid file content leaves the previous key in use.
    down.file("upstream-key", b"");
    down.file("upstream-key", upstream.key.as_bytes());
    until(200);
    down.file("upstream-key", b"lwk_0123456789ab_revoked\n");
    until(502);
}

#[test]
fn invalid_gateway_options_are_reported_before_start() {
    let folder = Folder::new();
    let data = folder.path().join("data");
    let fine = &*folder.file("key", b"secret-1\n");
    let two = folder.file("two", b"secret-1\nsecret-2\n");
    let empty = folder.file("empty", b"\n");
    let picture = folder.file("picture", &[0x89, b's', b'e', b'c', b'r', b'e', b't', 0xff]);
    let url = "http://127.0.0.1:9";
    let missing = Path::new("/missing/key");
    let with = |more: &[&'static str]| [&of(url, fine), more].concat();
    for (arguments, words) in [
        (of(url, fine)[..2].to_vec(), "--upstream-key-file"),
        (of(url, fine)[2..].to_vec(), "--upstream"),
        (of("127.0.0.1:9", fine).to_vec(), "an upstream looks like"),
        (of("http://a:b@c", fine).to_vec(), "a password"),
        (of(url, missing).to_vec(), "/missing/key"),
        (of(url, &two).to_vec(), "more than one line"),
        (of(url, &empty).to_vec(), "is empty"),
        (of(url, &picture).to_vec(), "not text"),
        (with(&["--demo", "5"]), "cannot be used with"),
        (with(&["--allow", "/import"]), "must start with /api/"),
        (with(&["--allow", "/api/../x"]), "is not a path"),
        (
            with(&["--upstream-job-path", "/api/jobs"]),
            "exactly one id",
        ),
    ] {
        let message = refused(&data, &arguments);
        assert!(message.contains(words), "{arguments:?}: {message}");
        assert!(!message.contains("secret-"), "{message}");
    }
    assert!(!data.exists());
}

/// Starts a server that answers every request over TLS, with a certificate for `localhost`.
///
/// Returns its address and the certificate in PEM format.
async fn behind_tls() -> (SocketAddr, String) {
    let own = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(own.signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder().with_no_client_auth();
    let config = config
        .with_single_cert(vec![own.cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // A client that does not trust the certificate aborts here.
            let Ok(mut stream) = acceptor.accept(stream).await else {
                continue;
            };
            let _ = stream.read(&mut [0; 4096]).await;
            let answer = "HTTP/1.1 200 OK\r\ncontent-length: 15\r\n\r\n{\"total\":12345}";
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    (address, own.cert.pem())
}

#[test]
fn an_upstream_certificate_is_verified() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (address, trusted) = runtime.block_on(behind_tls());
    let (_, other) = runtime.block_on(behind_tls());
    let folder = Folder::new();
    let key = folder.file("key", b"secret-1");
    for (name, certificate, host, expected) in [
        ("trusted", &trusted, "localhost", 200),
        ("other", &other, "localhost", 502),
        ("address", &trusted, "127.0.0.1", 502),
    ] {
        let roots = folder.file(&format!("{name}.pem"), certificate.as_bytes());
        let url = format!("https://{host}:{}", address.port());
        let data = folder.path().join(name);
        let gateway = start_in(&data, &of(&url, &key), ("SSL_CERT_FILE", &roots));
        let (status, body) = gateway.call("POST", "/api/leads/query", &json!({}));
        assert_eq!(status, expected, "{name}: {body}");
        let message = body["detail"].as_str().unwrap_or("certificate");
        assert!(message.contains("certificate"), "{message}");
    }
}
