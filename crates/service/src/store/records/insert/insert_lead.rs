//! Leads: their columns, inserts and updates.

use std::collections::BTreeSet;

use lead_workspace_index::ChangeKind;
use lead_workspace_logic::custom::add_keys;
use lead_workspace_logic::rows::{AccountRow, LeadRow};

use super::columns::StoredRow;
use super::insert_account::columns_of_leads;
use super::{Columns, NewRow, NewRows, columns, folded};
use crate::store::custom_keys;
use crate::store::db::{Db, Fixed, List, Params, Row, params};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

fn all_columns(row: LeadRow) -> Columns<'static> {
    let derived = columns! {
        name_folded: folded(row.name.as_ref()),
        headline_folded: folded(row.headline.as_ref()),
        title_folded: folded(row.title.as_ref()),
        location_folded: folded(row.location.as_ref()),
    };
    row.into_columns().and(derived)
}

/// A lead with the columns that an import may change.
#[derive(Clone)]
pub(crate) struct KnownLead {
    pub lead: i64,
    pub row: LeadRow,
    pub account: Option<i64>,
    pub approval_status: String,
}

/// A lead that is not written yet.
pub(crate) struct NewLead<'a, 'b> {
    pub row: LeadRow,
    pub approval_status: &'a str,
    pub account: Option<(i64, &'b AccountRow)>,
    /// Those that a [`LeadRow`] does not have.
    pub more: Columns<'a>,
}

#[cfg(test)]
impl NewLead<'_, '_> {
    pub(crate) fn of(row: LeadRow) -> Self {
        Self {
            row,
            approval_status: "pending_approval",
            account: None,
            more: Columns::default(),
        }
    }
}

impl<'a> NewRows<'a> {
    /// Adds a lead with this row number.
    pub(crate) fn add_lead(&mut self, id: i64, lead: NewLead<'a, '_>) {
        let (account, company) = lead.account.unzip();
        self.accounts_of_leads.extend(account);
        if let Some(custom_data) = &lead.row.custom_data {
            add_keys(custom_data, &mut self.custom_keys);
        }
        let columns = columns! { approval_status: lead.approval_status, account: account };
        let copied = columns_of_leads(company.unwrap_or(&AccountRow::default()));
        let columns = columns.and(all_columns(lead.row)).and(copied);
        self.add(NewRow::Lead, id, columns.and(lead.more));
    }
}

/// Returns the leads with one of these texts in a column.
///
/// Until the end of the change, others neither decide on these leads nor delete them.
pub(crate) fn leads_with(
    db: Db<'_>,
    tenant: Tenant,
    column: &str,
    texts: &List,
) -> Result<Vec<KnownLead>, StoreError> {
    let sql = Fixed(format!(
        "SELECT id, account, approval_status{} FROM leads
         WHERE tenant = ?1 AND {column} IN (SELECT value FROM json_each(?2))
         /*postgres FOR NO KEY UPDATE */",
        LeadRow::COLUMNS
    ));
    db.rows(&sql, params![tenant.0, texts], |row| {
        Ok(KnownLead {
            lead: row.get(0)?,
            account: row.get(1)?,
            approval_status: row.get(2)?,
            row: LeadRow::read(row, 3)?,
        })
    })
}

/// Writes the columns that an import may change, which were those of `known`; never the decision.
pub(crate) fn update_lead(
    db: Db<'_>,
    tenant: Tenant,
    lead: i64,
    (known, row): (&LeadRow, &LeadRow),
) -> Result<(), StoreError> {
    db.touch(tenant, ChangeKind::LEAD, lead);
    let [known, keys] = [known, row].map(|row| {
        let mut keys = BTreeSet::new();
        if let Some(custom_data) = &row.custom_data {
            add_keys(custom_data, &mut keys);
        }
        keys
    });
    custom_keys::add(db, tenant, &(&keys - &known))?;
    let columns = all_columns(row.clone());
    columns.update(db, tenant, "leads", ("id", lead))
}

/// Sets the status of a lead.
pub(crate) fn set_status(
    db: Db<'_>,
    tenant: Tenant,
    lead: i64,
    status: &str,
) -> Result<(), StoreError> {
    db.touch(tenant, ChangeKind::STATUS, lead);
    let sql = "UPDATE leads SET approval_status = ?3 WHERE tenant = ?1 AND id = ?2";
    db.execute(sql, params![tenant.0, lead, status])?;
    Ok(())
}

/// Sets the account of a lead and copies the account's columns.
pub(crate) fn set_account(
    db: Db<'_>,
    tenant: Tenant,
    lead: &KnownLead,
    account: i64,
    company: &AccountRow,
) -> Result<(), StoreError> {
    touch_account(db, tenant, lead.account);
    touch_account(db, tenant, Some(account));
    db.touch(tenant, ChangeKind::LEAD, lead.lead);
    let columns = columns! { account: account }.and(columns_of_leads(company));
    columns.update(db, tenant, "leads", ("id", lead.lead))
}

/// Deletes leads by a statement that returns their row numbers, accounts and ids, and returns how many. Related tables
/// delete their rows by `ON DELETE CASCADE`.
pub(crate) fn delete_leads(
    db: Db<'_>,
    tenant: Tenant,
    sql: &'static str,
    params: Params<'_>,
) -> Result<usize, StoreError> {
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let deleted: Vec<(i64, Option<i64>, String)> = db.rows(sql, params, read)?;
    let count = deleted.len();
    for (lead, account, lead_id) in deleted {
        db.touch_deleted(tenant, lead, lead_id);
        touch_account(db, tenant, account);
    }
    Ok(count)
}

/// Notes that an account has more or fewer leads.
fn touch_account(db: Db<'_>, tenant: Tenant, account: Option<i64>) {
    if let Some(account) = account {
        db.touch(tenant, ChangeKind::ACCOUNT, account);
    }
}
