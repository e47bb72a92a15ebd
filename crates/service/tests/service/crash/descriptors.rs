//! The process may open no more files and connections.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::folder::Folder;
use crate::program::Running;

#[test]
fn a_service_without_descriptors_says_so_and_recovers() {
    let folder = Folder::demo(100);
    let service = folder.start(&[]);
    let lead = service.leads().remove(0);
    let mut open = Connection::new(&service);
    assert_eq!(open.call("GET", "/health", "").0, 200);

    // Fewer than are open: nothing can be opened any more.
    let limits = limit(&service, None);
    limit(&service, Some("1"));
    let waiting = {
        let (address, key) = (service.address.clone(), service.key.clone());
        thread::spawn(move || Connection::to(&address, &key).call("GET", "/health", "").0)
    };
    // The health of the last second is still known.
    thread::sleep(Duration::from_millis(1200));
    let (status, body) = open.call("GET", "/health", "");
    assert_eq!(status, 503);
    let reason = r#""name":"database","ok":false,"reason":"the database cannot be read""#;
    assert!(body.contains(reason), "{body}");
    assert!(
        folder.log().contains("limit of open files"),
        "{}",
        folder.log()
    );
    // The files that are needed to write are open.
    let path = format!("/api/leads/{lead}");
    let approve = json!({"approval_status": "approved"}).to_string();
    let (status, body) = open.call("PATCH", &path, &approve);
    assert_eq!(status, 200, "{body}");

    limit(&service, Some(&limits));
    assert!([200, 503].contains(&waiting.join().unwrap()));
    let deadline = Instant::now() + Duration::from_secs(30);
    while service.call("GET", "/health", &Value::Null).0 != 200 {
        assert!(Instant::now() < deadline, "{}", folder.log());
    }
    let (_, found) = service.call("GET", &path, &Value::Null);
    assert_eq!(found["approval_status"], "approved");
    drop(service);
    let service = folder.start(&[]);
    let (_, found) = service.call("GET", &path, &Value::Null);
    assert_eq!(found["approval_status"], "approved");
    folder.check();
}

/// Returns the soft limit of open files of the service, or sets it.
fn limit(service: &Running, to: Option<&str>) -> String {
    let mut prlimit = Command::new("prlimit");
    prlimit.args(["--pid", &service.child.id().to_string()]);
    match to {
        Some(to) => prlimit.arg(format!("--nofile={to}:")),
        None => prlimit.args(["--nofile", "--output=SOFT", "--noheadings"]),
    };
    let output = prlimit.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A connection that stays open for several requests.
struct Connection {
    stream: BufReader<TcpStream>,
    key: String,
}

impl Connection {
    fn new(service: &Running) -> Self {
        Self::to(&service.address, &service.key)
    }

    fn to(address: &str, key: &str) -> Self {
        Self {
            stream: BufReader::new(TcpStream::connect(address).unwrap()),
            key: key.to_owned(),
        }
    }

    fn call(&mut self, method: &str, path: &str, body: &str) -> (u16, String) {
        write!(
            self.stream.get_mut(),
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n\
             content-length: {}\r\n\r\n{body}",
            self.key,
            body.len()
        )
        .unwrap();
        let (mut status, mut length) = (0, 0);
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).unwrap();
            let line = line.trim().to_ascii_lowercase();
            if let Some(rest) = line.strip_prefix("http/1.1 ") {
                status = rest[..3].parse().unwrap();
            } else if let Some(rest) = line.strip_prefix("content-length: ") {
                length = rest.parse().unwrap();
            } else if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).unwrap();
        (status, String::from_utf8(body).unwrap())
    }
}
