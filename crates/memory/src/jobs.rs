//! Scoring jobs.
//!
//! They run one after another, a step at a time. A step runs after each poll of a job, and whenever
//! [`Workspace::run_step`] is called: so a caller that only waits for a job sees it end, without a clock.

use jiff::Timestamp;
use lead_workspace_api::endpoints::NoParams;
use lead_workspace_api::{
    AccountId, AccountScoring, Job as JobModel, JobId, LeadId, LeadScoring, Raw, ScoringStarted,
};
use lead_workspace_demo::id;
use lead_workspace_index::ChangeKind;
use lead_workspace_logic::iso;
use lead_workspace_logic::jobs::{self, JobKind, MAX_NOT_FOUND_LISTED};
use serde_json::{Value, json};

use crate::Workspace;
use crate::accounts::place_of_account;
use crate::error::Error;
use crate::records::Account;

pub(crate) struct Job {
    job_id: String,
    workflow_id: String,
    kind: JobKind,
    /// The list that accounts are scored for.
    list_id: Option<String>,
    not_found: Value,
    status: &'static str,
    /// Numbers of the leads or accounts that are left, ascending.
    targets: Vec<i64>,
    done: i64,
    total: i64,
    result: Option<Value>,
    created_at: Timestamp,
    updated_at: String,
}

impl Job {
    fn has_ended(&self) -> bool {
        self.status == "succeeded"
    }
}

impl Workspace {
    pub(crate) fn score_leads(
        &mut self,
        scoring: LeadScoring,
        now: Timestamp,
    ) -> Result<ScoringStarted, Error> {
        let all = scoring.lead_ids.is_none() && scoring.lead_list_ids.is_none();
        let ids = scoring.lead_ids.unwrap_or_default();
        let lists = scoring.lead_list_ids.unwrap_or_default();
        let leads = self.leads.iter();
        let targets = leads.filter(|lead| {
            let is_on = |list: &str| {
                let mut items = lead.lists.iter();
                items.any(|item| self.catalog().lists[item.list].id == list)
            };
            let lead_id = lead.row.lead_id.as_str();
            all || ids.iter().any(|id| id.as_str() == lead_id)
                || lists.iter().any(|list| is_on(list.as_str()))
        });
        let targets = targets.map(|lead| lead.number).collect();
        let exists = |id: &LeadId| self.lead(id).is_some();
        let not_found = ids.iter().filter(|id| !exists(id)).map(LeadId::as_str);
        let mut not_found: Vec<&str> = not_found.take(MAX_NOT_FOUND_LISTED).collect();
        for list in &lists {
            let mut known = self.catalog().lists.iter();
            if !known.any(|known| known.id == list.as_str()) {
                jobs::add_unknown_list(&mut not_found, list.as_str());
            }
        }
        self.enqueue(JobKind::Leads, None, targets, json!(not_found), now)
    }

    pub(crate) fn score_accounts(
        &mut self,
        scoring: AccountScoring,
        now: Timestamp,
    ) -> Result<ScoringStarted, Error> {
        let ids = &scoring.account_ids;
        let requested = scoring.lead_list_id.as_ref().map(|list| list.as_str());
        let all = ids.is_empty() && requested.is_none();
        let list = self.catalog().lists.iter();
        let list = list
            .map(|list| list.id.as_str())
            .find(|list| requested == Some(list));
        let is_on = |account: &Account, list: &str| {
            let id = |item: &lead_workspace_demo::ListItem| &self.catalog().lists[item.list].id;
            account.lists.iter().any(|item| id(item) == list)
                || self
                    .leads_of(account)
                    .any(|lead| lead.lists.iter().any(|item| id(item) == list))
        };
        let accounts = self.accounts.iter().filter(|account| {
            all || ids.iter().any(|id| id.as_str() == account.row.account_id)
                || list.is_some_and(|list| is_on(account, list))
        });
        let targets = accounts.map(|account| account.number).collect();
        let exists = |id: &AccountId| self.find_account(id).is_ok();
        let not_found = ids.iter().filter(|id| !exists(id)).map(AccountId::as_str);
        let mut not_found: Vec<&str> = not_found.take(MAX_NOT_FOUND_LISTED).collect();
        if let (Some(unknown), None) = (requested, list) {
            jobs::add_unknown_list(&mut not_found, unknown);
        }
        let (not_found, list) = (json!(not_found), list.map(str::to_owned));
        self.enqueue(JobKind::Accounts, list, targets, not_found, now)
    }

