//! Clients that write until the service ends, and know what they were told.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::thread;

use fastrand::Rng;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::folder::{Folder, count};
use super::server::Server;
use crate::common::body_of;

const STATUSES: [&str; 3] = ["approved", "rejected", "pending_approval"];

/// Lines of an imported file: several batches, the last of which is not full.
const LINES: usize = 450;

/// Different files of a client. Later imports change the leads of earlier ones, and add those that
/// were deleted.
const FILES: usize = 3;

/// A lead's state as its client knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Status(&'static str),
    Deleted,
}

/// The states that a lead may be in: the last acknowledged one, and those that were requested later
/// and got no answer.
type Possible = Vec<State>;

/// A client, which alone writes its leads.
pub struct Client {
    random: Rng,
    leads: BTreeMap<String, Possible>,
    name: String,
    /// Leads of its imports, which it may delete.
    imported: Vec<String>,
    /// Number of imports that were acknowledged.
    imports: usize,
    /// Whether the next import has begun and got no answer.
    is_interrupted: bool,
    /// For each file that was imported, how many leads were deleted afterwards.
    files: BTreeMap<usize, usize>,
    /// Jobs whose start was acknowledged.
    jobs: Vec<String>,
    acknowledged: usize,
}

/// The clients of a service, each with its part of the leads.
pub struct Clients(Vec<Client>);

impl Clients {
    pub fn new(folder: &Folder, number: usize, seed: u64) -> Self {
        let connection = folder.connection();
        let states = states(&connection, "TRUE");
        let clients = (0..number).map(|client| Client {
            random: Rng::with_seed(seed.wrapping_mul(1000) + client as u64),
            leads: states
                .iter()
                .skip(client)
                .step_by(number)
                .map(|(lead, state)| (lead.clone(), vec![*state]))
                .collect(),
            name: format!("c{client}"),
            imported: Vec::new(),
            imports: 0,
            is_interrupted: false,
            files: BTreeMap::new(),
            jobs: Vec::new(),
            acknowledged: 0,
        });
        Self(clients.collect())
    }

    /// Writes until `goes_on` says no, or the service no longer answers. Each client has a thread.
    pub fn work(&mut self, service: &impl Server, goes_on: impl Fn() -> bool + Sync) {
        thread::scope(|scope| {
            for client in &mut self.0 {
                let goes_on = &goes_on;
                scope.spawn(move || while goes_on() && client.act(service).is_ok() {});
            }
        });
    }

    /// Writes one thing of each kind, so that a point in any of them is reached.
    pub fn do_everything(&mut self, service: &impl Server) {
        for client in &mut self.0 {
            // An error means that the service has ended.
            let _ = client.do_everything(service);
        }
        // The columns of the index are in memory, so that a stop saves them.
        let _ = leads_with(service, "approval_status", "approved");
    }

    /// Checks after a restart that every acknowledged write is there, and that interrupted imports
    /// can be repeated. All jobs must have ended.
    pub fn check(&mut self, folder: &Folder, service: &impl Server) {
        let connection = folder.connection();
        for client in &mut self.0 {
            client.check(&connection);
        }
        for client in &mut self.0 {
            client.repeat_import(service);
        }
        for client in &mut self.0 {
            client.check_imports(&connection);
        }
    }

    /// Checks that lists have the rows of the database, also with the index that a killed process has saved.
    pub fn check_lists(folder: &Folder, service: &impl Server) {
        let connection = folder.connection();
        for (field, values) in [
            (
                "approval_status",
                &["pending_approval", "approved", "rejected", "filtered"][..],
            ),
            ("icp_tier", &["A", "B", "C", "D"]),
        ] {
            for value in values {
                let sql = format!("SELECT count(*) FROM leads WHERE {field} = '{value}'");
                let found = leads_with(service, field, value).unwrap();
                assert_eq!(found, count(&connection, &sql), "{field} {value}");
            }
        }
    }

