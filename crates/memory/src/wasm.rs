//! The workspace for JavaScript: requests as texts, responses as JSON. `www/npm/testing.js` wraps it.

use jiff::Timestamp;
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{Options, Request, Workspace};

/// A workspace with its own clock.
#[wasm_bindgen]
pub struct Memory {
    workspace: Workspace,
    now: Timestamp,
}

#[wasm_bindgen]
impl Memory {
    /// `now` is in milliseconds since 1970. Numbers are positive integers; the script checks them.
    #[wasm_bindgen(constructor)]
    pub fn new(
        seed: f64,
        leads: u32,
        now: f64,
        api_key: Option<String>,
        tenant_id: String,
    ) -> Memory {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the script passes positive integers"
        )]
        let (seed, now) = (seed as u64, now as i64);
        let now = Timestamp::from_millisecond(now).unwrap_or_default();
        let options = Options {
            seed,
            leads: leads.into(),
            now,
            api_key,
            tenant_id,
        };
        Self {
            workspace: Workspace::new(options),
            now,
        }
    }

    /// Answers a request: `{status, headers: [[name, value]], body, stream}`. `stream` is null, or the version after which
    /// the body goes on with `partAfter`.
    #[expect(
        clippy::too_many_arguments,
        reason = "an object would need more code in both languages"
    )]
    pub fn handle(
        &mut self,
        method: &str,
        path: &str,
        query: &str,
        body: &str,
        authorization: Option<String>,
        tenant_id: Option<String>,
        request_id: Option<String>,
        last_event_id: Option<String>,
    ) -> String {
        let request = Request {
            method,
            path,
            query,
            body: body.as_bytes(),
            authorization: authorization.as_deref(),
            tenant_id: tenant_id.as_deref(),
            request_id: request_id.as_deref(),
            last_event_id: last_event_id.as_deref(),
        };
        let response = self.workspace.handle(&request, self.now);
        json!({
            "status": response.status,
            "headers": response.headers,
            "body": response.body,
            "stream": response.stream,
        })
        .to_string()
    }

    /// Returns how a stream goes on after a version: `{text, version}`.
    #[wasm_bindgen(js_name = partAfter)]
    pub fn part_after(&self, version: f64) -> String {
        let part = self.workspace.part_after(version as i64);
        json!({ "text": part.text, "version": part.version }).to_string()
    }

    /// Returns the present version.
    pub fn version(&self) -> f64 {
        self.workspace.version() as f64
    }

    /// Gives a new workspace a version, so that those of an earlier one are not known to it.
    #[wasm_bindgen(js_name = beginWith)]
    pub fn begin_with(&mut self, version: f64) {
        self.workspace.begin_with(version as i64);
    }

    /// Moves the clock.
    pub fn advance(&mut self, ms: f64) {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the script passes an integer"
        )]
        let later = jiff::SignedDuration::from_millis(ms as i64);
        self.now = self.now.saturating_add(later).unwrap_or(self.now);
    }

    /// Runs a step of the oldest job; returns false if none is left.
    pub fn step(&mut self) -> bool {
        self.workspace.run_step(self.now)
    }

    /// Adds the leads of a file: its report as JSON, or `{error}`.
    pub fn import(&mut self, file_name: &str, text: &str) -> String {
        match self.workspace.import(file_name, text, self.now) {
            Ok(report) => json!(report),
            Err(error) => json!({ "error": error.to_string() }),
        }
        .to_string()
    }

    /// Returns a lead as JSON.
    pub fn lead(&self, lead_id: &str) -> Option<String> {
        let lead = self.workspace.lead(&lead_id.into())?;
        serde_json::to_string(&lead).ok()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Memory;

    fn send(memory: &mut Memory, method: &str, path: &str, body: &str) -> Value {
        let key = Some("Bearer any".to_owned());
        let id = Some("id-1".to_owned());
        let response = memory.handle(method, path, "", body, key, None, id, None);
        serde_json::from_str(&response).unwrap()
    }

    #[test]
    fn requests_are_answered_at_the_time_of_the_workspace() {
        let mut memory = Memory::new(1.0, 5, 1_800_000_000_000.0, None, "default".into());
        memory.advance(1_500.0);
        let started = send(&mut memory, "POST", "/api/leads/score", "{}");
        assert_eq!(started["status"], 202);
        let headers = started["headers"].as_array().unwrap();
        assert!(
            headers.contains(&json!(["x-request-id", "id-1"])),
            "{headers:?}"
        );
        let started: Value = serde_json::from_str(started["body"].as_str().unwrap()).unwrap();
        assert!(memory.step());
        assert!(!memory.step());
        let path = format!("/api/jobs/{}", started["job_id"].as_str().unwrap());
        let job = send(&mut memory, "GET", &path, "");
        let job: Value = serde_json::from_str(job["body"].as_str().unwrap()).unwrap();
        assert_eq!(job["status"], "succeeded");
        assert_eq!(job["created_at"], "2027-01-15T08:00:01.500Z");
    }

    #[test]
    fn a_lead_is_read_without_a_request() {
        let mut memory = Memory::new(1.0, 1, 0.0, None, "default".into());
        let page = send(&mut memory, "POST", "/api/leads/query", "{}");
        let page: Value = serde_json::from_str(page["body"].as_str().unwrap()).unwrap();
        let id = page["data"][0]["lead_id"].as_str().unwrap();
        let lead: Value = serde_json::from_str(&memory.lead(id).unwrap()).unwrap();
        assert_eq!(lead["name"], page["data"][0]["name"]);
        assert_eq!(memory.lead("nobody"), None);
    }

    #[test]
    fn a_stream_goes_on_after_its_response() {
        let mut memory = Memory::new(1.0, 1, 0.0, None, "default".into());
        memory.begin_with(7.0);
        let response = send(&mut memory, "GET", "/api/leads/changes", "");
        assert_eq!(
            (&response["status"], &response["stream"]),
            (&json!(200), &json!(7))
        );
        memory.import("leads.csv", "name\nAna Diaz\n");
        assert_eq!(memory.version(), 8.0);
        let part: Value = serde_json::from_str(&memory.part_after(7.0)).unwrap();
        assert_eq!(part["version"], 8);
        let text = part["text"].as_str().unwrap();
        assert!(text.starts_with("event: change\nid: 8\n"), "{text}");
    }
}
