//! The leads: the page that is shown, and the decisions on them.

use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, LeadId, LeadUpdate, NewApprovalStatus};
use leptos::prelude::*;

use super::counts;
use super::flight::Flight;
use super::listing::{Keys, Listing, Sheet};
use super::notice::{Notice, Undoable};
use super::session::Session;
use super::spawn;
use crate::client::{Client, Error};
use crate::model::decision::{Decision, Failure, Phase};
use crate::model::lead::Lead;
use crate::model::tab::Counts;
use crate::model::view::LeadsView;

#[cfg(feature = "embed")]
pub mod kept;

/// A lead on the page, with the signals that change without the page.
#[derive(Clone)]
pub struct Row {
    /// What is said of the lead.
    pub lead: Arc<Lead>,
    /// The lead's id, made unlike that of any other row of the page.
    pub key: Arc<str>,
    /// Grows when the server says something else of the same lead, so that the row is drawn anew.
    pub version: u32,
    /// The decision on the lead.
    pub decision: ArcRwSignal<Decision>,
    /// Whether the row is ticked.
    pub selected: ArcRwSignal<bool>,
}

/// What was decided here since the app was opened, in leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Decisions on their way.
    pub saving: usize,
    /// Decisions kept by the server.
    pub saved: usize,
    /// Decisions that were not saved.
    pub failed: usize,
}

/// A decision, and the lead that it is about.
type Open = (Arc<str>, ArcRwSignal<Decision>);

/// The leads.
#[derive(Clone, Copy)]
pub struct Leads {
    /// The page.
    pub listing: Listing<Row>,
    /// How many leads each tab holds.
    pub counts: RwSignal<Counts>,
    /// Every lead that was decided here.
    decisions: RwSignal<Vec<Open>>,
    /// The number of the last event; see [`Decision::refreshed`].
    clock: StoredValue<u64>,
    /// The counting of the tabs, unless it is to be done again.
    counting: StoredValue<Option<Flight>>,
    session: Session,
    notice: Notice,
    /// Hears of every decision that the server keeps.
    #[cfg(feature = "embed")]
    pub on_kept: StoredValue<Option<kept::OnKept>, LocalStorage>,
}

impl Leads {
    /// Nothing loaded, nothing decided.
    pub fn start(session: Session, notice: Notice) -> Self {
        Self {
            listing: Listing::start(),
            counts: RwSignal::new(Counts::default()),
            decisions: RwSignal::new(Vec::new()),
            clock: StoredValue::new(0),
            counting: StoredValue::new(None),
            session,
            notice,
            #[cfg(feature = "embed")]
            on_kept: StoredValue::new_local(None),
        }
    }

    fn tick(self) -> u64 {
        self.clock
            .try_update_value(|clock| {
                *clock += 1;
                *clock
            })
            .unwrap_or_default()
    }

    /// Loads the page of a view.
    pub fn load(self, client: Client, view: &LeadsView) {
        let sent = self.tick();
        let (query, tab, whole) = (view.query(), view.tab, view.table.term().is_none());
        let (page, size) = (view.table.page, view.table.size);
        let asking = client.clone();
        let ask = async move {
            let answer = asking.query_leads(&query).await?;
            let count = answer.data.len() as u64;
            let mut keys = Keys::default();
            let rows = answer.data.into_iter().map(|mut item| {
                let status = item.approval_status.take();
                let lead = Lead::of(item);
                let key = keys.of(&lead.id);
                self.row(key, lead, status.unwrap_or_else(|| "unknown".into()), sent)
            });
            Ok(Sheet {
                rows: rows.collect(),
                total: answer.total.unwrap_or(count),
                page: answer.page.unwrap_or(page),
                size: answer.page_size.unwrap_or(size),
                unreadable: answer.row_errors.len(),
            })
        };
        self.listing
            .load(Box::pin(ask), move |answer| match answer {
                Ok(sheet) => {
                    if whole {
                        self.counts
                            .try_update(|counts| counts.set(tab, sheet.total));
                    }
                    if self.counting.try_with_value(Option::is_none) == Some(true) {
                        let known = whole.then_some(tab);
                        let counting = counts::load(client, self.counts, known);
                        self.counting.set_value(Some(counting));
                    }
                }
                Err(error) => self.note(error),
            });
    }

    /// Asks for the counts of the tabs again.
    pub fn recount(self) {
        self.counting.set_value(None);
    }

    /// A row for a lead that arrived: the old one where nothing changed, so that its nodes stay.
    fn row(self, key: Arc<str>, lead: Lead, status: ApprovalStatus, sent: u64) -> Row {
        let shown = self.listing.find(|row| row.key == key);
        let decision = match (self.find(&lead.id), &shown) {
            (Some((_, open)), _) => {
                open.update(|decision| {
                    decision.refreshed(status, sent);
                });
                open
            }
            (None, Some(row)) => {
                if row.decision.with_untracked(Decision::shown) != status {
                    row.decision.set(Decision::new(status));
                }
                row.decision.clone()
            }
            (None, None) => ArcRwSignal::new(Decision::new(status)),
        };
        match shown {
            Some(row) if *row.lead == lead => Row { decision, ..row },
            other => Row {
                lead: Arc::new(lead),
                key,
                version: other.as_ref().map_or(0, |row| row.version + 1),
                decision,
                selected: other.map_or_else(|| ArcRwSignal::new(false), |row| row.selected),
            },
        }
    }

