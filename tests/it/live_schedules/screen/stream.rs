//! What the screen takes from the stream.

use std::ops::RangeInclusive;
use std::sync::Arc;

use fastrand::Rng;
use lead_workspace::api::ApprovalStatus;
use lead_workspace::app::model::lead_tab::Tab;
use lead_workspace::app::model::live::{Effects, LiveEvent};
use lead_workspace::review::outbox::DELETED;

use super::{Known, ListScreen, NOW, Row};
use crate::live_schedules::server::Server;

impl ListScreen {
    pub fn take_event(&mut self, server: &Server, random: &mut Rng) -> bool {
        let Some(position) = self.stream else {
            return false;
        };
        let Some(event) = server.event(position, random.u64(1..=4)) else {
            return false;
        };
        self.stream = Some(match &event {
            LiveEvent::Changed(changes) => changes.version.unwrap(),
            LiveEvent::Open(version) | LiveEvent::Reset(version) => *version,
        });
        let effects = self.take_live(&event);
        for lead in &effects.marked {
            let by_other = server.is_by_others(self.number, lead, None);
            let deleted = server.status(lead).is_none();
            let is_known = !self.lost.contains(lead);
            assert!(
                by_other || deleted || !is_known,
                "only what others did is marked"
            );
        }
        self.marks += effects.marked.len();
        true
    }

    pub(super) fn take_live(&mut self, event: &LiveEvent) -> Effects {
        let known = Known {
            outbox: &self.outbox,
            pages: &self.pages,
        };
        let effects = self.model.take(event, self.clock, &known);
        self.conflicts.extend(effects.conflicts.iter().cloned());
        self.show(&effects.statuses);
        if effects.counts {
            let is_unknown = effects.loses_rows(self.pages.is_loaded_from_top());
            self.add_drift(effects.grown, is_unknown);
        }
        if effects.reread_view || !effects.content.is_empty() {
            self.pending = Some(());
        }
        self.request_missing();
        effects
    }

    /// Others changed the list.
    pub(super) fn add_drift(&mut self, has_grown: bool, is_unknown: bool) {
        self.drift
            .add(has_grown, is_unknown, &mut self.pages, |row| &row.id);
    }

    fn pages_in_view(&self) -> RangeInclusive<u64> {
        let view = self.view();
        self.pages.page(view.start)..=self.pages.page(view.end)
    }

    pub(super) fn show(&mut self, statuses: &[(Arc<str>, ApprovalStatus)]) {
        let mut first = None;
        for (lead, status) in statuses {
            let row = self.pages.rows().find(|(_, row)| row.id == **lead);
            let index = row.map(|(index, _)| index);
            if let Some(index) = index {
                self.departed += usize::from(!Tab::Pending.holds(status));
                self.decided.add([(index, Arc::clone(lead))].into_iter());
                first = Some(first.map_or(index, |first: u64| first.min(index)));
            }
            if self.outbox.wanted(lead).is_some() {
                self.history.changed_by_others(lead, status);
            }
            self.outbox
                .on_changed_by_others(lead, status, index.is_some());
        }
        if let Some(first) = first {
            let in_view = self.pages_in_view();
            self.drift
                .rows_decided(first, NOW, &mut self.pages, |page| in_view.contains(&page));
            self.drift.expire_misplaced(&mut self.pages);
        }
    }

    /// Reads the pages in view again, if others changed many.
    pub fn reread(&mut self, server: &Server) {
        if self.pending.take().is_none() {
            return;
        }
        let in_view = self.pages_in_view();
        let is_in_view = |index: u64| in_view.contains(&self.pages.page(index));
        let rows = self.pages.rows().filter(|(index, _)| is_in_view(*index));
        let rows: Vec<Row> = rows.map(|(_, row)| row.clone()).collect();
        let sent = self.outbox.start_read();
        let mut moved = Vec::new();
        for row in rows {
            let now = server.status(&row.id);
            let now = now.map_or_else(|| DELETED.into(), ApprovalStatus::from);
            match self.outbox.concerns(&row.id) {
                true if now.as_str() != DELETED => {
                    self.outbox.on_read(&row.id, now, sent);
                }
                _ if now != row.status => moved.push((row.id.as_str().into(), now)),
                _ => {}
            }
        }
        self.show(&moved);
        let in_view = self.pages_in_view();
        self.pages.expire(|page| !in_view.contains(&page));
        self.request_missing();
    }
}
