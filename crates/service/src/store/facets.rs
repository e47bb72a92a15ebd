//! The facets of leads and accounts: the values they can be filtered by.
//!
//! spec: not shown; a facet lists the values that at least one lead has. The three context
//! parameters narrow the leads; a facet ignores its own parameter, so that its other values remain
//! available. `lists` are the lists of users and imports, `discovery_lists` those filled by
//! discovery.

pub(super) mod account_counts;
pub(super) mod facet_counts;
pub(super) mod facet_search;
mod in_sql;
mod value_names;

use lead_workspace_api::{Facets, LeadField, ListRef, Raw};
use lead_workspace_index::{Columns, CountedValues, FacetContext};
use serde_json::{Value, json};

use super::db::{Db, Row};
use super::sql::Conditions;
use super::{Store, StoreError, Tenant};
use crate::size_rank;
use in_sql::Counted;

/// The fields with values of their own in the result.
const FIELDS: [LeadField; 12] = [
    LeadField::CompanySize,
    LeadField::IcpTier,
    LeadField::IntentType,
    LeadField::ListId,
    LeadField::SignalId,
    LeadField::SignalRunId,
    LeadField::CampaignId,
    LeadField::ImportJobId,
    LeadField::FeedPost,
    LeadField::ChatLabel,
    LeadField::ReplyClassification,
    LeadField::NetworkAccount,
];

impl Store {
    pub async fn lead_facets(
        &self,
        tenant: Tenant,
        context: lead_workspace_api::FacetContext,
    ) -> Result<Facets, StoreError> {
        let context = FacetContext::from(context);
        let columns = self.columns();
        self.read_in(tenant, move |db| {
            let ids = FIELDS.iter().flat_map(|field| context.columns(*field));
            let reader = FacetReader {
                db,
                tenant,
                columns: columns.read(db, tenant, &ids.collect::<Vec<_>>())?,
                context: &context,
            };
            let mut company_sizes = reader.distinct(LeadField::CompanySize)?;
            company_sizes.sort_by_key(|size| (size_rank(size), size.clone()));
            Ok(Facets {
                company_sizes: Some(
                    company_sizes
                        .into_iter()
                        .map(|size| json!(size).into())
                        .collect(),
                ),
                icp_tiers: Some(reader.distinct(LeadField::IcpTier)?),
                intent_types: Some(reader.distinct(LeadField::IntentType)?),
                discovery_lists: Some(reader.discovery_lists()?),
                signals: Some(reader.signals()?),
                signal_runs: Some(reader.signal_runs()?),
                lists: Some(reader.lists()?),
                campaigns: Some(reader.campaigns()?),
                import_jobs: Some(reader.import_jobs()?),
                feed_posts: Some(reader.feed_posts()?),
                chat_labels: Some(reader.words(LeadField::ChatLabel)?),
                reply_classifications: Some(reader.words(LeadField::ReplyClassification)?),
                network_accounts: Some(reader.network_accounts()?),
                problems: Vec::new(),
            })
        })
        .await
    }
}

struct FacetReader<'a> {
    db: Db<'a>,
    tenant: Tenant,
    columns: Option<Columns>,
    context: &'a FacetContext,
}

