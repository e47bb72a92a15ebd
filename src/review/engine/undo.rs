//! Undo and redo.

use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;

use super::{Engine, Event, LeadStatus, State, ids, targets};
use crate::review::history::{Change, History, Step};
use crate::review::outbox::CHUNK;

/// What an undo did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// The step, with the leads that it still had; without any if all were decided again since.
    pub step: Step,
    /// Leads that were decided again since, here or by others, and stay as they are.
    pub kept: Vec<Arc<str>>,
}

impl Engine {
    /// Adds an undo step, and returns its number.
    pub(super) fn add_step(&self, leads: &[LeadStatus], to: NewApprovalStatus, name: &str) -> u64 {
        let changes = leads.iter().map(|(lead, from)| Change {
            lead: Arc::clone(lead),
            from: from.clone(),
        });
        let mut changes = Some(changes.collect());
        let (at, mut number) = (self.0.host.now(), 0);
        self.change_history(&mut |history| {
            number = history.push(to, name.into(), changes.take().unwrap_or_default(), at);
        });
        number
    }

    /// Undoes the latest step, or the one with this number. Leads that were decided again since, here or by others, stay as
    /// they are, and so do those whose status before is not one that can be set.
    pub fn undo(&self, number: Option<u64>) -> Option<Undone> {
        let mut undone = None;
        self.change_history(&mut |history| {
            undone = match number {
                Some(number) => history.undo_step(number),
                None => history.undo().map(|step| (step, Vec::new())),
            };
        });
        let (mut step, mut kept) = undone?;
        let by_others = self.with_outbox(|outbox| {
            let is_theirs = |change: &Change| outbox.is_decided_by_others(&change.lead, step.to);
            let changes = step.changes.extract_if(.., |change| is_theirs(change));
            changes.map(|change| change.lead).collect::<Vec<_>>()
        });
        if !by_others.is_empty() {
            self.change_history(&mut |history| history.forget_undone(&by_others));
            kept.extend(by_others);
        }
        let mut all = Vec::new();
        for to in NewApprovalStatus::ALL {
            let back = step.changes.iter();
            let back = back.filter(|change| change.from.known() == Some(*to));
            let leads: Vec<LeadStatus> = self.with_outbox(|outbox| {
                let shown = |lead: &Arc<str>| outbox.shown(lead).unwrap_or(step.to.into());
                back.map(|change| (Arc::clone(&change.lead), shown(&change.lead)))
                    .collect()
            });
            if !leads.is_empty() {
                self.emit(Event::Decided(ids(&leads), None));
                all.extend(targets(&leads, *to));
                self.send_decision(leads, *to);
            }
        }
        self.change_runs(&mut |runs| runs.undone(step.number));
        if all.len() > CHUNK {
            self.start_run(None, all, false);
        }
        Some(Undone { step, kept })
    }

    /// Redoes the step that was undone last, and returns its number.
    pub fn redo(&self) -> Option<u64> {
        let mut state = self.0.state.borrow_mut();
        let State {
            outbox, history, ..
        } = &mut *state;
        let redone = history.redo(|lead| outbox.shown(lead));
        drop(state);
        self.emit(Event::History);
        let step = redone?;
        let leads = step
            .changes
            .iter()
            .map(|change| (Arc::clone(&change.lead), change.from.clone()));
        let leads: Vec<LeadStatus> = leads.collect();
        self.send_step(step.number, leads, step.to);
        Some(step.number)
    }

    pub(super) fn change_history(&self, change: &mut dyn FnMut(&mut History)) {
        change(&mut self.0.state.borrow_mut().history);
        self.emit(Event::History);
    }
}
