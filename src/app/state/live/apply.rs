//! What an event changes on the screen.

use std::sync::Arc;

use gloo_timers::callback::Timeout;
use js_sys::Date;
use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};
use leptos::prelude::*;

use super::follower::Follower;
use super::own_decision::{OwnDecision, OwnEvent};
use crate::app::model::live::conflicts::Conflict;
use crate::app::model::live::marks::Marks;
use crate::app::model::live::{Effects, LiveEvent, LiveModel, OwnEffect, Screen};
use crate::app::state::AppState;
use crate::app::state::decisions::LeadStatus;
use crate::review::sorted_ids::SortedIds;

/// The leads that the app has.
pub(super) struct ScreenOf {
    app: AppState,
    ids: SortedIds,
}

impl ScreenOf {
    pub(super) fn new(app: AppState) -> Self {
        let mut ids: Vec<Arc<str>> = Vec::new();
        app.leads.listing.pages.try_with_untracked(|pages| {
            ids.extend(pages.rows().map(|(_, row)| Arc::from(&*row.lead.id)));
        });
        let open = untrack(|| app.details.shown());
        ids.extend(open.map(|lead| Arc::from(&*lead.id)));
        for account in [app.account.details, app.colleagues] {
            let account = untrack(|| account.shown());
            let leads = account.iter().flat_map(|account| &account.leads);
            ids.extend(leads.map(|lead| Arc::from(&*lead.id)));
        }
        Self {
            app,
            ids: SortedIds::new(ids),
        }
    }
}

impl Screen for ScreenOf {
    fn has(&self, lead: &str) -> bool {
        self.ids.has(lead)
    }

    fn known(&self, lead: &str) -> Option<ApprovalStatus> {
        let known = self.app.decisions.server_status(lead);
        known.or_else(|| {
            let is_listed = self.has(lead);
            is_listed.then(|| self.app.decisions.listed_status(lead))?
        })
    }

    fn unsaved(&self, lead: &str) -> Option<NewApprovalStatus> {
        self.app.decisions.unsaved(lead)
    }

    fn unconfirmed(&self, lead: &str) -> Option<NewApprovalStatus> {
        self.app.decisions.unconfirmed(lead)
    }

    fn in_flight(&self, to: &ApprovalStatus) -> u64 {
        self.app.decisions.count_in_flight(to)
    }
}

impl Follower {
    pub(super) fn on_event(self, app: AppState, event: &LiveEvent) {
        let at = self.time_of(event);
        let screen = ScreenOf::new(app);
        let take = |model: &mut LiveModel| model.take(event, at, &screen);
        let Some(effects) = self.model.try_update_value(take) else {
            return;
        };
        if effects.reopens {
            self.reopen(app);
        }
        self.apply(app, effects, Some(at), &screen);
        self.show_news();
    }

    fn apply(self, app: AppState, effects: Effects, at: Option<u64>, screen: &dyn Screen) {
        self.show_statuses(app, &effects.statuses, &effects.marked, at, screen);
        let pages = app.leads.listing.pages;
        let is_from_top =
            pages.try_with_untracked(|pages| pages.is_loaded_from_top()) != Some(false);
        if effects.counts {
            app.leads
                .add_drift(effects.grown, effects.loses_rows(is_from_top));
        }
        self.report_conflicts(app, &effects.conflicts);
        self.reread_later(app, &effects);
        if effects.counts || effects.accounts {
            self.notify_changed(app);
        }
    }

