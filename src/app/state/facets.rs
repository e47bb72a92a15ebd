//! Facets: the values that the filter sidebar offers, and searches in them.
//!
//! At most one request is in flight, so that the sidebar does not use up the rate limit for requests that the user
//! waits for. A search has priority over everything else; a request that it interrupts is sent again after it. A
//! newer request cancels the older one, so that a late response never wins.

use std::rc::Rc;

use lead_workspace_api::shapes::FacetOption;
use lead_workspace_api::{FacetContext, FacetSearch};
use leptos::prelude::*;

use super::abort_on_drop::AbortOnDrop;
use super::relaxation_counts::{CountFuture, RelaxationCounts};
use super::session::Session;
use crate::app::model::facet_options;
use crate::app::model::filters::Facet;
use crate::app::model::relaxations::Relaxation;
use crate::client::Client;

pub mod expanded_facets;

/// How many values of a facet are requested.
const VALUE_LIMIT: u32 = 20;

/// How many values are requested if only their counts are missing.
const COUNT_LIMIT: u32 = 100;

/// The result of a search in one facet.
#[derive(Clone, Debug, PartialEq)]
pub struct FacetValues {
    pub facet: Facet,
    /// The search text; empty for the most frequent values.
    pub text: String,
    /// The values of the last response, until a newer one arrives.
    pub options: Vec<FacetOption>,
    /// The number of all matching values.
    pub total: u64,
    pub busy: bool,
    pub error: Option<String>,
}

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

/// The filter that the dialog edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Editing {
    New,
    /// The custom filter at this index.
    At(usize),
}

/// A request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FacetRequest {
    All,
    /// Values, or only counts, of one facet.
    Values(Facet),
}

#[derive(Clone, Copy)]
pub struct Facets {
    /// The values of the last response.
    pub options_by_facet: RwSignal<Vec<(Facet, Vec<FacetOption>)>>,
    /// The facets of the last response that could not be read.
    pub unreadable: RwSignal<Vec<Facet>>,
    pub status: RwSignal<FacetsStatus>,
    /// Searches in single facets.
    pub searches: RwSignal<Vec<FacetValues>>,
    /// The expanded facets.
    pub expanded: RwSignal<Vec<Facet>>,
    /// Whether the sidebar is open as a sheet, where there is no room for it beside the list.
    pub sheet_open: RwSignal<bool>,
    /// The filter in the dialog.
    pub editing: RwSignal<Option<Editing>>,
    /// The number of leads for each relaxation to drop a filter.
    pub relaxations: RelaxationCounts,
    /// The known names of values.
    names: RwSignal<Vec<(Facet, FacetOption)>>,
    context: StoredValue<FacetContext>,
    waiting: StoredValue<Vec<FacetRequest>>,
    in_flight: StoredValue<Option<(FacetRequest, AbortOnDrop)>>,
    session: Session,
}

impl Facets {
    pub fn start(session: Session) -> Self {
        Self {
            options_by_facet: RwSignal::new(Vec::new()),
            unreadable: RwSignal::new(Vec::new()),
            status: RwSignal::new(FacetsStatus::NotLoaded),
            searches: RwSignal::new(Vec::new()),
            expanded: RwSignal::new(Vec::new()),
            sheet_open: RwSignal::new(false),
            editing: RwSignal::new(None),
            relaxations: RelaxationCounts::start(),
            names: RwSignal::new(Vec::new()),
            context: StoredValue::new(FacetContext::default()),
            waiting: StoredValue::new(Vec::new()),
            in_flight: StoredValue::new(None),
            session,
        }
    }

    /// Loads all facets again, because they depend on other leads or the client changed.
    pub fn load(self, context: FacetContext) {
        self.context.set_value(context);
        let expanded = self.expanded.get_untracked();
        let mut tasks = vec![FacetRequest::All];
        tasks.extend(expanded.into_iter().map(FacetRequest::Values));
        // Other searches are sent again when their facet is expanded.
        self.searches.update(|searches| {
            searches.retain(|one| tasks.contains(&FacetRequest::Values(one.facet)));
        });
        self.waiting.set_value(tasks);
        self.in_flight.set_value(None);
        self.next();
    }

    /// Expands or collapses a facet.
    pub fn expand(self, facet: Facet, open: bool) {
        if self.expanded.with_untracked(|all| all.contains(&facet)) == open {
            return;
        }
        self.expanded.update(|all| {
            all.retain(|one| *one != facet);
            if open {
                all.push(facet);
            }
        });
        if !self.session.is_embedded() {
            expanded_facets::write(&self.expanded.get_untracked());
        }
        let is_known = self
            .values(facet)
            .is_some_and(|found| found.error.is_none());
        if open && !is_known {
            self.waiting
                .update_value(|tasks| tasks.push(FacetRequest::Values(facet)));
            self.next();
        }
    }

    /// Searches a facet for values that contain a text.
    pub fn search(self, facet: Facet, text: &str) {
        self.update(facet, |found| text.clone_into(&mut found.text));
        let task = FacetRequest::Values(facet);
        // The user's latest search has priority.
        let interrupted = self.in_flight.try_update_value(Option::take).flatten();
        self.waiting.update_value(|tasks| {
            tasks.extend(interrupted.map(|(task, _)| task));
            tasks.retain(|one| *one != task);
            tasks.insert(0, task);
        });
        self.next();
    }

