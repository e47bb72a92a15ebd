//! Why a lead fits: scores, and what they are made of.

use lead_workspace_api::shapes::{ListScore, Shape};
use lead_workspace_api::{Raw, ScorePart};

use crate::model::lead::filled;

/// A reasoning of more parts than this is no list of bars, but a text.
const MOST_PARTS: usize = 12;

/// A score for one list, or outside any.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// The list, by its name, else its id; none outside any list.
    pub list: Option<String>,
    /// Fit with the ideal customer profile, 0 to 100.
    pub points: Option<f64>,
    /// Tier of the fit.
    pub tier: Option<String>,
    /// What the score is made of; empty where the reasoning does not say.
    pub parts: Vec<Part>,
    /// The reasoning, where it is not made of parts.
    pub reasoning: Option<String>,
    /// When the score was given, ISO 8601.
    pub scored: Option<String>,
}

/// One part of a score.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// What was looked at.
    pub name: String,
    /// The points it gave.
    pub points: u32,
    /// The most it can give.
    pub max: u32,
    /// How much of it, in hundredths.
    pub percent: u32,
    /// Why.
    pub text: String,
}

/// Reads the scores, the best one first. What is no score is left out.
pub fn scores(raw: &[Raw]) -> Vec<Score> {
    let read = raw.iter().filter_map(ListScore::read);
    let mut scores: Vec<Score> = read.map(Score::of).collect();
    let points = |score: &Score| score.points.unwrap_or(-1.0);
    scores.sort_by(|one, other| points(other).total_cmp(&points(one)));
    scores
}

impl Score {
    /// Reads a score.
    pub fn of(score: ListScore) -> Self {
        let reasoning = filled(score.icp_reasoning);
        let mut parts = ScorePart::read_all(reasoning.as_deref().unwrap_or_default());
        if parts.len() > MOST_PARTS {
            parts.clear();
        }
        let parts: Vec<_> = parts.into_iter().map(Part::of).collect();
        Self {
            list: filled(score.list_name).or_else(|| filled(score.list_id)),
            points: score.icp_score,
            tier: filled(score.icp_tier),
            reasoning: reasoning.filter(|_| parts.is_empty()),
            parts,
            scored: filled(score.scored_at),
        }
    }
}

impl Part {
    fn of(part: ScorePart) -> Self {
        let share = u64::from(part.points) * 100 / u64::from(part.max.max(1));
        Self {
            name: part.name,
            points: part.points,
            max: part.max,
            percent: share.min(100) as u32,
            text: part.text,
        }
    }
}
