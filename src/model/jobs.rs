//! Scoring that somebody started, as every tab of the browser knows it. Pure: whoever asks brings the
//! present along, in milliseconds since 1970.

use std::sync::Arc;

pub mod kept;
pub mod words;

/// Jobs that are remembered; the oldest that are over go first.
const MOST: usize = 20;

/// How long a job that ended well is remembered: an hour.
const WELL: i64 = 3_600_000;

/// How long one that did not: a day.
const ILL: i64 = 24 * WELL;

/// How long one that never ended: a week, by when it never will.
const OPEN: i64 = 7 * ILL;

/// What is scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Leads.
    Leads,
    /// Accounts.
    Accounts,
}

impl Kind {
    /// The noun for one of them.
    pub fn one(self) -> &'static str {
        match self {
            Self::Leads => "lead",
            Self::Accounts => "account",
        }
    }
}

/// What is to be scored. It always names something: a server may take nothing for everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scoring {
    kind: Kind,
    ids: Vec<Arc<str>>,
    list: Option<Arc<str>>,
    count: u64,
    name: String,
}

impl Scoring {
    /// Leads or accounts by their ids; `name` is that of a single one, where it is known. None where
    /// there is no id.
    pub fn of_ids(kind: Kind, ids: Vec<Arc<str>>, name: &str) -> Option<Self> {
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

    /// What stands on a list, which holds so many. None where the list has no id, or holds nothing.
    pub fn of_list(kind: Kind, list: &str, name: &str, count: u64) -> Option<Self> {
        let named = !list.is_empty() && count > 0;
        named.then(|| Self {
            kind,
            ids: Vec::new(),
            list: Some(list.into()),
            count,
            name: name.to_owned(),
        })
    }

    /// What is scored.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The ids, each once; none where a list is meant.
    pub fn ids(&self) -> &[Arc<str>] {
        &self.ids
    }

    /// The list, where one is meant.
    pub fn list(&self) -> Option<&str> {
        self.list.as_deref()
    }

    /// How many are scored.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The name of the list, or of the one that is scored.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// How far a job is. What comes later here is never undone by what comes earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// The start is on its way.
    Starting,
    /// It may have started, or not.
    Uncertain,
    /// It runs.
    Running,
    /// The server does not know it any more.
    Lost,
    /// It was called off there.
    Cancelled,
    /// It ended with an error.
    Failed,
    /// It never started.
    Refused,
    /// It ended well.
    Done,
}

impl Phase {
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

    /// Whether something more will happen by itself.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Starting | Self::Running)
    }
}

/// How a job stands. Of two reports of one job the greater one holds, so that it does not matter in
/// which order they are heard, nor how often.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// How far it is.
    pub phase: Phase,
    /// How much of it is done, in percent.
    pub percent: u64,
    /// When this was found out.
    pub at: i64,
    /// Why it did not end well.
    pub reason: String,
    /// How many were scored; none where the server did not say.
    pub scored: Option<u64>,
    /// How many had gone by then, or were never there.
    pub missing: u64,
    /// After an uncertain start: how many were looked at, and how many of those had a newer score.
    pub looked: Option<(u64, u64)>,
}

impl State {
    /// A phase that began at a time.
    pub fn of(phase: Phase, at: i64) -> Self {
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

    /// The same, with a reason.
    #[must_use]
    pub fn because(self, reason: &str) -> Self {
        Self {
            reason: reason.to_owned(),
            ..self
        }
    }
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Tells it from all others of this browser.
    pub number: u64,
    /// What is scored.
    pub scoring: Scoring,
    /// Whether `scoring` has all the ids: of very many only some are kept over a reload.
    pub whole: bool,
    /// When it was asked for.
    pub began: i64,
    /// The server's id, once there is one.
    pub id: Option<String>,
    /// How it stands.
    pub state: State,
}

impl Job {
    /// A job that is about to start.
    pub fn new(number: u64, scoring: Scoring, now: i64) -> Self {
        Self {
            number,
            scoring,
            whole: true,
            began: now,
            id: None,
            state: State::of(Phase::Starting, now),
        }
    }

    /// How long it took, or takes, in milliseconds.
    pub fn elapsed(&self, now: i64) -> i64 {
        let end = if self.state.phase.is_open() {
            now
        } else {
            self.state.at
        };
        (end - self.began).max(0)
    }

    /// Whether an id is among those that it touches. A job on a list, or on more than was kept, may
    /// touch any.
    pub fn touches(&self, id: &str) -> bool {
        let ids = self.scoring.ids();
        ids.is_empty() || !self.whole || ids.binary_search_by(|known| (**known).cmp(id)).is_ok()
    }

    /// Whether it is worth remembering.
    fn is_wanted(&self, now: i64) -> bool {
        let lasts = match self.state.phase {
            Phase::Done => WELL,
            phase if phase.is_open() => OPEN,
            _ => ILL,
        };
        now.saturating_sub(self.state.at.max(self.began)) < lasts
    }
}

/// All jobs, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Jobs(Vec<Job>);

impl Jobs {
    /// A job is new here, or a tab reports of it. Whether anything is another now.
    pub fn hear(&mut self, job: Job) -> bool {
        let Some(known) = self.0.iter_mut().find(|known| known.number == job.number) else {
            let behind = |other: &Job| (other.began, other.number) > (job.began, job.number);
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

    /// Something is found out about a job. Gives the job where that is news.
    pub fn learn(&mut self, number: u64, mut state: State) -> Option<Job> {
        let known = self.0.iter_mut().find(|known| known.number == number)?;
        if state.phase == known.state.phase {
            // It never goes backwards, whatever a server says.
            state.percent = state.percent.max(known.state.percent);
        }
        let same = state.percent == known.state.percent && state.reason == known.state.reason;
        if state.phase == known.state.phase && state.phase.is_open() && same {
            // The time alone is no news.
            state.at = known.state.at;
        }
        (state > known.state).then(|| {
            known.state = state;
            known.clone()
        })
    }

    /// The server gave the job its id: it runs.
    pub fn began(&mut self, number: u64, id: &str, now: i64) -> Option<Job> {
        let known = self.0.iter_mut().find(|known| known.number == number)?;
        known.id = Some(id.to_owned());
        self.learn(number, State::of(Phase::Running, now))
    }

    /// Nobody wants to see a job any more.
    pub fn forget(&mut self, number: u64) -> bool {
        let before = self.0.len();
        self.0.retain(|job| job.number != number);
        self.0.len() < before
    }

    /// Forgets what is over for long. Gives what was forgotten.
    pub fn tidy(&mut self, now: i64) -> Vec<u64> {
        let gone = self.0.iter().filter(|job| !job.is_wanted(now));
        let gone = gone.map(|job| job.number).collect();
        self.0.retain(|job| job.is_wanted(now));
        gone
    }

    fn shorten(&mut self) {
        while self.0.len() > MOST {
            let Some(at) = self.0.iter().position(|job| !job.state.phase.is_open()) else {
                return;
            };
            self.0.remove(at);
        }
    }

    /// A job.
    pub fn get(&self, number: u64) -> Option<&Job> {
        self.0.iter().find(|job| job.number == number)
    }

    /// All of them, the oldest first.
    pub fn all(&self) -> &[Job] {
        &self.0
    }

    /// The numbers of those that something more will happen to by itself.
    pub fn open(&self) -> Vec<u64> {
        let open = self.0.iter().filter(|job| job.state.phase.is_open());
        open.map(|job| job.number).collect()
    }
}
