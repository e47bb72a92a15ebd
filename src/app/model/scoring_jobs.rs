//! Scoring jobs of the user, shared by all tabs of the browser. Pure: callers pass the current
//! time, in milliseconds since 1970.

use std::sync::Arc;

use lead_workspace_api::{AccountQuery, LeadListId, LeadQuery, filter};

pub mod job_labels;
pub mod stored_job;

/// Maximum number of jobs to remember. The oldest finished ones are dropped first.
const MAX_JOBS: usize = 20;

/// How long a successful job is remembered: one hour, in milliseconds.
const SUCCESS_TTL: i64 = 3_600_000;

/// How long an unsuccessful job is remembered: one day.
const FAILURE_TTL: i64 = 24 * SUCCESS_TTL;

/// How long an unfinished job is remembered: one week. After that it will never finish.
const UNFINISHED_TTL: i64 = 7 * FAILURE_TTL;

/// The kind of records that are scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordKind {
    Leads,
    Accounts,
}

impl RecordKind {
    /// Returns the noun for one record.
    pub fn one(self) -> &'static str {
        match self {
            Self::Leads => "lead",
            Self::Accounts => "account",
        }
    }
}

/// Returns the query for the first leads on a list.
pub fn leads_on(list: &str, page_size: u32) -> LeadQuery {
    LeadQuery {
        filters: vec![filter("list_id").eq(list)],
        page_size,
        ..LeadQuery::default()
    }
}

/// Returns the query for the first accounts on a list.
pub fn accounts_on(list: &str, page_size: u32) -> AccountQuery {
    AccountQuery {
        list_id: Some(LeadListId::new(list)),
        page_size,
        ..AccountQuery::default()
    }
}

/// What to score. It is never empty, because a server may take an empty request as “everything”.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scoring {
    kind: RecordKind,
    ids: Vec<Arc<str>>,
    list: Option<Arc<str>>,
    count: u64,
    name: String,
}

impl Scoring {
    /// Creates a scoring of leads or accounts; `None` if there is no id. `name` is the name of a
    /// single record, if it is known.
    pub fn for_ids(kind: RecordKind, ids: Vec<Arc<str>>, name: &str) -> Option<Self> {
        let mut ids: Vec<_> = ids.into_iter().filter(|id| !id.is_empty()).collect();
        ids.sort_unstable();
        ids.dedup();
        (!ids.is_empty()).then(|| Self {
            kind,
            count: ids.len() as u64,
            ids,
            list: None,
            name: name.to_owned(),
        })
    }

    /// Creates a scoring of a list with `count` records; `None` if it has no id or is empty.
    pub fn for_list(kind: RecordKind, list: &str, name: &str, count: u64) -> Option<Self> {
        let named = !list.is_empty() && count > 0;
        named.then(|| Self {
            kind,
            ids: Vec::new(),
            list: Some(list.into()),
            count,
            name: name.to_owned(),
        })
    }

    pub fn kind(&self) -> RecordKind {
        self.kind
    }

    /// Sorted ids, each once; empty if a list is scored.
    pub fn ids(&self) -> &[Arc<str>] {
        &self.ids
    }

    /// Id of the list, if a list is scored.
    pub fn list(&self) -> Option<&str> {
        self.list.as_deref()
    }

    /// Number of records to score.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Name of the list or of the single record.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// How far a job is. The order matters: a later phase is never replaced by an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JobPhase {
    /// The start request is in flight.
    Starting,
    /// The response to the start was lost: the job may run or not.
    Uncertain,
    Running,
    /// The server does not have the job any more.
    Lost,
    /// Cancelled on the server.
    Cancelled,
    /// Ended with an error.
    Failed,
    /// Never started.
    Refused,
    /// Ended successfully.
    Done,
}

impl JobPhase {
    const ALL: [Self; 8] = [
        Self::Starting,
        Self::Uncertain,
        Self::Running,
        Self::Lost,
        Self::Cancelled,
        Self::Failed,
        Self::Refused,
        Self::Done,
    ];

    /// Whether the phase can change without the user.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Starting | Self::Running)
    }
}

/// State of a job. Of two reports on a job the greater one wins, so their order and repetition do
/// not matter. The comparison follows the order of the fields.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct JobSnapshot {
    pub phase: JobPhase,
    /// Progress in percent.
    pub percent: u64,
    /// Time of this state in milliseconds since 1970.
    pub at: i64,
    /// Error message, if there is one.
    pub reason: String,
    /// Number of scored records; `None` if the server did not report it.
    pub scored: Option<u64>,
    /// Number of records that did not exist any more, or never did.
    pub missing: u64,
    /// Check after an uncertain start: number of records checked, and of those with a newer score.
    pub looked: Option<(u64, u64)>,
}

impl JobSnapshot {
    pub fn new(phase: JobPhase, at: i64) -> Self {
        Self {
            phase,
            percent: 0,
            at,
            reason: String::new(),
            scored: None,
            missing: 0,
            looked: None,
        }
    }

    /// Returns the same state with a reason.
    #[must_use]
    pub fn because(self, reason: &str) -> Self {
        Self {
            reason: reason.to_owned(),
            ..self
        }
    }
}

