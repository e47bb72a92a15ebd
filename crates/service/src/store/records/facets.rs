//! The facets of leads and accounts: the values they can be filtered by.
//!
//! spec: not shown; a facet lists the values that at least one lead has. The three context
//! parameters narrow the leads; a facet ignores its own parameter, so that its other values remain
//! available. `lists` are the lists of users and imports, `discovery_lists` those filled by
//! discovery.

mod facet_search;

use std::cmp::Reverse;
use std::collections::HashMap;

use lead_workspace_api::{FacetContext as Context, Facets, LeadField, ListRef, Raw};
use lead_workspace_index::{Columns, CountedValues, FacetContext};
use serde_json::{Value, json};

use crate::store::db::{Db, Fixed, List, params};
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::tenant::Tenant;
use facet_search::{NamesOf, names_of};
use lead_workspace_logic::{fold, size_rank};

impl Store {
    pub async fn lead_facets(
        &self,
        tenant: Tenant,
        context: Context,
    ) -> Result<Facets, StoreError> {
        let context = FacetContext::from(context);
        let index = self.index();
        self.read_in(tenant, move |db| {
            let reader = FacetReader {
                db,
                tenant,
                columns: index.read(db, tenant, &context.columns_of_all())?,
                context: &context,
            };
            let mut company_sizes = reader.texts(LeadField::CompanySize);
            company_sizes.sort_by_key(|size| (size_rank(size), size.clone()));
            let company_sizes = company_sizes.into_iter().map(|size| json!(size).into());
            let lists = reader.values(LeadField::ListId, "is_discovery")?;
            let (discovery, lists): (Vec<_>, Vec<_>) = by_name(lists)
                .into_iter()
                .filter(|list| list.more.is_some())
                .partition(|list| list.more == Some(json!(1)));
            let campaigns = reader.values(LeadField::CampaignId, "status")?.into_iter();
            let campaigns = campaigns.filter(|campaign| campaign.name.is_some());
            Ok(Facets {
                company_sizes: Some(company_sizes.collect()),
                icp_tiers: Some(reader.texts(LeadField::IcpTier)),
                intent_types: Some(reader.texts(LeadField::IntentType)),
                discovery_lists: Some(objects(discovery, "list", None)),
                signals: Some(objects(
                    by_name(reader.values(LeadField::SignalId, "NULL")?),
                    "signal",
                    None,
                )),
                signal_runs: Some(objects(
                    by_time(reader.values(LeadField::SignalRunId, "created_at")?),
                    "signal_run",
                    Some("created_at"),
                )),
                lists: Some(lists.into_iter().map(CountedValue::list).collect()),
                campaigns: Some(objects(
                    by_name(campaigns.collect()),
                    "campaign",
                    Some("campaign_status"),
                )),
                import_jobs: Some(objects(
                    by_time(reader.values(LeadField::ImportJobId, "created_at")?),
                    "import_job",
                    Some("created_at"),
                )),
                feed_posts: Some(reader.by_count(LeadField::FeedPost)?),
                chat_labels: Some(reader.by_count(LeadField::ChatLabel)?),
                reply_classifications: Some(reader.by_count(LeadField::ReplyClassification)?),
                network_accounts: Some(reader.by_count(LeadField::NetworkAccount)?),
                problems: Vec::new(),
            })
        })
        .await
    }
}

struct FacetReader<'a> {
    db: Db<'a>,
    tenant: Tenant,
    columns: Columns,
    context: &'a FacetContext,
}

/// A value that leads have.
struct CountedValue {
    value: String,
    count: u64,
    name: Option<String>,
    /// What else is known of the object, if it is known: its status, or its time.
    more: Option<Value>,
}

impl FacetReader<'_> {
    fn counted(&self, field: LeadField) -> CountedValues<'_> {
        CountedValues::of_leads(&self.columns, field.into(), self.context)
    }

    /// Returns the values of a facet, in order.
    fn texts(&self, field: LeadField) -> Vec<String> {
        let counted = self.counted(field);
        counted.texts().map(|(text, _)| text).collect()
    }

    /// Returns the values of a facet with their names and another column of their objects, in order.
    fn values(
        &self,
        field: LeadField,
        more: &'static str,
    ) -> Result<Vec<CountedValue>, StoreError> {
        let counted: Vec<(String, u64)> = self.counted(field).texts().collect();
        let mut known = HashMap::new();
        if let Some(NamesOf { table, id, name }) = names_of(field.into()) {
            let sql = Fixed(format!(
                "SELECT {id}, {name}, {more} FROM {table}
                 WHERE tenant = ?1 AND {id} IN (SELECT value FROM json_each(?2))"
            ));
            let ids = List::texts(counted.iter().map(|(id, _)| id.clone()));
            self.db.each(&sql, params![self.tenant.0, ids], |row| {
                let more = match row.value(2)? {
                    rusqlite::types::ValueRef::Integer(number) => json!(number),
                    _ => json!(row.get::<Option<String>>(2)?),
                };
                let (id, name): (String, Option<String>) = (row.get(0)?, row.get(1)?);
                known.insert(id, (name, more));
                Ok::<_, StoreError>(())
            })?;
        }
        let values = counted.into_iter().map(|(value, count)| {
            let (name, more) = known.remove(&value).unzip();
            CountedValue {
                value,
                count,
                name: name.flatten(),
                more,
            }
        });
        Ok(values.collect())
    }

    /// Returns `{value, label, count}`, the most frequent first.
    fn by_count(&self, field: LeadField) -> Result<Vec<Raw>, StoreError> {
        let mut values = self.values(field, "NULL")?;
        values.sort_by_key(|value| Reverse(value.count));
        let option = |CountedValue {
                          value, count, name, ..
                      }| {
            let label = name.unwrap_or_else(|| lead_workspace_logic::label(&value));
            json!({"value": value, "label": label, "count": count}).into()
        };
        Ok(values.into_iter().map(option).collect())
    }
}

impl CountedValue {
    fn list(self) -> ListRef {
        ListRef {
            list_id: Some(self.value.into()),
            list_name: self.name,
            item_id: None,
        }
    }
}

fn by_name(mut values: Vec<CountedValue>) -> Vec<CountedValue> {
    values.sort_by_key(|value| fold(value.name.as_deref().unwrap_or(&value.value)));
    values
}

/// Sorts the latest first. Those without a time come last.
fn by_time(mut values: Vec<CountedValue>) -> Vec<CountedValue> {
    let time = |value: &CountedValue| {
        let time = value.more.as_ref().and_then(Value::as_str);
        time.map(str::to_owned)
    };
    values.sort_by_key(|value| Reverse(time(value)));
    values
}

/// Builds `{<noun>_id, <noun>_name, count}`, with what else is known as `more`.
fn objects(values: Vec<CountedValue>, noun: &str, more: Option<&str>) -> Vec<Raw> {
    let object = |known: CountedValue| {
        let name = known.name.unwrap_or_else(|| known.value.clone());
        let mut object = json!({
            (format!("{noun}_id")): known.value,
            (format!("{noun}_name")): name,
            "count": known.count,
        });
        if let Some(more) = more {
            object[more] = known.more.unwrap_or_default();
        }
        object.into()
    };
    values.into_iter().map(object).collect()
}
