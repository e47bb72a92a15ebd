//! Facets: the values that the filter sidebar offers, their counts and those of the tabs, and searches in them.
//!
//! Some servers count within the view: one request covers the tabs and all expanded facets. Others have only what the
//! contract has: facets of the whole workspace. The first response shows which kind a server is.
//!
//! At most one request is in flight, so that the sidebar does not use up the rate limit for requests that the user
//! waits for. A search has priority over everything else; a request that it interrupts is sent again after it. A
//! newer request cancels the older one, so that a late response never wins.

use gloo_timers::future::TimeoutFuture;
use lead_workspace_api::FacetContext;
use lead_workspace_api::shapes::FacetOption;

use super::abort_on_drop::AbortOnDrop;
use super::decisions::Decisions;
use super::relaxation_counts::{CountFuture, RelaxationCounts};
use super::session::Session;
use crate::app::model::filters::Facet;
use crate::app::model::relaxations::Relaxation;
use crate::app::model::view::{LeadsView, Table};
use crate::app::reactive::{RwSignal, StoredValue};

pub mod expanded_facets;
mod names;
mod requests;
mod searches;

pub use requests::is_unsupported;
pub use searches::FacetValues;

/// Counts are requested once the view has not changed for this many milliseconds.
pub const VIEW_REST_MS: u32 = 120;

/// After decisions, counts are requested again once the user has paused for this many milliseconds. Until then, the tabs
/// show the effect of the decisions, and the facets lag a little behind.
const DECISION_REST_MS: u32 = 1_500;

/// The status of the filter sidebar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FacetsStatus {
    /// Never loaded.
    #[default]
    NotLoaded,
    /// Shows the last response.
    Loaded,
    /// The last request failed. Earlier values are still shown.
    Failed(String),
}

/// The filter that the editor edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Editing {
    New,
    /// The custom filter at this index.
    At(usize),
}

/// The leads that counts cover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coverage {
    /// Those of the view. Assumed until a response shows that the server cannot count them.
    #[default]
    View,
    /// All leads of the workspace, with any status.
    Workspace,
}

/// A request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FacetRequest {
    /// The counts of the tabs and the expanded facets, after a rest of this many milliseconds.
    Counts(u32),
    /// The counts of the tabs in the whole workspace.
    Tabs,
    /// The values of all facets that are not searched.
    All,
    /// Values, or only counts, of one facet.
    Values(Facet),
}

/// What the sidebar shows of the leads.
#[derive(Clone, Copy)]
enum FacetPart {
    Values,
    Counts,
}

/// What is counted.
#[derive(Clone, Debug, Default, PartialEq)]
struct CountedView {
    view: LeadsView,
    /// Whether the facets are counted, too, and not only the tabs.
    with_facets: bool,
    /// Whether the server accepted the filters, so that it has no reason to reject the request for the counts.
    accepted: bool,
}

#[derive(Clone, Copy)]
pub struct Facets {
    /// The values of the last response.
    pub options_by_facet: RwSignal<Vec<(Facet, Vec<FacetOption>)>>,
    /// The facets of the last response that could not be read.
    pub unreadable: RwSignal<Vec<Facet>>,
    pub status: RwSignal<FacetsStatus>,
    pub coverage: RwSignal<Coverage>,
    /// Counted values of single facets, and searches in them.
    pub searches: RwSignal<Vec<FacetValues>>,
    /// The expanded facets.
    pub expanded: RwSignal<Vec<Facet>>,
    /// Whether the sidebar is open as a sheet, where there is no room for it beside the list.
    pub sheet_open: RwSignal<bool>,
    /// The filter in the editor.
    pub editing: RwSignal<Option<Editing>>,
    /// The number of leads for each relaxation to drop a filter.
    pub relaxations: RelaxationCounts,
    /// The known names of values.
    names: RwSignal<Vec<(Facet, FacetOption)>>,
    counted: StoredValue<CountedView>,
    /// The context that the values were loaded with.
    loaded: StoredValue<Option<FacetContext>>,
    /// Why the last request for each [`FacetPart`] failed.
    errors: StoredValue<[Option<String>; 2]>,
    /// What the shown counts cover, if they are current.
    done: StoredValue<Option<CountedView>>,
    /// Whether the server counted within a view.
    has_counted: StoredValue<bool>,
    waiting: StoredValue<Vec<FacetRequest>>,
    in_flight: StoredValue<Option<(FacetRequest, AbortOnDrop)>>,
    session: Session,
    decisions: Decisions,
}

