//! Leads: their columns, inserts and updates.

use std::sync::LazyLock;

use lead_workspace_index::ChangeKind;
use lead_workspace_logic::rows::{AccountRow, LeadRow};

use super::columns::StoredRow;
use super::insert_account::columns_of_leads;
use super::{Columns, columns, folded};
use crate::store::db::{Db, Fixed, Params, Row, params};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

fn all_columns(row: &LeadRow) -> Columns<'_> {
    row.columns().and(columns! {
        name_folded: folded(row.name.as_ref()),
        headline_folded: folded(row.headline.as_ref()),
        title_folded: folded(row.title.as_ref()),
        location_folded: folded(row.location.as_ref()),
    })
}

/// A lead with the columns that an import may change.
pub(crate) struct KnownLead {
    pub lead: i64,
    pub row: LeadRow,
    pub account: Option<i64>,
    pub approval_status: String,
}

/// Writes a lead and returns its row number. `more` are columns that an import does not write.
pub(crate) fn insert_lead(
    db: Db<'_>,
    tenant: Tenant,
    row: &LeadRow,
    approval_status: &str,
    account: Option<(i64, &AccountRow)>,
    more: Columns<'_>,
) -> Result<i64, StoreError> {
    let columns = lead_columns(tenant, row, approval_status, account);
    let lead = columns.and(more).insert_numbered(db, "leads")?;
    db.touch(tenant, ChangeKind::ALL, lead);
    touch_account(db, tenant, account.map(|(account, _)| account));
    Ok(lead)
}

static NO_COMPANY: LazyLock<AccountRow> = LazyLock::new(AccountRow::default);

fn lead_columns<'a>(
    tenant: Tenant,
    row: &'a LeadRow,
    approval_status: &'a str,
    account: Option<(i64, &'a AccountRow)>,
) -> Columns<'a> {
    let (account, company) = account.unzip();
    let columns = columns! {
        tenant: tenant.0,
        approval_status: approval_status,
        account: account,
    };
    let company = company.unwrap_or(&NO_COMPANY);
    columns.and(all_columns(row)).and(columns_of_leads(company))
}

/// A lead that is not written yet.
pub(crate) struct NewLead {
    pub id: i64,
    pub row: LeadRow,
    pub approval_status: &'static str,
    pub account: Option<(i64, AccountRow)>,
    pub campaign_lead_status: Option<&'static str>,
}

/// Writes leads with the row numbers that they have.
pub(crate) fn insert_leads(
    db: Db<'_>,
    tenant: Tenant,
    leads: &[NewLead],
) -> Result<(), StoreError> {
    for lead in leads {
        db.touch(tenant, ChangeKind::ALL, lead.id);
        touch_account(
            db,
            tenant,
            lead.account.as_ref().map(|(account, _)| *account),
        );
    }
    let columns = leads.iter().map(|lead| {
        let account = lead.account.as_ref().map(|(account, row)| (*account, row));
        let columns = columns! {
            id: lead.id,
            campaign_lead_status: lead.campaign_lead_status,
        };
        columns.and(lead_columns(
            tenant,
            &lead.row,
            lead.approval_status,
            account,
        ))
    });
    Columns::insert_all(db, "leads", &columns.collect::<Vec<_>>())
}

/// Finds the lead with this profile, or else the one with this e-mail address.
///
/// A lead with a different profile does not match by e-mail: addresses such as `info@` are shared.
///
/// Until the end of the change, others neither decide on the lead nor delete it.
pub(crate) fn find_lead(
    db: Db<'_>,
    tenant: Tenant,
    identity: Option<&str>,
    email: Option<&str>,
) -> Result<Option<i64>, StoreError> {
    if let Some(identity) = identity {
        let sql = "SELECT id FROM leads WHERE tenant = ?1 AND identity = ?2
                   /*postgres FOR NO KEY UPDATE */";
        let found = db.row(sql, params![tenant.0, identity], |row| row.get(0))?;
        if found.is_some() {
            return Ok(found);
        }
    }
    let Some(email) = email else {
        return Ok(None);
    };
    let sql = "SELECT id FROM leads
               WHERE tenant = ?1 AND email = ?2 AND (?3 = 1 OR profile_url IS NULL)
               ORDER BY id LIMIT 1 /*postgres FOR NO KEY UPDATE */";
    let values = params![tenant.0, email, identity.is_none()];
    db.row(sql, values, |row| row.get(0))
}

pub(crate) fn known_lead(db: Db<'_>, tenant: Tenant, lead: i64) -> Result<KnownLead, StoreError> {
    let sql = Fixed(format!(
        "SELECT account, approval_status{} FROM leads WHERE tenant = ?1 AND id = ?2",
        LeadRow::COLUMNS
    ));
    db.one(&sql, params![tenant.0, lead], |row| {
        Ok(KnownLead {
            lead,
            account: row.get(0)?,
            approval_status: row.get(1)?,
            row: LeadRow::read(row, 2)?,
        })
    })
}

/// Writes the columns that an import may change; never the decision.
pub(crate) fn update_lead(
    db: Db<'_>,
    tenant: Tenant,
    lead: i64,
    row: &LeadRow,
) -> Result<(), StoreError> {
    db.touch(tenant, ChangeKind::LEAD, lead);
    let columns = all_columns(row);
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

/// Deletes leads by a statement that returns their row numbers and accounts, and returns how many. Related tables delete
/// their rows by `ON DELETE CASCADE`.
pub(crate) fn delete_leads(
    db: Db<'_>,
    tenant: Tenant,
    sql: &'static str,
    params: Params<'_>,
) -> Result<usize, StoreError> {
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let deleted: Vec<(i64, Option<i64>)> = db.rows(sql, params, read)?;
    for (lead, account) in &deleted {
        db.touch(tenant, ChangeKind::ALL, *lead);
        touch_account(db, tenant, *account);
    }
    Ok(deleted.len())
}

/// Notes that an account has more or fewer leads.
fn touch_account(db: Db<'_>, tenant: Tenant, account: Option<i64>) {
    if let Some(account) = account {
        db.touch(tenant, ChangeKind::ACCOUNT, account);
    }
}
