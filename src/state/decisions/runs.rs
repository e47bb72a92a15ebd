//! Decisions on many leads: paused, gone on with, called off and repeated as one.

use std::sync::Arc;

use super::Decisions;
use crate::model::bulk_run::{Aim, Progress, Run};
use crate::model::outbox::CHUNK;
use crate::model::outbox::entry::Phase;

impl Decisions {
    /// Leads are being changed. Where they are many, somebody may want to see how far that is.
    pub(super) fn watch(self, step: Option<u64>, aims: Vec<Aim>) -> bool {
        let many = aims.len() > CHUNK;
        if many {
            self.outbox.with_untracked(|outbox| {
                self.runs.update(|runs| runs.push(step, aims, outbox));
            });
        }
        many
    }

    /// How far a run is; none once nobody looks at it any more.
    pub fn progress(self, number: u64) -> Option<Progress> {
        self.runs.with(|runs| {
            let run = runs.get(number)?;
            Some(self.outbox.with(|outbox| run.progress(outbox)))
        })
    }

    /// Keeps what has not left from leaving, or lets it go.
    pub fn pause(self, number: u64, paused: bool) {
        let Some(run) = self.run(number) else { return };
        let leads: Vec<Arc<str>> = run.aims.into_iter().map(|aim| aim.lead).collect();
        self.outbox.update(|outbox| outbox.hold(&leads, paused));
        self.runs.update(|runs| {
            if let Some(run) = runs.get_mut(number) {
                run.paused = paused;
            }
        });
        self.pump();
    }

    /// Calls off what has not left.
    pub fn cancel(self, number: u64) {
        let Some(run) = self.run(number) else { return };
        let waiting = self.run_leads(&run, &[Phase::Queued]);
        let befores = self.statuses(&waiting);
        self.outbox.update(|outbox| outbox.take_back(&waiting));
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

    /// Sends again what was not kept, or perhaps not.
    pub fn retry_run(self, number: u64) {
        let Some(run) = self.run(number) else { return };
        let leads = self.run_leads(&run, &[Phase::Failed, Phase::Uncertain]);
        if let (Some(step), Some(aim)) = (run.step, run.aims.first()) {
            let changes = run.changes(&leads);
            self.history
                .update(|history| history.remember(step, aim.to, changes));
        }
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
