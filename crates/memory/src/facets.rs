//! All facet values of leads, and the counts of facets within a view.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use jiff::Timestamp;
use lead_workspace_api::{
    FacetContext, FacetCounts, FacetQuery, FacetSearch, FacetSearchResult, Facets, LeadFacetQuery,
    LeadField, ListRef, Raw,
};
use lead_workspace_demo::Catalog;
use lead_workspace_logic::filter::{self, Filter, Value};
use lead_workspace_logic::search::Search;
use lead_workspace_logic::{facets, fold, iso, label, size_rank};
use serde_json::json;

use crate::Workspace;
use crate::error::Error;
use crate::facet_values::Context;
use crate::records::Lead;

/// A facet of a view: its field, its parameters, and the filter on its selected values.
type CountedFacet = (LeadField, FacetQuery, Vec<Filter<LeadField>>);

impl Workspace {
    pub(crate) fn get_lead_facets(
        &mut self,
        context: FacetContext,
        _: Timestamp,
    ) -> Result<Facets, Error> {
        let context = Context::from(context);
        let texts = |field| -> Vec<String> {
            let counts = self.count_texts(field, &context);
            counts.into_keys().collect()
        };
        let mut company_sizes = texts(LeadField::CompanySize);
        company_sizes.sort_by_key(|size| (size_rank(size), size.clone()));
        let company_sizes = company_sizes.into_iter().map(|size| json!(size).into());
        Ok(Facets {
            company_sizes: Some(company_sizes.collect()),
            icp_tiers: Some(texts(LeadField::IcpTier)),
            intent_types: Some(texts(LeadField::IntentType)),
            discovery_lists: Some(self.discovery_lists(&context)),
            signals: Some(self.by_name(LeadField::SignalId, "signal", &context, |_| json!({}))),
            signal_runs: Some(self.by_time(LeadField::SignalRunId, "signal_run", &context)),
            lists: Some(self.lists(&context)),
            campaigns: Some(self.campaigns(&context)),
            import_jobs: Some(self.by_time(LeadField::ImportJobId, "import_job", &context)),
            feed_posts: Some(self.by_count(LeadField::FeedPost, &context)),
            chat_labels: Some(self.by_count(LeadField::ChatLabel, &context)),
            reply_classifications: Some(self.by_count(LeadField::ReplyClassification, &context)),
            network_accounts: Some(self.by_count(LeadField::NetworkAccount, &context)),
            problems: Vec::new(),
        })
    }

    /// Counts the leads of a context by the values of a field, in the order of the values.
    fn count_texts(&self, field: LeadField, context: &Context) -> BTreeMap<String, u64> {
        let mut counts = BTreeMap::new();
        for lead in self.leads_in(context, field) {
            for value in self.lead_values(lead, field) {
                if let Value::Text(text) = value {
                    *counts.entry(text).or_default() += 1;
                }
            }
        }
        counts
    }

    /// Returns the lists with leads, by name: id, name, count.
    fn counted_lists(&self, discovery: bool, context: &Context) -> Vec<(String, String, u64)> {
        let counts = self.count_texts(LeadField::ListId, context);
        let lists = self.catalog().lists.iter().enumerate();
        let mut found: Vec<_> = lists
            .filter(|(at, _)| Catalog::is_discovery(*at) == discovery)
            .filter_map(|(_, list)| {
                let count = counts.get(&list.id)?;
                Some((list.id.clone(), list.name.to_string(), *count))
            })
            .collect();
        found.sort_by_key(|(id, name, _)| (fold(name), id.clone()));
        found
    }

    fn discovery_lists(&self, context: &Context) -> Vec<Raw> {
        let lists = self.counted_lists(true, context).into_iter();
        let raw =
            |(id, name, count)| json!({"list_id": id, "list_name": name, "count": count}).into();
        lists.map(raw).collect()
    }

    fn lists(&self, context: &Context) -> Vec<ListRef> {
        let lists = self.counted_lists(false, context).into_iter();
        let list = |(id, name, _): (String, String, u64)| ListRef {
            list_id: Some(id.into()),
            list_name: Some(name),
            item_id: None,
        };
        lists.map(list).collect()
    }

    /// Returns the values of a field with names, by name, each with `more` members.
    fn by_name(
        &self,
        field: LeadField,
        noun: &str,
        context: &Context,
        more: impl Fn(&str) -> serde_json::Value,
    ) -> Vec<Raw> {
        let counts = self.count_texts(field, context).into_iter();
        let mut found: Vec<_> = counts
            .map(|(id, count)| {
                (
                    self.name(field, &id).unwrap_or_else(|| id.clone()),
                    id,
                    count,
                )
            })
            .collect();
        found.sort_by_key(|(name, id, _)| (fold(name), id.clone()));
        let object = |(name, id, count): (String, String, u64)| {
            let mut object = more(&id);
            object[format!("{noun}_id")] = json!(id);
            object[format!("{noun}_name")] = json!(name);
            object["count"] = json!(count);
            object.into()
        };
        found.into_iter().map(object).collect()
    }

