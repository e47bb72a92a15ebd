//! The values that a facet shows.
//!
//! spec: not shown; `q` matches a substring of the value or of its name, ignoring case, accents and invisible
//! characters. The most frequent values come first. Values that are selected come before all others, even if they do
//! not match or no lead has them any more. There are at most `limit` items in total, unless more are selected.
//! `total_distinct` counts all values that match `q`.

use lead_workspace_api::{FacetItem, FacetSearchResult, FieldKind, LeadField};
use lead_workspace_logic::filter::Value;
use lead_workspace_logic::{folded_contains, label};

use crate::{ColumnId, CountedValues};

/// What the names of a field's values are. A search in the values looks into them, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueNames {
    /// The value is a folded text, which leads have as it was written.
    Written,
    /// The value is a word, without a name.
    Word,
    /// The value is the id of an object with a name.
    Object,
    /// The value is the row number of an account.
    Account,
    /// The value is that of a custom field, which leads have as it was written.
    Custom,
}

/// The values that a facet shows, in order.
#[derive(Debug)]
pub struct ShownValues {
    pub values: Vec<ShownValue>,
    /// Number of all values that match.
    pub total_distinct: u64,
    /// Whether values match that are not shown.
    pub has_more: bool,
}

/// A value that a facet shows.
#[derive(Debug)]
pub struct ShownValue {
    /// The value in the form that is counted.
    pub value: Value,
    /// The value as text, as the caller wrote it if it was selected.
    pub text: String,
    pub count: u64,
}

impl ValueNames {
    /// Returns what the names of a field's values are.
    pub fn of(id: ColumnId) -> Self {
        use LeadField as F;
        let ColumnId::Lead(field) = id else {
            return Self::Custom;
        };
        match field {
            F::AccountId => Self::Account,
            F::ListId
            | F::CampaignId
            | F::SignalId
            | F::SignalRunId
            | F::FeedPost
            | F::ImportJobId
            | F::NetworkAccount => Self::Object,
            _ if field.kind() == FieldKind::Text => Self::Written,
            _ => Self::Word,
        }
    }
}

impl CountedValues<'_> {
    /// Returns for each value whether it or its name contains a folded text. `is_named` says whether the name of an
    /// object contains it.
    pub fn found_by(
        &self,
        q: &str,
        names: ValueNames,
        is_named: impl Fn(&Value) -> bool,
    ) -> Vec<bool> {
        let contains =
            |value: &Value| matches!(value, Value::Text(text) if folded_contains(text, q));
        match names {
            _ if q.is_empty() => self.each(|_| true),
            ValueNames::Written | ValueNames::Custom => self.containing(q),
            // Users see the label, but may have copied the value.
            ValueNames::Word => self.each(|value| {
                let label = || text_of(value).replace('_', " ");
                contains(value) || folded_contains(&label(), q)
            }),
            ValueNames::Object => self.each(|value| contains(value) || is_named(value)),
            ValueNames::Account => {
                let named = self.accounts_named(q);
                self.each(
                    |value| matches!(value, Value::Integer(row) if named.contains(*row as usize)),
                )
            }
        }
    }

    /// Returns the values that are shown: those that are selected, then the most frequent of those that hold.
    /// `selected` has values in the form that is counted, and as they were written.
    pub fn shown(
        &self,
        holds: &[bool],
        limit: usize,
        selected: impl IntoIterator<Item = (Value, String)>,
    ) -> ShownValues {
        let mut values: Vec<ShownValue> = Vec::new();
        let is_new = |values: &[ShownValue], value: &Value| {
            let mut known = values.iter();
            known.all(|known| known.value.order(value).is_ne())
        };
        for (value, text) in selected {
            if is_new(&values, &value) {
                let count = self.count(&value);
                values.push(ShownValue { value, text, count });
            }
        }
        let matching = self.matching(holds, limit, values.iter().map(|shown| &shown.value));
        let mut matching_shown = matching.selected;
        for (value, count) in matching.found {
            if values.len() < limit && is_new(&values, &value) {
                let text = text_of(&value);
                values.push(ShownValue { value, text, count });
                matching_shown += 1;
            }
        }
        ShownValues {
            values,
            total_distinct: matching.total,
            has_more: matching_shown < matching.total,
        }
    }
}

