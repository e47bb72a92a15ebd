//! The facets of leads: the values they can be filtered by.
//!
//! spec: not shown; a facet lists the values that at least one lead has. The three context
//! parameters narrow the leads; a facet ignores its own parameter, so that its other values remain
//! available. `lists` are the lists of users and imports, `discovery_lists` those filled by
//! discovery.

mod context;
mod counted_values;
pub(super) mod facet_counts;
pub(super) mod facet_search;
mod facet_source;

use lead_workspace_api::{FacetContext, Facets, ListRef, Raw};
use lead_workspace_logic::filter::Value as Filtered;
use serde_json::{Value, json};

use super::columns::Snapshot;
use super::db::{Db, Row};
use super::sql::Conditions;
use super::{Store, StoreError, Tenant};
use crate::size_rank;
use context::{Context, ContextParameter};
use counted_values::CountedValues;
use facet_source::{FacetSource, ValueNames};

impl Store {
    pub async fn lead_facets(
        &self,
        tenant: Tenant,
        context: FacetContext,
    ) -> Result<Facets, StoreError> {
        let context = Context::from(context);
        let columns = self.columns();
        self.read_in(tenant, move |db| {
            let reader = FacetReader {
                db,
                tenant,
                snapshot: columns.snapshot(db, tenant)?,
                context: &context,
            };
            let mut company_sizes = reader.distinct("company_size")?;
            company_sizes.sort_by_key(|size| (size_rank(size), size.clone()));
            Ok(Facets {
                company_sizes: Some(
                    company_sizes
                        .into_iter()
                        .map(|size| json!(size).into())
                        .collect(),
                ),
                icp_tiers: Some(reader.distinct("icp_tier")?),
                intent_types: Some(reader.distinct("intent_type")?),
                discovery_lists: Some(reader.discovery_lists()?),
                signals: Some(reader.signals()?),
                signal_runs: Some(reader.signal_runs()?),
                lists: Some(reader.lists()?),
                campaigns: Some(reader.campaigns()?),
                import_jobs: Some(reader.import_jobs()?),
                feed_posts: Some(reader.feed_posts()?),
                chat_labels: Some(reader.words("chat_label")?),
                reply_classifications: Some(reader.words("reply_classification")?),
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
    snapshot: Option<Snapshot<'a>>,
    context: &'a Context,
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

    /// Counts the values of a column by the column in memory, if it is there.
    fn in_memory(
        &self,
        table: &'static str,
        column: &'static str,
        own: Option<ContextParameter>,
    ) -> Result<Option<CountedValues>, StoreError> {
        let source = FacetSource {
            table,
            lead: "",
            column,
            count: "",
            names: ValueNames::Word,
            own,
        };
        let snapshot = self.snapshot.as_ref();
        let counted = snapshot.map(|snapshot| CountedValues::read(snapshot, &source, self.context));
        Ok(counted.transpose()?.flatten())
    }

    /// Returns the distinct values of a column of leads, in order.
    fn distinct(&self, column: &'static str) -> Result<Vec<String>, StoreError> {
        if let Some(counted) = self.in_memory("leads", column, None)? {
            let texts = counted.all().filter_map(|(value, _)| match value {
                Filtered::Text(text) => Some(text),
                _ => None,
            });
            return Ok(texts.collect());
        }
        let conditions = self.context.conditions(self.tenant, "l", "l.id", None);
        let sql = format!(
            "SELECT DISTINCT l.{column} FROM leads l WHERE {} AND l.{column} IS NOT NULL ORDER BY 1",
            conditions.text()
        );
        self.rows(&sql, &conditions, |row| row.get(0))
    }

    /// Returns the SQL with the number of leads for each value of a column of a table that
    /// references leads.
    fn counts(
        &self,
        table: &'static str,
        lead: &str,
        column: &'static str,
        own: Option<ContextParameter>,
    ) -> Result<(String, Conditions), StoreError> {
        if let Some(counted) = self.in_memory(table, column, own)? {
            let mut conditions = Conditions::of(self.tenant, "t");
            let all = counted.all().filter_map(|(value, count)| match value {
                Filtered::Text(text) => Some(json!([text, count])),
                _ => None,
            });
            let counts = conditions.value(Value::from_iter(all).to_string());
            let sql = format!(
                "(SELECT one.value ->> 0 AS value, one.value ->> 1 AS leads
                  FROM json_each({counts}) one) f"
            );
            return Ok((sql, conditions));
        }
        let conditions = self.context.conditions(self.tenant, "t", lead, own);
        let count = if table == "intents" {
            "count(DISTINCT t.lead)"
        } else {
            "count(*)"
        };
        let sql = format!(
            "(SELECT t.{column} AS value, {count} AS leads FROM {table} t
              WHERE {} AND t.{column} IS NOT NULL GROUP BY t.{column}) f",
            conditions.text()
        );
        Ok((sql, conditions))
    }

    fn discovery_lists(&self) -> Result<Vec<Raw>, StoreError> {
        let (counts, conditions) = self.counts("list_items", "t.lead", "list_id", None)?;
        let sql = format!(
            "SELECT f.value, n.name, f.leads FROM {counts}
             JOIN lists n ON n.tenant = ?1 AND n.list_id = f.value AND n.is_discovery
             ORDER BY fold(n.name), f.value"
        );
        self.rows(&sql, &conditions, named("list"))
    }

    fn lists(&self) -> Result<Vec<ListRef>, StoreError> {
        let (counts, conditions) = self.counts("list_items", "t.lead", "list_id", None)?;
        let sql = format!(
            "SELECT f.value, n.name FROM {counts}
             JOIN lists n ON n.tenant = ?1 AND n.list_id = f.value AND NOT n.is_discovery
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
        let (counts, conditions) = self.counts(
            "intents",
            "t.lead",
            "signal_id",
            Some(ContextParameter::Signal),
        )?;
        let sql = format!(
            "SELECT f.value, n.name, f.leads FROM {counts}
             LEFT JOIN signals n ON n.tenant = ?1 AND n.signal_id = f.value
             ORDER BY fold(coalesce(n.name, f.value)), f.value"
        );
        self.rows(&sql, &conditions, named("signal"))
    }

    fn signal_runs(&self) -> Result<Vec<Raw>, StoreError> {
        let (counts, conditions) = self.counts(
            "intents",
            "t.lead",
            "signal_run_id",
            Some(ContextParameter::SignalRun),
        )?;
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
        let (counts, conditions) = self.counts(
            "campaign_leads",
            "t.lead",
            "campaign_id",
            Some(ContextParameter::Campaign),
        )?;
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
        let (counts, conditions) = self.counts("leads", "t.id", "import_job_id", None)?;
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
        let (counts, conditions) = self.counts("intents", "t.lead", "feed_post_id", None)?;
        let sql = format!(
            "SELECT f.value, n.label, f.leads FROM {counts}
             LEFT JOIN feed_posts n ON n.tenant = ?1 AND n.feed_post_id = f.value
             ORDER BY f.leads DESC, f.value"
        );
        self.rows(&sql, &conditions, option)
    }

    /// Reads an open set of tokens, with labels derived from them.
    fn words(&self, column: &'static str) -> Result<Vec<Raw>, StoreError> {
        let (counts, conditions) = self.counts("leads", "t.id", column, None)?;
        let sql =
            format!("SELECT f.value, NULL, f.leads FROM {counts} ORDER BY f.leads DESC, f.value");
        self.rows(&sql, &conditions, option)
    }

    fn network_accounts(&self) -> Result<Vec<Raw>, StoreError> {
        let (counts, conditions) = self.counts("leads", "t.id", "network_account", None)?;
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
