//! Which rows match, and their order.

use lead_workspace_api::{
    AccountField, AccountQuery, ErrorEntry, FilterField, FilterSpec, LeadField, LeadOrder,
    LeadQuery, Operator, custom_field, filter,
};
use lead_workspace_index::{ColumnId, Columns, CustomKeys, Filters, Part, Query, RowSet, Table};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::queries::{account_query, lead_query, operands, part};
use crate::records::{CUSTOM, Records, changes, column, keys, records};

fn numbers(rows: &RowSet) -> Vec<u32> {
    let rows = rows.rows().map(|row| u32::try_from(row).unwrap());
    rows.collect()
}

/// Compares all rows of a query, and a part of them in order.
fn check(query: &Query, columns: &Columns, part: Part, expected: &[u32]) {
    let mut all = expected.to_vec();
    all.sort_unstable();
    let rows = query.rows(columns).unwrap();
    assert_eq!(numbers(&rows), all, "{query:?}");
    assert_eq!(rows.len(), all.len());
    let page = query.page(columns, part).unwrap();
    let number = |number| usize::try_from(number).unwrap();
    let rest = expected.iter().skip(number(part.offset));
    let shown: Vec<i64> = rest
        .take(number(part.limit))
        .map(|row| (*row).into())
        .collect();
    assert_eq!(page.rows, shown, "{query:?} {part:?}");
    assert_eq!(page.total, expected.len() as u64);
    let end = part.offset.saturating_add(part.limit);
    assert_eq!(page.has_more(part), end < page.total, "{query:?} {part:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_list_of_leads_has_the_rows_that_match_in_order(
        mut records in records(0..=40),
        changes in changes(),
        lists in proptest::collection::vec((lead_query(), part()), 1..8),
    ) {
        let columns = records.changed_columns(changes);
        for (list, part) in lists {
            let query = Query::of_leads(&list, &keys()).unwrap();
            if records.refuse(&list.filters) {
                prop_assert!(query.rows(&columns).is_err(), "{list:?}");
                prop_assert!(query.page(&columns, part).is_err());
            } else {
                check(&query, &columns, part, &records.list_of_leads(&list));
            }
        }
    }

    #[test]
    fn a_list_of_accounts_has_the_rows_that_match_in_order(
        mut records in records(0..=0),
        changes in changes(),
        lists in proptest::collection::vec((account_query(), part()), 1..8),
    ) {
        let columns = records.changed_columns(changes);
        for (list, part) in lists {
            let filters = Filters::of_accounts(&list.filters).unwrap();
            let query = Query::of_accounts(filters, &list).unwrap();
            check(&query, &columns, part, &records.list_of_accounts(&list));
        }
    }
}

/// Returns the leads that match a filter.
fn found(columns: &Columns, filter: &FilterSpec) -> Result<Vec<u32>, Vec<ErrorEntry>> {
    let list = LeadQuery {
        filters: vec![filter.clone()],
        ..LeadQuery::default()
    };
    let rows = Query::of_leads(&list, &keys()).unwrap().rows(columns);
    rows.map(|rows| numbers(&rows))
}

/// Returns a filter for each operand.
fn filters(field: &str, id: ColumnId, operator: Operator) -> Vec<FilterSpec> {
    let operands = operands(id, operator).into_iter();
    operands
        .map(|value| filter(field).with(operator, value))
        .collect()
}

#[test]
fn every_operator_works_on_every_field() {
    let mut runner = TestRunner::deterministic();
    let mut records: Records = records(40..=50).new_tree(&mut runner).unwrap().current();
    let columns = records.changed_columns(Vec::new());
    let (mut some, mut all) = (0, 0);
    for operator in Operator::ALL {
        for field in <LeadField as FilterField>::ALL {
            for filter in filters(field.as_str(), ColumnId::Lead(*field), *operator) {
                let expected = records.leads_of(std::slice::from_ref(&filter), None);
                assert_eq!(found(&columns, &filter).unwrap(), expected, "{filter:?}");
                some += usize::from(!expected.is_empty() && expected.len() < records.leads.len());
                all += 1;
            }
        }
        for key in CUSTOM {
            for filter in filters(&custom_field(key), column(key), *operator) {
                let found = found(&columns, &filter);
                let filters = std::slice::from_ref(&filter);
                match records.refuse(filters) {
                    true => assert!(found.is_err(), "{filter:?}"),
                    false => assert_eq!(
                        found.unwrap(),
                        records.leads_of(filters, None),
                        "{filter:?}"
                    ),
                }
            }
        }
        for field in <AccountField as FilterField>::ALL {
            for filter in filters(field.as_str(), ColumnId::Account(*field), *operator) {
                let list = AccountQuery {
                    filters: vec![filter],
                    include_unpromoted: true,
                    ..AccountQuery::default()
                };
                let filters = Filters::of_accounts(&list.filters).unwrap();
                let found = Query::of_accounts(filters, &list).unwrap().rows(&columns);
                assert_eq!(
                    numbers(&found.unwrap()),
                    records.accounts_of(&list),
                    "{list:?}"
                );
            }
        }
    }
    assert!(some > all / 3, "{some} of {all} filters match some leads");
}

