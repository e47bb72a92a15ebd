//! The stream of changes of running programs, and `lead-workspace tail`.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::common::{Service, failed};
use crate::event_stream::Event;
#[cfg(unix)]
use crate::program::terminate;
use crate::program::{Running, program, start};

/// The stream of a running program.
struct Stream(BufReader<TcpStream>);

impl Stream {
    fn open(process: &Running, since: Option<i64>) -> Self {
        let mut stream = TcpStream::connect(&process.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let since = since.map_or_else(String::new, |since| format!("?since={since}"));
        write!(
            stream,
            "GET /api/leads/changes{since} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n\r\n",
            process.address, process.key
        )
        .unwrap();
        Self(BufReader::new(stream))
    }

    /// Returns the next event. What is not a line of an event, such as the sizes of chunks, is left out.
    fn next(&mut self) -> Option<Event> {
        let mut lines = String::new();
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            if line.starts_with("data: ") {
                return Event::of(&(lines + &line));
            }
            if line.starts_with("event: ") || line.starts_with("id: ") {
                lines += &line;
            }
        }
    }

    fn change(&mut self, kind: &str) -> Event {
        loop {
            let event = self.next().expect("the stream has ended");
            if event.kinds().contains(&kind) {
                return event;
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn processes_see_the_changes_of_each_other() {
    use crate::program::{on_database, start_by};
    use lead_workspace_test_postgres::{Pooler, Server, pgbouncer};

    let database = Server::shared().empty_database();
    let pooler = pgbouncer().map(|_| Pooler::start(&database));
    // One of them hears no announcements, if there is a pooler.
    let pooled = pooler
        .as_ref()
        .map_or_else(|| database.url(), |pooler| pooler.url(&database));
    let urls = [database.url(), database.url(), pooled];
    let processes = urls.map(|url| start_by(on_database(&url)));
    let leads = processes[0].leads();
    let mut streams: Vec<Stream> = processes
        .iter()
        .map(|process| Stream::open(process, None))
        .collect();
    for stream in &mut streams {
        assert_eq!(stream.next().unwrap().name, "open");
    }
    for (process, lead) in processes.iter().zip(&leads) {
        process.decide(lead, "filtered");
        for stream in &mut streams {
            let event = stream.change("status");
            assert_eq!(event.ids("status").unwrap(), std::slice::from_ref(lead));
        }
    }
}

#[cfg(unix)]
#[test]
fn a_stream_goes_on_at_the_next_start() {
    let dir = tempfile::tempdir().unwrap();
    let mut process = start(dir.path(), &["--demo", "5"]);
    let leads = process.leads();
    let mut stream = Stream::open(&process, None);
    stream.next().unwrap();
    process.decide(&leads[0], "filtered");
    let last = stream.change("status").id;
    process.decide(&leads[1], "filtered");
    stream.change("status");
    terminate(&process.child);
    assert_eq!(stream.next(), None);
    assert!(process.child.wait().unwrap().success());
    let process = start(dir.path(), &[]);
    let mut stream = Stream::open(&process, Some(last));
    let event = stream.change("status");
    assert_eq!(event.ids("status").unwrap(), leads[1..2]);
}

/// A running `lead-workspace tail`; killed when dropped.
struct Tail {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
}

impl Drop for Tail {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Tail {
    fn start(database: &[OsString], arguments: &[&str]) -> Self {
        let mut child = program(&["tail"])
            .args(database)
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines }
    }

    fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        match self.lines.read_line(&mut line).unwrap() {
            0 => None,
            _ => Some(serde_json::from_str(&line).unwrap()),
        }
    }

    fn event(&mut self, name: &str) -> Value {
        let line = self.next().expect("it has ended");
        assert_eq!(line["event"], name, "{line}");
        line
    }
}

/// The approved leads of a line.
fn approved(line: &Value) -> Vec<&str> {
    let changes = line["changes"].as_array().unwrap().iter();
    let approved = changes.filter(|change| change["approval_status"] == "approved");
    let ids = approved.flat_map(|change| change["ids"].as_array().unwrap());
    ids.map(|id| id.as_str().unwrap()).collect()
}

#[tokio::test]
async fn tail_prints_the_changes_and_goes_on_where_it_ended() {
    let service = Service::demo(20).await;
    let sql = "SELECT lead_id FROM leads WHERE approval_status = 'pending_approval' ORDER BY id";
    let leads = service.texts(sql).await;
    let database = service.database_options();
    let mut tail = Tail::start(&database, &[]);
    let open = tail.event("open");
    service.decide(&leads[0], "approved").await;
    let line = tail.event("change");
    assert!(line["version"].as_i64() > open["version"].as_i64());
    assert_eq!(approved(&line), [&leads[0]]);
    drop(tail);

    // What happens meanwhile is printed by the next run.
    service.decide(&leads[1], "approved").await;
    let since = line["version"].to_string();
    let mut tail = Tail::start(&database, &["--since", &since, "--once"]);
    assert_eq!(tail.event("open")["version"], line["version"]);
    let line = tail.event("change");
    assert_eq!(approved(&line), [&leads[1]]);
    assert_eq!(tail.next(), None);
    assert!(tail.child.wait().unwrap().success());

    let since = line["version"].to_string();
    let mut tail = Tail::start(&database, &["--since", &since, "--once"]);
    tail.event("open");
    assert_eq!(tail.next(), None);

    service.sql("UPDATE leads SET title = 'Owner'").await;
    let mut tail = Tail::start(&database, &["--since", &since, "--once"]);
    tail.event("open");
    let reset = tail.event("reset");
    assert!(reset["version"].as_i64() > line["version"].as_i64());
}

#[tokio::test]
async fn tail_needs_a_workspace() {
    let service = Service::empty().await;
    let message = failed(&service.program(&["tail", "--workspace", "nowhere"]));
    assert!(message.contains("nowhere"), "{message}");
}
