//! The leads: the list that is shown, where the cursor is, what is ticked.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, LeadListItem, NewApprovalStatus};
use leptos::prelude::*;

use super::choice::{Choice, Identified};
use super::counts;
use super::decisions::{Decisions, Shown};
use super::flight::Flight;
use super::listing::{Listing, Sheet};
use super::session::Session;
use crate::client::Client;
use crate::model::deleted::{Deleted, Met};
use crate::model::ids::Ids;
use crate::model::lead::{Lead, Scored};
use crate::model::pages::{self, Filling, Slice};
use crate::model::selection::Mark;
use crate::model::view::LeadsView;

mod deleted;

/// A lead in the list.
#[derive(Clone)]
pub struct Row {
    /// What is said of the lead.
    pub lead: Arc<Lead>,
    /// The status that the server gave.
    pub status: ApprovalStatus,
}

impl Identified for Row {
    fn id(&self) -> &str {
        &self.lead.id
    }

    fn mark(&self) -> Mark {
        Mark::Status(self.status.clone())
    }
}

/// The leads.
#[derive(Clone, Copy)]
pub struct Leads {
    /// The list.
    pub listing: Listing<Row>,
    /// Cursor and ticks.
    pub choice: Choice,
    decisions: Decisions,
    session: Session,
    /// The counting of the tabs, unless it is to be done again.
    counting: StoredValue<Option<Flight>>,
    /// The view that is shown.
    shown: StoredValue<Option<Rc<LeadsView>>, LocalStorage>,
    /// Decided rows of the list, with their indexes: they stay here, but may have left the list there.
    decided: StoredValue<Vec<(u64, Arc<str>)>>,
}

impl Leads {
    /// Nothing loaded.
    pub fn start(session: Session, decisions: Decisions) -> Self {
        let listing = Listing::start();
        decisions.know(Rc::new(move |lead| {
            listing
                .find(|row: &Row| row.lead.id == lead)
                .map(|row| row.status)
        }));
        Self {
            listing,
            choice: Choice::start(),
            decisions,
            session,
            counting: StoredValue::new(None),
            shown: StoredValue::new_local(None),
            decided: StoredValue::new(Vec::new()),
        }
    }

    /// Loads the list of a view in pages of so many rows, from its top or from where it is looked at.
    pub fn load(self, client: Client, view: &LeadsView, size: u32, again: bool) {
        self.decided.set_value(Vec::new());
        let (view, asking) = (Rc::new(view.clone()), client.clone());
        let before = self.shown.get_value();
        self.decisions
            .deleted
            .update(|deleted| deleted.ask(before.as_deref(), &view));
        self.shown.set_value(Some(Rc::clone(&view)));
        let (of, tab, whole) = (Rc::clone(&view), view.tab, view.is_whole());
        self.listing.load(
            (size, again),
            Rc::new(move |page| {
                let (client, view) = (asking.clone(), Rc::clone(&of));
                Box::pin(async move { self.ask(&client, &view, page, size).await })
            }),
            Rc::new(move |answer| match answer {
                Ok(sheet) => {
                    if whole {
                        let counts = self.decisions.counts;
                        let here = sheet.total - self.left(u64::MAX).min(sheet.total);
                        counts.try_update(|counts| counts.set(tab, here));
                    }
                    if self.counting.try_with_value(Option::is_none) == Some(true) {
                        let known = whole.then_some(tab);
                        let counting = counts::load(client.clone(), self.decisions, known);
                        self.counting.set_value(Some(counting));
                    }
                }
                // A key that is not accepted concerns more than the call that found out.
                Err(error) if error.is_about_key() => self.session.refused(),
                Err(_) => {}
            }),
        );
    }

    /// Loads the list and the counts again; the place in the list is kept.
    pub fn refresh(self) {
        self.counting.set_value(None);
        self.decided.set_value(Vec::new());
        if let Some(view) = self.shown.get_value() {
            self.decisions
                .deleted
                .update(|deleted| deleted.ask(Some(&view), &view));
        }
        self.listing.reload();
    }

    async fn ask(
        self,
        client: &Client,
        view: &LeadsView,
        page: u64,
        size: u32,
    ) -> Result<Sheet<Row>, crate::client::Error> {
        // What is on its way may have left the list there or not: nobody could tell where a page
        // begins.
        if self.decided.with_value(|decided| !decided.is_empty()) {
            self.decisions.settled().await;
        }
        self.settled().await;
        let first_row = page * u64::from(size);
        let sent = self.decisions.reading();
        let deleted = |count: fn(&Deleted, u64, u64) -> u64| {
            let counted = |deleted: &Deleted| count(deleted, first_row, sent);
            self.decisions
                .deleted
                .try_with_untracked(counted)
                .unwrap_or_default()
        };
        let before = deleted(Deleted::before);
        let slice = Slice::of(page, size, self.left(first_row), before);
        let mut filling = Filling::of(slice);
        let (mut unreadable, mut total, mut news) = (0, None, false);
        let mut from = slice.page;
        let has_more = loop {
            let answer = client.query_leads(&view.query(from, size)).await?;
            unreadable += answer.lost();
            total = answer.total.or(total);
            let (none, has_more) = (answer.data.is_empty(), answer.has_more);
            filling.take(answer.data, |item, at| {
                let index = first_row + at as u64;
                let met = item.lead_id.as_ref().and_then(|id| {
                    let met =
                        |deleted: &mut Deleted| (false, deleted.met(id.as_str(), index, sent));
                    self.decisions.deleted.try_maybe_update(met)
                });
                news |= met == Some(Met::News);
                !matches!(met, None | Some(Met::Other))
            });
            let behind = u64::from(from) * u64::from(size);
            if !filling.wants_more() || none || total.is_some_and(|total| total <= behind) {
                break has_more;
            }
            from += 1;
        };
        if news {
            // What stands behind was read as if the lead were not there.
            self.listing
                .pages
                .try_update(|pages| pages.keep(|of, _| of <= page));
        }
        let rows = self.rows(filling.rows, sent);
        let seen = first_row + rows.len() as u64;
        let too_many = deleted(|deleted, _, sent| deleted.listed(sent));
        let total = total.map(|total| (total + self.left(u64::MAX)).saturating_sub(too_many));
        let total = pages::total(total, seen, has_more);
        Ok(Sheet {
            rows,
            total,
            unreadable,
        })
    }

