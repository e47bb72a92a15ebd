//! The script of docs/operations.md that posts approved leads to another system.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::common::{Service, eventually};

/// A system that takes leads, and the ids that were posted to it.
struct Crm {
    url: String,
    posted: Arc<Mutex<Vec<String>>>,
}

impl Crm {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/leads", listener.local_addr().unwrap());
        let posted = Arc::new(Mutex::new(Vec::new()));
        let all = Arc::clone(&posted);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = BufReader::new(stream.unwrap());
                let (mut length, mut key) = (0, String::new());
                loop {
                    let mut line = String::new();
                    stream.read_line(&mut line).unwrap();
                    let line = line.trim_end();
                    match line.split_once(": ") {
                        Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                            length = value.parse().unwrap();
                        }
                        Some(("idempotency-key", value)) => key = value.to_owned(),
                        _ if line.is_empty() => break,
                        _ => {}
                    }
                }
                let mut body = vec![0; length];
                stream.read_exact(&mut body).unwrap();
                let body: Value = serde_json::from_slice(&body).unwrap();
                assert_eq!(body, json!({"lead_id": key}));
                all.lock().unwrap().push(key);
                let answer = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
                stream.get_mut().write_all(answer.as_bytes()).unwrap();
            }
        });
        Self { url, posted }
    }

    fn posted(&self) -> Vec<String> {
        let mut posted = self.posted.lock().unwrap().clone();
        posted.sort();
        posted
    }
}

/// The running script with all its programs, which are killed with it.
struct Script(Child);

impl Script {
    fn start(service: &Service, crm: &Crm, dir: &Path) -> Self {
        let page = include_str!("../../../../docs/operations.md");
        let (_, script) = page.split_once("```sh\n#!/bin/sh").unwrap();
        let (script, _) = script.split_once("```").unwrap();
        let file = dir.join("approved-leads.sh");
        std::fs::write(&file, script).unwrap();
        let [option, place] = service.database_options();
        let variable = option.to_str().unwrap().trim_start_matches("--");
        let variable = format!("LEAD_WORKSPACE_{}", variable.to_uppercase());
        let programs = Path::new(env!("CARGO_BIN_EXE_lead-workspace"));
        let programs = programs.parent().unwrap().display();
        let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
        let child = Command::new("sh")
            .arg(&file)
            .current_dir(dir)
            .env("PATH", path)
            .env(variable, place)
            .env("CRM", &crm.url)
            .stdin(Stdio::null())
            .process_group(0)
            .spawn();
        Self(child.unwrap())
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn each_approved_lead_is_posted_once() {
    for program in ["jq", "curl"] {
        let found = Command::new(program).arg("--version").output();
        assert!(found.is_ok(), "install {program}");
    }
    let service = Service::demo(40).await;
    let ids = async |status: &str| {
        let sql = "SELECT lead_id FROM leads WHERE approval_status = '";
        service.texts(&format!("{sql}{status}' ORDER BY id")).await
    };
    let mut approved = ids("approved").await;
    let pending = ids("pending_approval").await;
    let (crm, dir) = (Crm::start(), tempfile::tempdir().unwrap());
    let all_are_posted = async |approved: &[String]| {
        let mut expected = approved.to_vec();
        expected.sort();
        // Those that the script has noted. A kill before that would repeat one.
        let noted = async || {
            let noted = std::fs::read_to_string(dir.path().join("posted"));
            (noted.ok()?.lines().count() >= expected.len()).then_some(())
        };
        eventually(noted).await;
        assert_eq!(crm.posted(), expected);
    };

    let script = Script::start(&service, &crm, dir.path());
    all_are_posted(&approved).await;
    service.decide(&pending[0], "approved").await;
    service.decide(&pending[1], "rejected").await;
    approved.push(pending[0].clone());
    all_are_posted(&approved).await;

    // While it does not run, one lead is approved, and another one again.
    drop(script);
    for (lead, status) in [
        (&pending[2], "approved"),
        (&approved[0], "rejected"),
        (&approved[0], "approved"),
    ] {
        service.decide(lead, status).await;
    }
    approved.push(pending[2].clone());
    let _script = Script::start(&service, &crm, dir.path());
    all_are_posted(&approved).await;

    // After a change that does not say what it touches, all are looked at.
    let sql = "UPDATE leads SET approval_status = 'approved' WHERE lead_id = '";
    service.sql(&format!("{sql}{}'", pending[3])).await;
    approved.push(pending[3].clone());
    all_are_posted(&approved).await;
}