    /// Returns the search in a facet, untracked.
    fn values(self, facet: Facet) -> Option<FacetValues> {
        self.searches.with_untracked(|searches| {
            let found = searches.iter().find(|one| one.facet == facet);
            found.cloned()
        })
    }

    /// Returns the name of a value, or a readable form of the value if the name is unknown.
    pub fn name(self, facet: Facet, value: &str) -> String {
        let name = self.names.with(|names| {
            let is_it =
                |(of, option): &&(Facet, FacetOption)| *of == facet && option.value == value;
            names
                .iter()
                .find(is_it)
                .map(|(_, option)| option.label.clone())
        });
        name.unwrap_or_else(|| facet_options::default_label(facet, value))
    }

    /// Counts the leads for each relaxation to drop a filter.
    pub fn count_matches(self, relaxations: Vec<Relaxation>) {
        let count = relaxations.len();
        let request_count = self.session.client_now().map(|client| {
            let request_count: Rc<dyn Fn(usize) -> CountFuture> = Rc::new(move |index| {
                let (client, query) = (client.clone(), relaxations[index].view.query(1, 1));
                Box::pin(async move { client.query_leads(&query).await.ok()?.total })
            });
            request_count
        });
        self.relaxations.count_matches(count, request_count);
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
        let context = self.context.get_value();
        let request = AbortOnDrop::start(async move {
            match task {
                FacetRequest::All => self.request_all(client, context).await,
                FacetRequest::Values(facet) => self.request_values(client, context, facet).await,
            }
            if self.in_flight.try_set_value(None).is_none() {
                self.next();
            }
        });
        self.in_flight.set_value(Some((task, request)));
    }

    async fn request_all(self, client: Client, context: FacetContext) {
        match client.get_lead_facets(&context).await {
            Ok(response) => {
                self.unreadable
                    .try_set(facet_options::unreadable(&response));
                let options_by_facet = facet_options::options_by_facet(response);
                for (facet, options) in &options_by_facet {
                    self.remember_names(*facet, options);
                }
                self.options_by_facet.try_set(options_by_facet);
                self.status.try_set(FacetsStatus::Loaded);
            }
            Err(error) => {
                self.session.check_key(&error);
                self.status.try_set(FacetsStatus::Failed(error.summary()));
            }
        }
    }

    async fn request_values(self, client: Client, context: FacetContext, facet: Facet) {
        // Facets whose values are all loaded are searched locally. Only their counts may be missing.
        let counts_only = !facet.is_searched();
        if counts_only && !self.lacks_counts(facet) {
            return;
        }
        self.update(facet, |found| {
            found.busy = true;
            found.error = None;
        });
        let text = self
            .values(facet)
            .map(|found| found.text)
            .unwrap_or_default();
        let search = FacetSearch {
            field: facet.field().as_str().to_owned(),
            q: if counts_only { String::new() } else { text },
            limit: if counts_only {
                COUNT_LIMIT
            } else {
                VALUE_LIMIT
            },
            selected: None,
            signal_run_id: context.signal_run_id,
            signal_id: context.signal_id,
            campaign_id: context.campaign_id,
        };
        match client.search_lead_facet(&search).await {
            Ok(response) => {
                let options = facet_options::search_results(facet, response.items);
                if counts_only {
                    self.options_by_facet.try_update(|all| {
                        let known = all.iter_mut().find(|(of, _)| *of == facet);
                        if let Some((_, known)) = known {
                            facet_options::copy_counts(known, &options);
                        }
                    });
                }
                self.remember_names(facet, &options);
                self.update(facet, |found| {
                    found.busy = false;
                    found.total = response.total_distinct.unwrap_or(options.len() as u64);
                    found.options = options;
                });
            }
            Err(error) => {
                self.session.check_key(&error);
                self.update(facet, |found| {
                    found.busy = false;
                    found.error = Some(error.summary());
                });
            }
        }
    }

    fn lacks_counts(self, facet: Facet) -> bool {
        let lacks = self.options_by_facet.try_with_untracked(|all| {
            let listed = all.iter().find(|(of, _)| *of == facet);
            listed.is_some_and(|(_, options)| options.iter().any(|option| option.count.is_none()))
        });
        lacks == Some(true)
    }

    fn update(self, facet: Facet, change: impl FnOnce(&mut FacetValues)) {
        let change: Box<dyn FnOnce(&mut FacetValues)> = Box::new(change);
        self.searches.try_update(|searches| {
            let at = searches.iter().position(|one| one.facet == facet);
            let at = at.unwrap_or_else(|| {
                searches.push(FacetValues {
                    facet,
                    text: String::new(),
                    options: Vec::new(),
                    total: 0,
                    busy: false,
                    error: None,
                });
                searches.len() - 1
            });
            change(&mut searches[at]);
        });
    }

    /// Stores the names of values, for the chips. Most values are their own name and need no entry.
    fn remember_names(self, facet: Facet, options: &[FacetOption]) {
        let is_new = |names: &[(Facet, FacetOption)], option: &FacetOption| {
            option.label != facet_options::default_label(facet, &option.value)
                && !names
                    .iter()
                    .any(|(of, known)| *of == facet && known.value == option.value)
        };
        let new = self.names.try_with_untracked(|names| {
            let new = options.iter().filter(|option| is_new(names, option));
            new.cloned().collect::<Vec<_>>()
        });
        if let Some(new) = new.filter(|new| !new.is_empty()) {
            self.names.try_update(|names| {
                names.extend(new.into_iter().map(|option| (facet, option)));
            });
        }
    }
}
