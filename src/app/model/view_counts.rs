//! Counts within a view: the query for them, and its result. Pure.
//!
//! The server counts a facet within the filters, the search and the selected values of all other
//! facets. The tabs are such a facet: the status, with the status of the tab as its selected value.

use lead_workspace_api::limits::SELECTED;
use lead_workspace_api::shapes::FacetOption;
use lead_workspace_api::{
    ApprovalStatus, FacetQuery, FacetSearchResult, LeadFacetQuery, LeadField,
};

use super::filters::facet_field::ALL_VALUES;
use super::filters::{Facet, FilterKey};
use super::lead_tab::StatusCounts;
use super::view::LeadsView;

/// Returns the query that counts the tabs, if `with_tabs`, and then these facets of a view, each with
/// the text to search it for.
pub fn query(view: &LeadsView, with_tabs: bool, facets: &[(Facet, &str)]) -> LeadFacetQuery {
    let is_counted =
        |facet: Facet| facets.iter().any(|(of, _)| *of == facet) && is_countable(view, facet);
    let parts = view.filters.parts().into_iter().zip(view.filters.specs());
    // The values of a counted facet are sent with it.
    let others = parts.filter(|(part, _)| match part {
        FilterKey::Facet(facet) => !is_counted(*facet),
        FilterKey::Custom(_) => true,
    });
    let mut filters: Vec<_> = others.map(|(_, spec)| spec).collect();
    let mut counted = Vec::new();
    if with_tabs {
        let status = view.tab.status();
        counted.push(FacetQuery {
            field: LeadField::ApprovalStatus.into(),
            q: String::new(),
            limit: ALL_VALUES,
            selected: status
                .iter()
                .map(|status| status.as_str().to_owned())
                .collect(),
        });
    } else {
        filters.extend(view.tab.filters());
    }
    let facets = facets.iter().filter(|(facet, _)| is_counted(*facet));
    counted.extend(facets.map(|(facet, text)| {
        let (q, limit) = facet.search(text);
        FacetQuery {
            field: facet.field().into(),
            q,
            limit,
            selected: view.filters.values(*facet).to_vec(),
        }
    }));
    LeadFacetQuery {
        filters,
        search: view.table.term(),
        facets: counted,
    }
}

/// Whether the server can count the facet: it takes a limited number of selected values.
pub fn is_countable(view: &LeadsView, facet: Facet) -> bool {
    view.filters.values(facet).len() <= SELECTED as usize
}

/// Reads the number of leads by status; `None` if some are missing.
pub fn by_status(result: &FacetSearchResult) -> Option<StatusCounts> {
    let items = result.items.as_ref()?;
    let counted = items.iter().map(|item| {
        let status = item.value.as_deref()?;
        Some((ApprovalStatus::from(status), item.count?))
    });
    let counted = counted.collect::<Option<Vec<_>>>()?;
    (result.has_more != Some(true)).then_some(StatusCounts(counted))
}

/// Returns the options of a facet with their counts within the view. `counted` are its most frequent
/// values there; `has_more`: there are others.
pub fn with_counts(
    options: &[FacetOption],
    counted: &[FacetOption],
    has_more: bool,
) -> Vec<FacetOption> {
    let options = options.iter().map(|option| {
        let found = counted.iter().find(|found| found.value == option.value);
        let count = match found {
            Some(found) => found.count,
            None => (!has_more).then_some(0),
        };
        FacetOption {
            count,
            ..option.clone()
        }
    });
    options.collect()
}
