//! Bulk decisions: progress, pause, cancel and retry of all leads together.

use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;
use leptos::prelude::*;

use super::{Decisions, Shown};
use crate::review::bulk_run::{LeadOutcome, Progress, Run};
use crate::review::outbox::CHUNK;
use crate::review::outbox::entry::Phase;

impl Decisions {
    /// Starts a run if there are more leads than fit into one request. Returns whether it did.
    pub(super) fn watch(self, step: Option<u64>, aims: Vec<(Arc<str>, NewApprovalStatus)>) -> bool {
        let many = aims.len() > CHUNK;
        if many {
            self.outbox.with_untracked(|outbox| {
                self.runs
                    .update(|runs| runs.push(step, aims, false, outbox));
            });
        }
        many
    }

    /// Restores runs that were paused before a reload. They stay paused until the user resumes or cancels them.
    pub(super) fn watch_held(self, leads: &[Arc<str>]) {
        for to in NewApprovalStatus::ALL {
            let mut held: Vec<Shown> = Vec::new();
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
                let step = self.note(&held, *to, "");
                let aims = super::aims(&held, *to);
                self.outbox.with_untracked(|outbox| {
                    self.runs
                        .update(|runs| runs.push(Some(step), aims, true, outbox));
                });
            }
        }
    }

    /// Returns the progress of a run. `None` once it was closed.
    pub fn progress(self, number: u64) -> Option<Progress> {
        self.runs.with(|runs| {
            let run = runs.get(number)?;
            Some(run.progress())
        })
    }

    /// Returns the leads of a run with this outcome.
    pub fn leads_of(self, number: u64, fate: LeadOutcome) -> Vec<Arc<str>> {
        self.runs.with_untracked(|runs| {
            let run = runs.get(number);
            run.map(|run| run.leads_of(fate)).unwrap_or_default()
        })
    }

    /// Pauses or resumes sending a run.
    pub fn pause(self, number: u64, paused: bool) {
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
        self.update(|outbox| outbox.hold(&leads, paused));
        self.runs.update(|runs| {
            if let Some(run) = runs.get_mut(number) {
                run.paused = paused;
            }
        });
        self.keep_now();
        self.pump();
    }

    /// Cancels what is queued or not confirmed. Where the server may have saved it, the previous status is sent.
    pub fn cancel(self, number: u64) {
        let Some(run) = self.run(number) else { return };
        let waiting = self.run_leads(&run, &[Phase::Queued, Phase::Retrying]);
        let befores = self.statuses(&waiting);
        self.update(|outbox| outbox.take_back(&waiting));
        self.count(&waiting, befores);
        if let Some(step) = run.step {
            self.history
                .update(|history| history.forget_in(step, &waiting));
        }
        self.runs.update(|runs| {
            if let Some(run) = runs.get_mut(number) {
                (run.paused, run.cancelled) = (false, true);
            }
        });
        self.keep_now();
        self.pump();
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
