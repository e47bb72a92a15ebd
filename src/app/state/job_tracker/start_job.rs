//! Starts jobs. A start is never repeated automatically.

use lead_workspace_api::{
    AccountId, AccountScoring, LeadId, LeadListId, LeadScoring, ScoringStarted,
};

use super::{Jobs, now};
use crate::app::model::scoring_jobs::{JobPhase, JobSnapshot, RecordKind, Scoring, ScoringJob};
use crate::app::state::{AppState, spawn};
use crate::client::{Client, Error, ErrorKind};
use crate::platform::web_lock;

/// Starts a job. It is stored before the request is sent, so that other tabs show it, too.
pub fn start(app: AppState, scoring: Scoring) {
    let jobs = app.jobs;
    let number = (js_sys::Math::random() * 1e15) as u64;
    let job = ScoringJob::new(number, scoring, now());
    jobs.starting.update_value(|starting| starting.push(number));
    jobs.list.update(|list| {
        list.merge(job.clone());
    });
    spawn(async move {
        // If another tab gets the lock while the job is still starting, this tab was closed.
        let _held = web_lock::acquire(&jobs.slot(number)).await;
        jobs.store(&job);
        send(app, &job).await;
        jobs.starting
            .try_update_value(|starting| starting.retain(|one| *one != number));
    });
}

async fn send(app: AppState, job: &ScoringJob) {
    let (jobs, number) = (app.jobs, job.number);
    let ended = |phase, reason: &str| JobSnapshot::new(phase, now()).because(reason);
    let Some(client) = app.session.client_now() else {
        let reason = "There is no key. Enter one, then score again";
        jobs.update(number, ended(JobPhase::Refused, reason));
        return;
    };
    let state = match send_request(&client, &job.scoring).await {
        Ok(started) => match started.job_id.filter(|id| !id.as_str().is_empty()) {
            Some(id) => return jobs.mark_running(number, id.as_str()),
            None => ended(JobPhase::Uncertain, ""),
        },
        Err(error) if matches!(error.kind, ErrorKind::OutcomeUnknown(_)) => {
            ended(JobPhase::Uncertain, "")
        }
        Err(error) => {
            app.session.check_key(&error);
            let reason = [&*error.summary(), ". ", &error.remedy()].concat();
            ended(JobPhase::Refused, &reason)
        }
    };
    if let Some(job) = jobs.update(number, state) {
        jobs.announce(&job);
    }
}

/// Sends the request. It always names what to score, as [`Scoring`] does.
async fn send_request(client: &Client, scoring: &Scoring) -> Result<ScoringStarted, Error> {
    let (ids, list) = (scoring.ids(), scoring.list());
    match scoring.kind() {
        RecordKind::Leads => {
            let lead_ids = ids.iter().map(|id| LeadId::new(&**id)).collect();
            let request = LeadScoring {
                lead_ids: Some(lead_ids).filter(|ids: &Vec<_>| !ids.is_empty()),
                lead_list_ids: list.map(|list| vec![LeadListId::new(list)]),
            };
            client.score_leads(&request).await
        }
        RecordKind::Accounts => {
            let request = AccountScoring {
                account_ids: ids.iter().map(|id| AccountId::new(&**id)).collect(),
                lead_list_id: list.map(LeadListId::new),
            };
            client.score_accounts(&request).await
        }
    }
}

impl Jobs {
    fn mark_running(self, number: u64, id: &str) {
        let changed = self.list.try_maybe_update(|list| {
            let changed = list.mark_running(number, id, now());
            (changed.is_some(), changed)
        });
        if let Some(job) = changed.flatten() {
            self.store(&job);
        }
    }
}
