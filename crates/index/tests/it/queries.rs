//! Generated queries.

use lead_workspace_api::{
    AccountField, AccountQuery, AccountSort, FieldKind, FilterField, FilterSpec, LeadField,
    LeadListId, LeadOrder, LeadQuery, LeadSort, Operator, SortDir, custom_field, filter,
};
use lead_workspace_index::{ColumnId, Part};
use lead_workspace_logic::filter::Value;
use lead_workspace_logic::size_rank;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value as Json, json};

use crate::records::{CUSTOM, account_id, column, custom_values, kind, possible_values};

/// Returns values that a field can be compared with.
pub fn comparable_values(id: ColumnId) -> Vec<Json> {
    let (kind, _) = kind(id);
    if let ColumnId::Custom(_) = id {
        let more = [
            json!("ÁNA"),
            json!("m"),
            json!(5),
            json!("2026-01-31T13:30:00+01:00"),
            json!(false),
        ];
        return custom_values(id).into_iter().chain(more).collect();
    }
    if id == ColumnId::Lead(LeadField::AccountId) {
        return [1, 2, 3, 64, 99]
            .map(|number| json!(account_id(number)))
            .to_vec();
    }
    let stored = possible_values(id).into_iter().map(|value| match value {
        Value::Integer(flag) if kind == FieldKind::Flag => json!(flag == 1),
        Value::Integer(number) => json!(number),
        Value::Real(number) => json!(number),
        Value::Text(text) => json!(text),
    });
    let more = match kind {
        FieldKind::Text => vec![json!("ÁNA"), json!("b"), json!("nothing")],
        FieldKind::Token => vec![json!("A"), json!("nothing")],
        FieldKind::Number => vec![json!(5), json!(12.25), json!(-100)],
        FieldKind::Flag => Vec::new(),
        FieldKind::Time => vec![
            json!("2026-01-31"),
            json!("2026-02-02"),
            json!("2026-01-31T13:30:00+01:00"),
            json!("1999-12-31"),
        ],
    };
    stored.chain(more).collect()
}

/// Parts of texts, of two texts together, and of the JSON of other values.
const PARTS: &[&str] = &[
    "",
    "a",
    "Án",
    "a b",
    "_",
    "小",
    "zo",
    "aa",
    "-",
    "1",
    "7",
    "80.0",
    "true",
    "2026-01-31t",
    "nothing",
];

/// Returns operands that fit a field and an operator.
pub fn operands(id: ColumnId, operator: Operator) -> Vec<Json> {
    use Operator as O;
    let (_, is_size) = kind(id);
    let values = comparable_values(id);
    let bounds = values.iter().cloned();
    // A size is ordered by its number.
    let bounds = bounds.filter(|value| !is_size || value.as_str().and_then(size_rank).is_some());
    let bounds: Vec<Json> = bounds.collect();
    match operator {
        O::Eq | O::Neq => values,
        O::Gt | O::Gte | O::Lt | O::Lte => bounds,
        O::In | O::NotIn => {
            let some = values.chunks(2).chain(values.chunks(3));
            some.map(|some| json!(some)).chain([json!([])]).collect()
        }
        O::Between => {
            let pairs = bounds
                .iter()
                .flat_map(|low| bounds.iter().map(move |high| [low, high]));
            pairs.map(|pair| json!(pair)).collect()
        }
        O::Contains | O::NotContains | O::StartsWith => {
            PARTS.iter().map(|part| json!(part)).collect()
        }
        O::IsSet | O::IsNotSet => vec![Json::Null],
    }
}

fn filters<F: FilterField + std::fmt::Debug>(
    id: fn(F) -> ColumnId,
) -> impl Strategy<Value = Vec<FilterSpec>> {
    let one = (select(F::ALL), select(Operator::ALL));
    let one = one.prop_flat_map(move |(field, operator)| {
        let value = select(operands(id(field), operator));
        value.prop_map(move |value| filter(field.as_str()).with(operator, value))
    });
    vec(one, 0..3)
}

pub fn lead_filters() -> impl Strategy<Value = Vec<FilterSpec>> {
    let custom = (select(&CUSTOM[..]), select(Operator::ALL));
    let custom = custom.prop_flat_map(|(key, operator)| {
        let value = select(operands(column(key), operator));
        value.prop_map(move |value| filter(custom_field(key)).with(operator, value))
    });
    let both = (filters(ColumnId::Lead), vec(custom, 0..2));
    both.prop_map(|(fields, custom)| [fields, custom].concat())
}

pub fn account_filters() -> impl Strategy<Value = Vec<FilterSpec>> {
    filters(ColumnId::Account)
}

pub fn search() -> impl Strategy<Value = Option<String>> {
    let words = ["ana", "DÍAZ", "a", "aa", "b", "zoé", "_b", "小", "nothing"];
    let some = vec(select(words.to_vec()), 0..3).prop_map(|words| words.join("  "));
    option::of(some)
}

fn sort_dir() -> impl Strategy<Value = SortDir> {
    select(SortDir::ALL)
}

pub fn lead_query() -> impl Strategy<Value = LeadQuery> {
    let column = select(LeadSort::ALL).prop_map(LeadOrder::from);
    let custom = select(&CUSTOM[..]).prop_map(|key| LeadOrder::Custom(key.to_owned()));
    let order = prop_oneof![3 => column, 1 => custom];
    let parts = (lead_filters(), search(), order, sort_dir());
    parts.prop_map(|(filters, search, sort_by, sort_dir)| LeadQuery {
        filters,
        search,
        sort_by,
        sort_dir,
        ..LeadQuery::default()
    })
}

pub fn list_id() -> impl Strategy<Value = Option<LeadListId>> {
    let ids = comparable_values(ColumnId::Account(AccountField::ListId)).into_iter();
    let ids: Vec<LeadListId> = ids.map(|id| id.as_str().unwrap().into()).collect();
    option::of(select(ids))
}

pub fn account_query() -> impl Strategy<Value = AccountQuery> {
    let parts = (
        account_filters(),
        search(),
        select(AccountSort::ALL),
        sort_dir(),
        list_id(),
        any::<bool>(),
    );
    parts.prop_map(
        |(filters, search, sort_by, sort_dir, list_id, include_unpromoted)| AccountQuery {
            filters,
            search,
            sort_by,
            sort_dir,
            list_id,
            include_unpromoted,
            ..AccountQuery::default()
        },
    )
}

pub fn part() -> impl Strategy<Value = Part> {
    let offset = prop_oneof![3 => Just(0), 6 => 0..40_u64, 1 => Just(u64::MAX)];
    (offset, 1..40_u64).prop_map(|(offset, limit)| Part { offset, limit })
}
