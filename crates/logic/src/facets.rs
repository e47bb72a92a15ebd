//! Facets: which fields have one, and how a search in their values is validated.

use std::cmp::Reverse;

use lead_workspace_api::limits::{CUSTOM_FACET_VALUES, SELECTED};
use lead_workspace_api::request::Reading;
use lead_workspace_api::{
    AccountFacetField, AccountFacetQuery, AccountField, AccountQuery, ErrorEntry, FacetItem,
    FacetSearch, FacetSearchResult, FilterSpec, LeadField, filter,
};
use serde_json::{Map, Value as Json, json};

use crate::filter::OR_CUSTOM_FIELD;
use crate::label;
use crate::params::entry;

/// Maximum number of values that a response has for a facet of accounts.
const ACCOUNT_VALUES: usize = 100;

/// Returns the facet with this name, which is at `loc` in the request: any text or token field. Custom fields are not among
/// them.
///
/// # Errors
/// When leads have no such facet; the error lists the existing ones.
pub fn field(name: &str, loc: &[&str]) -> Result<LeadField, Vec<ErrorEntry>> {
    let field = name.parse::<LeadField>().ok();
    field.filter(|field| field.has_facet()).ok_or_else(|| {
        let known = LeadField::ALL.iter().filter(|field| field.has_facet());
        let expected: Vec<_> = known.map(|field| field.as_str()).collect();
        let expected = expected.join(", ");
        let msg = format!("the facet must be one of {expected}{OR_CUSTOM_FIELD}");
        let ctx = Map::from_iter([("expected".into(), json!(expected))]);
        vec![entry(loc, "enum", msg, json!(name), ctx)]
    })
}

/// Returns the problem of a facet with too many different values, which is that of a custom field.
pub fn too_many_values(name: &str, loc: &[&str]) -> Vec<ErrorEntry> {
    let msg = format!(
        "the field has more than {CUSTOM_FACET_VALUES} different values, and so no facet; filter with contains or another \
         operator"
    );
    let ctx = Map::from_iter([("max_values".into(), json!(CUSTOM_FACET_VALUES))]);
    vec![entry(loc, "too_many_values", msg, json!(name), ctx)]
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
    if let Ok(values) = serde_json::from_str::<Vec<Json>>(text) {
        let text = |value| match value {
            Json::String(text) => text,
            other => other.to_string(),
        };
        return Ok(values.into_iter().map(text).collect());
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
pub fn own_filter(field: impl Into<String>, selected: &[String]) -> Option<FilterSpec> {
    let values = selected.iter().map(String::as_str);
    (!selected.is_empty()).then(|| filter(field).is_in(values))
}

/// Returns the query for the accounts that one facet counts. Its own selected values do not restrict it.
pub fn counted_accounts(query: &AccountFacetQuery, facet: usize) -> AccountQuery {
    let others = query.facets.iter().enumerate();
    let others = others.filter(|(index, _)| *index != facet);
    let selected = others
        .filter_map(|(_, other)| own_filter(AccountField::from(other.field), &other.selected));
    AccountQuery {
        filters: query.filters.iter().cloned().chain(selected).collect(),
        search: query.search.clone(),
        list_id: query.list_id.clone(),
        include_unpromoted: query.include_unpromoted,
        ..AccountQuery::default()
    }
}

/// Returns the result of a facet of accounts: its most frequent values.
pub fn account_values(
    field: AccountFacetField,
    mut counts: Vec<(String, u64)>,
) -> FacetSearchResult {
    counts.sort_by(|(a, a_count), (b, b_count)| (Reverse(a_count), a).cmp(&(Reverse(b_count), b)));
    let total = counts.len();
    counts.truncate(ACCOUNT_VALUES);
    let items = counts.into_iter().map(|(value, count)| FacetItem {
        label: Some(label(&value)),
        value: Some(value),
        count: Some(count),
        ..FacetItem::default()
    });
    FacetSearchResult {
        field: Some(field.as_str().to_owned()),
        items: Some(items.collect()),
        total_distinct: Some(total as u64),
        has_more: Some(total > ACCOUNT_VALUES),
    }
}
