//! Details of the open row: loading, and a cache of those seen last.

use std::pin::Pin;
use std::sync::Arc;

use js_sys::Date;
use lead_workspace_api::LeadId;
use leptos::prelude::*;

use super::abort_on_drop::AbortOnDrop;
use super::decisions::Decisions;
use super::remote_value::Remote;
use super::session::Session;
use crate::app::model::lead_detail::LeadProfile;
use crate::app::reactive::{RwSignal, StoredValue};
use crate::client::{Client, Error, ErrorKind};

/// Details that were loaded ahead and are older than this are loaded again when they are shown, in milliseconds.
const MAX_AGE_MS: f64 = 60_000.0;

/// How many details are cached, so that going back and forth shows them at once.
const CACHE_SIZE: usize = 24;

/// Whether the details pane takes the focus, because it was opened by keyboard.
#[derive(Clone, Copy)]
pub struct Focus(StoredValue<bool>);

impl Focus {
    /// Makes the details that are opened next take the focus.
    pub fn next(self) {
        self.0.set_value(true);
    }

    /// Returns whether the shown details take the focus. `true` only once.
    pub fn take(self) -> bool {
        let takes = self
            .0
            .try_update_value(|focus| std::mem::replace(focus, false));
        takes == Some(true)
    }
}

/// Details that have the id of their row.
pub trait HasId: Send + Sync + 'static {
    /// The id that was requested.
    fn id(&self) -> &str;

    /// Whether it is only what the list knows.
    fn is_preview(&self) -> bool {
        false
    }
}

impl HasId for LeadProfile {
    fn id(&self) -> &str {
        &self.id
    }

    fn is_preview(&self) -> bool {
        self.is_preview
    }
}

/// A request for details.
pub type DetailsFuture<D> = Pin<Box<dyn Future<Output = Result<Arc<D>, Error>>>>;

/// Details that are loaded before they are shown.
struct Ahead {
    id: Arc<str>,
    /// When they were loaded, in milliseconds since 1970; `None` while the request is in flight.
    loaded: Option<f64>,
    _in_flight: AbortOnDrop,
}

/// The details of one row. A newer request cancels the older one, so that a late response never wins.
pub struct Details<D: HasId> {
    remote: RwSignal<Remote<D, Error>>,
    /// The requested id. The shown details may still be those of another row.
    wanted: RwSignal<Option<Arc<str>>>,
    in_flight: StoredValue<Option<AbortOnDrop>>,
    rereading: StoredValue<Option<AbortOnDrop>>,
    /// The cache, the latest at the end.
    cached: StoredValue<Vec<Arc<D>>>,
    /// What is loaded ahead, or was and is not shown yet.
    ahead: StoredValue<Vec<Ahead>>,
    pub focus: Focus,
    session: Session,
    pub(super) decisions: Decisions,
}

impl<D: HasId> Copy for Details<D> {}
impl<D: HasId> Clone for Details<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl Details<LeadProfile> {
    /// Loads details. Until the response arrives, shows the `preview`, if they are not cached.
    pub fn load(self, client: Client, id: &str, preview: Option<LeadProfile>) {
        self.request(id, self.get(client, id), preview);
    }

    /// Reads the shown details again.
    pub fn reread(self, client: Client, id: &str) {
        self.request_in_background(id, self.get(client, id));
    }

    /// Loads the leads that are probably shown next, and gives up those of the last call.
    pub fn load_ahead(self, client: &Client, ids: &[Arc<str>]) {
        let is_known = |id: &Arc<str>| {
            let is = |known: &Arc<LeadProfile>| *known.id == **id;
            self.cached.with_value(|cached| cached.iter().any(is))
        };
        self.ahead
            .update_value(|ahead| ahead.retain(|one| ids.contains(&one.id)));
        for id in ids.iter().filter(|id| !is_known(id)) {
            let is_here = |ahead: &Vec<Ahead>| ahead.iter().any(|one| one.id == *id);
            if !self.ahead.with_value(is_here) {
                self.ahead_of(id, self.get(client.clone(), id));
            }
        }
    }

    fn get(self, client: Client, id: &str) -> DetailsFuture<LeadProfile> {
        let (lead_id, decisions) = (LeadId::new(id), self.decisions);
        Box::pin(async move {
            let sent = decisions.start_read();
            let detail = client.get_lead(&lead_id).await?;
            let detail = LeadProfile::new(lead_id.as_str(), detail);
            if let Some(status) = &detail.status {
                decisions.on_read([(lead_id.as_str(), status)].into_iter(), sent);
            }
            Ok(Arc::new(detail))
        })
    }
}

impl<D: HasId> Details<D> {
    pub fn start(session: Session, decisions: Decisions) -> Self {
        Self {
            remote: RwSignal::new(Remote::Idle),
            wanted: RwSignal::new(None),
            in_flight: StoredValue::new(None),
            rereading: StoredValue::new(None),
            cached: StoredValue::new(Vec::new()),
            ahead: StoredValue::new(Vec::new()),
            focus: Focus(StoredValue::new(false)),
            session,
            decisions,
        }
    }

