//! What is chosen in the rail: to the query string and back, and to the filters of a query.
//!
//! Values of one facet are alternatives; facets, and filters made by hand, must all hold.

use form_urlencoded::{Serializer, parse};
use lead_workspace_api::{CampaignId, FacetContext, FilterSpec, SignalId, SignalRunId, filter};

pub mod facet;
pub mod free;
pub mod words;

pub use facet::Facet;
pub use free::Free;

/// The name of a filter made by hand in the query string.
const FREE: &str = "where";

/// The values that are chosen of one facet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The facet.
    pub facet: Facet,
    /// The values, as filters take them: never none, none twice, none empty.
    pub values: Vec<String>,
}

/// A filter among the filters of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All that is chosen of a facet.
    Facet(Facet),
    /// The filter made by hand at this index.
    Free(usize),
}

/// The filters of a view, beside its tab.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    chosen: Vec<Chosen>,
    free: Vec<Free>,
}

impl Filters {
    /// Reads a query string. What it does not understand it passes over.
    pub fn from_query(query: &str) -> Self {
        let mut filters = Self::default();
        for (name, value) in parse(query.as_bytes()) {
            if name == FREE {
                filters.free.extend(Free::read(&value));
            } else if let Some(facet) = Facet::of(&name) {
                filters.choose(facet, &value);
            }
        }
        filters
    }

    /// Adds what is chosen to a query string.
    pub fn put(&self, query: &mut Serializer<'_, String>) {
        for chosen in &self.chosen {
            for value in &chosen.values {
                query.append_pair(chosen.facet.key(), value);
            }
        }
        for free in &self.free {
            query.append_pair(FREE, &free.write());
        }
    }

    /// The filters on the wire, one for each of [`parts`](Self::parts).
    pub fn specs(&self) -> Vec<FilterSpec> {
        let chosen = self.chosen.iter().map(|chosen| {
            let values = chosen.values.iter().map(String::as_str);
            filter(chosen.facet.field()).is_in(values)
        });
        chosen.chain(self.free.iter().map(Free::spec)).collect()
    }

    /// Every filter, in the order in which they were made.
    pub fn parts(&self) -> Vec<Part> {
        let chosen = self.chosen.iter().map(|chosen| Part::Facet(chosen.facet));
        chosen.chain((0..self.free.len()).map(Part::Free)).collect()
    }

    /// How many filters there are.
    pub fn count(&self) -> usize {
        self.chosen.len() + self.free.len()
    }

    /// Whether nothing is filtered.
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// What is chosen of a facet.
    pub fn of(&self, facet: Facet) -> &[String] {
        let found = self.chosen.iter().find(|chosen| chosen.facet == facet);
        found.map_or(&[], |chosen| &chosen.values)
    }

    /// A filter made by hand.
    pub fn free(&self, index: usize) -> Option<&Free> {
        self.free.get(index)
    }

    fn choose(&mut self, facet: Facet, value: &str) {
        if value.is_empty() || self.of(facet).iter().any(|chosen| chosen == value) {
            return;
        }
        let value = value.to_owned();
        match self.chosen.iter_mut().find(|chosen| chosen.facet == facet) {
            Some(chosen) => chosen.values.push(value),
            None => self.chosen.push(Chosen {
                facet,
                values: vec![value],
            }),
        }
    }

    /// The same filters with a value chosen, or not chosen any more.
    #[must_use]
    pub fn with(&self, facet: Facet, value: &str, chosen: bool) -> Self {
        let mut filters = self.clone();
        if chosen {
            filters.choose(facet, value);
        } else {
            for of in &mut filters.chosen {
                if of.facet == facet {
                    of.values.retain(|known| known != value);
                }
            }
            filters.chosen.retain(|of| !of.values.is_empty());
        }
        filters
    }

    /// The same filters with this value of the facet and no other.
    #[must_use]
    pub fn only(&self, facet: Facet, value: &str) -> Self {
        let mut filters = self.clone();
        match filters.chosen.iter_mut().find(|of| of.facet == facet) {
            // The facet keeps its place among the others.
            Some(of) if !value.is_empty() => of.values = vec![value.to_owned()],
            _ => filters.choose(facet, value),
        }
        filters
    }

    /// The same filters but one.
    #[must_use]
    pub fn without(&self, part: Part) -> Self {
        let mut filters = self.clone();
        match part {
            Part::Facet(facet) => filters.chosen.retain(|of| of.facet != facet),
            Part::Free(index) if index < filters.free.len() => {
                filters.free.remove(index);
            }
            Part::Free(_) => {}
        }
        filters
    }

    /// The same filters with one made by hand: in place of the one at the index, else at the end.
    #[must_use]
    pub fn and(&self, index: Option<usize>, free: Free) -> Self {
        let mut filters = self.clone();
        match index.and_then(|index| filters.free.get_mut(index)) {
            Some(old) => *old = free,
            None => filters.free.push(free),
        }
        filters
    }

    /// Which leads the facets are taken from. The API knows at most one value each.
    pub fn context(&self) -> FacetContext {
        let one = |facet| match self.of(facet) {
            [one] => Some(one.as_str()),
            _ => None,
        };
        FacetContext {
            signal_run_id: one(Facet::SignalRun).map(SignalRunId::new),
            signal_id: one(Facet::Signal).map(SignalId::new),
            campaign_id: one(Facet::Campaign).map(CampaignId::new),
        }
    }
}
