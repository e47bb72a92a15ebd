//! Encrypted connections to PostgreSQL, by the modes of `sslmode`. The server refuses others.

use std::path::PathBuf;

use lead_workspace_test_postgres::Server;

use crate::program::program;

struct Encrypted {
    server: Server,
    dir: tempfile::TempDir,
}

impl Encrypted {
    /// A server whose certificate is for `localhost`.
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (certificate, key) = issue();
        std::fs::write(dir.path().join("server.pem"), &certificate).unwrap();
        std::fs::write(dir.path().join("other.pem"), issue().0).unwrap();
        let server = Server::start_encrypted(&certificate, &key).unwrap();
        Self { server, dir }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Creates a key in the database, and trusts the certificates in a file. Returns the error, if there is one.
    fn error(&self, host: &str, mode: &str, trusted: &str) -> Option<String> {
        let url = self.server.encrypted_url(host);
        let output = program(&["keys", "create", "--name", "test"])
            .args(["--database", &format!("{url}?sslmode={mode}")])
            .env("SSL_CERT_FILE", self.file(trusted))
            .env_remove("SSL_CERT_DIR")
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        (!output.status.success()).then_some(error)
    }
}

/// Makes a certificate and its key, as PEM texts.
fn issue() -> (String, String) {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".into()]).unwrap();
    (made.cert.pem(), made.signing_key.serialize_pem())
}

#[test]
fn the_certificate_is_verified_if_the_mode_says_so() {
    let encrypted = Encrypted::new();
    for (host, mode, trusted) in [
        ("localhost", "verify-full", "server.pem"),
        ("localhost", "require", "other.pem"),
        ("127.0.0.1", "require", "other.pem"),
        ("localhost", "prefer", "other.pem"),
    ] {
        assert_eq!(encrypted.error(host, mode, trusted), None, "{mode}");
    }
    for (host, mode, trusted, reason) in [
        ("localhost", "disable", "server.pem", "no encryption"),
        ("localhost", "verify-full", "other.pem", "certificate"),
        (
            "127.0.0.1",
            "verify-full",
            "server.pem",
            "not valid for name",
        ),
        (
            "localhost",
            "verify-full",
            "missing.pem",
            "no trusted CA certificates",
        ),
    ] {
        let error = encrypted.error(host, mode, trusted).unwrap();
        assert!(error.contains(reason), "{mode}: {error}");
    }
}
