//! The counts of values.

use lead_workspace_api::{
    AccountFacet, AccountFacetField, AccountFacetQuery, AccountField, AccountQuery, FacetContext,
    FacetQuery, FilterSpec, LeadFacetQuery, LeadField, custom_field, filter,
};
use lead_workspace_index::{
    self as index, ColumnBuilder, ColumnId, Columns, CountedValues, FacetsOfAccounts, FacetsOfView,
    ValueRef,
};
use lead_workspace_logic::custom::Member;
use lead_workspace_logic::filter::Value;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use crate::queries::{account_filters, comparable_values, lead_filters, list_id, search};
use crate::records::{CUSTOM, Records, changes, column, keys, possible_values, records};

/// Returns the names of facets.
fn facet_fields() -> Vec<String> {
    let fields = LeadField::ALL.iter().filter(|field| field.has_facet());
    let fields = fields.map(|field| field.as_str().to_owned());
    fields.chain(CUSTOM.map(custom_field)).collect()
}

fn column_of(field: &str) -> ColumnId {
    keys().facet_of_leads(field, &[]).unwrap()
}

/// Any facet, often one of a context parameter.
fn facet_field() -> impl Strategy<Value = String> {
    let parameters = [
        LeadField::SignalRunId,
        LeadField::SignalId,
        LeadField::CampaignId,
    ];
    let parameters = parameters.map(String::from);
    prop_oneof![select(parameters.to_vec()), select(facet_fields())]
}

/// A value, comparable.
fn text(value: &Value) -> String {
    format!("{value:?}")
}

fn texts(counts: &[(Value, u64)]) -> Vec<(String, u64)> {
    let texts = counts.iter().map(|(value, count)| (text(value), *count));
    texts.collect()
}

fn value_of(field: impl Into<ColumnId>) -> impl Strategy<Value = String> {
    let values = comparable_values(field.into()).into_iter();
    let values = values.map(|value| Member::from(&value).text().unwrap().into_owned());
    select(values.collect::<Vec<_>>())
}

fn context() -> impl Strategy<Value = FacetContext> {
    let parts = (
        option::of(value_of(LeadField::SignalRunId)),
        option::of(value_of(LeadField::SignalId)),
        option::of(value_of(LeadField::CampaignId)),
    );
    parts.prop_map(|(run, signal, campaign)| FacetContext {
        signal_run_id: run.map(Into::into),
        signal_id: signal.map(Into::into),
        campaign_id: campaign.map(Into::into),
    })
}

