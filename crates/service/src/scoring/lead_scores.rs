//! Scores one stored lead.

use std::sync::Arc;

use jiff::Timestamp;

use lead_workspace_index::ChangeKind;
use lead_workspace_logic::scoring::StoredIntentSignal;

use super::{Attributes, Score, Scorer};
use crate::store::db::{Db, List, Row, params};
use crate::store::insert::{NewRow, NewRows, ScoreRow};
use crate::store::{StoreError, Tenant};

/// The parameters of a scoring run.
pub(super) struct ScoringRun {
    pub tenant: Tenant,
    pub scorer: Arc<Scorer>,
    /// The time from which the age of intent signals is computed: the creation time of the job, so
    /// that a resumed job computes the same scores.
    pub as_of: Timestamp,
    pub scored_at: String,
    pub job_id: Option<String>,
}

/// The computed scores of a lead, not written yet.
pub(super) struct LeadScores {
    id: i64,
    /// Checked when writing: the lead may be deleted by then and its row number reused.
    lead_id: String,
    scores: Vec<(String, Score)>,
}

impl ScoringRun {
    /// Computes one score for each list of a lead; returns `None` if the lead does not exist.
    pub(super) fn lead(&self, db: Db<'_>, lead: i64) -> Result<Option<LeadScores>, StoreError> {
        let key = params![lead, self.tenant.0];
        let attributes: Option<(String, [Option<String>; 5])> = db.row(
            "SELECT lead_id, industry, company_size, title, location, company_location
             FROM leads WHERE id = ?1 AND tenant = ?2",
            key,
            |row| {
                let attributes = [
                    row.get(1)?,
                    row.get(2)?,
                    row.get(3)?,
                    row.get(4)?,
                    row.get(5)?,
                ];
                Ok((row.get(0)?, attributes))
            },
        )?;
        let Some((lead_id, [industry, size, title, location, company_location])) = attributes
        else {
            return Ok(None);
        };
        let titles: Vec<&str> = title.as_deref().into_iter().collect();
        let attributes = Attributes {
            industry: industry.as_deref(),
            size: size.as_deref(),
            titles: &titles,
            location: location.as_deref(),
            company_location: company_location.as_deref(),
            intents: &[],
        };
        let sql = "SELECT event_type, created_at, lead_list_id FROM intents
             WHERE lead = ?1 AND tenant = ?2 ORDER BY created_at DESC";
        let signals: Vec<_> = db.rows(sql, key, |row| read_signal(row, 0, self.as_of))?;
        let sql = "SELECT list_id FROM list_items WHERE lead = ?1 AND tenant = ?2";
        let lists = db.rows(sql, key, |row| row.get(0))?;
        let scores = self.scorer.score_lists(&attributes, &signals, lists);
        Ok(Some(LeadScores {
            id: lead,
            lead_id,
            scores,
        }))
    }

    pub(super) fn row<'a>(&'a self, list_id: &'a str, score: &'a Score) -> ScoreRow<'a> {
        ScoreRow {
            list_id,
            icp_score: f64::from(score.points),
            icp_tier: score.tier,
            icp_reasoning: score.reasoning(),
            scored_at: &self.scored_at,
            job_id: self.job_id.as_deref(),
        }
    }
}

/// Writes the scores, and returns how many of the leads still exist.
pub(super) fn write_leads(
    db: Db<'_>,
    scoring: &ScoringRun,
    leads: &[LeadScores],
) -> Result<usize, StoreError> {
    let tenant = scoring.tenant;
    let mut new = NewRows::new(tenant);
    let mut found = Vec::new();
    for lead in leads {
        let best = Score::best(lead.scores.iter().map(|(_, score)| score));
        let updated = db.execute(
            "UPDATE leads SET icp_score = ?4, icp_tier = ?5
             WHERE id = ?1 AND tenant = ?2 AND lead_id = ?3",
            params![
                lead.id,
                tenant.0,
                lead.lead_id,
                best.map(|best| f64::from(best.points)),
                best.map(|best| best.tier),
            ],
        )?;
        if updated == 0 {
            continue;
        }
        db.touch(tenant, ChangeKind::SCORE, lead.id);
        for (list_id, score) in &lead.scores {
            new.add_score(NewRow::LeadScore, lead.id, scoring.row(list_id, score));
        }
        found.push(lead.id);
    }
    let written = found.len();
    let sql = "DELETE FROM lead_scores
               WHERE tenant = ?1 AND lead IN (SELECT value FROM json_each(?2))";
    db.execute(sql, params![tenant.0, List::integers(found)])?;
    new.write(db)?;
    Ok(written)
}

/// Reads an intent signal from three columns of a row: its type, time and list.
pub(super) fn read_signal(
    row: &Row<'_>,
    first: usize,
    as_of: Timestamp,
) -> Result<StoredIntentSignal, StoreError> {
    let created_at: String = row.get(first + 1)?;
    let (event_type, list_id) = (row.get(first)?, row.get(first + 2)?);
    Ok(StoredIntentSignal::new(
        event_type,
        &created_at,
        list_id,
        as_of,
    ))
}
