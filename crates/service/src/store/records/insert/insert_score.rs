//! Adding scores of leads and accounts.

use super::{NewRow, NewRows, columns};

/// A score for a list; the empty `list_id` is a score outside any list.
pub(crate) struct ScoreRow<'a> {
    pub list_id: &'a str,
    pub icp_score: f64,
    pub icp_tier: &'a str,
    pub icp_reasoning: String,
    pub scored_at: &'a str,
    pub job_id: Option<&'a str>,
}

impl<'a> NewRows<'a> {
    /// Adds a score of a lead or an account.
    pub(crate) fn add_score(&mut self, of: NewRow, scored: i64, row: ScoreRow<'a>) {
        let columns = columns! {
            list_id: row.list_id,
            icp_score: row.icp_score,
            icp_tier: row.icp_tier,
            icp_reasoning: row.icp_reasoning,
            scored_at: row.scored_at,
            job_id: row.job_id,
        };
        self.add(of, scored, columns);
    }
}
