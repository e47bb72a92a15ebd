//! Bulk decisions: progress, pause, cancel and retry of all leads together.

use std::slice::from_ref;
use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;

use super::{Engine, Event, LeadStatus, targets};
use crate::review::bulk_run::Runs;
use crate::review::outbox::{Phase, SequenceNumber};

/// A lead that was in flight when its run was cancelled.
pub(super) struct CancelledLead {
    lead: Arc<str>,
    /// Its decision: a later one is not cancelled.
    decided: Option<SequenceNumber>,
    /// The step of the run.
    step: Option<u64>,
}

impl Engine {
    /// Starts a run of leads that were just decided. Returns its number.
    pub(super) fn start_run(
        &self,
        step: Option<u64>,
        targets: Vec<(Arc<str>, NewApprovalStatus)>,
        paused: bool,
    ) -> u64 {
        let number = {
            let state = &mut *self.0.state.borrow_mut();
            state.runs.push(step, targets, paused, &state.outbox)
        };
        self.emit(Event::Runs);
        number
    }

    /// Returns the number of the run of a step. Starts one for a step that is sent in one request.
    pub fn run_of_step(&self, step: u64) -> Option<u64> {
        if let Some(number) = self.with_runs(|runs| runs.of_step(step)) {
            return Some(number);
        }
        let targets = self.with_history(|history| {
            let step = history.recent().find(|one| one.number == step)?;
            let leads = step.changes.iter();
            Some(
                leads
                    .map(|change| (Arc::clone(&change.lead), step.to))
                    .collect(),
            )
        })?;
        Some(self.start_run(Some(step), targets, false))
    }

    /// Restores runs that were paused before a reload. They stay paused until the user resumes or cancels them.
    pub(super) fn restore_runs(&self, leads: &[Arc<str>]) {
        for to in NewApprovalStatus::ALL {
            let held: Vec<LeadStatus> = self.with_outbox(|outbox| {
                let held = leads
                    .iter()
                    .filter(|lead| outbox.is_held(lead) && outbox.wanted(lead) == Some(*to));
                held.filter_map(|lead| Some((Arc::clone(lead), outbox.known(lead)?.clone())))
                    .collect()
            });
            if !held.is_empty() {
                let step = self.add_step(&held, *to, "");
                self.start_run(Some(step), targets(&held, *to), true);
            }
        }
    }

    /// Pauses or resumes sending a run.
    pub fn set_run_paused(&self, number: u64, paused: bool) {
        // Leads in flight may be queued again, so they are held, too.
        let leads = self.run_leads(
            number,
            &[
                Phase::Queued,
                Phase::Sent,
                Phase::Retrying,
                Phase::Failed,
                Phase::Uncertain,
            ],
        );
        self.change_runs(&mut |runs| {
            if let Some(run) = runs.get_mut(number) {
                run.paused = paused;
            }
        });
        self.apply(&leads, &mut |outbox| outbox.hold(&leads, paused));
    }

    /// Cancels what is queued or not confirmed, and what is in flight unless the server saves it now. Where it may have saved
    /// it, the previous status is sent.
    pub fn cancel_run(&self, number: u64) {
        let waiting = self.run_leads(number, &[Phase::Queued, Phase::Retrying]);
        let in_flight = self.run_leads(number, &[Phase::Sent]);
        let step = self.with_runs(|runs| runs.get(number)?.step);
        self.change_runs(&mut |runs| {
            if let Some(run) = runs.get_mut(number) {
                (run.paused, run.cancelled) = (false, true);
            }
        });
        {
            let state = &mut *self.0.state.borrow_mut();
            let in_flight = in_flight.into_iter().map(|lead| CancelledLead {
                decided: state.outbox.decided(&lead),
                lead,
                step,
            });
            state.cancelled.extend(in_flight);
        }
        if let Some(step) = step {
            self.change_history(&mut |history| history.remove_from_step(step, &waiting));
        }
        self.apply(&waiting, &mut |outbox| outbox.cancel(&waiting));
    }

    /// Cancels those leads of a request that were in flight when their run was cancelled, if they would be sent again.
    pub(super) fn cancel_unsaved(&self, request: &[Arc<str>]) {
        let mut unsaved = Vec::new();
        {
            let state = &mut *self.0.state.borrow_mut();
            let outbox = &state.outbox;
            state.cancelled.retain(|one| {
                if !request.contains(&one.lead) {
                    return true;
                }
                let phase = outbox.phase(&one.lead);
                if outbox.decided(&one.lead) == one.decided
                    && matches!(phase, Phase::Queued | Phase::Retrying)
                {
                    unsaved.push((one.step, Arc::clone(&one.lead)));
                }
                false
            });
        }
        if unsaved.is_empty() {
            return;
        }
        self.change_history(&mut |history| {
            for (step, lead) in &unsaved {
                if let Some(step) = step {
                    history.remove_from_step(*step, from_ref(lead));
                }
            }
        });
        let leads: Vec<Arc<str>> = unsaved.into_iter().map(|(_, lead)| lead).collect();
        self.apply(&leads, &mut |outbox| outbox.cancel(&leads));
    }

    /// Sends again what was not saved, or perhaps not.
    pub fn retry_run(&self, number: u64) {
        let leads = self.run_leads(number, &[Phase::Failed, Phase::Uncertain]);
        self.retry(Some(&leads));
    }

    /// Removes a run. Its decisions go on.
    pub fn close_run(&self, number: u64) {
        self.change_runs(&mut |runs| runs.close(number));
    }

    pub(super) fn change_runs(&self, change: &mut dyn FnMut(&mut Runs)) {
        change(&mut self.0.state.borrow_mut().runs);
        self.emit(Event::Runs);
    }

    /// Returns the leads of a run in these phases; none once it was closed.
    fn run_leads(&self, number: u64, phases: &[Phase]) -> Vec<Arc<str>> {
        let state = self.0.state.borrow();
        let run = state.runs.get(number);
        run.map(|run| run.leads_in(&state.outbox, phases))
            .unwrap_or_default()
    }
}
