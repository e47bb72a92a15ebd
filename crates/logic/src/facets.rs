//! Facets: which fields have one, and how a search in their values is validated.

use lead_workspace_api::limits::SELECTED;
use lead_workspace_api::request::Reading;
use lead_workspace_api::{ErrorEntry, FacetQuery, FacetSearch, FilterSpec, LeadField, filter};
use serde_json::{Map, Value as Json, json};

use crate::params::entry;

/// Returns the facet with this name, which is at `loc` in the request: any text or token field.
///
/// # Errors
/// When leads have no such facet; the error lists the existing ones.
pub fn field(name: &str, loc: &[&str]) -> Result<LeadField, Vec<ErrorEntry>> {
    let field = name.parse::<LeadField>().ok();
    field.filter(|field| field.has_facet()).ok_or_else(|| {
        let known = LeadField::ALL.iter().filter(|field| field.has_facet());
        let expected: Vec<_> = known.map(|field| field.as_str()).collect();
        let expected = expected.join(", ");
        let msg = format!("the facet must be one of {expected}");
        let ctx = Map::from_iter([("expected".into(), json!(expected))]);
        vec![entry(loc, "enum", msg, json!(name), ctx)]
    })
}

/// Rejects a search with too many selected values: each is counted separately.
///
/// # Errors
/// One entry with the limit.
pub fn check_selected(search: &FacetSearch) -> Result<(), Vec<ErrorEntry>> {
    let text = search.selected.as_deref().unwrap_or_default();
    let array = serde_json::from_str(text).ok().filter(Json::is_array);
    let values = array.unwrap_or_else(|| text.split(',').collect());
    let mut problems = Vec::new();
    Reading::new("query", &mut problems).within("selected", |reading| {
        reading.items(&values, SELECTED);
    });
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems)
    }
}

/// Parses `selected`: a JSON array, one value, or values separated by commas. `exists` returns whether a lead has
/// the value.
///
/// # Errors
/// Those of `exists`.
pub fn selected<E>(
    text: &str,
    exists: impl FnOnce(&str) -> Result<bool, E>,
) -> Result<Vec<String>, E> {
    if let Ok(values) = serde_json::from_str::<Vec<String>>(text) {
        return Ok(values);
    }
    let text = text.trim();
    // A company name can contain a comma.
    if !text.contains(',') || exists(text)? {
        return Ok(Some(text.to_owned())
            .filter(|text| !text.is_empty())
            .into_iter()
            .collect());
    }
    let parts = text
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty());
    Ok(parts.map(str::to_owned).collect())
}

/// Returns the filter on the selected values of a facet, if any are.
pub fn own_filter(field: LeadField, query: &FacetQuery) -> Option<FilterSpec> {
    let selected = query.selected.iter().map(String::as_str);
    (!query.selected.is_empty()).then(|| filter(field).is_in(selected))
}
