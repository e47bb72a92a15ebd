//! The lead that is looked at closely: its detail, the one on its way, and those seen last.

use std::sync::Arc;

use lead_workspace_api::LeadId;
use leptos::prelude::*;

use super::decisions::Decisions;
use super::flight::Flight;
use super::remote::Remote;
use super::session::Session;
use crate::client::{Client, Error, ErrorKind};
use crate::model::detail::Detail;
use crate::signal::RwSignal;

/// How many details are kept, so that going back and forth shows them at once.
const KEPT: usize = 24;

/// The detail of one lead. A newer question ends the older one, so that a late answer never wins.
#[derive(Clone, Copy)]
pub struct Details {
    remote: RwSignal<Remote<Detail, Error>>,
    /// The lead that is asked for; what is shown may still be another one.
    wanted: RwSignal<Option<Arc<str>>>,
    flight: StoredValue<Option<Flight>>,
    /// Details that were here before, the last one at the end.
    kept: StoredValue<Vec<Arc<Detail>>>,
    /// Whether the person asked for the details by keyboard, and the focus goes with them.
    focus: StoredValue<bool>,
    session: Session,
    decisions: Decisions,
}

impl Details {
    /// Nothing is looked at.
    pub fn start(session: Session, decisions: Decisions) -> Self {
        Self {
            remote: RwSignal::new(Remote::Idle),
            wanted: RwSignal::new(None),
            flight: StoredValue::new(None),
            kept: StoredValue::new(Vec::new()),
            focus: StoredValue::new(false),
            session,
            decisions,
        }
    }

    /// Loads a lead. One that was seen before is shown until its answer is here, else the one before.
    pub fn load(self, client: Client, id: &str) {
        let id: Arc<str> = id.into();
        self.wanted.set(Some(Arc::clone(&id)));
        let seen = self.kept.with_value(|kept| {
            let seen = kept.iter().find(|detail| *detail.id == *id);
            seen.cloned()
        });
        self.remote.update(|remote| match seen {
            Some(seen) => *remote = Remote::Refreshing(seen),
            None => remote.start(),
        });
        let work = async move {
            let sent = self.decisions.reading();
            let answer = client.get_lead(&LeadId::new(&*id)).await;
            if answer.as_ref().is_err_and(Error::is_about_key) {
                self.session.refused();
            }
            let answer = answer.map(|detail| Arc::new(Detail::of(&id, detail)));
            if let Ok(Some(status)) = answer.as_ref().map(|detail| detail.status.as_ref()) {
                self.decisions.arrived([(&*id, status)].into_iter(), sent);
            }
            self.keep(&id, &answer);
            self.remote.try_update(|remote| remote.finish(answer));
        };
        self.flight.set_value(Some(Flight::start(work)));
    }

    /// Nothing is looked at any more.
    pub fn clear(self) {
        self.flight.try_update_value(Option::take);
        self.wanted.try_set(None);
        self.remote.try_set(Remote::Idle);
    }

    /// What is shown: the lead that is asked for, or the one before while that is on its way.
    /// Nothing where the one that is asked for could not be had.
    pub fn shown(self) -> Option<Arc<Detail>> {
        self.remote.with(|remote| {
            let shown = remote.value()?;
            let right = self.is_wanted(&shown.id);
            (right || remote.is_busy()).then(|| Arc::clone(shown))
        })
    }

    /// Whether an answer is awaited.
    pub fn is_busy(self) -> bool {
        self.remote.with(Remote::is_busy)
    }

    /// Whether what is shown is another lead than the one that is asked for.
    pub fn is_other(self) -> bool {
        self.remote.with(|remote| {
            let shown = remote.value();
            shown.is_some_and(|shown| !self.is_wanted(&shown.id))
        })
    }

    /// Why the lead that is asked for could not be had.
    pub fn error(self) -> Option<Arc<Error>> {
        self.remote.with(|remote| remote.error().cloned())
    }

    /// The next lead that is opened takes the focus along.
    pub fn focus_next(self) {
        self.focus.set_value(true);
    }

    /// Whether the focus is to go to what is shown now. It goes there once.
    pub fn takes_focus(self) -> bool {
        let takes = self
            .focus
            .try_update_value(|focus| std::mem::replace(focus, false));
        takes == Some(true)
    }

    fn is_wanted(self, id: &str) -> bool {
        self.wanted
            .with(|wanted| wanted.as_deref().is_some_and(|wanted| wanted == id))
    }

    /// Keeps an answer, and forgets a lead that is gone. A connection that broke says nothing of it.
    fn keep(self, id: &str, answer: &Result<Arc<Detail>, Error>) {
        let keeps = match answer {
            Ok(detail) => Some(Arc::clone(detail)),
            Err(error) if matches!(error.kind, ErrorKind::NotFound) => None,
            Err(_) => return,
        };
        self.kept.try_update_value(|kept| {
            kept.retain(|detail| *detail.id != *id);
            kept.extend(keeps);
            if kept.len() > KEPT {
                kept.remove(0);
            }
        });
    }
}