#[test]
fn a_query_needs_the_columns_of_what_it_compares() {
    let needed = |query: &LeadQuery| {
        let query = Query::of_leads(query, &CustomKeys::default());
        query.unwrap().columns()
    };
    let by_account = LeadQuery {
        filters: vec![filter(LeadField::AccountId).eq("acc_1")],
        ..LeadQuery::default()
    };
    assert!(needed(&by_account).contains(&ColumnId::AccountId));
    let searched = LeadQuery {
        search: Some("ana".into()),
        ..LeadQuery::default()
    };
    assert!(needed(&searched).contains(&ColumnId::Lead(LeadField::Company)));
    let blank = LeadQuery {
        search: Some("  ".into()),
        ..LeadQuery::default()
    };
    assert_eq!(needed(&blank).len(), 2);
    assert!(needed(&blank).iter().all(|id| id.table() == Table::Leads));
}

#[test]
fn a_bound_of_another_kind_is_refused_with_an_example() {
    let mut runner = TestRunner::deterministic();
    let mut records: Records = records(40..=50).new_tree(&mut runner).unwrap().current();
    let columns = records.changed_columns(Vec::new());
    let refused = |spec: FilterSpec| {
        let problems = found(&columns, &spec).unwrap_err();
        let [problem] = &problems[..] else {
            panic!("{problems:?}");
        };
        assert_eq!(problem.loc, ["body", "filters", "0", "value"]);
        problem.msg.clone()
    };
    let on = |key: &str| filter(custom_field(key));
    assert_eq!(
        refused(on("Deal size").gte("large")),
        "\"Deal size\" has values that are not texts, such as -3; compare it with a number"
    );
    assert_eq!(
        refused(on("Note").between(1, 2)),
        "\"Note\" has values that are not numbers, such as true; compare it with a text"
    );
    assert_eq!(
        refused(on("Since").lt(2026)),
        "\"Since\" has values that are not numbers, such as 2026-01-31T00:00:00.000Z; compare it with an ISO 8601 date or \
         date-time"
    );
    assert_eq!(
        refused(on("Segment").gt("2026-01-31")),
        "\"Segment\" has values that are not dates, such as \"ana\"; compare it with a text"
    );
}

#[test]
fn a_key_that_no_lead_has_matches_nothing() {
    let mut runner = TestRunner::deterministic();
    let mut records: Records = records(5..=9).new_tree(&mut runner).unwrap().current();
    let columns = records.changed_columns(Vec::new());
    let unknown = ColumnId::Custom(0);
    assert_eq!(column("Unknown"), unknown);
    let list = LeadQuery {
        filters: vec![filter(custom_field("Unknown")).is_not_set()],
        sort_by: LeadOrder::Custom("Unknown".into()),
        ..LeadQuery::default()
    };
    let query = Query::of_leads(&list, &keys()).unwrap();
    assert!(query.columns().contains(&unknown));
    let empty = [(unknown, Default::default())];
    let query_columns = query.columns().into_iter().filter(|id| *id != unknown);
    let columns = query_columns.map(|id| (id, std::sync::Arc::new(columns.get(id).clone())));
    let columns: Columns = columns.chain(empty).collect();
    assert_eq!(query.rows(&columns).unwrap().len(), records.leads.len());
}

#[test]
fn a_key_beyond_the_limit_is_refused() {
    let full: CustomKeys = (1..=500)
        .map(|number| (format!("key {number}"), number))
        .collect();
    let list = |key: &str, sort_by: LeadOrder| LeadQuery {
        filters: vec![
            filter(LeadField::Name).is_set(),
            filter(custom_field(key)).eq(1),
        ],
        sort_by,
        ..LeadQuery::default()
    };
    let known = LeadOrder::Custom("key 500".into());
    Query::of_leads(&list("key 1", known.clone()), &full).unwrap();
    let refused = |list: &LeadQuery| {
        let mut problems = Query::of_leads(list, &full).unwrap_err();
        problems.remove(0)
    };
    let problem = refused(&list("Deal size", known));
    assert_eq!(problem.loc, ["body", "filters", "1", "field"]);
    assert_eq!(
        problem.msg,
        "leads cannot be filtered or sorted by \"Deal size\": the workspace has had 500 other custom fields, which is the most"
    );
    let problem = refused(&list("key 1", LeadOrder::Custom("Deal size".into())));
    assert_eq!(problem.loc, ["body", "sort_by"]);
    let facet = full.facet_of_leads("custom_data.Deal size", &["query", "field"]);
    assert_eq!(facet.unwrap_err()[0].loc, ["query", "field"]);
}
