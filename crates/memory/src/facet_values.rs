//! Search in the values of one facet.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use lead_workspace_api::{
    FacetContext, FacetItem, FacetSearch, FacetSearchResult, FieldKind, LeadField,
};
use lead_workspace_logic::filter::Value;
use lead_workspace_logic::{fold, label};

use crate::Workspace;
use crate::records::Lead;

/// The leads that facets are counted within.
#[derive(Default)]
pub(crate) struct Context {
    /// Field and value of each context parameter. The facet of the field ignores it.
    parameters: Vec<(LeadField, String)>,
    /// The numbers of the leads of a view; `None` for all.
    leads: Option<BTreeSet<i64>>,
}

impl Context {
    fn of(parameters: [(LeadField, Option<String>); 3]) -> Self {
        let given = parameters.into_iter();
        Self {
            parameters: given.filter_map(|(field, id)| Some((field, id?))).collect(),
            leads: None,
        }
    }

    pub(crate) fn from_leads(leads: BTreeSet<i64>) -> Self {
        Self {
            parameters: Vec::new(),
            leads: Some(leads),
        }
    }
}

impl From<FacetContext> for Context {
    fn from(context: FacetContext) -> Self {
        Self::of([
            (
                LeadField::SignalRunId,
                context.signal_run_id.map(Into::into),
            ),
            (LeadField::SignalId, context.signal_id.map(Into::into)),
            (LeadField::CampaignId, context.campaign_id.map(Into::into)),
        ])
    }
}

impl From<&FacetSearch> for Context {
    fn from(search: &FacetSearch) -> Self {
        Self::from(FacetContext {
            signal_run_id: search.signal_run_id.clone(),
            signal_id: search.signal_id.clone(),
            campaign_id: search.campaign_id.clone(),
        })
    }
}

fn same(a: &Value, b: &Value) -> bool {
    a.order(b).is_eq()
}

impl Workspace {
    /// Returns the leads of a context, for the facet of a field.
    pub(crate) fn leads_in(
        &self,
        context: &Context,
        field: LeadField,
    ) -> impl Iterator<Item = &Lead> {
        self.leads.iter().filter(move |lead| {
            let mut parameters = context.parameters.iter().filter(|(of, _)| *of != field);
            let has = |(of, id): &(LeadField, String)| {
                let values = self.lead_values(lead, *of);
                values
                    .iter()
                    .any(|value| same(value, &Value::from(id.as_str())))
            };
            let is_of_view = |leads: &BTreeSet<i64>| leads.contains(&lead.number);
            parameters.all(has) && context.leads.as_ref().is_none_or(is_of_view)
        })
    }

    /// Returns the values of a lead in the form that is counted: accounts by their number.
    fn counted_values(&self, lead: &Lead, field: LeadField) -> Vec<Value> {
        match field {
            LeadField::AccountId => lead.account.map(Value::Integer).into_iter().collect(),
            field => self.lead_values(lead, field),
        }
    }

    /// Converts a filter value to the form that is counted.
    pub(crate) fn counted(&self, field: LeadField, value: &str) -> Value {
        match (field, field.kind()) {
            (LeadField::AccountId, _) => {
                let mut accounts = self.accounts.iter();
                let account = accounts.find(|account| account.row.account_id == value);
                account.map_or_else(|| value.into(), |account| Value::Integer(account.number))
            }
            (_, FieldKind::Text) => fold(value).into(),
            _ => value.into(),
        }
    }

    /// Counts the leads with a value.
    pub(crate) fn count(&self, field: LeadField, counted: &Value, context: &Context) -> u64 {
        let has = |lead: &&Lead| {
            let values = self.counted_values(lead, field);
            values.iter().any(|value| same(value, counted))
        };
        self.leads_in(context, field).filter(has).count() as u64
    }