impl Facets {
    pub fn start(session: Session, decisions: Decisions) -> Self {
        Self {
            options_by_facet: RwSignal::new(Vec::new()),
            unreadable: RwSignal::new(Vec::new()),
            status: RwSignal::new(FacetsStatus::NotLoaded),
            coverage: RwSignal::new(Coverage::default()),
            searches: RwSignal::new(Vec::new()),
            expanded: RwSignal::new(Vec::new()),
            sheet_open: RwSignal::new(false),
            editing: RwSignal::new(None),
            relaxations: RelaxationCounts::start(),
            names: RwSignal::new(Vec::new()),
            counted: StoredValue::new(CountedView::default()),
            loaded: StoredValue::new(None),
            errors: StoredValue::new([None, None]),
            done: StoredValue::new(None),
            has_counted: StoredValue::new(false),
            waiting: StoredValue::new(Vec::new()),
            in_flight: StoredValue::new(None),
            session,
            decisions,
        }
    }

    /// Forgets what the server can do and what was loaded: the client changed.
    pub fn forget(self) {
        self.coverage.set(Coverage::default());
        self.loaded.set_value(None);
        self.done.set_value(None);
        self.has_counted.set_value(false);
        self.decisions.has_tab_counts.set_value(false);
    }

    /// Cancels everything: a list is being loaded, whose rows come first.
    pub fn pause(self) {
        let waiting = self.waiting.try_update_value(std::mem::take);
        let in_flight = self.in_flight.try_update_value(Option::take).flatten();
        if in_flight.is_some() || waiting.is_some_and(|tasks| !tasks.is_empty()) {
            self.done.set_value(None);
        }
    }

    /// Loads the counts of a view whose rows are loaded, and what else is missing. `accepted`: the server accepted its
    /// filters.
    pub fn show(self, view: &LeadsView, with_facets: bool, accepted: bool) {
        let counted = CountedView {
            // The order does not matter.
            view: LeadsView::default()
                .on(view.tab)
                .filtered(view.filters.clone())
                .with(Table::default().searched(&view.table.search)),
            with_facets,
            accepted,
        };
        let is_done = self.done.with_value(|done| done.as_ref() == Some(&counted))
            && self.decisions.has_tab_counts.get_value();
        self.counted.set_value(counted);
        self.load(!is_done, VIEW_REST_MS);
    }

    /// Loads everything again after a failure.
    pub fn retry(self) {
        self.loaded.set_value(None);
        // The error is gone until the response arrives.
        self.report(FacetPart::Values, None);
        self.report(FacetPart::Counts, None);
        self.load(true, 0);
    }

    /// Stores why the last request for a part failed, if it did, and shows what remains of the errors.
    fn report(self, part: FacetPart, error: Option<String>) {
        let error = self.errors.try_update_value(|errors| {
            errors[part as usize] = error;
            errors.iter().flatten().next().cloned()
        });
        let is_loaded = self.loaded.try_with_value(Option::is_some) == Some(true)
            || self
                .options_by_facet
                .try_with_untracked(|all| !all.is_empty())
                == Some(true);
        let now = match error.flatten() {
            Some(error) => FacetsStatus::Failed(error),
            None if is_loaded => FacetsStatus::Loaded,
            None => FacetsStatus::NotLoaded,
        };
        // The same error is not announced again.
        self.status.try_maybe_update(|status| {
            let is_new = *status != now;
            *status = now;
            (is_new, ())
        });
    }

    fn load(self, counts: bool, rest: u32) {
        // Other searches are sent again when their facet is expanded.
        let expanded = self.expanded.get_untracked();
        let is_stale = |one: &FacetValues| !expanded.contains(&one.facet);
        if self
            .searches
            .with_untracked(|searches| searches.iter().any(is_stale))
        {
            self.searches
                .update(|searches| searches.retain(|one| !is_stale(one)));
        }
        let mut tasks = Vec::new();
        if counts && self.coverage.get_untracked() == Coverage::View {
            tasks.push(FacetRequest::Counts(rest));
        } else {
            self.add_searches(&mut tasks);
        }
        add_new(&mut tasks, self.missing());
        self.waiting.set_value(tasks);
        self.in_flight.set_value(None);
        self.next();
    }

