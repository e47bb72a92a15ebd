//! What the index has to return: one row after the other, without columns.

use std::collections::HashSet;

use lead_workspace_api::{
    AccountField, AccountQuery, CustomKind, FilterField, FilterSpec, LeadField, LeadOrder,
    LeadQuery, SortDir, custom_field_key,
};
use lead_workspace_index::{ColumnId, Table};
use lead_workspace_logic::custom::{CustomValue, Member};
use lead_workspace_logic::filter::{self, Field, Value};
use lead_workspace_logic::search::Search;
use serde_json::Value as Json;

use crate::records::{Records, account_id, column, custom_values, stored};

impl Records {
    /// Returns the leads that match, in the order of their numbers.
    pub fn leads_of(&self, filters: &[FilterSpec], search: Option<&str>) -> Vec<u32> {
        let searched = [
            ColumnId::Lead(LeadField::Name),
            ColumnId::Lead(LeadField::Headline),
            ColumnId::Lead(LeadField::Title),
            ColumnId::Lead(LeadField::Company),
        ];
        self.matching(Table::Leads, filters, ColumnId::Lead, search, searched)
    }

    /// Returns the accounts that match, in the order of their numbers.
    pub fn accounts_of(&self, query: &AccountQuery) -> Vec<u32> {
        let searched = [
            ColumnId::Account(AccountField::Name),
            ColumnId::NetworkUsername,
            ColumnId::Account(AccountField::Industry),
            ColumnId::Account(AccountField::Location),
        ];
        let search = query.search.as_deref();
        let mut found = self.matching(
            Table::Accounts,
            &query.filters,
            ColumnId::Account,
            search,
            searched,
        );
        found.retain(|number| {
            let has = |field, value: Value| self.has(ColumnId::Account(field), *number, &value);
            let list = query.list_id.as_ref();
            (query.include_unpromoted || has(AccountField::IsPromoted, true.into()))
                && list.is_none_or(|list| has(AccountField::ListId, list.as_str().into()))
        });
        found
    }

    fn matching<F: FilterField>(
        &self,
        table: Table,
        filters: &[FilterSpec],
        id: fn(F) -> ColumnId,
        search: Option<&str>,
        searched: [ColumnId; 4],
    ) -> Vec<u32> {
        let filters = filter::read::<F>(filters).expect("valid filters");
        let search = Search::of(search);
        let matches = |number: &u32| {
            let texts = searched.map(|id| match self.values(id, *number).first() {
                Some(Value::Text(text)) => text.clone(),
                _ => String::new(),
            });
            let mut filters = filters.iter();
            let holds = |filter: &filter::Filter<F>| {
                let id = match &filter.field {
                    Field::Known(field) => id(*field),
                    Field::Custom(key) => column(key),
                };
                filter.holds(&self.filtered_values(id, *number))
            };
            filters.all(holds) && search.finds(&texts)
        };
        self.rows(table).keys().copied().filter(matches).collect()
    }

    /// Returns whether an operator of order has a bound that is not of the kind of its custom field.
    pub fn refuse(&self, filters: &[FilterSpec]) -> bool {
        let kind_of =
            |value: &Json| CustomValue::of(&Member::from(value)).map(|value| value.kind());
        filters.iter().any(|spec| {
            let FilterSpec::Typed(filter) = spec else {
                return false;
            };
            let Some(key) = custom_field_key(&filter.field) else {
                return false;
            };
            if !filter.operator.is_ordered() {
                return false;
            }
            let id = column(key);
            let mut kinds = HashSet::new();
            for value in custom_values(id) {
                let has = |number: &u32| self.has(id, *number, &stored(&value));
                if self.leads.keys().any(has) {
                    kinds.extend(kind_of(&value));
                }
            }
            let kind = match kinds.len() {
                0 => return false,
                1 => kinds.into_iter().next(),
                _ => Some(CustomKind::Text),
            };
            let bounds = match &filter.value {
                Json::Array(bounds) => bounds.clone(),
                bound => vec![bound.clone()],
            };
            bounds.iter().any(|bound| kind_of(bound) != kind)
        })
    }

    /// Returns the values of a row that a filter compares with: accounts by their id.
    fn filtered_values(&self, id: ColumnId, number: u32) -> Vec<Value> {
        let values = self.values(id, number);
        if id != ColumnId::Lead(LeadField::AccountId) {
            return values;
        }
        let ids = values.into_iter().filter_map(|value| match value {
            Value::Integer(number) => Some(u32::try_from(number).unwrap()),
            _ => None,
        });
        let known = ids.filter(|number| self.accounts.contains_key(number));
        known.map(|number| account_id(number).into()).collect()
    }

    /// Returns whether a row has a value.
    pub fn has(&self, id: ColumnId, number: u32, value: &Value) -> bool {
        let values = self.values(id, number);
        values.iter().any(|known| known.order(value).is_eq())
    }

    /// Returns the leads of a list, in order.
    pub fn list_of_leads(&self, query: &LeadQuery) -> Vec<u32> {
        let found = self.leads_of(&query.filters, query.search.as_deref());
        let id = match &query.sort_by {
            LeadOrder::Custom(key) => column(key),
            LeadOrder::Column(column) => match column.as_str() {
                "company_size" => ColumnId::CompanySizeRank,
                field => ColumnId::Lead(field.parse().unwrap()),
            },
        };
        self.sorted(found, id, query.sort_dir)
    }

    /// Returns the accounts of a list, in order.
    pub fn list_of_accounts(&self, query: &AccountQuery) -> Vec<u32> {
        let id = match query.sort_by.as_str() {
            "staff_count_range" => ColumnId::StaffRank,
            field => ColumnId::Account(field.parse().unwrap()),
        };
        self.sorted(self.accounts_of(query), id, query.sort_dir)
    }

    /// Rows without a value come last in both directions. Rows with equal values are in the order of their numbers, in
    /// the direction of the sort.
    fn sorted(&self, rows: Vec<u32>, id: ColumnId, dir: SortDir) -> Vec<u32> {
        let value = |number: u32| self.values(id, number).into_iter().next();
        let (mut valued, mut others): (Vec<u32>, Vec<u32>) = rows
            .into_iter()
            .partition(|number| value(*number).is_some());
        valued.sort_by(|a, b| {
            let order = value(*a).unwrap().order(&value(*b).unwrap());
            order.then(a.cmp(b))
        });
        others.sort_unstable();
        if dir == SortDir::Desc {
            valued.reverse();
            others.reverse();
        }
        [valued, others].concat()
    }

    /// Returns the values of rows with the number of rows that have each: the most frequent first, then by value.
    pub fn counts(&self, id: ColumnId, rows: &[u32]) -> Vec<(Value, u64)> {
        let mut counts: Vec<(Value, u64)> = Vec::new();
        for value in rows.iter().flat_map(|number| self.values(id, *number)) {
            match counts
                .iter_mut()
                .find(|(known, _)| known.order(&value).is_eq())
            {
                Some((_, count)) => *count += 1,
                None => counts.push((value, 1)),
            }
        }
        counts.sort_by(|(a, a_count), (b, b_count)| b_count.cmp(a_count).then(a.order(b)));
        counts
    }
}
