//! The facets: what the rail offers, and what is looked for in it.
//!
//! At most one question is on its way, so that the rail never takes a workspace's rate from what
//! somebody waits for. A search goes before everything else; whatever it interrupts is asked again
//! after it. A newer question ends the older one, so that a late answer never wins.

use std::rc::Rc;

use lead_workspace_api::shapes::FacetOption;
use lead_workspace_api::{FacetContext, FacetSearch};
use leptos::prelude::*;

use super::flight::Flight;
use super::session::Session;
use super::weighing::{Count, Weighing};
use crate::client::{Client, Error};
use crate::model::facets::{self, count};
use crate::model::filters::Facet;
use crate::model::relax::Way;
use crate::signal::RwSignal;

pub mod folded;

/// How many values of a facet are asked for.
const LIMIT: u32 = 20;

/// How many values are asked for where only their counts are missing.
const COUNTED: u32 = 100;

/// What a search in one facet brought.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The facet.
    pub facet: Facet,
    /// The text that is looked for; empty for the most frequent values.
    pub text: String,
    /// The values, those of the last answer until a newer one is here.
    pub options: Vec<FacetOption>,
    /// How many values match in all.
    pub total: u64,
    /// Whether an answer is awaited.
    pub busy: bool,
    /// Why the last search failed.
    pub error: Option<String>,
}

/// How the rail stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// Nothing was ever here.
    #[default]
    Blank,
    /// It shows the last answer.
    Here,
    /// The last question failed; what was here stays.
    Failed(String),
}

/// Which filter the dialog is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Editing {
    /// A new one.
    New,
    /// The one made by hand at this index.
    At(usize),
}

/// A question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// Every facet.
    All,
    /// Values, or counts, of one facet.
    Values(Facet),
}

/// The facets.
#[derive(Clone, Copy)]
pub struct Facets {
    /// What the last answer offers.
    pub offered: RwSignal<Vec<(Facet, Vec<FacetOption>)>>,
    /// What the last answer has that could not be read.
    pub unreadable: RwSignal<Vec<Facet>>,
    /// How the rail stands.
    pub standing: RwSignal<Standing>,
    /// What was looked for in single facets.
    pub found: RwSignal<Vec<Found>>,
    /// Which facets are unfolded.
    pub open: RwSignal<Vec<Facet>>,
    /// Whether the rail is open as a sheet, where there is no room for it beside the list.
    pub sheet: RwSignal<bool>,
    /// Which filter is being made or changed.
    pub editing: RwSignal<Option<Editing>>,
    /// How many leads each way out of an empty list leads to.
    pub ways: Weighing,
    /// The names of values, as far as they are known.
    names: RwSignal<Vec<(Facet, FacetOption)>>,
    context: StoredValue<FacetContext>,
    waiting: StoredValue<Vec<Task>>,
    flight: StoredValue<Option<(Task, Flight)>>,
    session: Session,
}

impl Facets {
    /// Nothing loaded.
    pub fn start(session: Session) -> Self {
        Self {
            offered: RwSignal::new(Vec::new()),
            unreadable: RwSignal::new(Vec::new()),
            standing: RwSignal::new(Standing::Blank),
            found: RwSignal::new(Vec::new()),
            open: RwSignal::new(Vec::new()),
            sheet: RwSignal::new(false),
            editing: RwSignal::new(None),
            ways: Weighing::start(),
            names: RwSignal::new(Vec::new()),
            context: StoredValue::new(FacetContext::default()),
            waiting: StoredValue::new(Vec::new()),
            flight: StoredValue::new(None),
            session,
        }
    }

    /// The facets are taken from other leads, or somebody else asks: all of it is asked again.
    pub fn load(self, context: FacetContext) {
        self.context.set_value(context);
        let open = self.open.get_untracked();
        let mut tasks = vec![Task::All];
        tasks.extend(open.into_iter().map(Task::Values));
        // What was found for other leads is not asked for again unless it is seen.
        self.found.update(|found| {
            found.retain(|one| tasks.contains(&Task::Values(one.facet)));
        });
        self.waiting.set_value(tasks);
        self.flight.set_value(None);
        self.next();
    }

    /// Unfolds a facet, or folds it away.
    pub fn unfold(self, facet: Facet, open: bool) {
        if self.open.with_untracked(|all| all.contains(&facet)) == open {
            return;
        }
        self.open.update(|all| {
            all.retain(|one| *one != facet);
            if open {
                all.push(facet);
            }
        });
        if !self.session.is_hosted() {
            folded::keep(&self.open.get_untracked());
        }
        let is_known = self.of(facet).is_some_and(|found| found.error.is_none());
        if open && !is_known {
            self.waiting
                .update_value(|tasks| tasks.push(Task::Values(facet)));
            self.next();
        }
    }

    /// Looks for values of a facet that hold a text.
    pub fn search(self, facet: Facet, text: &str) {
        self.mark(facet, |found| text.clone_into(&mut found.text));
        let task = Task::Values(facet);
        // The last thing that somebody wants to know goes before the rest.
        let interrupted = self.flight.try_update_value(Option::take).flatten();
        self.waiting.update_value(|tasks| {
            tasks.extend(interrupted.map(|(task, _)| task));
            tasks.retain(|one| *one != task);
            tasks.insert(0, task);
        });
        self.next();
    }