/// A scoring job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoringJob {
    /// Unique number within this browser.
    pub number: u64,
    pub scoring: Scoring,
    /// Whether `scoring` has all ids. Of very large jobs only a sample is stored across a reload.
    pub whole: bool,
    /// Time of the request in milliseconds since 1970.
    pub began: i64,
    /// Id on the server, as soon as there is one.
    pub id: Option<String>,
    pub state: JobSnapshot,
}

impl ScoringJob {
    /// Creates a job that is about to start.
    pub fn new(number: u64, scoring: Scoring, now: i64) -> Self {
        Self {
            number,
            scoring,
            whole: true,
            began: now,
            id: None,
            state: JobSnapshot::new(JobPhase::Starting, now),
        }
    }

    /// Returns how long the job has run, in milliseconds.
    pub fn elapsed(&self, now: i64) -> i64 {
        let end = if self.state.phase.is_open() {
            now
        } else {
            self.state.at
        };
        (end - self.began).max(0)
    }

    /// Whether the job may change this record. Always true for a list and for a job without all
    /// ids.
    pub fn touches(&self, id: &str) -> bool {
        let ids = self.scoring.ids();
        ids.is_empty() || !self.whole || ids.binary_search_by(|known| (**known).cmp(id)).is_ok()
    }

    /// Whether the job is recent enough to remember.
    fn is_wanted(&self, now: i64) -> bool {
        let lasts = match self.state.phase {
            JobPhase::Done => SUCCESS_TTL,
            phase if phase.is_open() => UNFINISHED_TTL,
            _ => FAILURE_TTL,
        };
        now.saturating_sub(self.state.at.max(self.began)) < lasts
    }
}

/// All jobs, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobList(Vec<ScoringJob>);

impl JobList {
    /// Adds a job, or merges a report of another tab. Returns whether anything changed.
    pub fn merge(&mut self, job: ScoringJob) -> bool {
        let Some(known) = self.0.iter_mut().find(|known| known.number == job.number) else {
            let behind = |other: &ScoringJob| (other.began, other.number) > (job.began, job.number);
            let at = self.0.iter().position(behind).unwrap_or(self.0.len());
            self.0.insert(at, job);
            self.shorten();
            return true;
        };
        let before = known.clone();
        if job.whole && !known.whole {
            (known.scoring, known.whole) = (job.scoring, true);
        }
        known.id = known.id.take().or(job.id);
        if job.state > known.state {
            known.state = job.state;
        }
        *known != before
    }

    /// Updates the state of a job. Returns the job if this is a change.
    pub fn update(&mut self, number: u64, mut state: JobSnapshot) -> Option<ScoringJob> {
        let known = self.0.iter_mut().find(|known| known.number == number)?;
        if state.phase == known.state.phase {
            // Progress never goes backwards, even if the server reports less.
            state.percent = state.percent.max(known.state.percent);
        }
        let same = state.percent == known.state.percent && state.reason == known.state.reason;
        if state.phase == known.state.phase && state.phase.is_open() && same {
            // A later time alone is not a change.
            state.at = known.state.at;
        }
        (state > known.state).then(|| {
            known.state = state;
            known.clone()
        })
    }

    /// Stores the server's id of a job, which is running now. Returns the job if this is a change.
    pub fn mark_running(&mut self, number: u64, id: &str, now: i64) -> Option<ScoringJob> {
        let known = self.0.iter_mut().find(|known| known.number == number)?;
        known.id = Some(id.to_owned());
        self.update(number, JobSnapshot::new(JobPhase::Running, now))
    }

    /// Removes a job. Returns whether there was one.
    pub fn forget(&mut self, number: u64) -> bool {
        let before = self.0.len();
        self.0.retain(|job| job.number != number);
        self.0.len() < before
    }

    /// Removes outdated jobs and returns their numbers.
    pub fn remove_outdated(&mut self, now: i64) -> Vec<u64> {
        let gone = self.0.iter().filter(|job| !job.is_wanted(now));
        let gone = gone.map(|job| job.number).collect();
        self.0.retain(|job| job.is_wanted(now));
        gone
    }

    fn shorten(&mut self) {
        while self.0.len() > MAX_JOBS {
            let Some(at) = self.0.iter().position(|job| !job.state.phase.is_open()) else {
                return;
            };
            self.0.remove(at);
        }
    }

    pub fn get(&self, number: u64) -> Option<&ScoringJob> {
        self.0.iter().find(|job| job.number == number)
    }

    /// Returns all jobs, oldest first.
    pub fn all(&self) -> &[ScoringJob] {
        &self.0
    }

    /// Returns the numbers of the jobs whose phase can change without the user.
    pub fn open(&self) -> Vec<u64> {
        let open = self.0.iter().filter(|job| job.state.phase.is_open());
        open.map(|job| job.number).collect()
    }

    /// Whether an open job may change the score of a lead.
    pub fn is_scoring_lead(&self, id: &str) -> bool {
        let of_leads = |job: &&ScoringJob| job.scoring.kind() == RecordKind::Leads;
        let mut open = self.0.iter().filter(|job| job.state.phase.is_open());
        open.any(|job| of_leads(&job) && job.touches(id))
    }
}
