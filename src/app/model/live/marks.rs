//! The marks of leads that others decided, with their age.

use std::collections::BTreeMap;
use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;

use crate::app::model::time;

/// Maximum number of marks. The oldest are dropped first.
const MAX: usize = 3_000;

/// In the first minute, the age changes at these seconds.
const STEPS: [u64; 7] = [2, 5, 10, 20, 30, 40, 50];

#[derive(Clone, Debug)]
struct Mark {
    status: ApprovalStatus,
    /// When it was decided, in milliseconds since 1970; `None` if that is not known.
    at: Option<u64>,
}

#[derive(Clone, Debug, Default)]
pub struct Marks(BTreeMap<Arc<str>, Mark>);

impl Marks {
    /// Marks a lead with the status that someone else gave.
    pub fn put(&mut self, lead: &Arc<str>, status: &ApprovalStatus, at: Option<u64>) {
        if self.0.len() >= MAX {
            let oldest = self.0.iter().min_by_key(|(_, mark)| mark.at);
            if let Some(lead) = oldest.map(|(lead, _)| Arc::clone(lead)) {
                self.0.remove(&lead);
            }
        }
        let status = status.clone();
        self.0.insert(Arc::clone(lead), Mark { status, at });
    }

    /// Removes the mark of a lead that this reviewer decided.
    pub fn remove(&mut self, lead: &str) {
        self.0.remove(lead);
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the age of the mark of a lead that has this status; empty if it is not known.
    pub fn age(&self, lead: &str, status: &ApprovalStatus, now: u64) -> Option<String> {
        let mark = self.0.get(lead).filter(|mark| mark.status == *status)?;
        Some(mark.at.map(|at| age(at, now)).unwrap_or_default())
    }

    /// Returns after how many milliseconds an age changes first; `None` without marks.
    pub fn next_change(&self, now: u64) -> Option<u64> {
        let times = self.0.values().filter_map(|mark| mark.at);
        times.map(|at| next_change(at, now)).min()
    }
}

/// Returns how long ago something was: "now", "2 s ago", "4 min ago". In steps, so that it does not change all the time.
pub fn age(then: u64, now: u64) -> String {
    let seconds = now.saturating_sub(then) / 1000;
    if seconds >= 60 {
        return time::age(then as i64, now as i64).text + " ago";
    }
    match STEPS.iter().rev().find(|step| **step <= seconds) {
        Some(step) => format!("{step} s ago"),
        None => "now".to_owned(),
    }
}

/// Returns after how many milliseconds the age changes. All ages in minutes change together, so that there is one timer.
fn next_change(then: u64, now: u64) -> u64 {
    let passed = now.saturating_sub(then);
    let next = STEPS
        .iter()
        .map(|step| step * 1000)
        .find(|step| *step > passed);
    match next.or_else(|| (passed < 60_000).then_some(60_000)) {
        Some(next) => next - passed,
        None => 60_000 - now % 60_000,
    }
}