    /// Cancels the request for counts: decisions are being saved, so they would be wrong soon.
    pub fn hold_counts(self) {
        let is_counts = |task: &FacetRequest| matches!(task, FacetRequest::Counts(_));
        self.in_flight.update_value(|in_flight| {
            in_flight.take_if(|(task, _)| is_counts(task));
        });
        self.waiting
            .update_value(|tasks| tasks.retain(|task| !is_counts(task)));
        self.done.set_value(None);
        self.next();
    }

    /// Loads the counts again once the user pauses, because leads changed.
    pub fn count_again(self) {
        self.hold_counts();
        if self.coverage.get_untracked() == Coverage::View {
            let in_flight = self
                .in_flight
                .with_value(|in_flight| in_flight.as_ref().map(|(task, _)| *task));
            let mut missing = self.missing();
            missing.retain(|task| in_flight != Some(*task));
            self.waiting.update_value(|tasks| {
                tasks.push(FacetRequest::Counts(DECISION_REST_MS));
                add_new(tasks, missing);
            });
            self.next();
        }
    }

    /// Returns the requests for what is missing besides the counts of the view.
    fn missing(self) -> Vec<FacetRequest> {
        let mut tasks = Vec::new();
        let (context, with_facets) = self
            .counted
            .with_value(|counted| (counted.view.filters.context(), counted.with_facets));
        let coverage = self.coverage.get_untracked();
        let context = match coverage {
            // Options without leads in the view are still offered.
            Coverage::View => FacetContext::default(),
            Coverage::Workspace => context,
        };
        let is_loaded = self.loaded.with_value(|of| of.as_ref() == Some(&context));
        if with_facets && !is_loaded {
            tasks.push(FacetRequest::All);
            if coverage == Coverage::Workspace {
                let expanded = self.expanded.get_untracked();
                tasks.extend(expanded.into_iter().map(FacetRequest::Values));
            }
        }
        if self.lacks_tabs() {
            tasks.push(FacetRequest::Tabs);
        }
        tasks
    }

    /// Whether the tabs are to be counted in the whole workspace. The counts of a view that is all of it are the same.
    fn lacks_tabs(self) -> bool {
        let is_whole = self.counted.with_value(|counted| counted.view.is_whole());
        let is_counted = is_whole && self.coverage.get_untracked() == Coverage::View;
        !is_counted && !self.decisions.has_tab_counts.get_value()
    }

    /// Counts the leads for each relaxation to drop a filter.
    pub fn count_matches(self, relaxations: Vec<Relaxation>) {
        let requests = relaxations.into_iter().map(|relaxation| {
            let (client, query) = (self.session.client_now(), relaxation.view.query(1, 1));
            let request: CountFuture =
                Box::pin(async move { client?.query_leads(&query).await.ok()?.total });
            request
        });
        self.relaxations.count_matches(requests.collect());
    }

    /// Sends the next request, unless one is in flight.
    fn next(self) {
        if self.in_flight.try_with_value(Option::is_none) != Some(true) {
            return;
        }
        let Some(client) = self.session.client_now() else {
            return;
        };
        let task = self
            .waiting
            .try_update_value(|tasks| (!tasks.is_empty()).then(|| tasks.remove(0)));
        let Some(task) = task.flatten() else { return };
        let request = AbortOnDrop::start(async move {
            match task {
                FacetRequest::Counts(rest) => {
                    TimeoutFuture::new(rest).await;
                    self.request_counts(client).await;
                }
                FacetRequest::Tabs => self.request_tabs(client).await,
                FacetRequest::All => self.request_all(client).await,
                FacetRequest::Values(facet) => self.request_values(client, facet).await,
            }
            if !self.in_flight.is_disposed() {
                self.in_flight.set_value(None);
                self.next();
            }
        });
        self.in_flight.set_value(Some((task, request)));
    }
}

/// Adds requests that are not there yet.
fn add_new(tasks: &mut Vec<FacetRequest>, more: Vec<FacetRequest>) {
    for task in more {
        if !tasks.contains(&task) {
            tasks.push(task);
        }
    }
}
