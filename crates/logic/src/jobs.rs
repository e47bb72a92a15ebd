//! Scoring jobs: what they score, and their limits.

/// Maximum number of unknown ids listed in the result of a job.
pub const MAX_NOT_FOUND_LISTED: usize = 100;

/// Adds a list that is unknown to the unknown ids, in place of the last one if there are too many.
pub fn add_unknown_list<'a>(not_found: &mut Vec<&'a str>, list: &'a str) {
    not_found.truncate(MAX_NOT_FOUND_LISTED - 1);
    not_found.push(list);
}

/// Maximum number of queued and running jobs of a workspace. Jobs of imports are always accepted,
/// but count.
pub const MAX_WAITING_JOBS: usize = 100;

/// Number of targets per step. Writing them blocks other writes of the service for about ten milliseconds.
pub const LEADS_PER_STEP: usize = 200;
pub const ACCOUNTS_PER_STEP: usize = 100;

/// What a job scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    Leads,
    Accounts,
}

impl JobKind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Leads => "score_leads",
            Self::Accounts => "score_accounts",
        }
    }

    /// Returns how many targets one step scores.
    pub const fn step(self) -> usize {
        match self {
            Self::Leads => LEADS_PER_STEP,
            Self::Accounts => ACCOUNTS_PER_STEP,
        }
    }
}

/// Returns why no more jobs are accepted, if this many wait already.
pub fn refusal(waiting: usize) -> Option<String> {
    (waiting >= MAX_WAITING_JOBS).then(|| {
        format!(
            "{waiting} scoring jobs of this workspace are already queued; the limit is {MAX_WAITING_JOBS}. \
             Nothing was started; try again when some of them have finished"
        )
    })
}