    /// How many decided rows before an index the server does not have in this list any more.
    fn left(self, before: u64) -> u64 {
        let about = self.shown.get_value().and_then(|view| view.tab.status());
        let Some(about) = about else {
            return 0;
        };
        let gone = |(index, lead): &&(u64, Arc<str>)| {
            let known = self.decisions.known(lead);
            *index < before && known.is_some_and(|known| known.known() != Some(about))
        };
        self.decided
            .with_value(|decided| decided.iter().filter(gone).count() as u64)
    }

    fn rows(self, items: Vec<LeadListItem>, sent: u64) -> Vec<Row> {
        let mut rows = Vec::with_capacity(items.len());
        for mut item in items {
            let status = item.approval_status.take();
            let lead = Lead::of(item);
            rows.push(Row {
                lead: Arc::new(lead),
                status: status.unwrap_or_else(|| "unknown".into()),
            });
        }
        let read = rows.iter().map(|row| (&*row.lead.id, &row.status));
        self.decisions.arrived(read, sent);
        rows
    }

    /// A lead of the list was scored anew. Gives the score before where the lead is at hand.
    pub fn rescored(self, id: &str, new: Scored) -> Option<Option<f64>> {
        let (index, mut row) = self.listing.position(|row| row.lead.id == id)?;
        let mut lead = (*row.lead).clone();
        let before = lead.score;
        new.put(&mut lead);
        if lead != *row.lead {
            row.lead = Arc::new(lead);
            self.listing
                .pages
                .try_update(|pages| pages.replace(index, row));
        }
        Some(before)
    }

    /// Decides on a lead of the list.
    pub fn decide(self, row: &Row, to: NewApprovalStatus) {
        self.note(&row.lead.id);
        let shown = untrack(|| self.decisions.shown(&row.lead.id, &row.status).0);
        let lead = (Arc::from(&*row.lead.id), shown);
        self.decisions.decide(vec![lead], to, &row.lead.name);
    }

    /// Decides on all ticked leads, on this page or not, and takes their ticks away. What a lead was when
    /// it was ticked may be long ago: the row that is listed knows better.
    pub fn decide_selected(self, to: NewApprovalStatus) {
        let ticked = |(id, mark): (&Arc<str>, &Mark)| match mark {
            Mark::Status(status) => Some((Arc::clone(id), status.clone())),
            Mark::Points(_) => None,
        };
        let selection = self.choice.selection;
        let mut ticked: Vec<Shown> =
            selection.with_untracked(|selection| selection.ids().filter_map(ticked).collect());
        self.listing.pages.with_untracked(|pages| {
            for (_, row) in pages.rows() {
                let place = ticked.binary_search_by(|(id, _)| (**id).cmp(&row.lead.id));
                if let Ok(at) = place {
                    ticked[at].1 = row.status.clone();
                }
            }
        });
        let name = match &*ticked {
            [(id, _)] => self.listing.find(|row| *row.lead.id == **id),
            _ => None,
        };
        let name = name.map(|row| row.lead.name.clone()).unwrap_or_default();
        self.note_ticked();
        for (id, status) in &mut ticked {
            *status = untrack(|| self.decisions.shown(id, status).0);
        }
        self.decisions.decide_anyway(ticked, to, &name);
        self.choice.selection.update(|selection| selection.clear());
    }

    /// The rows behind an index moved.
    fn shift(self, from: u64, by: i64) {
        self.decided.try_update_value(|decided| {
            for (index, _) in decided.iter_mut().filter(|(index, _)| *index >= from) {
                *index = index.saturating_add_signed(by);
            }
        });
    }

    /// Remembers where all ticked rows stand that are at hand.
    fn note_ticked(self) {
        let mut found = Vec::new();
        self.choice.selection.with_untracked(|selection| {
            self.listing.pages.with_untracked(|pages| {
                let ticked = pages.rows().filter(|(_, row)| selection.has(&row.lead.id));
                found.extend(ticked.map(|(index, row)| (index, Arc::from(&*row.lead.id))));
            });
        });
        self.decided.update_value(|decided| {
            let known = Ids::of(decided.iter().map(|(_, id)| Arc::clone(id)));
            decided.extend(found.into_iter().filter(|(_, id)| !known.has(id)));
        });
    }

    /// Remembers where a decided row stands.
    fn note(self, id: &str) {
        let index = Cell::new(None);
        self.listing.pages.with_untracked(|pages| {
            let found = pages.rows().find(|(_, row)| row.lead.id == id);
            index.set(found.map(|(index, _)| index));
        });
        if let Some(index) = index.get() {
            self.decided.update_value(|decided| {
                if !decided.iter().any(|(_, known)| **known == *id) {
                    decided.push((index, id.into()));
                }
            });
        }
    }
}