/// Compares all counts, and those that are shown of the values that hold.
fn check(
    counted: &CountedValues<'_>,
    expected: &[(Value, u64)],
    possible: &[Value],
    holds: &dyn Fn(&Value) -> bool,
    limit: usize,
    selected: &[Value],
) {
    for value in possible {
        let same = expected
            .iter()
            .find(|(known, _)| known.order(value).is_eq());
        assert_eq!(counted.count(value), same.map_or(0, |(_, count)| *count));
    }
    let mut by_text: Vec<(String, u64)> = Vec::new();
    for (value, count) in expected {
        if let Value::Text(text) = value {
            by_text.push((text.clone(), *count));
        }
    }
    by_text.sort();
    assert_eq!(counted.texts().collect::<Vec<_>>(), by_text);

    let mut matching = expected.to_vec();
    matching.retain(|(value, _)| holds(value));
    let holding = counted.each(holds);
    let found = counted.matching(&holding, limit, selected);
    let most_frequent = &matching[..limit.min(matching.len())];
    assert_eq!(texts(&found.found), texts(most_frequent));
    assert_eq!(found.total, matching.len() as u64);

    let mut shown: Vec<(Value, u64)> = Vec::new();
    let is_shown = |shown: &[(Value, u64)], value: &Value| {
        shown.iter().any(|(known, _)| known.order(value).is_eq())
    };
    for value in selected {
        if !is_shown(&shown, value) {
            shown.push((value.clone(), counted.count(value)));
        }
    }
    for (value, count) in &matching {
        if !is_shown(&shown, value) && shown.len() < limit {
            shown.push((value.clone(), *count));
        }
    }
    let with_text = selected.iter().map(|value| (value.clone(), text(value)));
    let found = counted.shown(&holding, limit, with_text);
    let values = found.values.iter();
    let values: Vec<_> = values
        .map(|shown| (text(&shown.value), shown.count))
        .collect();
    assert_eq!(values, texts(&shown));
    assert_eq!(found.total_distinct, matching.len() as u64);
    let is_hidden = |(value, _): &(Value, u64)| !is_shown(&shown, value);
    assert_eq!(found.has_more, matching.iter().any(is_hidden));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn values_are_counted_within_the_leads_of_a_context(
        mut records in records(0..=40),
        changes in changes(),
        context in context(),
        field in facet_field(),
        limit in 1..6_usize,
        chosen in vec(any::<prop::sample::Index>(), 0..4),
        held in any::<u8>(),
    ) {
        let columns = records.changed_columns(changes);
        let id = column_of(&field);
        let parameters = [
            (LeadField::SignalRunId, context.signal_run_id.clone().map(String::from)),
            (LeadField::SignalId, context.signal_id.clone().map(String::from)),
            (LeadField::CampaignId, context.campaign_id.clone().map(String::from)),
        ];
        let is_within = |number: &u32| parameters.iter().all(|(of, wanted)| match wanted {
            // The facet of a parameter ignores it.
            Some(wanted) if of.as_str() != field => {
                records.has(ColumnId::Lead(*of), *number, &wanted.as_str().into())
            }
            _ => true,
        });
        let leads: Vec<u32> = records.leads.keys().copied().filter(is_within).collect();
        let context = index::FacetContext::from(context);
        prop_assert!(context.columns(id).contains(&id));
        let counted = CountedValues::of_leads(&columns, id, &context);
        let possible = possible_values(id);
        let holds = |value: &Value| {
            let at = possible.iter().position(|one| one.order(value).is_eq());
            at.is_some_and(|at| held & (1 << at) != 0)
        };
        let selected: Vec<Value> = chosen.iter().map(|at| at.get(&possible).clone()).collect();
        check(&counted, &records.counts(id, &leads), &possible, &holds, limit, &selected);

        // The first leads with the values, of all leads.
        if !id.has_many() {
            let first = selected.iter().filter_map(|value| {
                let mut leads = records.leads.keys();
                leads.find(|number| records.has(id, **number, value))
            });
            let first: std::collections::BTreeSet<i64> = first.map(|row| (*row).into()).collect();
            let found = counted.first_rows(&selected);
            prop_assert_eq!(found, first.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_facet_of_a_view_ignores_its_own_selection(
        mut records in records(0..=40),
        changes in changes(),
        filters in lead_filters(),
        search in search(),
        facets in vec(facet(), 0..4),
    ) {
        let columns = records.changed_columns(changes);
        let query = LeadFacetQuery { filters, search, facets };
        let view = FacetsOfView::of(query.clone(), &keys()).unwrap();
        if records.refuse(&query.filters) {
            prop_assert!(view.contexts(&columns).is_err());
            return Ok(());
        }
        let contexts = view.contexts(&columns).unwrap();
        prop_assert_eq!(contexts.len(), query.facets.len());
        for (at, (facet, context)) in view.facets.iter().zip(&contexts).enumerate() {
            let others = query.facets.iter().enumerate().filter(|(other, _)| *other != at);
            let others = others.filter(|(_, other)| !other.selected.is_empty());
            let others = others.map(|(_, other)| {
                filter(other.field.as_str()).is_in(other.selected.clone())
            });
            let filters: Vec<FilterSpec> = query.filters.iter().cloned().chain(others).collect();
            let leads = records.leads_of(&filters, query.search.as_deref());
            let id = facet.field;
            let counted = CountedValues::of_leads(&columns, id, context);
            let expected = records.counts(id, &leads);
            check(&counted, &expected, &possible_values(id), &|_| true, 3, &[]);
        }
    }

    #[test]
    fn a_facet_of_accounts_ignores_its_own_selection(
        mut records in records(0..=0),
        changes in changes(),
        filters in account_filters(),
        search in search(),
        list_id in list_id(),
        include_unpromoted in any::<bool>(),
        facets in vec(account_facet(), 0..3),
    ) {
        let columns = records.changed_columns(changes);
        let query = AccountFacetQuery { filters, search, list_id, include_unpromoted, facets };
        let found = FacetsOfAccounts::of(&query).unwrap().counts(&columns).unwrap().facets.unwrap();
        prop_assert_eq!(found.len(), query.facets.len());
        for (at, (facet, found)) in query.facets.iter().zip(found).enumerate() {
            let expected = account_counts(&records, &query, at);
            let items = found.items.into_iter().flatten();
            let items: Vec<_> = items.map(|item| (item.value.unwrap(), item.count.unwrap())).collect();
            prop_assert_eq!(items, expected, "{}", facet.field);
        }
    }
}

fn facet() -> impl Strategy<Value = FacetQuery> {
    select(facet_fields()).prop_flat_map(|field| {
        vec(value_of(column_of(&field)), 0..3).prop_map(move |selected| FacetQuery {
            field: field.clone(),
            q: String::new(),
            limit: 20,
            selected,
        })
    })
}

fn account_facet() -> impl Strategy<Value = AccountFacet> {
    select(AccountFacetField::ALL).prop_flat_map(|field| {
        let values = comparable_values(ColumnId::Account(field.into())).into_iter();
        let values = values.map(|value| value.as_str().unwrap().to_owned());
        vec(select(values.collect::<Vec<_>>()), 0..3)
            .prop_map(move |selected| AccountFacet { field, selected })
    })
}

fn account_counts(
    records: &Records,
    query: &AccountFacetQuery,
    facet: usize,
) -> Vec<(String, u64)> {
    let others = query.facets.iter().enumerate();
    let others = others.filter(|(at, other)| *at != facet && !other.selected.is_empty());
    let others = others
        .map(|(_, other)| filter(AccountField::from(other.field)).is_in(other.selected.clone()));
    let accounts = records.accounts_of(&AccountQuery {
        filters: query.filters.iter().cloned().chain(others).collect(),
        search: query.search.clone(),
        list_id: query.list_id.clone(),
        include_unpromoted: query.include_unpromoted,
        ..AccountQuery::default()
    });
    let field = AccountField::from(query.facets[facet].field);
    let counts = records
        .counts(ColumnId::Account(field), &accounts)
        .into_iter();
    let counts = counts.map(|(value, count)| match value {
        Value::Text(text) => (text, count),
        other => panic!("{other:?}"),
    });
    counts.collect()
}

#[test]
fn a_custom_field_with_too_many_values_has_no_facet() {
    let facets = [custom_field("Deal size")].map(|field| FacetQuery {
        field,
        q: String::new(),
        limit: 20,
        selected: Vec::new(),
    });
    let query = LeadFacetQuery {
        facets: facets.into(),
        ..LeadFacetQuery::default()
    };
    let view = FacetsOfView::of(query, &keys()).unwrap();
    for (values, has_facet) in [(1_000, true), (1_001, false)] {
        let mut builder = ColumnBuilder::new(false);
        for row in 1..=values {
            builder.push(row, ValueRef::Real(row.into()));
        }
        let column = (column("Deal size"), builder.build().into());
        let columns: Columns = [column].into_iter().collect();
        assert_eq!(view.contexts(&columns).is_ok(), has_facet, "{values}");
    }
}
