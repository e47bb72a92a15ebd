//! Searches in single facets, and their values.

use lead_workspace_api::shapes::FacetOption;

use super::{FacetRequest, Facets, add_new};
use crate::app::model::filters::Facet;

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
    /// Whether some matching values are missing in `options`.
    pub has_more: bool,
    pub busy: bool,
    pub error: Option<String>,
}

impl Facets {
    /// Searches a facet for values that contain a text.
    pub fn search(self, facet: Facet, text: &str) {
        self.update(facet, |found| text.clone_into(&mut found.text));
        self.request_values_first(facet);
    }

    /// Requests the values that the user waits for, before everything else.
    pub(super) fn request_values_first(self, facet: Facet) {
        // Until the response: what interrupts the request sends it again.
        self.update(facet, |found| found.busy = true);
        let task = FacetRequest::Values(facet);
        let interrupted = self.in_flight.try_update_value(Option::take).flatten();
        self.waiting.update_value(|tasks| {
            tasks.extend(interrupted.map(|(task, _)| task));
            tasks.retain(|one| *one != task);
            tasks.insert(0, task);
        });
        self.next();
    }

    /// Returns the search in a facet, untracked.
    pub(super) fn values(self, facet: Facet) -> Option<FacetValues> {
        self.searches.with_untracked(|searches| {
            let found = searches.iter().find(|one| one.facet == facet);
            found.cloned()
        })
    }

    /// Adds the searches without a response. A response with counts has their values, too.
    pub(super) fn add_searches(self, tasks: &mut Vec<FacetRequest>) {
        let searches = self.searches.with_untracked(|searches| {
            let busy = searches.iter().filter(|found| found.busy);
            busy.map(|found| FacetRequest::Values(found.facet))
                .collect()
        });
        add_new(tasks, searches);
    }

    pub(super) fn update(self, facet: Facet, change: impl FnOnce(&mut FacetValues)) {
        let change: Box<dyn FnOnce(&mut FacetValues)> = Box::new(change);
        self.searches.try_update(|searches| {
            let at = searches.iter().position(|one| one.facet == facet);
            let at = at.unwrap_or_else(|| {
                searches.push(FacetValues {
                    facet,
                    text: String::new(),
                    options: Vec::new(),
                    total: 0,
                    has_more: false,
                    busy: false,
                    error: None,
                });
                searches.len() - 1
            });
            change(&mut searches[at]);
        });
    }
}