    /// Number of writes that were acknowledged.
    pub fn acknowledged(&self) -> usize {
        self.0.iter().map(|client| client.acknowledged).sum()
    }
}

/// The states of leads in the database.
fn states(connection: &Connection, condition: &str) -> BTreeMap<String, State> {
    let sql = format!("SELECT lead_id, approval_status FROM leads WHERE {condition}");
    let mut select = connection.prepare(&sql).unwrap();
    let rows = select.query_map([], |row| {
        let status: String = row.get(1)?;
        Ok((row.get(0)?, State::Status(status_of(&status))))
    });
    rows.unwrap().map(Result::unwrap).collect()
}

fn call(service: &impl Server, method: &str, path: &str, body: &Value) -> io::Result<(u16, Value)> {
    let (status, text) = service.try_send(method, path, &body_of(body))?;
    Ok((status, serde_json::from_str(&text).unwrap_or_default()))
}

fn status_of(name: &str) -> &'static str {
    let known = STATUSES.into_iter().find(|status| *status == name);
    // Only demo leads have it, and no client requests it.
    known.unwrap_or("other")
}

impl Client {
    fn do_everything(&mut self, service: &impl Server) -> io::Result<()> {
        self.decide_one(service)?;
        self.decide_many(service)?;
        self.import(service)?;
        self.score(service)?;
        self.score_accounts(service)?;
        self.delete(service)
    }

    /// One random write. An error means that the service no longer answers.
    fn act(&mut self, service: &impl Server) -> io::Result<()> {
        match self.random.u64(..100) {
            0..70 => self.decide_one(service),
            70..85 => self.decide_many(service),
            85..93 => self.delete(service),
            93..96 => self.import(service),
            96..98 => self.score(service),
            _ => self.score_accounts(service),
        }
    }

    fn decide_one(&mut self, service: &impl Server) -> io::Result<()> {
        let Some(lead) = self.lead() else {
            return Ok(());
        };
        let status = STATUSES[self.random.usize(..3)];
        let path = format!("/api/leads/{lead}");
        self.ask(&[lead], State::Status(status), || {
            call(service, "PATCH", &path, &json!({"approval_status": status}))
        })
    }

    fn decide_many(&mut self, service: &impl Server) -> io::Result<()> {
        let leads: Vec<String> = (0..20).filter_map(|_| self.lead()).collect();
        let status = STATUSES[self.random.usize(..3)];
        let body = json!({"lead_ids": leads, "approval_status": status});
        self.ask(&leads, State::Status(status), || {
            call(service, "PATCH", "/api/leads", &body)
        })
    }

    /// Deletes an imported lead: the demo leads must last.
    fn delete(&mut self, service: &impl Server) -> io::Result<()> {
        if self.imported.is_empty() {
            return Ok(());
        }
        let next = self.random.usize(..self.imported.len());
        let lead = self.imported.swap_remove(next);
        for deleted in self.files.values_mut() {
            *deleted += 1;
        }
        let path = format!("/api/leads/{lead}");
        self.ask(&[lead], State::Deleted, || {
            call(service, "DELETE", &path, &Value::Null)
        })
    }

    /// Sends a request for leads, and remembers what they may be now.
    fn ask(
        &mut self,
        leads: &[String],
        state: State,
        send: impl FnOnce() -> io::Result<(u16, Value)>,
    ) -> io::Result<()> {
        for lead in leads {
            self.leads.entry(lead.clone()).or_default().push(state);
        }
        let (status, body) = send()?;
        assert!(status < 300, "{status} {body}");
        self.acknowledged += 1;
        for lead in leads {
            self.leads.insert(lead.clone(), vec![state]);
        }
        Ok(())
    }

    /// A lead that is not deleted, as far as the client knows.
    fn lead(&mut self) -> Option<String> {
        let start = self.random.usize(..self.leads.len().max(1));
        let mut leads = self.leads.iter().skip(start);
        let found = leads.find(|(_, possible)| !possible.contains(&State::Deleted));
        found.map(|(lead, _)| lead.clone())
    }

