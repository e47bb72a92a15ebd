//! Reads leads and accounts for an export, with what lists do not show. The rows of a list are found once; their
//! numbers take 8 bytes each, and those of decisions 16. The rest is read in batches.

use std::collections::{BTreeSet, HashMap, HashSet};

use lead_workspace_api::export::ExportedLead;
use lead_workspace_api::{Account, AccountQuery};
use lead_workspace_index::{Filters, Part, Query};
use serde::de::IgnoredAny;

use super::accounts::{self, row};
use super::leads::{items, nullable};
use crate::store::db::{Db, List, numbers, params};
use crate::store::error::StoreError;
use crate::store::index_host::IndexHost;
use crate::store::tenant::Tenant;

/// Rows that are read at once.
pub(crate) const BATCH: usize = 500;

/// Returns the leads of a list in its order, by their row numbers; with ids, only these of them. Nothing must have been
/// read in the transaction before; see [`IndexHost::read`].
pub(crate) fn lead_rows(
    db: Db<'_>,
    index: &IndexHost,
    tenant: Tenant,
    list: &Query,
    ids: Option<&[String]>,
) -> Result<Vec<i64>, StoreError> {
    let sql =
        "SELECT id FROM leads WHERE tenant = ?1 AND lead_id IN (SELECT value FROM json_each(?2))";
    rows(db, index, tenant, list, ids.map(|ids| (sql, ids)))
}

/// Same as [`lead_rows`] for accounts.
pub(crate) fn account_rows(
    db: Db<'_>,
    index: &IndexHost,
    tenant: Tenant,
    filters: Filters,
    query: &AccountQuery,
    ids: Option<&[String]>,
) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT id FROM accounts WHERE tenant = ?1 AND account_id IN (SELECT value FROM json_each(?2))";
    let list = accounts::query_of(filters, query)?;
    rows(db, index, tenant, &list, ids.map(|ids| (sql, ids)))
}

fn rows(
    db: Db<'_>,
    index: &IndexHost,
    tenant: Tenant,
    list: &Query,
    only: Option<(&'static str, &[String])>,
) -> Result<Vec<i64>, StoreError> {
    let columns = index.read(db, tenant, &list.columns())?;
    let mut rows = list.page(&columns, Part::ALL)?.rows;
    if let Some((sql, ids)) = only {
        let ids = List::texts(ids.iter().cloned());
        let only: HashSet<i64> = db.rows(sql, params![tenant.0, ids], |row| row.get(0))?;
        rows.retain(|row| only.contains(row));
    }
    Ok(rows)
}

/// Returns the names of the user's own columns that any of these leads has.
pub(crate) fn custom_columns(
    db: Db<'_>,
    tenant: Tenant,
    rows: &[i64],
) -> Result<BTreeSet<String>, StoreError> {
    let sql = "SELECT l.custom_data FROM json_each(?1) page CROSS JOIN leads l
               WHERE l.tenant = ?2 AND l.id = page.value";
    let mut names = BTreeSet::new();
    for batch in rows.chunks(BATCH) {
        db.each(sql, params![numbers(batch), tenant.0], |row| {
            let text: Option<String> = row.get(0)?;
            let custom: Option<HashMap<String, IgnoredAny>> =
                text.and_then(|text| serde_json::from_str(&text).ok());
            names.extend(custom.into_iter().flatten().map(|(name, _)| name));
            Ok::<_, StoreError>(())
        })?;
    }
    Ok(names)
}

/// The last decision on each lead, from the audit log, which has no index by lead.
pub(crate) struct LastDecisions(HashMap<i64, i64>);

impl LastDecisions {
    pub(crate) fn read(db: Db<'_>, tenant: Tenant) -> Result<Self, StoreError> {
        let sql = "SELECT l.id, max(d.id) FROM audit_log d CROSS JOIN leads l
                   WHERE d.tenant = ?1 AND d.action = 'decide' AND l.tenant = ?1 AND l.lead_id = d.lead_id
                   GROUP BY l.id";
        let mut last = HashMap::new();
        db.each(sql, params![tenant.0], |row| {
            last.insert(row.get(0)?, row.get(1)?);
            Ok::<_, StoreError>(())
        })?;
        Ok(Self(last))
    }
}

/// Returns the leads with these row numbers, in this order.
pub(crate) fn leads(
    db: Db<'_>,
    tenant: Tenant,
    rows: &[i64],
    decisions: &LastDecisions,
) -> Result<Vec<ExportedLead>, StoreError> {
    let mut more = more(db, tenant, rows)?;
    let mut decided = decided(db, tenant, rows, decisions)?;
    let leads = items(db, tenant, rows)?.into_iter().zip(rows);
    let leads = leads.map(|(lead, row)| {
        let status = lead.approval_status.as_ref().map(|status| status.as_str());
        // Of a status that was set without an entry, nothing is known.
        let decision = decided
            .remove(row)
            .filter(|decision| Some(&*decision.status) == status);
        let (decided_at, decided_by) = decision.map(|of| (of.at, of.by)).unzip();
        ExportedLead {
            lead,
            decided_at,
            decided_by,
            ..more.remove(row).unwrap_or_default()
        }
    });
    Ok(leads.collect())
}

/// Returns what list elements do not have.
fn more(
    db: Db<'_>,
    tenant: Tenant,
    rows: &[i64],
) -> Result<HashMap<i64, ExportedLead>, StoreError> {
    let sql = "SELECT l.id, l.background_image_url, l.is_premium, a.domain
               FROM json_each(?1) page CROSS JOIN leads l
               LEFT JOIN accounts a ON a.tenant = l.tenant AND a.id = l.account
               WHERE l.tenant = ?2 AND l.id = page.value";
    db.rows(sql, params![numbers(rows), tenant.0], |row| {
        let more = ExportedLead {
            background_image_url: nullable(row, "background_image_url")?,
            is_premium: nullable(row, "is_premium")?,
            company_website: nullable(row, "domain")?,
            ..ExportedLead::default()
        };
        Ok((row.get(0)?, more))
    })
}

struct Decided {
    status: String,
    at: String,
    by: String,
}

fn decided(
    db: Db<'_>,
    tenant: Tenant,
    rows: &[i64],
    decisions: &LastDecisions,
) -> Result<HashMap<i64, Decided>, StoreError> {
    let leads = rows
        .iter()
        .filter_map(|row| Some((*decisions.0.get(row)?, *row)));
    let leads: HashMap<i64, i64> = leads.collect();
    let entries: Vec<i64> = leads.keys().copied().collect();
    let sql = "SELECT d.id, d.to_status, d.at, coalesce(k.name, d.key_id)
               FROM json_each(?1) page CROSS JOIN audit_log d LEFT JOIN api_keys k ON k.key_id = d.key_id
               WHERE d.tenant = ?2 AND d.id = page.value";
    let found: Vec<(i64, Decided)> = db.rows(sql, params![numbers(&entries), tenant.0], |row| {
        let decided = Decided {
            status: row.get(1)?,
            at: row.get(2)?,
            by: row.get(3)?,
        };
        Ok((row.get(0)?, decided))
    })?;
    let by_lead = found.into_iter();
    Ok(by_lead
        .filter_map(|(entry, decided)| Some((*leads.get(&entry)?, decided)))
        .collect())
}

/// Returns the accounts with these row numbers, in this order.
pub(crate) fn accounts(
    db: Db<'_>,
    tenant: Tenant,
    rows: &[i64],
) -> Result<Vec<Account>, StoreError> {
    row::accounts(db, tenant, rows, None)
}
