//! Search in the values of one facet.

use std::collections::HashMap;

use lead_workspace_api::{FacetItem, FacetSearchResult, LeadField, custom_field_key};
use lead_workspace_demo::Named;
use lead_workspace_index::{ColumnId, CountedValues, ShownValues, ValueNames};
use lead_workspace_logic::filter::Value;
use lead_workspace_logic::{custom, fold, folded_contains};

use crate::Workspace;

impl Workspace {
    pub(crate) fn search_values(
        &self,
        (field, field_name): (ColumnId, &str),
        counted: &CountedValues<'_>,
        q: &str,
        limit: u32,
        selected: Vec<String>,
    ) -> FacetSearchResult {
        let q = fold(q);
        let q = q.trim();
        let is_named = |value: &Value| match value {
            Value::Text(id) => self
                .name(field, id)
                .is_some_and(|name| folded_contains(&name, q)),
            _ => false,
        };
        let holds = counted.found_by(q, ValueNames::of(field), is_named);
        let selected = selected.into_iter();
        let selected = selected.map(|text| (self.counted(field, &text), text));
        let shown = counted.shown(&holds, limit as usize, selected);
        if let Some(key) = custom_field_key(field_name) {
            let written = self.written_values(key, counted, &shown);
            return shown.into_result(field_name, |value| {
                let mut written = written.iter();
                let found = written.find(|(known, _)| known.order(value).is_eq());
                found.map(|(_, text)| item(text.clone(), text.clone()))
            });
        }
        let spellings = self.spellings(field, counted, &shown);
        shown.into_result(field_name, |value| self.named(field, value, &spellings))
    }

    /// Converts a filter value to the form that is counted.
    pub(crate) fn counted(&self, field: ColumnId, value: &str) -> Value {
        match ValueNames::of(field) {
            ValueNames::Account => {
                let account = self.find_account(&value.into());
                account.map_or_else(|_| value.into(), |account| Value::Integer(account.number))
            }
            ValueNames::Written => fold(value).into(),
            ValueNames::Custom => custom::stored(value),
            ValueNames::Word | ValueNames::Object => value.into(),
        }
    }

    /// Returns a counted value as a filter value with its label, if it has a name.
    fn named(
        &self,
        field: ColumnId,
        counted: &Value,
        spellings: &HashMap<String, &str>,
    ) -> Option<FacetItem> {
        let (value, label) = match counted {
            Value::Integer(number) => {
                let row = &self.account(*number)?.row;
                let id = row.account_id.clone();
                (id.clone(), row.name.clone().unwrap_or(id))
            }
            Value::Text(text) => match spellings.get(text) {
                Some(spelling) => ((*spelling).to_owned(), (*spelling).to_owned()),
                None => (text.clone(), self.name(field, text)?),
            },
            Value::Real(_) => return None,
        };
        Some(item(value, label))
    }

    /// Returns the values of a custom field that leads have, as the oldest lead has them.
    fn written_values(
        &self,
        key: &str,
        counted: &CountedValues<'_>,
        shown: &ShownValues,
    ) -> Vec<(Value, String)> {
        let values = shown.values.iter().map(|shown| &shown.value);
        let leads = counted.first_rows(values).into_iter();
        let written = leads.filter_map(|number| {
            let data = self.lead_numbered(number)?.row.custom_data.as_deref()?;
            custom::written(data, key)
        });
        written.collect()
    }

    /// Returns how folded texts were written. The spelling of the oldest lead is used for all.
    fn spellings(
        &self,
        field: ColumnId,
        counted: &CountedValues<'_>,
        shown: &ShownValues,
    ) -> HashMap<String, &str> {
        let ColumnId::Lead(written) = field else {
            return HashMap::new();
        };
        if ValueNames::of(field) != ValueNames::Written {
            return HashMap::new();
        }
        let values = shown.values.iter().map(|shown| &shown.value);
        let leads = counted.first_rows(values).into_iter();
        let written = leads.filter_map(|number| self.written(self.lead_numbered(number)?, written));
        written.map(|text| (fold(text), text)).collect()
    }

    /// Returns the name of an object that leads belong to.
    pub(crate) fn name(&self, field: impl Into<ColumnId>, id: &str) -> Option<String> {
        let ColumnId::Lead(field) = field.into() else {
            return None;
        };
        let catalog = self.catalog();
        match field {
            LeadField::ListId => name_of(&catalog.lists, id),
            LeadField::FeedPost => name_of(&catalog.posts, id),
            LeadField::NetworkAccount => name_of(&catalog.senders, id),
            LeadField::ImportJobId => name_of(&catalog.imports, id),
            LeadField::CampaignId => {
                let campaigns = catalog.campaigns.iter();
                name_of(campaigns.map(|campaign| &campaign.named), id)
            }
            LeadField::SignalId => {
                let signals = catalog.signals.iter();
                name_of(signals.map(|signal| &signal.named), id)
            }
            LeadField::SignalRunId => {
                let mut runs = catalog.signals.iter().flat_map(|signal| &signal.runs);
                runs.find(|run| run.id == id).map(|run| run.name.clone())
            }
            _ => None,
        }
    }
}

fn item(value: String, label: String) -> FacetItem {
    FacetItem {
        value: Some(value),
        label: Some(label),
        ..FacetItem::default()
    }
}

fn name_of<'a>(all: impl IntoIterator<Item = &'a Named>, id: &str) -> Option<String> {
    let found = all.into_iter().find(|named| named.id == id);
    found.map(|named| named.name.to_string())
}
