//! The decision history: undo, redo, recent decisions.

use std::sync::Arc;

use js_sys::Date;
use lead_workspace_api::NewApprovalStatus;
use leptos::prelude::*;

use super::{Decisions, LeadStatus, ids, targets};
use crate::app::model::recent_decisions::{RecentDecision, lines};
use crate::review::history::{Change, History, Step};
use crate::review::outbox::CHUNK;

impl Decisions {
    /// Adds an undo step, and returns its number.
    pub(super) fn add_step(self, leads: &[LeadStatus], to: NewApprovalStatus, name: &str) -> u64 {
        let changes = leads.iter().map(|(lead, from)| Change {
            lead: Arc::clone(lead),
            from: from.clone(),
        });
        let changes = changes.collect();
        let at = Date::now() as u64;
        self.history
            .try_update(|history| history.push(to, name.into(), changes, at))
            .unwrap_or_default()
    }

    /// Undoes the latest step, or the one with this number. Leads that were decided again since stay as they are.
    pub fn undo(self, number: Option<u64>) {
        let step = self.history.try_update(|history| match number {
            Some(number) => history.undo_step(number),
            None => history.undo().map(|step| (step, 0)),
        });
        let Some(Some((step, stay))) = step else {
            return;
        };
        let status_now = |lead: &Arc<str>| {
            let shown = self.outbox.with_untracked(|outbox| outbox.shown(lead));
            shown.unwrap_or_else(|| step.to.into())
        };
        let mut all = Vec::new();
        for to in NewApprovalStatus::ALL {
            let back = step.changes.iter();
            let back = back.filter(|change| change.from.known() == Some(*to));
            let leads: Vec<LeadStatus> = back
                .map(|change| (Arc::clone(&change.lead), status_now(&change.lead)))
                .collect();
            if !leads.is_empty() {
                self.suggestions.decided(ids(&leads), None);
                all.extend(targets(&leads, *to));
                self.send_decision(leads, *to);
            }
        }
        self.runs.update(|runs| runs.undone(step.number));
        if all.len() > CHUNK {
            self.start_run(None, all, false);
        }
        self.notice.show_undone(step, stay);
    }

    /// Redoes the step that was undone last.
    pub fn redo(self) {
        let Some(Some(step)) = self.history.try_update(History::redo) else {
            return;
        };
        let leads = step
            .changes
            .iter()
            .map(|change| (Arc::clone(&change.lead), change.from.clone()));
        let leads: Vec<LeadStatus> = leads.collect();
        self.send_step(step.number, leads, step.to);
    }

    /// Returns whether a step can be undone.
    pub fn has_step(self, number: u64) -> bool {
        self.history
            .with(|history| history.recent().any(|step| step.number == number))
    }

    /// Reads the latest step that can be undone.
    pub fn last_step<T>(self, read: impl FnOnce(&Step) -> T) -> Option<T> {
        self.history.with(|history| history.last().map(read))
    }

    /// Returns all steps that can be undone, the latest first.
    pub fn recent(self) -> Vec<Step> {
        self.history
            .with(|history| history.recent().cloned().collect())
    }

    /// Returns the recent decisions, the latest first.
    pub fn recent_decisions(self) -> Vec<RecentDecision> {
        let lines = |history: &History| self.outbox.with(|outbox| lines(history, outbox));
        self.history.with(lines)
    }

    pub fn can_redo(self) -> bool {
        self.history.with(History::can_redo)
    }

    /// Returns the leads of a step whose decisions were not saved.
    pub fn unsaved_leads(self, number: u64) -> Vec<Arc<str>> {
        self.history.with_untracked(|history| {
            let lost = history.lost().filter(|step| step.number == number);
            lost.flat_map(|step| step.changes.iter().map(|one| Arc::clone(&one.lead)))
                .collect()
        })
    }
}
