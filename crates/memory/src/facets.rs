//! All facet values of leads, and the counts of facets within a view.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use jiff::Timestamp;
use lead_workspace_api::{
    FacetContext, FacetCounts, FacetSearch, FacetSearchResult, Facets, LeadFacetQuery, LeadField,
    ListRef, Raw,
};
use lead_workspace_demo::Catalog;
use lead_workspace_index::{self as index, Columns, CountedFacet, CountedValues, FacetsOfView};
use lead_workspace_logic::{facets, fold, iso, label, size_rank};
use serde_json::json;

use crate::Workspace;
use crate::error::Error;

/// The counts of the response with all facets.
struct Counts {
    columns: Columns,
    context: index::FacetContext,
}

impl Counts {
    fn of(&self, field: LeadField) -> CountedValues<'_> {
        CountedValues::of_leads(&self.columns, field.into(), &self.context)
    }

    /// Returns each text with the number of its leads, in the order of the texts.
    fn texts(&self, field: LeadField) -> Vec<(String, u64)> {
        self.of(field).texts().collect()
    }
}

impl Workspace {
    pub(crate) fn get_lead_facets(
        &mut self,
        context: FacetContext,
        _: Timestamp,
    ) -> Result<Facets, Error> {
        let context = index::FacetContext::from(context);
        let counts = Counts {
            columns: self.columns(context.columns_of_all()),
            context,
        };
        let texts = |field| -> Vec<String> {
            let texts = counts.texts(field).into_iter();
            texts.map(|(text, _)| text).collect()
        };
        let mut company_sizes = texts(LeadField::CompanySize);
        company_sizes.sort_by_key(|size| (size_rank(size), size.clone()));
        let company_sizes = company_sizes.into_iter().map(|size| json!(size).into());
        Ok(Facets {
            company_sizes: Some(company_sizes.collect()),
            icp_tiers: Some(texts(LeadField::IcpTier)),
            intent_types: Some(texts(LeadField::IntentType)),
            discovery_lists: Some(self.discovery_lists(&counts)),
            signals: Some(self.by_name(LeadField::SignalId, "signal", &counts, |_| json!({}))),
            signal_runs: Some(self.by_time(LeadField::SignalRunId, "signal_run", &counts)),
            lists: Some(self.lists(&counts)),
            campaigns: Some(self.campaigns(&counts)),
            import_jobs: Some(self.by_time(LeadField::ImportJobId, "import_job", &counts)),
            feed_posts: Some(self.by_count(LeadField::FeedPost, &counts)),
            chat_labels: Some(self.by_count(LeadField::ChatLabel, &counts)),
            reply_classifications: Some(self.by_count(LeadField::ReplyClassification, &counts)),
            network_accounts: Some(self.by_count(LeadField::NetworkAccount, &counts)),
            problems: Vec::new(),
        })
    }

    /// Returns the lists with leads, by name: id, name, count.
    fn counted_lists(&self, discovery: bool, counts: &Counts) -> Vec<(String, String, u64)> {
        let counts = counts.of(LeadField::ListId);
        let lists = self.catalog().lists.iter().enumerate();
        let mut found: Vec<_> = lists
            .filter(|(at, _)| Catalog::is_discovery(*at) == discovery)
            .map(|(_, list)| {
                let count = counts.count(&list.id.as_str().into());
                (list.id.clone(), list.name.to_string(), count)
            })
            .filter(|(_, _, count)| *count > 0)
            .collect();
        found.sort_by_key(|(id, name, _)| (fold(name), id.clone()));
        found
    }

    fn discovery_lists(&self, counts: &Counts) -> Vec<Raw> {
        let lists = self.counted_lists(true, counts).into_iter();
        let raw =
            |(id, name, count)| json!({"list_id": id, "list_name": name, "count": count}).into();
        lists.map(raw).collect()
    }

    fn lists(&self, counts: &Counts) -> Vec<ListRef> {
        let lists = self.counted_lists(false, counts).into_iter();
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
        counts: &Counts,
        more: impl Fn(&str) -> serde_json::Value,
    ) -> Vec<Raw> {
        let counted = counts.texts(field).into_iter();
        let mut found: Vec<_> = counted
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

    fn campaigns(&self, counts: &Counts) -> Vec<Raw> {
        let status = |id: &str| {
            let mut campaigns = self.catalog().campaigns.iter();
            let found = campaigns.find(|campaign| campaign.named.id == id);
            json!({"campaign_status": found.map(|campaign| campaign.status)})
        };
        self.by_name(LeadField::CampaignId, "campaign", counts, status)
    }

    /// Returns signal runs or imports, latest first.
    fn by_time(&self, field: LeadField, noun: &str, counts: &Counts) -> Vec<Raw> {
        let catalog = self.catalog();
        let runs = catalog.signals.iter().flat_map(|signal| &signal.runs);
        let runs = runs.map(|run| (run.id.as_str(), run.created_at));
        let imports = catalog.imports.iter();
        let imports = imports.map(|import| (import.id.as_str(), import.created_at));
        let times: BTreeMap<&str, Timestamp> = runs.chain(imports).collect();
        let mut found = counts.texts(field);
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
    fn by_count(&self, field: LeadField, counts: &Counts) -> Vec<Raw> {
        let mut found = counts.texts(field);
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
        const LOC: [&str; 2] = ["query", "field"];
        let field = self.custom_keys.facet_of_leads(&search.field, &LOC)?;
        facets::check_selected(&search)?;
        let context = index::FacetContext::from(&search);
        let columns = self.columns(context.columns(field));
        columns.check_facet(field, &search.field, &LOC)?;
        let counted = CountedValues::of_leads(&columns, field, &context);
        let facet = (field, search.field.as_str());
        let text = search.selected.as_deref().unwrap_or_default();
        let exists = |value: &str| Ok(counted.count(&self.counted(field, value)) > 0);
        let selected = facets::selected::<Error>(text, exists)?;
        Ok(self.search_values(facet, &counted, &search.q, search.limit, selected))
    }

    pub(crate) fn query_lead_facets(
        &mut self,
        query: LeadFacetQuery,
        _: Timestamp,
    ) -> Result<FacetCounts, Error> {
        let view = FacetsOfView::of(query, &self.custom_keys)?;
        let columns = self.columns(view.columns());
        let contexts = view.contexts(&columns)?;
        let counted = view.facets.into_iter().zip(&contexts);
        let counted = counted.map(|(CountedFacet { field, query, .. }, context)| {
            let counted = CountedValues::of_leads(&columns, field, context);
            let facet = (field, query.field.as_str());
            self.search_values(facet, &counted, &query.q, query.limit, query.selected)
        });
        Ok(FacetCounts {
            facets: Some(counted.collect()),
        })
    }
}
