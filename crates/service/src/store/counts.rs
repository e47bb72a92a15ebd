//! The counts that the store keeps: leads by status and leads by account.
//!
//! A change adds up how it changes them, and writes each of them once. It writes them in the same order as any
//! other change, so that two transactions never wait for each other.

use std::collections::BTreeMap;

use lead_workspace_index::ChangeKind;

use super::db::{Db, Params, Row, params};
use super::{StoreError, Tenant};

/// How a change of one workspace changes its counts.
pub(crate) struct CountChanges {
    by_status: BTreeMap<String, i64>,
    by_account: BTreeMap<i64, i64>,
}

/// Runs a change of leads, then writes the counts that it has noted.
pub(crate) fn keep<T>(
    db: Db<'_>,
    tenant: Tenant,
    change: impl FnOnce(&mut CountChanges) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let mut counts = CountChanges {
        by_status: BTreeMap::new(),
        by_account: BTreeMap::new(),
    };
    let value = change(&mut counts)?;
    counts.write(db, tenant)?;
    Ok(value)
}

impl CountChanges {
    pub(crate) fn inserted(&mut self, status: &str, account: Option<i64>) {
        self.add_status(status, 1);
        self.add_account(account, 1);
    }

    /// Deletes leads by a statement that returns their row numbers, statuses and accounts, and returns how many.
    pub(super) fn delete(
        &mut self,
        db: Db<'_>,
        tenant: Tenant,
        sql: &'static str,
        params: Params<'_>,
    ) -> Result<usize, StoreError> {
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let deleted: Vec<(i64, String, Option<i64>)> = db.rows(sql, params, read)?;
        for (lead, status, account) in &deleted {
            db.touch(tenant, ChangeKind::ALL, *lead);
            self.add_status(status, -1);
            self.add_account(*account, -1);
        }
        Ok(deleted.len())
    }

    pub(crate) fn decided(&mut self, from: &str, to: &str) {
        self.add_status(from, -1);
        self.add_status(to, 1);
    }

    pub(crate) fn moved(&mut self, from: Option<i64>, to: Option<i64>) {
        self.add_account(from, -1);
        self.add_account(to, 1);
    }

    fn add_status(&mut self, status: &str, leads: i64) {
        match self.by_status.get_mut(status) {
            Some(count) => *count += leads,
            None => _ = self.by_status.insert(status.to_owned(), leads),
        }
    }

    fn add_account(&mut self, account: Option<i64>, leads: i64) {
        if let Some(account) = account {
            *self.by_account.entry(account).or_default() += leads;
        }
    }

    fn write(self, db: Db<'_>, tenant: Tenant) -> Result<(), StoreError> {
        for (status, leads) in self.by_status.iter().filter(|(_, leads)| **leads != 0) {
            db.execute(
                "INSERT INTO status_counts (tenant, approval_status, leads) VALUES (?1, ?2, ?3)
                 ON CONFLICT (tenant, approval_status)
                 DO UPDATE SET leads = status_counts.leads + excluded.leads",
                params![tenant.0, status, leads],
            )?;
        }
        for (account, leads) in self.by_account.iter().filter(|(_, leads)| **leads != 0) {
            let sql =
                "UPDATE accounts SET lead_count = lead_count + ?3 WHERE tenant = ?1 AND id = ?2";
            db.execute(sql, params![tenant.0, account, leads])?;
            db.touch(tenant, ChangeKind::ACCOUNT, *account);
        }
        Ok(())
    }
}
