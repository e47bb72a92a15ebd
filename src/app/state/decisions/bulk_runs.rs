//! Bulk decisions: progress, pause, cancel and retry of all leads together.

use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;
use leptos::prelude::*;

use super::{Decisions, LeadStatus, targets};
use crate::review::bulk_run::{LeadOutcome, Run, RunProgress};
use crate::review::outbox::Phase;

impl Decisions {
    /// Starts a run of leads that were just decided.
    pub(super) fn start_run(
        self,
        step: Option<u64>,
        targets: Vec<(Arc<str>, NewApprovalStatus)>,
        paused: bool,
    ) {
        self.outbox.with_untracked(|outbox| {
            self.runs
                .update(|runs| runs.push(step, targets, paused, outbox));
        });
    }

    /// Restores runs that were paused before a reload. They stay paused until the user resumes or cancels them.
    pub(super) fn restore_runs(self, leads: &[Arc<str>]) {
        for to in NewApprovalStatus::ALL {
            let mut held: Vec<LeadStatus> = Vec::new();
            self.outbox.with_untracked(|outbox| {
                for lead in leads {
                    let of = outbox.known(lead).filter(|_| outbox.is_held(lead));
                    if let Some(known) = of
                        && outbox.wanted(lead) == Some(*to)
                    {
                        held.push((Arc::clone(lead), known.clone()));
                    }
                }
            });
            if !held.is_empty() {
                let step = self.add_step(&held, *to, "");
                self.start_run(Some(step), targets(&held, *to), true);
            }
        }
    }

    /// Returns the progress of a run. `None` once it was closed.
    pub fn progress(self, number: u64) -> Option<RunProgress> {
        self.runs.with(|runs| {
            let run = runs.get(number)?;
            Some(run.progress())
        })
    }

    /// Returns the leads of a run with this outcome.
    pub fn leads_of(self, number: u64, outcome: LeadOutcome) -> Vec<Arc<str>> {
        self.runs.with_untracked(|runs| {
            let run = runs.get(number);
            run.map(|run| run.leads_of(outcome)).unwrap_or_default()
        })
    }

    /// Pauses or resumes sending a run.
    pub fn set_run_paused(self, number: u64, paused: bool) {
        let Some(run) = self.run(number) else { return };
        // Leads in flight may be queued again, so they are held, too.
        let leads = self.run_leads(
            &run,
            &[
                Phase::Queued,
                Phase::Sent,
                Phase::Retrying,
                Phase::Failed,
                Phase::Uncertain,
            ],
        );
        self.runs.update(|runs| {
            if let Some(run) = runs.get_mut(number) {
                run.paused = paused;
            }
        });
        self.apply(&leads, |outbox| outbox.hold(&leads, paused));
    }

    /// Cancels what is queued or not confirmed. Where the server may have saved it, the previous status is sent.
    pub fn cancel_run(self, number: u64) {
        let Some(run) = self.run(number) else { return };
        let waiting = self.run_leads(&run, &[Phase::Queued, Phase::Retrying]);
        if let Some(step) = run.step {
            self.history
                .update(|history| history.remove_from_step(step, &waiting));
        }
        self.runs.update(|runs| {
            if let Some(run) = runs.get_mut(number) {
                (run.paused, run.cancelled) = (false, true);
            }
        });
        self.apply(&waiting, |outbox| outbox.cancel(&waiting));
    }

    /// Sends again what was not saved, or perhaps not.
    pub fn retry_run(self, number: u64) {
        let Some(run) = self.run(number) else { return };
        let leads = self.run_leads(&run, &[Phase::Failed, Phase::Uncertain]);
        self.retry(Some(&leads));
    }

    fn run(self, number: u64) -> Option<Run> {
        self.runs.with_untracked(|runs| runs.get(number).cloned())
    }

    fn run_leads(self, run: &Run, phases: &[Phase]) -> Vec<Arc<str>> {
        self.outbox
            .with_untracked(|outbox| run.leads_in(outbox, phases))
    }
}
