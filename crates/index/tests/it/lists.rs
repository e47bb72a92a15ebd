//! Which rows match, and their order.

use lead_workspace_api::{
    AccountField, AccountQuery, FilterField, FilterSpec, LeadField, LeadQuery, Operator, filter,
};
use lead_workspace_index::{ColumnId, Columns, Filters, Part, Query, RowSet, Table};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::queries::{account_query, lead_query, operands, part};
use crate::records::{Records, changes, records};

fn numbers(rows: &RowSet) -> Vec<u32> {
    let rows = rows.rows().map(|row| u32::try_from(row).unwrap());
    rows.collect()
}

/// Compares all rows of a query, and a part of them in order.
fn check(query: &Query, columns: &Columns, part: Part, expected: &[u32]) {
    let mut all = expected.to_vec();
    all.sort_unstable();
    let rows = query.rows(columns);
    assert_eq!(numbers(&rows), all, "{query:?}");
    assert_eq!(rows.len(), all.len());
    let page = query.page(columns, part);
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
            let query = Query::of_leads(Filters::of_leads(&list.filters).unwrap(), &list);
            check(&query, &columns, part, &records.list_of_leads(&list));
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
                let found = Filters::of_leads(std::slice::from_ref(&filter)).unwrap();
                let found = Query::of_leads(found, &LeadQuery::default()).rows(&columns);
                let expected = records.leads_of(std::slice::from_ref(&filter), None);
                assert_eq!(numbers(&found), expected, "{filter:?}");
                some += usize::from(!expected.is_empty() && expected.len() < records.leads.len());
                all += 1;
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
                assert_eq!(numbers(&found), records.accounts_of(&list), "{list:?}");
            }
        }
    }
    assert!(some > all / 3, "{some} of {all} filters match some leads");
}

#[test]
fn a_query_needs_the_columns_of_what_it_compares() {
    let needed = |query: &LeadQuery| {
        let filters = Filters::of_leads(&query.filters).unwrap();
        Query::of_leads(filters, query).columns()
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
