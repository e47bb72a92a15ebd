//! The client that the attacks must not affect: one thread reads, one decides.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::json;

use super::wire::Target;

type Times = Arc<Mutex<Vec<Duration>>>;

pub struct Good {
    target: Target,
    times: Times,
    stop: Arc<AtomicBool>,
    reader: JoinHandle<()>,
    /// Returns the decisions that were confirmed as saved.
    decider: JoinHandle<HashMap<String, &'static str>>,
}

impl Good {
    pub fn start(target: &Target) -> Self {
        let rows = target.call("POST", "/api/leads/query", "{\"page_size\": 100}");
        let rows = rows.json()["data"].as_array().unwrap().clone();
        let ids = rows
            .iter()
            .map(|row| row["lead_id"].as_str().unwrap().to_owned());
        let ids: Vec<String> = ids.collect();
        assert!(ids.len() > 50);
        let times = Times::default();
        let stop = Arc::new(AtomicBool::new(false));
        let reader = {
            let (target, times, stop) = (target.clone(), Arc::clone(&times), Arc::clone(&stop));
            std::thread::spawn(move || read(&target, &times, &stop))
        };
        let decider = {
            let (target, times, stop) = (target.clone(), Arc::clone(&times), Arc::clone(&stop));
            std::thread::spawn(move || decide(&target, &ids, &times, &stop))
        };
        Self {
            target: target.clone(),
            times,
            stop,
            reader,
            decider,
        }
    }

    /// Lets it work for at least this time and 20 calls.
    pub fn work_for(&self, time: Duration) {
        let began = Instant::now();
        while began.elapsed() < time || self.times.lock().unwrap().len() < 20 {
            std::thread::sleep(super::POLL);
        }
    }

    /// Takes the durations of its calls since the last call of this function.
    pub fn take_times(&mut self) -> Vec<Duration> {
        std::mem::take(&mut self.times.lock().unwrap())
    }

    /// Stops it and checks that every confirmed decision is stored.
    pub fn stop_and_check(self) {
        self.stop.store(true, Ordering::Relaxed);
        self.reader
            .join()
            .expect("a read of the good client failed");
        let saved = self
            .decider
            .join()
            .expect("a decision of the good client failed");
        assert!(!saved.is_empty());
        for (id, status) in saved {
            let lead = self.target.call("GET", &format!("/api/leads/{id}"), "");
            assert_eq!(lead.json()["approval_status"], status, "{id}");
        }
    }
}

fn read(target: &Target, times: &Times, stop: &AtomicBool) {
    for page in (1..=5).cycle() {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let query = json!({"page": page, "page_size": 20, "search": "a"}).to_string();
        let answer = target.call("POST", "/api/leads/query", &query);
        assert_eq!(answer.status, 200, "{}", answer.body);
        times.lock().unwrap().push(answer.time);
    }
}

fn decide(
    target: &Target,
    ids: &[String],
    times: &Times,
    stop: &AtomicBool,
) -> HashMap<String, &'static str> {
    let mut saved = HashMap::new();
    for (round, id) in ids.iter().cycle().enumerate() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let status = ["approved", "rejected"][round / ids.len() % 2];
        let body = json!({"approval_status": status}).to_string();
        let answer = target.call("PATCH", &format!("/api/leads/{id}"), &body);
        assert_eq!(answer.status, 200, "{}", answer.body);
        times.lock().unwrap().push(answer.time);
        saved.insert(id.clone(), status);
    }
    saved
}
