//! Scores of a lead and the parts that they consist of.

use lead_workspace_api::shapes::{ListScore, Shape};
use lead_workspace_api::{Raw, ScorePart};

use crate::app::model::lead::{MAX_PARTS, filled};

/// A score for one list, or independent of lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// Name of the list, else its id; `None` if the score is independent of lists.
    pub list: Option<String>,
    /// ICP score (fit with the ideal customer profile), 0 to 100.
    pub points: Option<f64>,
    pub tier: Option<String>,
    /// Parts of the score; empty if the reasoning has none, or too many.
    pub parts: Vec<ScoreCriterion>,
    /// Reasoning as text, if it has no parts.
    pub reasoning: Option<String>,
    /// When it was scored, ISO 8601.
    pub scored: Option<String>,
}

/// One criterion of a score.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoreCriterion {
    pub name: String,
    pub points: u32,
    /// Maximum number of points.
    pub max: u32,
    /// Points in percent of `max`, at most 100.
    pub percent: u32,
    /// Points missing from `max`.
    pub missing: u32,
    pub text: String,
}

/// Reads the scores, best first. Elements that are not scores are skipped.
pub fn scores(raw: &[Raw]) -> Vec<Score> {
    let read = raw.iter().filter_map(ListScore::read);
    let mut scores: Vec<Score> = read.map(Score::new).collect();
    let points = |score: &Score| score.points.unwrap_or(-1.0);
    scores.sort_by(|one, other| points(other).total_cmp(&points(one)));
    scores
}

impl Score {
    pub fn new(score: ListScore) -> Self {
        let reasoning = filled(score.icp_reasoning);
        let mut parts = ScorePart::read_all(reasoning.as_deref().unwrap_or_default());
        if parts.len() > MAX_PARTS {
            parts.clear();
        }
        let parts: Vec<_> = parts.into_iter().map(ScoreCriterion::new).collect();
        Self {
            list: filled(score.list_name).or_else(|| filled(score.list_id)),
            points: score.icp_score,
            tier: filled(score.icp_tier),
            reasoning: reasoning.filter(|_| parts.is_empty()),
            parts,
            scored: filled(score.scored_at),
        }
    }

    /// Returns the parts, those with the most missing points last.
    pub fn by_missing(&self) -> Vec<&ScoreCriterion> {
        let mut parts: Vec<_> = self.parts.iter().collect();
        parts.sort_by_key(|part| part.missing);
        parts
    }
}

impl ScoreCriterion {
    fn new(part: ScorePart) -> Self {
        let share = u64::from(part.points) * 100 / u64::from(part.max.max(1));
        Self {
            name: part.name,
            points: part.points,
            max: part.max,
            percent: share.min(100) as u32,
            missing: part.max.saturating_sub(part.points),
            text: part.text,
        }
    }
}