    pub(crate) fn search_values(
        &self,
        field: LeadField,
        context: &Context,
        q: &str,
        limit: u32,
        selected: Vec<String>,
    ) -> FacetSearchResult {
        let mut items = self.selected_items(field, context, selected);
        let q = fold(q);
        let q = q.trim();
        let mut counts: Vec<(Value, u64)> = Vec::new();
        for lead in self.leads_in(context, field) {
            for value in self.counted_values(lead, field) {
                match counts.iter_mut().find(|(known, _)| same(known, &value)) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((value, 1)),
                }
            }
        }
        counts.retain(|(value, _)| q.is_empty() || self.contains(field, value, q));
        counts.sort_by(|(a, a_count), (b, b_count)| {
            Reverse(a_count)
                .cmp(&Reverse(b_count))
                .then_with(|| a.order(b))
        });
        let is_selected = |items: &[(Value, FacetItem)], value: &Value| {
            items.iter().any(|(selected, _)| same(selected, value))
        };
        let total_distinct = counts.len() as u64;
        let mut shown = counts
            .iter()
            .filter(|(value, _)| is_selected(&items, value))
            .count() as u64;
        for (value, count) in counts.into_iter().take(limit as usize) {
            if !is_selected(&items, &value) && items.len() < limit as usize {
                let item = self.item(field, &value, count);
                items.push((value, item));
                shown += 1;
            }
        }
        FacetSearchResult {
            field: Some(field.as_str().to_owned()),
            items: Some(items.into_iter().map(|(_, item)| item).collect()),
            total_distinct: Some(total_distinct),
            has_more: Some(shown < total_distinct),
        }
    }

    fn selected_items(
        &self,
        field: LeadField,
        context: &Context,
        selected: Vec<String>,
    ) -> Vec<(Value, FacetItem)> {
        let mut items: Vec<(Value, FacetItem)> = Vec::new();
        for value in selected {
            let counted = self.counted(field, &value);
            if items.iter().any(|(known, _)| same(known, &counted)) {
                continue;
            }
            let count = self.count(field, &counted, context);
            let item = match self.named(field, &counted) {
                // As it was selected, not as it is counted.
                None if count == 0 => unnamed(value),
                _ => self.item(field, &counted, count),
            };
            let item = FacetItem {
                count: Some(count),
                ..item
            };
            items.push((counted, item));
        }
        items
    }

    fn item(&self, field: LeadField, counted: &Value, count: u64) -> FacetItem {
        let named = self.named(field, counted).unwrap_or_else(|| match counted {
            Value::Text(text) => unnamed(text.clone()),
            Value::Integer(number) => unnamed(number.to_string()),
            Value::Real(_) => FacetItem::default(),
        });
        FacetItem {
            count: Some(count),
            ..named
        }
    }

    /// Returns a counted value as a filter value, with its label.
    fn named(&self, field: LeadField, counted: &Value) -> Option<FacetItem> {
        let (value, label) = match counted {
            Value::Integer(number) => {
                let account = self.account(*number)?;
                (account.row.account_id.clone(), account.row.name.clone()?)
            }
            Value::Text(text) if field.kind() == FieldKind::Text => {
                // The spelling of the oldest lead is used for all.
                let mut spellings = self
                    .leads
                    .iter()
                    .filter_map(|lead| self.written(lead, field));
                let spelling = spellings.find(|spelling| fold(spelling) == *text)?;
                (spelling.to_owned(), spelling.to_owned())
            }
            Value::Text(id) => (id.clone(), self.name(field, id)?),
            Value::Real(_) => return None,
        };
        Some(FacetItem {
            value: Some(value),
            label: Some(label),
            ..FacetItem::default()
        })
    }

    /// Returns the name of an object that leads belong to.
    pub(crate) fn name(&self, field: LeadField, id: &str) -> Option<String> {
        let catalog = self.catalog();
        let named = |all: &[lead_workspace_demo::Named]| {
            let found = all.iter().find(|named| named.id == id);
            found.map(|named| named.name.to_string())
        };
        match field {
            LeadField::ListId => named(&catalog.lists),
            LeadField::FeedPost => named(&catalog.posts),
            LeadField::NetworkAccount => named(&catalog.senders),
            LeadField::ImportJobId => named(&catalog.imports),
            LeadField::CampaignId => {
                let campaigns = catalog.campaigns.iter().map(|campaign| &campaign.named);
                let found = campaigns.into_iter().find(|named| named.id == id);
                found.map(|named| named.name.to_string())
            }
            LeadField::SignalId => {
                let signals = catalog.signals.iter().map(|signal| &signal.named);
                let found = signals.into_iter().find(|named| named.id == id);
                found.map(|named| named.name.to_string())
            }
            LeadField::SignalRunId => {
                let mut runs = catalog.signals.iter().flat_map(|signal| &signal.runs);
                runs.find(|run| run.id == id).map(|run| run.name.clone())
            }
            _ => None,
        }
    }

    /// Returns whether a folded text is part of a counted value or of its name.
    fn contains(&self, field: LeadField, counted: &Value, q: &str) -> bool {
        let text = match counted {
            Value::Integer(number) => {
                let account = self.account(*number);
                return account.is_some_and(|account| {
                    fold(account.row.name.as_deref().unwrap_or_default()).contains(q)
                        || fold(&account.row.account_id).contains(q)
                });
            }
            Value::Text(text) if field.kind() == FieldKind::Text => return text.contains(q),
            Value::Text(text) => text,
            Value::Real(_) => return false,
        };
        let folded = fold(text);
        folded.contains(q)
            || match self.name(field, text) {
                Some(name) => fold(&name).contains(q),
                // Users see the label, but may have copied the value.
                None => !has_names(field) && folded.replace('_', " ").contains(q),
            }
    }
}

/// Returns whether the values of a field are ids with names.
fn has_names(field: LeadField) -> bool {
    matches!(
        field,
        LeadField::ListId
            | LeadField::FeedPost
            | LeadField::NetworkAccount
            | LeadField::ImportJobId
            | LeadField::CampaignId
            | LeadField::SignalId
            | LeadField::SignalRunId
    )
}

fn unnamed(value: String) -> FacetItem {
    FacetItem {
        label: Some(label(&value)),
        value: Some(value),
        ..FacetItem::default()
    }
}