    fn score(&mut self, service: &impl Server) -> io::Result<()> {
        self.start_job(service, "/api/leads/score")
    }

    fn score_accounts(&mut self, service: &impl Server) -> io::Result<()> {
        self.start_job(service, "/api/accounts/score")
    }

    fn start_job(&mut self, service: &impl Server, path: &str) -> io::Result<()> {
        let (status, started) = call(service, "POST", path, &json!({}))?;
        // Too many jobs are waiting.
        if status == 202 {
            self.acknowledged += 1;
            self.jobs
                .push(started["job_id"].as_str().unwrap().to_owned());
        }
        Ok(())
    }

    /// Imports the next file.
    fn import(&mut self, service: &impl Server) -> io::Result<()> {
        self.is_interrupted = true;
        let (_, events) = service.try_send("POST", "/import?format=csv", &self.file())?;
        if !events.contains(r#""event":"done""#) {
            assert!(!events.contains(r#""event":"error""#), "{events}");
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.is_interrupted = false;
        self.acknowledged += 1;
        self.files.insert(self.imports % FILES, 0);
        self.imports += 1;
        Ok(())
    }

    fn file(&self) -> String {
        let (name, number, file) = (&self.name, self.imports, self.imports % FILES);
        let mut text = String::from("Name,Email,Title,Company\n");
        for line in 0..LINES {
            let company = line % 7;
            let _ = writeln!(
                text,
                "Lead {line} {file},{line}@{file}.{name}.example,Clerk {number},Company {company} of {name}"
            );
        }
        text
    }

    fn check(&mut self, connection: &Connection) {
        let stored = states(connection, "TRUE");
        for (lead, possible) in &mut self.leads {
            let found = *stored.get(lead).unwrap_or(&State::Deleted);
            assert!(
                possible.contains(&found),
                "{lead} is {found:?}, and may be {possible:?}"
            );
            *possible = vec![found];
        }
        for job in self.jobs.drain(..) {
            let sql = format!("SELECT count(*) FROM jobs WHERE job_id = '{job}'");
            assert_eq!(count(connection, &sql), 1, "the job {job} is lost");
        }
    }

    /// Imports an interrupted file again.
    fn repeat_import(&mut self, service: &impl Server) {
        if self.is_interrupted {
            self.import(service).unwrap();
        }
    }

    /// Checks the leads of imports, and takes them over.
    fn check_imports(&mut self, connection: &Connection) {
        for (file, deleted) in &self.files {
            let of_file = format!("email GLOB '*@{file}.{}.example'", self.name);
            let sql = format!("SELECT count(DISTINCT email) FROM leads WHERE {of_file}");
            let lines = usize::try_from(count(connection, &sql)).unwrap();
            let leads = states(connection, &of_file);
            assert_eq!(leads.len(), lines, "a line was imported twice");
            assert!(
                lines + deleted >= LINES,
                "an acknowledged import has {lines} of {LINES} leads, {deleted} were deleted"
            );
            for (lead, state) in leads {
                if !self.leads.contains_key(&lead) {
                    self.imported.push(lead.clone());
                    self.leads.insert(lead, vec![state]);
                }
            }
        }
        // Deleted leads do not come back: a later import gives them another id.
        self.leads
            .retain(|_, possible| *possible != [State::Deleted]);
    }
}

/// Returns how many leads a list with a filter has.
fn leads_with(service: &impl Server, field: &str, value: &str) -> io::Result<i64> {
    let filter = json!({"field": field, "operator": "eq", "value": value});
    let query = json!({"filters": [filter], "page_size": 1}).to_string();
    let (_, body) = service.try_send("POST", "/api/leads/query", &query)?;
    let body: Value = serde_json::from_str(&body)?;
    Ok(body["total"].as_i64().unwrap_or(-1))
}
