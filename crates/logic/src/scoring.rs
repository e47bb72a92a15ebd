//! Rule-based ICP scoring: 0 to 100, with reasons.
//!
//! Five parts give points: industry, size and title (25 each), location (15) and intent (10). For
//! each part the [`Rules`] give a share between 0 and 1; its points are the weight times that
//! share, rounded. The sum is the score. Tiers: A from 85 points, B from 70, C from 55, else D. A
//! workspace can change all of this (`lead-workspace scoring set`).
//!
//! A lead has one score per list that it is on, or one score outside any list. An intent signal
//! found for a list counts for that list only. The lead's own score is the best of them.
//!
//! An account is scored by its industry, size and location, the best title among its leads, and the
//! intent signals of its leads.
//!
//! The text of the reasons has a stable format: see [`ScorePart`](lead_workspace_api::ScorePart).

mod check;
mod defaults;
mod phrases;
mod rules;
mod score;
mod signals;

pub use rules::Rules;
pub use score::{Attributes, IntentSignal, Score, Scorer};
pub use signals::StoredIntentSignal;