    fn enqueue(
        &mut self,
        kind: JobKind,
        list_id: Option<String>,
        targets: Vec<i64>,
        not_found: Value,
        now: Timestamp,
    ) -> Result<ScoringStarted, Error> {
        let waiting = self.jobs.iter().filter(|job| !job.has_ended()).count();
        if let Some(reason) = jobs::refusal(waiting) {
            return Err(Error::Refused(reason));
        }
        let number = self.jobs.len() as u64;
        let job_id = id(self.options.seed, "job", number, now);
        let workflow_id = id(self.options.seed, "workflow", number, now);
        self.jobs.push(Job {
            job_id: job_id.clone(),
            workflow_id: workflow_id.clone(),
            kind,
            list_id,
            not_found,
            status: "queued",
            done: 0,
            total: targets.len() as i64,
            targets,
            result: None,
            created_at: now,
            updated_at: iso(now),
        });
        Ok(ScoringStarted {
            workflow_id: Some(workflow_id.into()),
            job_id: Some(job_id.into()),
        })
    }

    pub(crate) fn get_job(
        &mut self,
        job_id: JobId,
        _: NoParams,
        now: Timestamp,
    ) -> Result<JobModel, Error> {
        let mut jobs = self.jobs.iter();
        let found = jobs.find(|job| job.job_id == job_id.as_str());
        let job = found.ok_or_else(|| Error::unknown("job", job_id.as_str()))?;
        let model = JobModel {
            job_id: Some(job_id),
            workflow_id: Some(job.workflow_id.as_str().into()),
            kind: Some(job.kind.as_str().to_owned()),
            status: Some(job.status.to_owned()),
            state: Some(job.status.to_owned()),
            progress: Some(json!({"done": job.done, "total": job.total}).into()),
            result: job.result.clone().map(Raw::from),
            error: None,
            created_at: Some(iso(job.created_at)),
            updated_at: Some(job.updated_at.clone()),
        };
        self.run_step(now);
        Ok(model)
    }

    /// Runs a step of the oldest job that has not ended. Returns false if there is none.
    pub fn run_step(&mut self, now: Timestamp) -> bool {
        let Some(at) = self.jobs.iter().position(|job| !job.has_ended()) else {
            return false;
        };
        let job = &mut self.jobs[at];
        let size = job.kind.step();
        let rest = job.targets.split_off(size.min(job.targets.len()));
        let targets = std::mem::replace(&mut job.targets, rest);
        let (kind, list, as_of) = (job.kind, job.list_id.clone(), job.created_at);
        let mut done = 0;
        for number in &targets {
            done += i64::from(self.score_target(kind, *number, list.as_deref(), as_of, now));
        }
        self.changed(match kind {
            JobKind::Leads => ChangeKind::SCORE,
            JobKind::Accounts => ChangeKind::ACCOUNT,
        });
        self.commit(now);
        let job = &mut self.jobs[at];
        job.status = "running";
        job.updated_at = iso(now);
        job.done += done;
        if targets.len() < size {
            job.status = "succeeded";
            let gone = (job.total - job.done).max(0);
            job.result =
                Some(json!({"scored": job.done, "gone": gone, "not_found": job.not_found}));
            // Targets deleted in the meantime no longer count, so the progress ends at 100 %.
            job.total = job.done;
        }
        true
    }

    /// Scores a target; returns false if it was deleted in the meantime.
    fn score_target(
        &mut self,
        kind: JobKind,
        number: i64,
        list: Option<&str>,
        as_of: Timestamp,
        now: Timestamp,
    ) -> bool {
        let scored_at = iso(now);
        let at = match kind {
            JobKind::Leads => self.place_of_lead(number),
            JobKind::Accounts => place_of_account(number),
        };
        match (at, kind) {
            (Some(at), JobKind::Leads) => {
                self.score_lead(at, as_of, &scored_at);
                self.note_lead(number, ChangeKind::SCORE);
            }
            (Some(at), JobKind::Accounts) => {
                self.score_account(at, list, as_of, &scored_at);
                self.note_account(number);
            }
            (None, _) => return false,
        }
        true
    }
}