    fn campaigns(&self, context: &Context) -> Vec<Raw> {
        let status = |id: &str| {
            let mut campaigns = self.catalog().campaigns.iter();
            let found = campaigns.find(|campaign| campaign.named.id == id);
            json!({"campaign_status": found.map(|campaign| campaign.status)})
        };
        self.by_name(LeadField::CampaignId, "campaign", context, status)
    }

    /// Returns signal runs or imports, latest first.
    fn by_time(&self, field: LeadField, noun: &str, context: &Context) -> Vec<Raw> {
        let catalog = self.catalog();
        let runs = catalog.signals.iter().flat_map(|signal| &signal.runs);
        let runs = runs.map(|run| (run.id.as_str(), run.created_at));
        let imports = catalog.imports.iter();
        let imports = imports.map(|import| (import.id.as_str(), import.created_at));
        let times: BTreeMap<&str, Timestamp> = runs.chain(imports).collect();
        let mut found: Vec<_> = self.count_texts(field, context).into_iter().collect();
        let time = |id: &str| times.get(id).map(|time| iso(*time));
        found.sort_by_key(|(id, _)| Reverse(time(id)));
        let raw = |(id, count): (String, u64)| {
            let name = self.name(field, &id).unwrap_or_else(|| id.clone());
            let mut object = json!({"count": count, "created_at": time(&id)});
            object[format!("{noun}_id")] = json!(id);
            object[format!("{noun}_name")] = json!(name);
            object.into()
        };
        found.into_iter().map(raw).collect()
    }

    /// Returns `{value, label, count}`, the most frequent first.
    fn by_count(&self, field: LeadField, context: &Context) -> Vec<Raw> {
        let mut found: Vec<_> = self.count_texts(field, context).into_iter().collect();
        found.sort_by_key(|(_, count)| Reverse(*count));
        let raw = |(value, count): (String, u64)| {
            let label = self.name(field, &value).unwrap_or_else(|| label(&value));
            json!({"value": value, "label": label, "count": count}).into()
        };
        found.into_iter().map(raw).collect()
    }

    pub(crate) fn search_lead_facet(
        &mut self,
        search: FacetSearch,
        _: Timestamp,
    ) -> Result<FacetSearchResult, Error> {
        let field = facets::field(&search.field, &["query", "field"])?;
        facets::check_selected(&search)?;
        let context = Context::from(&search);
        let text = search.selected.as_deref().unwrap_or_default();
        let exists = |value: &str| Ok(self.count(field, &self.counted(field, value), &context) > 0);
        let selected = facets::selected::<Error>(text, exists)?;
        Ok(self.search_values(field, &context, &search.q, search.limit, selected))
    }

    pub(crate) fn query_lead_facets(
        &mut self,
        query: LeadFacetQuery,
        _: Timestamp,
    ) -> Result<FacetCounts, Error> {
        let mut problems = Vec::new();
        let filters = filter::read::<LeadField>(&query.filters);
        let filters = filters.unwrap_or_else(|invalid| {
            problems.extend(invalid);
            Vec::new()
        });
        let mut facets: Vec<CountedFacet> = Vec::new();
        for (index, query) in query.facets.into_iter().enumerate() {
            let loc = ["body", "facets", &index.to_string(), "field"];
            match facets::field(&query.field, &loc) {
                Ok(field) => {
                    let own = facets::own_filter(field, &query.selected);
                    facets.push((field, query, filter::read(own.as_slice())?));
                }
                Err(unknown) => problems.extend(unknown),
            }
        }
        if !problems.is_empty() {
            return Err(Error::Invalid(problems));
        }
        let search = Search::of(query.search.as_deref());
        let counted = facets.iter().enumerate().map(|(index, (field, query, _))| {
            let others = facets
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index);
            let others = others.flat_map(|(_, (_, _, own))| own).cloned();
            let filters: Vec<_> = filters.iter().cloned().chain(others).collect();
            let matches = |lead: &&Lead| self.matches(lead, &filters, &search);
            let leads = self.leads.iter().filter(matches).map(|lead| lead.number);
            let context = Context::from_leads(leads.collect());
            self.search_values(
                *field,
                &context,
                &query.q,
                query.limit,
                query.selected.clone(),
            )
        });
        Ok(FacetCounts {
            facets: Some(counted.collect()),
        })
    }
}
