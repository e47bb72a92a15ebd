//! Known keys must not leak into responses, logs or files.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::thread::JoinHandle;

use crate::metrics::metrics_address;
use crate::program::{Running, start_in};

const UPSTREAMS: &str = "canary-1f6b0c-of-the-upstream";

/// Sends valid and invalid requests with the key, and returns everything that was received.
fn answers(running: &Running) -> String {
    let json = "content-type: application/json\r\n";
    let long = "x".repeat(70_000);
    let mut all = String::new();
    for (line, headers, body) in [
        ("POST /api/leads/query", json, "{}"),
        ("POST /api/leads/query", json, "{\"page\": \"one\"}"),
        ("POST /api/leads/query", json, "no JSON"),
        ("GET /api/leads/unknown", "", ""),
        ("GET /api/nothing", "", ""),
        ("PUT /api/leads/x", "", ""),
        ("GET /api/leads/..%2f", "", ""),
        ("GET /", "accept: text/html\r\n", ""),
        ("GET /health", "", ""),
        ("GET /openapi.json", "", ""),
        (
            "POST /import?file_name=a.csv&list=Desk",
            "",
            "Name\nAna\n,\n",
        ),
        ("POST /import?map=x", "", ""),
        ("POST /import/preview", "", "Name\nAna\n"),
        ("POST /api/leads/score", json, "{}"),
        ("GET /api/leads/facets", "x-tenant-id: another\r\n", ""),
        ("GET /api/leads/facets", &format!("x-long: {long}\r\n"), ""),
        ("TRACE /api/leads/facets", "", ""),
        ("nonsense", "", ""),
    ] {
        let mut stream = TcpStream::connect(&running.address).unwrap();
        let request = format!(
            "{line} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n{headers}\
             content-length: {}\r\nconnection: close\r\n\r\n{body}",
            running.address,
            running.key,
            body.len()
        );
        // The service may close the connection early when it rejects the head.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        all.push_str(&String::from_utf8_lossy(&answer));
    }
    all
}

/// An upstream that returns the request it received, as a page and as JSON.
fn echo() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            let Ok(mut stream) = stream else { continue };
            let mut lines = BufReader::new(&stream).lines();
            let mut head = Vec::new();
            while let Some(Ok(line)) = lines.next() {
                if line.is_empty() {
                    break;
                }
                head.push(line);
            }
            let (status, kind) = match number % 3 {
                0 => ("500 Oops", "text/html"),
                1 => ("422 No", "application/json"),
                _ => ("200 OK", "application/json"),
            };
            let body = serde_json::to_string(&head).unwrap();
            let _ = write!(
                stream,
                "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    format!("http://{address}")
}

/// Returns the page of metrics, with its head.
fn metrics_of(data: &Path) -> String {
    let address = metrics_address(data);
    let mut stream = TcpStream::connect(&address).unwrap();
    write!(
        stream,
        "GET /metrics HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.contains("lead_workspace_"), "{answer}");
    answer
}

/// Reads the whole log on a thread, so that the program never blocks on the pipe.
fn log_of(running: &mut Running) -> JoinHandle<String> {
    let mut stderr = running.child.stderr.take().unwrap();
    std::thread::spawn(move || {
        let mut log = String::new();
        stderr.read_to_string(&mut log).unwrap();
        log
    })
}

fn holds(text: &[u8], secret: &str) -> bool {
    text.windows(secret.len())
        .any(|part| part == secret.as_bytes())
}

/// Asserts that no file of a folder contains a secret, except the start key file.
fn search(dir: &Path, secret: &str) {
    let mut files = 0;
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("start-key") {
            continue;
        }
        files += 1;
        assert!(
            !holds(&std::fs::read(&path).unwrap(), secret),
            "{}",
            path.display()
        );
    }
    assert!(files > 1, "{} is empty", dir.display());
}

/// Copies the database as a backup does, and asserts that the key is in the copy, as its hash.
fn copy_database(data: &Path, copy: &Path, key: &str) {
    let database = rusqlite::Connection::open(data.join("workspace.db")).unwrap();
    database
        .execute("VACUUM INTO ?1", [copy.to_str().unwrap()])
        .unwrap();
    let id = key.split('_').nth(1).unwrap();
    let hash: Vec<u8> = rusqlite::Connection::open(copy)
        .unwrap()
        .query_row(
            "SELECT secret_hash FROM api_keys WHERE key_id = ?1",
            [id],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(hash.len(), 32);
}

#[test]
fn a_key_never_appears_in_responses_logs_or_files() {
    let folder = tempfile::tempdir().unwrap();
    let trace = ("LEAD_WORKSPACE_LOG", Path::new("trace"));
    let key_file = folder.path().join("upstream-key");
    std::fs::write(&key_file, UPSTREAMS).unwrap();
    let upstream = echo();
    let gateway = [
        "--upstream",
        &upstream,
        "--upstream-key-file",
        key_file.to_str().unwrap(),
    ];
    // Each way to run the service is a row: an option that writes or answers anything more belongs here.
    let operated = [
        "--demo",
        "20",
        "--log-format",
        "json",
        "--metrics",
        "127.0.0.1:0",
    ];
    for (name, arguments) in [
        ("plain", &["--demo", "20"][..]),
        ("operated", &operated),
        ("gateway", &gateway),
    ] {
        let data = folder.path().join(name);
        let mut running = start_in(&data, arguments, trace);
        let log = log_of(&mut running);
        let secret = running.key.rsplit('_').next().unwrap().to_owned();
        let mut answered = answers(&running);
        if arguments.contains(&"--metrics") {
            answered += &metrics_of(&data);
        }
        assert!(answered.contains("HTTP/1.1 "), "{answered}");
        let copy = folder.path().join(format!("copy-{name}.db"));
        copy_database(&data, &copy, &running.key);
        for secret in [secret.as_str(), UPSTREAMS] {
            search(&data, secret);
            assert!(
                !holds(&std::fs::read(&copy).unwrap(), secret),
                "{name}: the copy"
            );
            assert!(!answered.contains(secret), "{name}: {answered}");
        }
        drop(running);
        let log = log.join().unwrap();
        assert!(log.contains("query_leads"), "{name}: the log is off");
        for secret in [secret.as_str(), UPSTREAMS] {
            assert!(!log.contains(secret), "{name}: the log contains a key");
            search(&data, secret);
        }
    }
}
