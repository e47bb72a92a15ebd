//! The log of the program: one line per request, and no secrets.

use std::io::Read;
#[cfg(target_os = "linux")]
use std::io::{BufRead, BufReader};
#[cfg(target_os = "linux")]
use std::process::Stdio;

use serde_json::{Value, json};

use crate::program::{Running, start, terminate};
#[cfg(target_os = "linux")]
use crate::program::{command, try_start};

/// Stops a program, and returns its log.
fn log(mut running: Running) -> String {
    let mut stderr = running.child.stderr.take().unwrap();
    let reading = std::thread::spawn(move || {
        let mut text = String::new();
        stderr.read_to_string(&mut text).unwrap();
        text
    });
    terminate(&running.child);
    assert!(running.child.wait().unwrap().success());
    reading.join().unwrap()
}

/// Sends a request with an id of its own.
fn send(running: &Running, id: &str, request: &str, body: &str) -> String {
    running.raw(&format!(
        "{request} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\nx-request-id: {id}\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{body}",
        running.key,
        body.len()
    ))
}

#[test]
fn each_request_has_one_line_with_its_id() {
    let dir = tempfile::tempdir().unwrap();
    let running = start(
        dir.path(),
        &["--demo", "20", "--log", "info", "--log-format", "json"],
    );
    let key_id = running.key.split('_').nth(1).unwrap().to_owned();
    let answer = send(&running, "id-1", "POST /api/leads/query", "{}");
    assert!(answer.contains("x-request-id: id-1"), "{answer}");
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    send(&running, "id-2", "GET /api/leads/nobody", "");
    send(&running, "id-3", "GET /api/nothing", "");
    send(&running, "id-4", "POST /import", "Name\nAna\n");
    running.raw("GET /api/leads/facets HTTP/1.1\r\nhost: localhost\r\nx-request-id: id-5\r\nconnection: close\r\n\r\n");
    let log = log(running);
    let lines: Vec<Value> = log
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let line = |id: &str| {
        let of_id = |line: &&Value| line["request_id"] == id && line["message"] == "request";
        let found: Vec<&Value> = lines.iter().filter(of_id).collect();
        assert_eq!(found.len(), 1, "{id} in {log}");
        found[0]
    };
    for (id, operation, status, caller) in [
        ("id-1", "query_leads", 200, true),
        ("id-2", "get_lead", 404, true),
        ("id-3", "none", 404, false),
        ("id-4", "import", 200, true),
        ("id-5", "get_lead_facets", 401, false),
    ] {
        let line = line(id);
        assert_eq!(line["level"], "INFO");
        assert_eq!(line["operation"], operation, "{line}");
        assert_eq!(line["status"], status, "{line}");
        assert!(line["ms"].as_f64().unwrap() > 0.0, "{line}");
        if caller {
            assert_eq!(line["key_id"], key_id, "{line}");
            assert_eq!(line["workspace"], "default", "{line}");
        } else {
            assert!(line.get("key_id").is_none(), "{line}");
        }
    }
    assert_eq!(line("id-1")["bytes"], json!(body.len()));
}

#[test]
fn an_internal_error_is_logged_with_the_id_of_its_request() {
    let dir = tempfile::tempdir().unwrap();
    let running = start(dir.path(), &["--log-format", "json"]);
    let connection = rusqlite::Connection::open(dir.path().join("workspace.db")).unwrap();
    connection
        .execute_batch("ALTER TABLE versions RENAME TO gone")
        .unwrap();
    let answer = send(&running, "id-500", "POST /api/leads/query", "{}");
    assert!(
        answer.starts_with("HTTP/1.1 500 ") && answer.contains("id-500"),
        "{answer}"
    );
    let log = log(running);
    let line = log.lines().find(|line| line.contains("storage failed"));
    let line = line.unwrap_or_else(|| panic!("{log}"));
    let line: Value = serde_json::from_str(line).unwrap();
    assert_eq!(line["span"]["request_id"], "id-500", "{line}");
}

#[test]
fn the_log_contains_no_secrets_at_any_level() {
    let dir = tempfile::tempdir().unwrap();
    for format in ["text", "json"] {
        let running = start(
            &dir.path().join(format),
            &[
                "--log",
                "lead_workspace_service=trace,debug",
                "--log-format",
                format,
            ],
        );
        let secret = running.key.rsplit('_').next().unwrap().to_owned();
        let wrong = "lwk_0123456789ab_canary-of-a-key";
        for (request, body) in [
            (
                "POST /api/leads/query",
                r#"{"search": "canary-of-a-search"}"#,
            ),
            ("POST /api/leads/query", "canary-of-a-body"),
            ("GET /api/leads/facets/search?q=canary-of-a-query", ""),
            ("GET /api/leads/canary-of-a-lead", ""),
            ("GET /canary-of-a-path?x=canary", ""),
            (
                "POST /import?list=canary-of-a-list",
                "Name\ncanary-of-a-name\n",
            ),
            ("POST /import/preview", "Name\ncanary-of-a-name\n"),
        ] {
            send(&running, "id", request, body);
            running.raw(&format!(
                "{request} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {wrong}\r\n\
                 content-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            ));
        }
        let log = log(running);
        assert!(log.matches("operation").count() >= 14, "{log}");
        for hidden in ["canary", &*secret] {
            let line = log.lines().find(|line| line.contains(hidden));
            assert_eq!(line, None, "{hidden}");
        }
    }
}

#[test]
fn a_bad_log_level_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let message = crate::program::refused(&dir.path().join("data"), &["--log", "a=b=c"]);
    assert!(
        message.contains("--log") && message.contains("Nothing was started"),
        "{message}"
    );
    assert!(!dir.path().join("data").exists());
}

/// A full disk, or a reader of the log that has gone.
#[cfg(target_os = "linux")]
#[test]
fn requests_are_answered_while_the_log_cannot_be_written() {
    let dir = tempfile::tempdir().unwrap();
    let full = std::fs::File::create("/dev/full").unwrap();
    let mut command = command(dir.path(), &["--log", "info", "--demo", "5"]);
    command.stderr(full);
    let mut running = try_start(command).unwrap();
    for _ in 0..3 {
        assert_eq!(running.leads().len(), 5);
    }
    terminate(&running.child);
    assert!(running.child.wait().unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_ready_line_that_cannot_be_written_does_not_end_the_service() {
    let dir = tempfile::tempdir().unwrap();
    let full = std::fs::File::create("/dev/full").unwrap();
    let mut child = command(dir.path(), &[])
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut log = BufReader::new(child.stderr.take().unwrap());
    log.read_line(&mut line).unwrap();
    assert!(line.contains("address cannot be printed"), "{line}");
    terminate(&child);
    assert!(child.wait().unwrap().success());
}