    /// Shows statuses that others gave, in place. Those that are `marked` get a mark with their age.
    pub(super) fn show_statuses(
        self,
        app: AppState,
        statuses: &[LeadStatus],
        marked: &[Arc<str>],
        at: Option<u64>,
        screen: &dyn Screen,
    ) {
        if statuses.is_empty() {
            return;
        }
        let ids = SortedIds::new(statuses.iter().map(|(lead, _)| Arc::clone(lead)));
        // The rows stay, but may have left the server's list.
        app.leads.record_rows(&|lead| ids.has(lead));
        if app.leads.rows_decided(&|lead| ids.has(lead)) {
            self.expiries.run(move || app.leads.read_misplaced());
        }
        let marked = SortedIds::new(marked.iter().map(Arc::clone));
        self.marks.try_update_value(|marks| {
            for (lead, status) in statuses.iter().filter(|(lead, _)| marked.has(lead)) {
                marks.put(lead, status, at);
            }
        });
        app.decisions
            .on_changed_by_others(statuses, &|lead| screen.has(lead));
        self.show_marks(app);
    }

    /// Shows marks and their ages, again whenever an age changes.
    fn show_marks(self, app: AppState) {
        app.live.marks_changed.set(());
        let now = Date::now() as u64;
        let next = self.marks.try_with_value(|marks| marks.next_change(now));
        let timer = next.flatten().map(|wait| {
            // A little later, because timers may be early.
            let wait = u32::try_from(wait + 20).unwrap_or(u32::MAX);
            Timeout::new(wait, move || self.show_marks(app))
        });
        self.timers.try_update_value(|timers| timers.marks = timer);
    }

    pub(super) fn on_own_event(self, app: AppState, event: OwnEvent<'_>) {
        match event {
            OwnEvent::Deciding(leads) => {
                let is_unsaved = |lead: &str| app.decisions.unsaved(lead).is_some();
                self.model
                    .try_update_value(|model| model.on_deciding(leads, &is_unsaved));
            }
            OwnEvent::Decided(own) => self.on_own(app, own),
        }
    }

    /// Takes decisions of this reviewer.
    fn on_own(self, app: AppState, own: Vec<OwnDecision>) {
        if self.position().is_none() {
            // A server without a stream has no events to compare it with.
            return;
        }
        let (mut conflicts, mut unclear) = (Vec::new(), Vec::new());
        let now = Date::now() as u64;
        self.model.try_update_value(|model| {
            for one in &own {
                let has_later = app.decisions.unsaved(&one.lead).is_some();
                let effect = model.on_own(&one.lead, one.to, one.at, one.is_saved, has_later, now);
                if effect != OwnEffect::None {
                    unclear.push(Arc::clone(&one.lead));
                }
                if let OwnEffect::Conflict(conflict) = effect {
                    conflicts.push(conflict);
                }
            }
        });
        // Theirs may have been saved after all.
        self.reread_later(
            app,
            &Effects {
                content: unclear,
                ..Effects::default()
            },
        );
        let saved = own.iter().filter(|one| one.is_saved);
        let saved: Vec<_> = saved.map(|one| (Arc::clone(&one.lead), one.to)).collect();
        app.leads.on_own_saved(&saved);
        self.marks.try_update_value(|marks: &mut Marks| {
            for one in &own {
                marks.remove(&one.lead);
            }
        });
        self.report_conflicts(app, &conflicts);
    }

    fn report_conflicts(self, app: AppState, conflicts: &[Conflict]) {
        let Some(first) = conflicts.first() else {
            return;
        };
        // Undo returns to what they decided.
        app.decisions.set_undo_statuses(conflicts);
        let step = app.decisions.step_of(&first.lead);
        // One Undo takes back one step.
        let is_one_step = conflicts
            .iter()
            .all(|conflict| app.decisions.step_of(&conflict.lead) == step);
        app.notice
            .show_conflict(conflicts.to_vec(), step.filter(|_| is_one_step));
    }

    /// The list is being read again, so it will show all news.
    pub(super) fn list_read(self) {
        self.model.try_update_value(LiveModel::list_read);
        self.marks.try_update_value(Marks::clear);
        self.show_news();
    }

    fn show_news(self) {
        let Some(now) = self.model.try_with_value(|model| model.news().clone()) else {
            return;
        };
        if self.news.try_with_untracked(|news| *news != now) == Some(true) {
            self.news.set(now);
        }
    }
}
