//! What is looked at closely: its detail, the one on its way, and those seen last.

use std::pin::Pin;
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

/// Whether the person asked for details by keyboard, and the focus goes with them.
#[derive(Clone, Copy)]
pub struct Focus(StoredValue<bool>);

impl Focus {
    /// What is opened next takes the focus along.
    pub fn next(self) {
        self.0.set_value(true);
    }

    /// Whether the focus is to go to what is shown now. It goes there once.
    pub fn take(self) -> bool {
        let takes = self
            .0
            .try_update_value(|focus| std::mem::replace(focus, false));
        takes == Some(true)
    }
}

/// A detail that says what it is of.
pub trait Of: Send + Sync + 'static {
    /// The id that it was asked for with.
    fn id(&self) -> &str;
}

impl Of for Detail {
    fn id(&self) -> &str {
        &self.id
    }
}

/// A detail on its way.
pub type Asking<D> = Pin<Box<dyn Future<Output = Result<Arc<D>, Error>>>>;

/// The detail of one row. A newer question ends the older one, so that a late answer never wins.
pub struct Details<D: Of> {
    remote: RwSignal<Remote<D, Error>>,
    /// What is asked for; what is shown may still be another one.
    wanted: RwSignal<Option<Arc<str>>>,
    flight: StoredValue<Option<Flight>>,
    /// Details that were here before, the last one at the end.
    kept: StoredValue<Vec<Arc<D>>>,
    /// Whether the focus goes to what is opened.
    pub focus: Focus,
    session: Session,
    /// What was decided meanwhile.
    pub(super) decisions: Decisions,
}

impl<D: Of> Copy for Details<D> {}
impl<D: Of> Clone for Details<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl Details<Detail> {
    /// Loads a lead.
    pub fn load(self, client: Client, id: &str) {
        let (asked, decisions) = (LeadId::new(id), self.decisions);
        let work = async move {
            let sent = decisions.reading();
            let detail = client.get_lead(&asked).await?;
            let detail = Detail::of(asked.as_str(), detail);
            if let Some(status) = &detail.status {
                decisions.arrived([(asked.as_str(), status)].into_iter(), sent);
            }
            Ok(Arc::new(detail))
        };
        self.ask(id, Box::pin(work));
    }
}

impl<D: Of> Details<D> {
    /// Nothing is looked at.
    pub fn start(session: Session, decisions: Decisions) -> Self {
        Self {
            remote: RwSignal::new(Remote::Idle),
            wanted: RwSignal::new(None),
            flight: StoredValue::new(None),
            kept: StoredValue::new(Vec::new()),
            focus: Focus(StoredValue::new(false)),
            session,
            decisions,
        }
    }

    /// Asks for a detail. One that was seen before is shown until its answer is here, else the one
    /// before.
    pub(super) fn ask(self, id: &str, asking: Asking<D>) {
        let id: Arc<str> = id.into();
        self.wanted.set(Some(Arc::clone(&id)));
        let seen = self.kept.with_value(|kept| {
            let seen = kept.iter().find(|detail| detail.id() == &*id);
            seen.cloned()
        });
        self.remote.update(|remote| match seen {
            Some(seen) => *remote = Remote::Refreshing(seen),
            None => remote.start(),
        });
        let work = async move {
            let answer = asking.await;
            if answer.as_ref().is_err_and(Error::is_about_key) {
                self.session.refused();
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

    /// What is shown: what is asked for, or the one before while that is on its way.
    /// Nothing where what is asked for could not be had.
    pub fn shown(self) -> Option<Arc<D>> {
        self.remote.with(|remote| {
            let shown = remote.value()?;
            let right = self.is_wanted(shown.id());
            (right || remote.is_busy()).then(|| Arc::clone(shown))
        })
    }

    /// Whether an answer is awaited.
    pub fn is_busy(self) -> bool {
        self.remote.with(Remote::is_busy)
    }

    /// Whether what is shown is another one than the one that is asked for.
    pub fn is_other(self) -> bool {
        self.remote.with(|remote| {
            let shown = remote.value();
            shown.is_some_and(|shown| !self.is_wanted(shown.id()))
        })
    }

    /// Why what is asked for could not be had.
    pub fn error(self) -> Option<Arc<Error>> {
        self.remote.with(|remote| remote.error().cloned())
    }

    fn is_wanted(self, id: &str) -> bool {
        self.wanted
            .with(|wanted| wanted.as_deref().is_some_and(|wanted| wanted == id))
    }

    /// Keeps an answer, and forgets what is gone. A connection that broke says nothing of it.
    fn keep(self, id: &str, answer: &Result<Arc<D>, Error>) {
        let keeps = match answer {
            Ok(detail) => Some(Arc::clone(detail)),
            Err(error) if matches!(error.kind, ErrorKind::NotFound) => None,
            Err(_) => return,
        };
        self.kept.try_update_value(|kept| {
            kept.retain(|detail| detail.id() != id);
            kept.extend(keeps);
            if kept.len() > KEPT {
                kept.remove(0);
            }
        });
    }
}