    /// What was looked for in a facet, without following it.
    fn of(self, facet: Facet) -> Option<Found> {
        self.found.with_untracked(|found| {
            let found = found.iter().find(|one| one.facet == facet);
            found.cloned()
        })
    }

    /// The name of a value; the value itself where none is known.
    pub fn name(self, facet: Facet, value: &str) -> String {
        let name = self.names.with(|names| {
            let is_it =
                |(of, option): &&(Facet, FacetOption)| *of == facet && option.value == value;
            names
                .iter()
                .find(is_it)
                .map(|(_, option)| option.label.clone())
        });
        name.unwrap_or_else(|| facets::unnamed(facet, value))
    }

    /// Counts the leads that each way out of an empty list leads to.
    pub fn weigh(self, ways: Vec<Way>) {
        let asked = ways.len();
        let ask = self.session.client_now().map(|client| {
            let ask: Rc<dyn Fn(usize) -> Count> = Rc::new(move |index| {
                let (client, query) = (client.clone(), ways[index].view.query(1, 1));
                Box::pin(async move { client.query_leads(&query).await.ok()?.total })
            });
            ask
        });
        self.ways.weigh(asked, ask);
    }

    /// Asks the next question, unless one is on its way.
    fn next(self) {
        if self.flight.try_with_value(Option::is_none) != Some(true) {
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
        let asked = Flight::start(async move {
            match task {
                Task::All => self.ask_all(client, context).await,
                Task::Values(facet) => self.ask_values(client, context, facet).await,
            }
            // The app may be gone by now.
            if self.flight.try_set_value(None).is_none() {
                self.next();
            }
        });
        self.flight.set_value(Some((task, asked)));
    }

    async fn ask_all(self, client: Client, context: FacetContext) {
        match client.get_lead_facets(&context).await {
            Ok(answer) => {
                self.unreadable.try_set(facets::unreadable(&answer));
                let offered = facets::offered(answer);
                for (facet, options) in &offered {
                    self.learn(*facet, options);
                }
                self.offered.try_set(offered);
                self.standing.try_set(Standing::Here);
            }
            Err(error) => {
                self.note(&error);
                self.standing.try_set(Standing::Failed(error.what()));
            }
        }
    }

    async fn ask_values(self, client: Client, context: FacetContext, facet: Facet) {
        // Facets that are listed as a whole are searched here; of them only the counts are missing.
        let counts_only = !facet.is_searched();
        if counts_only && !self.lacks_counts(facet) {
            return;
        }
        self.mark(facet, |found| {
            found.busy = true;
            found.error = None;
        });
        let text = self.of(facet).map(|found| found.text).unwrap_or_default();
        let search = FacetSearch {
            field: facet.field().as_str().to_owned(),
            q: if counts_only { String::new() } else { text },
            limit: if counts_only { COUNTED } else { LIMIT },
            selected: None,
            signal_run_id: context.signal_run_id,
            signal_id: context.signal_id,
            campaign_id: context.campaign_id,
        };
        match client.search_lead_facet(&search).await {
            Ok(answer) => {
                let options = facets::found(facet, answer.items);
                if counts_only {
                    self.offered.try_update(|offered| {
                        let known = offered.iter_mut().find(|(of, _)| *of == facet);
                        if let Some((_, known)) = known {
                            count(known, &options);
                        }
                    });
                }
                self.learn(facet, &options);
                self.mark(facet, |found| {
                    found.busy = false;
                    found.total = answer.total_distinct.unwrap_or(options.len() as u64);
                    found.options = options;
                });
            }
            Err(error) => {
                self.note(&error);
                self.mark(facet, |found| {
                    found.busy = false;
                    found.error = Some(error.what());
                });
            }
        }
    }

    fn lacks_counts(self, facet: Facet) -> bool {
        let lacks = self.offered.try_with_untracked(|offered| {
            let offered = offered.iter().find(|(of, _)| *of == facet);
            offered.is_some_and(|(_, all)| all.iter().any(|option| option.count.is_none()))
        });
        lacks == Some(true)
    }

    fn mark(self, facet: Facet, change: impl FnOnce(&mut Found)) {
        let change: Box<dyn FnOnce(&mut Found)> = Box::new(change);
        self.found.try_update(|found| {
            let at = found.iter().position(|one| one.facet == facet);
            let at = at.unwrap_or_else(|| {
                found.push(Found {
                    facet,
                    text: String::new(),
                    options: Vec::new(),
                    total: 0,
                    busy: false,
                    error: None,
                });
                found.len() - 1
            });
            change(&mut found[at]);
        });
    }

    /// Keeps the names of values, for the chips. Most values are their own name.
    fn learn(self, facet: Facet, options: &[FacetOption]) {
        let is_new = |names: &[(Facet, FacetOption)], option: &FacetOption| {
            option.label != facets::unnamed(facet, &option.value)
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

    fn note(self, error: &Error) {
        if error.is_about_key() {
            self.session.refused();
        }
    }
}
