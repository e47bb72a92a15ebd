//! The balancer of `packaging/nginx.conf`, which sends the requests of a workspace to the same process.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

const CONFIGURATION: &str = include_str!("../../../../packaging/nginx.conf");

/// nginx with the configuration, and other ports.
struct Balancer {
    process: Child,
    port: u16,
    _dir: tempfile::TempDir,
}

impl Balancer {
    fn start(processes: &[u16]) -> Self {
        let port = free_port();
        let mut text = CONFIGURATION.replace("127.0.0.1:8800", &format!("127.0.0.1:{port}"));
        for (at, process) in processes.iter().enumerate() {
            let known = format!("127.0.0.1:880{}", at + 1);
            assert!(text.contains(&known), "{known}");
            text = text.replace(&known, &format!("127.0.0.1:{process}"));
        }
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name).display().to_string();
        // Only what a test needs: everything in its folder, in the foreground.
        let mut global = String::from("daemon off; master_process off; ");
        global.push_str(&format!(
            "pid {}; error_log {};",
            path("pid"),
            path("errors")
        ));
        let inside = format!(
            "http {{ access_log off; client_body_temp_path {};",
            path("bodies")
        );
        let others = ["proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|name| format!(" {name}_temp_path {};", path(name)))
            .concat();
        let text = text.replacen("http {", &(inside + &others), 1);
        std::fs::write(path("nginx.conf"), text).unwrap();
        let process = Command::new("nginx")
            .args([
                "-p",
                &path(""),
                "-c",
                &path("nginx.conf"),
                "-e",
                &path("errors"),
            ])
            .args(["-g", &global])
            .spawn()
            .expect("nginx is missing; cargo xtask test --only citus installs it");
        let balancer = Self {
            process,
            port,
            _dir: dir,
        };
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(
                began.elapsed() < Duration::from_secs(30),
                "nginx did not start"
            );
            std::thread::yield_now();
        }
        balancer
    }

    /// Returns which process answers a request of a workspace.
    fn ask(&self, workspace: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let request = format!(
            "GET / HTTP/1.1\r\nHost: leads.example\r\nx-tenant-id: {workspace}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        answer.lines().last().unwrap().to_owned()
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_port() -> u16 {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    free.local_addr().unwrap().port()
}

/// Starts a process that answers with its name. It ends after a request to `/stop`.
fn process(name: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let first = lines.next().and_then(Result::ok).unwrap_or_default();
            if first.contains("/stop") {
                return;
            }
            let host = lines
                .map_while(Result::ok)
                .take_while(|line| !line.is_empty());
            let host = host
                .into_iter()
                .find(|line| line.eq_ignore_ascii_case("host: leads.example"));
            assert!(host.is_some() || first.is_empty(), "the host is passed on");
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{name}",
                name.len()
            );
        }
    });
    port
}

#[test]
#[ignore = "needs nginx: cargo xtask test --only citus"]
fn a_workspace_finds_its_process_until_that_has_gone() {
    let ports = [process("one"), process("two"), process("three")];
    let balancer = Balancer::start(&ports);
    let workspaces: Vec<String> = (1..=30).map(|at| format!("team-{at}")).collect();
    let places = || -> BTreeMap<&str, String> {
        let place = |workspace: &String| balancer.ask(workspace);
        workspaces.iter().map(|one| (&**one, place(one))).collect()
    };
    let before = places();
    assert_eq!(places(), before);
    let used: BTreeSet<&str> = before.values().map(String::as_str).collect();
    assert_eq!(used.len(), 3);
    let mut stream = TcpStream::connect(("127.0.0.1", ports[0])).unwrap();
    stream.write_all(b"GET /stop HTTP/1.1\r\n\r\n").unwrap();
    let after = places();
    for (workspace, place) in before {
        let now = &after[workspace];
        assert!(
            if place == "one" {
                now != "one"
            } else {
                *now == place
            },
            "{workspace}: {now}"
        );
    }
}