impl ShownValues {
    /// Returns the result of a search in the values. `named` returns a value as a filter value with its label, if it
    /// has a name.
    pub fn into_result(
        self,
        field: &str,
        named: impl Fn(&Value) -> Option<FacetItem>,
    ) -> FacetSearchResult {
        let items = self
            .values
            .into_iter()
            .map(|ShownValue { value, text, count }| {
                let named = named(&value);
                FacetItem {
                    count: Some(count),
                    ..named.unwrap_or_else(|| FacetItem {
                        label: Some(label(&text)),
                        value: Some(text),
                        ..FacetItem::default()
                    })
                }
            });
        FacetSearchResult {
            field: Some(field.to_owned()),
            items: Some(items.collect()),
            total_distinct: Some(self.total_distinct),
            has_more: Some(self.has_more),
        }
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lead_workspace_api::{AccountField, FacetItem, FacetSearchResult, LeadField};
    use lead_workspace_logic::filter::Value;

    use super::ValueNames;
    use crate::{ColumnBuilder, ColumnId, Columns, CountedValues, FacetContext, ValueRef};

    const FIELD: LeadField = LeadField::IntentType;

    /// Three leads have one value, two another, one each of the others.
    fn columns() -> Columns {
        let mut builder = ColumnBuilder::new(false);
        let values = ["b_c", "b_c", "b_c", "Äd", "Äd", "a", "c", "d"];
        for (row, value) in (1..).zip(values) {
            builder.push(row, ValueRef::Text(value));
        }
        let column = (ColumnId::Lead(FIELD), Arc::new(builder.build()));
        [column].into_iter().collect()
    }

    fn search(q: &str, limit: usize, selected: &[&str]) -> FacetSearchResult {
        let columns = columns();
        let counted = CountedValues::of_leads(&columns, FIELD.into(), &FacetContext::default());
        let holds = counted.found_by(q, ValueNames::Word, |_| false);
        let selected = selected
            .iter()
            .map(|text| (Value::from(*text), (*text).to_owned()));
        counted
            .shown(&holds, limit, selected)
            .into_result(FIELD.as_str(), |_| None)
    }

    fn found(result: &FacetSearchResult) -> Vec<(&str, u64)> {
        let items = result.items.iter().flatten();
        let found = items.map(|item| (item.value.as_deref().unwrap(), item.count.unwrap()));
        found.collect()
    }

    #[test]
    fn the_most_frequent_values_come_first() {
        let all = search("", 20, &[]);
        assert_eq!(
            found(&all),
            [("b_c", 3), ("Äd", 2), ("a", 1), ("c", 1), ("d", 1)]
        );
        assert_eq!((all.total_distinct, all.has_more), (Some(5), Some(false)));
        let two = search("", 2, &[]);
        assert_eq!(found(&two), [("b_c", 3), ("Äd", 2)]);
        assert_eq!((two.total_distinct, two.has_more), (Some(5), Some(true)));
    }

    #[test]
    fn a_part_of_a_value_or_of_its_label_is_found() {
        for (q, expected) in [
            ("c", &["b_c", "c"][..]),
            ("b c", &["b_c"]),
            ("b_c", &["b_c"]),
            ("ad", &["Äd"]),
            ("x", &[]),
        ] {
            let result = search(q, 20, &[]);
            let found: Vec<&str> = found(&result).into_iter().map(|(value, _)| value).collect();
            assert_eq!(found, expected, "{q}");
        }
    }

    #[test]
    fn selected_values_come_first_even_if_they_do_not_match() {
        let result = search("d", 3, &["c", "gone", "d", "c"]);
        assert_eq!(found(&result), [("c", 1), ("gone", 0), ("d", 1)]);
        assert_eq!(
            (result.total_distinct, result.has_more),
            (Some(2), Some(true))
        );
        let result = search("d", 4, &["c", "gone", "d"]);
        assert_eq!(found(&result)[3], ("Äd", 2));
        assert_eq!(result.has_more, Some(false));
    }

    #[test]
    fn names_are_searched_and_shown() {
        let columns = columns();
        let counted = CountedValues::of_leads(&columns, FIELD.into(), &FacetContext::default());
        let is_a = |value: &Value| value.order(&"a".into()).is_eq();
        let found_by = |names| {
            let holds = counted.found_by("c", names, is_a);
            let shown = counted.shown(&holds, 20, []);
            shown.into_result(FIELD.as_str(), |value| {
                is_a(value).then(|| FacetItem {
                    value: Some("id".into()),
                    label: Some("Name".into()),
                    ..FacetItem::default()
                })
            })
        };
        let objects = found_by(ValueNames::Object);
        assert_eq!(found(&objects), [("b_c", 3), ("id", 1), ("c", 1)]);
        assert_eq!(objects.items.unwrap()[1].label.as_deref(), Some("Name"));
    }

    #[test]
    fn accounts_are_found_by_name_and_id() {
        let column = |id, values: &[ValueRef<'_>]| {
            let mut builder = ColumnBuilder::new(false);
            for (row, value) in (1..).zip(values) {
                builder.push(row, *value);
            }
            (id, Arc::new(builder.build()))
        };
        let field = ColumnId::Lead(LeadField::AccountId);
        let text = ValueRef::Text;
        let columns: Columns = [
            column(field, &[2, 1, 2, 3].map(ValueRef::Integer)),
            column(
                ColumnId::Account(AccountField::Name),
                &[text("acme"), text("bistro"), text("")],
            ),
            column(ColumnId::AccountId, &["acc_B", "acc_2", "acc_3"].map(text)),
        ]
        .into_iter()
        .collect();
        let context = FacetContext::default();
        for id in context.columns(field) {
            columns.get(id);
        }
        let counted = CountedValues::of_leads(&columns, field, &context);
        for (q, expected) in [
            ("b", &[1, 2][..]),
            ("acme", &[1]),
            ("acc_3", &[3]),
            ("x", &[]),
        ] {
            let holds = counted.found_by(q, ValueNames::of(field), |_| false);
            let found = (1..).zip(holds).filter(|(_, holds)| *holds);
            assert_eq!(
                found.map(|(row, _)| row).collect::<Vec<_>>(),
                expected,
                "{q}"
            );
        }
    }
}
