//! The names of facet values, for chips and for values that no response lists any more.

use lead_workspace_api::shapes::FacetOption;

use super::Facets;
use crate::app::model::facet_options;
use crate::app::model::filters::Facet;

impl Facets {
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

    /// Stores the names of values, for the chips. Most values are their own name and need no entry.
    pub(super) fn remember_names(self, facet: Facet, options: &[FacetOption]) {
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