    /// Requests details. Until the response arrives, shows cached ones of this row, else a preview, else the previous
    /// row's.
    pub(super) fn request(self, id: &str, request: DetailsFuture<D>, preview: Option<D>) {
        let id: Arc<str> = id.into();
        self.wanted.set(Some(Arc::clone(&id)));
        let seen = self.cached.with_value(|cached| {
            let seen = cached.iter().find(|detail| detail.id() == &*id);
            seen.cloned().or_else(|| preview.map(Arc::new))
        });
        let is_fresh = self.take_ahead(&id);
        self.remote.update(|remote| match seen {
            Some(seen) if is_fresh => *remote = Remote::Loaded(seen),
            Some(seen) => *remote = Remote::Refreshing(seen),
            None => remote.start(),
        });
        if untrack(|| !self.is_busy()) {
            // Cancels the request for the details that were shown before.
            self.in_flight.set_value(None);
            return;
        }
        let work = async move {
            let response = request.await;
            if let Err(error) = &response {
                self.session.check_key(error);
            }
            self.cache(&id, &response);
            self.remote.try_update(|remote| {
                // After a failure the error is shown, and no preview.
                if remote.value().is_some_and(|shown| shown.is_preview()) {
                    *remote = Remote::Loading;
                }
                remote.finish(response);
            });
        };
        self.in_flight.set_value(Some(AbortOnDrop::start(work)));
    }

    /// Requests the shown details again, in the background. After an error they stay.
    pub(super) fn request_in_background(self, id: &str, request: DetailsFuture<D>) {
        let id: Arc<str> = id.into();
        let work = async move {
            let response = request.await;
            self.cache(&id, &response);
            let Ok(detail) = response else { return };
            self.remote.try_maybe_update(|remote| {
                let is_shown = matches!(remote, Remote::Loaded(shown) if shown.id() == &*id);
                if is_shown {
                    *remote = Remote::Loaded(detail);
                }
                (is_shown, ())
            });
        };
        self.rereading.set_value(Some(AbortOnDrop::start(work)));
    }

    /// Requests details that are not shown yet. An error is not reported: showing them requests them again.
    fn ahead_of(self, id: &Arc<str>, request: DetailsFuture<D>) {
        let requested = Arc::clone(id);
        let work = async move {
            let response = request.await;
            if response.is_ok() {
                self.cache(&requested, &response);
            }
            self.ahead.try_update_value(|ahead| {
                let one = ahead.iter_mut().find(|one| one.id == requested);
                if let Some(one) = one.filter(|_| response.is_ok()) {
                    one.loaded = Some(Date::now());
                }
            });
        };
        let (id, in_flight) = (Arc::clone(id), AbortOnDrop::start(work));
        self.ahead.update_value(|ahead| {
            ahead.push(Ahead {
                id,
                loaded: None,
                _in_flight: in_flight,
            });
        });
    }

    /// Returns whether details were loaded ahead, recently. `true` only once.
    fn take_ahead(self, id: &str) -> bool {
        let taken = self.ahead.try_update_value(|ahead| {
            let at = ahead.iter().position(|one| *one.id == *id)?;
            ahead.swap_remove(at).loaded
        });
        taken
            .flatten()
            .is_some_and(|loaded| Date::now() - loaded < MAX_AGE_MS)
    }

    /// Cancels the request and shows nothing.
    pub fn clear(self) {
        self.in_flight.try_update_value(Option::take);
        self.rereading.try_update_value(Option::take);
        self.wanted.set(None);
        self.remote.set(Remote::Idle);
    }

    /// Returns the requested details, or other ones while the request is in flight. After a failed request, `None`
    /// unless older details of the same row are available.
    pub fn shown(self) -> Option<Arc<D>> {
        self.remote.with(|remote| {
            let shown = remote.value()?;
            let right = self.is_wanted(shown.id());
            (right || remote.is_busy()).then(|| Arc::clone(shown))
        })
    }

    pub fn is_busy(self) -> bool {
        self.remote.with(Remote::is_busy)
    }

    /// Returns whether the shown details are not those of the requested row.
    pub fn is_other(self) -> bool {
        self.remote.with(|remote| {
            let shown = remote.value();
            shown.is_some_and(|shown| !self.is_wanted(shown.id()))
        })
    }

    pub fn error(self) -> Option<Arc<Error>> {
        self.remote.with(|remote| remote.error().cloned())
    }

    fn is_wanted(self, id: &str) -> bool {
        self.wanted
            .with(|wanted| wanted.as_deref().is_some_and(|wanted| wanted == id))
    }

    /// Caches a response, and drops details of a row that was not found. Other errors leave the cache as it is.
    fn cache(self, id: &str, response: &Result<Arc<D>, Error>) {
        let keeps = match response {
            Ok(detail) => Some(Arc::clone(detail)),
            Err(error) if matches!(error.kind, ErrorKind::NotFound) => None,
            Err(_) => return,
        };
        self.cached.try_update_value(|cached| {
            cached.retain(|detail| detail.id() != id);
            cached.extend(keeps);
            if cached.len() > CACHE_SIZE {
                cached.remove(0);
            }
        });
    }
}
