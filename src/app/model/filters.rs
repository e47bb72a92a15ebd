//! Filters of a view: conversion from and to the query string, and to filters of the API.
//!
//! Values of one facet are alternatives. Facets and custom filters must all match.

pub use custom_filter::CustomFilter;
pub use custom_name::CustomName;
pub use facet_field::Facet;
use form_urlencoded::{Serializer, parse};
pub use lead_filter_field::LeadFilterField;
pub use lead_sort_column::LeadSortColumn;
use lead_workspace_api::{CampaignId, FacetContext, FilterSpec, SignalId, SignalRunId, filter};

pub mod custom_filter;
mod custom_name;
pub mod facet_field;
pub mod filter_field;
pub mod filter_labels;
mod lead_filter_field;
mod lead_sort_column;

/// Query parameter of a custom filter.
const CUSTOM: &str = "where";

/// Selected values of one facet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectedValues {
    pub facet: Facet,
    /// Values as the API takes them: at least one, unique, not empty.
    pub values: Vec<String>,
}

/// One filter of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterKey {
    /// All selected values of a facet.
    Facet(Facet),
    /// The custom filter at this index.
    Custom(usize),
}

/// Filters of a view, besides its tab.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    chosen: Vec<SelectedValues>,
    custom: Vec<CustomFilter>,
}

impl Filters {
    /// Reads a query string. Unknown and invalid parts are ignored.
    pub fn from_query(query: &str) -> Self {
        let mut filters = Self::default();
        for (name, value) in parse(query.as_bytes()) {
            if name == CUSTOM {
                filters.custom.extend(CustomFilter::read(&value));
            } else if let Some(facet) = Facet::parse(&name) {
                filters.choose(facet, &value);
            }
        }
        filters
    }

    /// Appends the filters to a query string.
    pub fn put(&self, query: &mut Serializer<'_, String>) {
        for chosen in &self.chosen {
            for value in &chosen.values {
                query.append_pair(chosen.facet.key(), value);
            }
        }
        for custom in &self.custom {
            query.append_pair(CUSTOM, &custom.write());
        }
    }

    /// Returns the filters for the API, one for each of [`parts`](Self::parts), in the same order.
    pub fn specs(&self) -> Vec<FilterSpec> {
        let chosen = self.chosen.iter().map(|chosen| {
            let values = chosen.values.iter().map(String::as_str);
            filter(chosen.facet.field()).is_in(values)
        });
        chosen
            .chain(self.custom.iter().map(CustomFilter::spec))
            .collect()
    }

    /// Returns all filters: facets, then custom filters, each in the order of creation.
    pub fn parts(&self) -> Vec<FilterKey> {
        let chosen = self
            .chosen
            .iter()
            .map(|chosen| FilterKey::Facet(chosen.facet));
        chosen
            .chain((0..self.custom.len()).map(FilterKey::Custom))
            .collect()
    }

    pub fn count(&self) -> usize {
        self.chosen.len() + self.custom.len()
    }

    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// Returns the selected values of a facet.
    pub fn values(&self, facet: Facet) -> &[String] {
        let found = self.chosen.iter().find(|chosen| chosen.facet == facet);
        found.map_or(&[], |chosen| &chosen.values)
    }

    /// Returns the custom filter at an index.
    pub fn custom(&self, index: usize) -> Option<&CustomFilter> {
        self.custom.get(index)
    }

    fn choose(&mut self, facet: Facet, value: &str) {
        if value.is_empty() || self.values(facet).iter().any(|chosen| chosen == value) {
            return;
        }
        let value = value.to_owned();
        match self.chosen.iter_mut().find(|chosen| chosen.facet == facet) {
            Some(chosen) => chosen.values.push(value),
            None => self.chosen.push(SelectedValues {
                facet,
                values: vec![value],
            }),
        }
    }

    /// Returns a copy with a value selected or deselected.
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

    /// Returns a copy with this value of the facet and no other.
    #[must_use]
    pub fn only(&self, facet: Facet, value: &str) -> Self {
        let mut filters = self.clone();
        match filters.chosen.iter_mut().find(|of| of.facet == facet) {
            // The facet keeps its position.
            Some(of) if !value.is_empty() => of.values = vec![value.to_owned()],
            _ => filters.choose(facet, value),
        }
        filters
    }

    /// Returns a copy without one filter.
    #[must_use]
    pub fn without(&self, part: FilterKey) -> Self {
        let mut filters = self.clone();
        match part {
            FilterKey::Facet(facet) => filters.chosen.retain(|of| of.facet != facet),
            FilterKey::Custom(index) if index < filters.custom.len() => {
                filters.custom.remove(index);
            }
            FilterKey::Custom(_) => {}
        }
        filters
    }

    /// Returns a copy with a custom filter, which replaces the one at `index`, or else is appended.
    #[must_use]
    pub fn and(&self, index: Option<usize>, custom: CustomFilter) -> Self {
        let mut filters = self.clone();
        match index.and_then(|index| filters.custom.get_mut(index)) {
            Some(old) => *old = custom,
            None => filters.custom.push(custom),
        }
        filters
    }

    /// Returns the context of a facet request: the leads that the facets are taken from. The API
    /// takes at most one value of each kind, so a facet with several values is left out.
    pub fn context(&self) -> FacetContext {
        let one = |facet| match self.values(facet) {
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
