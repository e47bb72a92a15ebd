//! Checks a job whose start got no response. The API cannot list jobs, so the job itself cannot be found. But what
//! it scored has a newer score, so a sample is checked.

use lead_workspace_api::shapes::{ListScore, Shape};
use lead_workspace_api::{AccountId, LeadId, Raw};

use super::now;
use super::refresh_rows::refresh;
use crate::app::model::scoring_jobs::{
    JobPhase, JobSnapshot, RecordKind, ScoringJob, accounts_on, leads_on,
};
use crate::app::model::time::instant;
use crate::app::reactive::RwSignal;
use crate::app::state::open_account::ANY_ACCOUNT;
use crate::app::state::{AppState, spawn};
use crate::client::Client;

/// The size of the sample.
const SAMPLE_SIZE: usize = 5;

/// Checks a sample of what a job was to score. `busy` is set meanwhile.
pub fn check(app: AppState, number: u64, busy: RwSignal<bool>) {
    let (jobs, session) = (app.jobs, app.session);
    let job = jobs.list.with_untracked(|list| list.get(number).cloned());
    let (Some(job), Some(client)) = (job, session.client_now()) else {
        return;
    };
    busy.set(true);
    spawn(async move {
        let (mut looked, mut newer) = (0, 0);
        for id in sample(&client, &job).await {
            if let Some(scored) = scored(&client, job.scoring.kind(), &id).await {
                looked += 1;
                newer += u64::from(scored.is_some_and(|scored| job.is_newer(scored)));
            }
        }
        let state = JobSnapshot {
            looked: Some((looked, newer)),
            ..JobSnapshot::new(JobPhase::Uncertain, now())
        };
        busy.set(false);
        if let Some(job) = jobs.update(number, state) {
            jobs.announce(&job);
            if newer > 0 {
                refresh(app, &job).await;
            }
        }
    });
}

/// Returns the ids of a sample: spread over the ids of the job, or the first rows of its list.
async fn sample(client: &Client, job: &ScoringJob) -> Vec<String> {
    let ids = job.scoring.ids();
    let Some(list) = job.scoring.list() else {
        let step = ids.len().div_ceil(SAMPLE_SIZE).max(1);
        return ids
            .iter()
            .step_by(step)
            .map(|id| (**id).to_owned())
            .collect();
    };
    let found: Vec<Option<String>> = match job.scoring.kind() {
        RecordKind::Leads => {
            let query = leads_on(list, SAMPLE_SIZE as u32);
            let response = client.query_leads(&query).await.ok();
            let rows = response.into_iter().flat_map(|response| response.data);
            rows.map(|row| row.lead_id.map(String::from)).collect()
        }
        RecordKind::Accounts => {
            let query = accounts_on(list, SAMPLE_SIZE as u32);
            let response = client.query_accounts(&query).await.ok();
            let rows = response.into_iter().flat_map(|response| response.data);
            rows.map(|row| row.id.map(String::from)).collect()
        }
    };
    found.into_iter().flatten().collect()
}

/// Returns when a row was last scored, `Some(None)` if never. `None` if the request failed.
async fn scored(client: &Client, kind: RecordKind, id: &str) -> Option<Option<i64>> {
    let scores: Option<Vec<Raw>> = match kind {
        RecordKind::Leads => client.get_lead(&LeadId::new(id)).await.ok()?.list_scores,
        RecordKind::Accounts => {
            let account = client.get_account(&AccountId::new(id), &ANY_ACCOUNT).await;
            account.ok()?.list_scores
        }
    };
    let scores = scores.unwrap_or_default();
    let times = scores.iter().filter_map(ListScore::read);
    Some(times.filter_map(|score| instant(&score.scored_at?)).max())
}