    /// Decides on a lead: shown at once, sent, and rolled back if it cannot be saved.
    pub fn decide(self, row: &Row, to: NewApprovalStatus) {
        let from = row.decision.with_untracked(Decision::shown);
        if from.known() == Some(to) {
            return;
        }
        let id: Arc<str> = row.lead.id.as_str().into();
        if let Some(from) = from.known() {
            self.notice.show(Undoable {
                lead_id: Arc::clone(&id),
                name: row.lead.name.as_str().into(),
                to,
                from,
                decision: row.decision.clone(),
            });
        }
        self.begin(&id, &row.decision, to);
    }

    fn begin(self, id: &Arc<str>, decision: &ArcRwSignal<Decision>, to: NewApprovalStatus) {
        if self.find(id).is_none() {
            let open = (Arc::clone(id), decision.clone());
            self.decisions.update(|decisions| decisions.push(open));
        }
        self.change(id, decision, |decision| decision.decide(to));
    }

    /// Takes the last decision back.
    pub fn undo(self) {
        if let Some(last) = self.notice.take() {
            self.begin(&last.lead_id, &last.decision, last.from);
        }
    }

    /// Sends a decision that was not saved again.
    pub fn retry(self, lead_id: &str) {
        self.of(lead_id, Decision::retry);
    }

    /// Gives up a decision that was not saved.
    pub fn revert(self, lead_id: &str) {
        self.of(lead_id, Decision::revert);
    }

    /// Repeats what failed for want of a key.
    pub fn retry_refused(self) {
        let waits = |decision: &ArcRwSignal<Decision>| {
            decision.with_untracked(|decision| {
                decision
                    .failure()
                    .is_some_and(|(failure, _)| failure.wants_key)
            })
        };
        let ids: Vec<Arc<str>> = self.decisions.with_untracked(|decisions| {
            let waiting = decisions.iter().filter(|(_, decision)| waits(decision));
            waiting.map(|(id, _)| Arc::clone(id)).collect()
        });
        for id in ids {
            self.retry(&id);
        }
    }

    /// What was decided here. Tracks every decision.
    pub fn tally(self) -> Tally {
        let mut tally = Tally::default();
        self.decisions.with(|decisions| {
            for (_, decision) in decisions {
                match decision.with(Decision::phase) {
                    Phase::Idle | Phase::Saved => tally.saved += 1,
                    Phase::Saving => tally.saving += 1,
                    Phase::Failed => tally.failed += 1,
                }
            }
        });
        tally
    }

    fn of(self, lead_id: &str, event: impl FnOnce(&mut Decision) -> Option<NewApprovalStatus>) {
        if let Some((id, decision)) = self.find(lead_id) {
            self.change(&id, &decision, event);
        }
    }

    fn find(self, lead_id: &str) -> Option<Open> {
        self.decisions.with_untracked(|decisions| {
            let found = decisions.iter().find(|(id, _)| **id == *lead_id);
            found.cloned()
        })
    }

    /// Applies an event, keeps the counts right, and sends what comes next.
    fn change(
        self,
        lead_id: &Arc<str>,
        decision: &ArcRwSignal<Decision>,
        event: impl FnOnce(&mut Decision) -> Option<NewApprovalStatus>,
    ) {
        let before = decision.with_untracked(Decision::shown);
        let mut next = None;
        decision.update(|decision| next = event(decision));
        let after = decision.with_untracked(Decision::shown);
        if before != after {
            self.counts
                .try_update(|counts| counts.moved(&before, &after));
        }
        if let Some(to) = next {
            self.send(Arc::clone(lead_id), decision.clone(), to);
        }
    }

    fn send(self, lead_id: Arc<str>, decision: ArcRwSignal<Decision>, to: NewApprovalStatus) {
        // Rows come from a client, so there is one.
        let Some(client) = self.session.client_now() else {
            return;
        };
        spawn(async move {
            let update = LeadUpdate {
                approval_status: to,
            };
            let answer = client.update_lead(&LeadId::new(&*lead_id), &update).await;
            let now = self.tick();
            #[cfg(feature = "embed")]
            self.tell(&lead_id, &decision, answer.as_ref().ok(), to);
            self.change(&lead_id, &decision, |decision| match answer {
                Ok(updated) => {
                    let status = updated.approval_status.unwrap_or_else(|| to.into());
                    decision.confirmed(status, now)
                }
                Err(error) => {
                    self.note(&error);
                    // What did not happen cannot be undone.
                    self.notice.forget(&lead_id);
                    decision.failed(failure(&error))
                }
            });
        });
    }

    /// A key that is not accepted concerns more than the call that found out.
    fn note(self, error: &Error) {
        if error.is_about_key() {
            self.session.refused();
        }
    }
}

fn failure(error: &Error) -> Failure {
    let reason = if error.ambiguous {
        format!("{}. {}.", error.what(), error.kept())
    } else {
        format!("{}.", error.what())
    };
    Failure {
        reason,
        ambiguous: error.ambiguous,
        wants_key: error.is_about_key(),
    }
}