impl FacetReader<'_> {
    fn rows<T>(
        &self,
        sql: &String,
        conditions: &Conditions,
        read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.db.rows(sql, &conditions.values(), read)
    }

    /// Returns the values of a facet, in order.
    fn distinct(&self, field: LeadField) -> Result<Vec<String>, StoreError> {
        let (counts, conditions) = self.counts(field)?;
        let sql = format!("SELECT f.value FROM {counts} ORDER BY f.value");
        self.rows(&sql, &conditions, |row| row.get(0))
    }

    /// Returns the SQL with the number of leads for each value of a facet.
    fn counts(&self, field: LeadField) -> Result<(String, Conditions), StoreError> {
        let Some(columns) = &self.columns else {
            let counted = Counted::of(field, self.context, self.tenant);
            return Ok((format!("({}) f", counted.sql()), counted.conditions));
        };
        let counted = CountedValues::of_leads(columns, field, self.context);
        let all = counted.texts().map(|(text, count)| json!([text, count]));
        let mut conditions = Conditions::of(self.tenant, "t");
        let counts = conditions.value(Value::from_iter(all).to_string());
        let sql = format!(
            "(SELECT one.value ->> 0 AS value, one.value ->> 1 AS leads
              FROM json_each({counts}) one) f"
        );
        Ok((sql, conditions))
    }

    fn discovery_lists(&self) -> Result<Vec<Raw>, StoreError> {
        let (counts, conditions) = self.counts(LeadField::ListId)?;
        let sql = format!(
            "SELECT f.value, n.name, f.leads FROM {counts}
             JOIN lists n ON n.tenant = ?1 AND n.list_id = f.value AND n.is_discovery = 1
             ORDER BY fold(n.name), f.value"
        );
        self.rows(&sql, &conditions, named("list"))
    }

    fn lists(&self) -> Result<Vec<ListRef>, StoreError> {
        let (counts, conditions) = self.counts(LeadField::ListId)?;
        let sql = format!(
            "SELECT f.value, n.name FROM {counts}
             JOIN lists n ON n.tenant = ?1 AND n.list_id = f.value AND n.is_discovery = 0
             ORDER BY fold(n.name), f.value"
        );
        self.rows(&sql, &conditions, |row| {
            Ok(ListRef {
                list_id: Some(row.get::<String>(0)?.into()),
                list_name: row.get(1)?,
                item_id: None,
            })
        })
    }

    fn signals(&self) -> Result<Vec<Raw>, StoreError> {
        let (counts, conditions) = self.counts(LeadField::SignalId)?;
        let sql = format!(
            "SELECT f.value, n.name, f.leads FROM {counts}
             LEFT JOIN signals n ON n.tenant = ?1 AND n.signal_id = f.value
             ORDER BY fold(coalesce(n.name, f.value)), f.value"
        );
        self.rows(&sql, &conditions, named("signal"))
    }

    fn signal_runs(&self) -> Result<Vec<Raw>, StoreError> {
        let (counts, conditions) = self.counts(LeadField::SignalRunId)?;
        let sql = format!(
            "SELECT f.value, n.name, f.leads, n.created_at FROM {counts}
             LEFT JOIN signal_runs n ON n.tenant = ?1 AND n.signal_run_id = f.value
             ORDER BY n.created_at DESC, f.value"
        );
        self.rows(&sql, &conditions, |row| {
            let mut run = object("signal_run", row)?;
            run["created_at"] = json!(row.get::<Option<String>>(3)?);
            Ok(run.into())
        })
    }

    fn campaigns(&self) -> Result<Vec<Raw>, StoreError> {
        let (counts, conditions) = self.counts(LeadField::CampaignId)?;
        let sql = format!(
            "SELECT f.value, n.name, f.leads, n.status FROM {counts}
             JOIN campaigns n ON n.tenant = ?1 AND n.campaign_id = f.value
             ORDER BY fold(n.name), f.value"
        );
        self.rows(&sql, &conditions, |row| {
            let mut campaign = object("campaign", row)?;
            campaign["campaign_status"] = json!(row.get::<Option<String>>(3)?);
            Ok(campaign.into())
        })
    }

    fn import_jobs(&self) -> Result<Vec<Raw>, StoreError> {
        let (counts, conditions) = self.counts(LeadField::ImportJobId)?;
        let sql = format!(
            "SELECT f.value, n.file_name, f.leads, n.created_at FROM {counts}
             LEFT JOIN import_jobs n ON n.tenant = ?1 AND n.import_job_id = f.value
             ORDER BY n.created_at DESC, f.value"
        );
        self.rows(&sql, &conditions, |row| {
            let mut job = object("import_job", row)?;
            job["created_at"] = json!(row.get::<Option<String>>(3)?);
            Ok(job.into())
        })
    }

    fn feed_posts(&self) -> Result<Vec<Raw>, StoreError> {
        let (counts, conditions) = self.counts(LeadField::FeedPost)?;
        let sql = format!(
            "SELECT f.value, n.label, f.leads FROM {counts}
             LEFT JOIN feed_posts n ON n.tenant = ?1 AND n.feed_post_id = f.value
             ORDER BY f.leads DESC, f.value"
        );
        self.rows(&sql, &conditions, option)
    }

    /// Reads an open set of tokens, with labels derived from them.
    fn words(&self, field: LeadField) -> Result<Vec<Raw>, StoreError> {
        let (counts, conditions) = self.counts(field)?;
        let sql =
            format!("SELECT f.value, NULL, f.leads FROM {counts} ORDER BY f.leads DESC, f.value");
        self.rows(&sql, &conditions, option)
    }

    fn network_accounts(&self) -> Result<Vec<Raw>, StoreError> {
        let (counts, conditions) = self.counts(LeadField::NetworkAccount)?;
        let sql = format!(
            "SELECT f.value, n.name, f.leads FROM {counts}
             LEFT JOIN network_accounts n ON n.tenant = ?1 AND n.network_account = f.value
             ORDER BY f.leads DESC, f.value"
        );
        self.rows(&sql, &conditions, option)
    }
}

/// Builds `{<noun>_id, <noun>_name, count}` from the first three columns.
fn object(noun: &str, row: &Row<'_>) -> Result<Value, StoreError> {
    let (id, name): (String, Option<String>) = (row.get(0)?, row.get(1)?);
    let name = name.unwrap_or_else(|| id.clone());
    Ok(json!({
        (format!("{noun}_id")): id,
        (format!("{noun}_name")): name,
        "count": row.get::<i64>(2)?,
    }))
}

fn named(noun: &'static str) -> impl FnMut(&Row<'_>) -> Result<Raw, StoreError> {
    move |row| object(noun, row).map(Raw::from)
}

/// Builds `{value, label, count}` from the first three columns.
fn option(row: &Row<'_>) -> Result<Raw, StoreError> {
    let (value, label): (String, Option<String>) = (row.get(0)?, row.get(1)?);
    let label = label.unwrap_or_else(|| lead_workspace_logic::label(&value));
    Ok(json!({"value": value, "label": label, "count": row.get::<i64>(2)?}).into())
}
