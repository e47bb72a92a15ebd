//! Rows that a change adds, written together: one statement for each table instead of one for each row.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use lead_workspace_index::ChangeKind;

use super::Columns;
use crate::store::custom_keys;
use crate::store::db::{AcrossWorkspaces, Db, Fixed, List, On, params};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

/// A table, in the order in which the tables are written: each after those that its rows refer to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NewRow {
    Account,
    AccountListItem,
    AccountScore,
    Lead,
    ListItem,
    LeadScore,
    Intent,
    CampaignLead,
    Chat,
    Nurture,
}

impl NewRow {
    /// Returns the table, its column with the row number of the lead or account, and what a new row changes of these.
    fn table(self) -> (&'static str, &'static str, Option<ChangeKind>) {
        match self {
            Self::Account => ("accounts", "id", Some(ChangeKind::ACCOUNT_ROW)),
            Self::AccountListItem => (
                "account_list_items",
                "account",
                Some(ChangeKind::ACCOUNT_LIST),
            ),
            Self::AccountScore => ("account_scores", "account", None),
            Self::Lead => ("leads", "id", Some(ChangeKind::LEAD_ROW)),
            Self::ListItem => ("list_items", "lead", Some(ChangeKind::LIST)),
            Self::LeadScore => ("lead_scores", "lead", None),
            Self::Intent => ("intents", "lead", Some(ChangeKind::INTENT)),
            Self::CampaignLead => ("campaign_leads", "lead", Some(ChangeKind::CAMPAIGN)),
            Self::Chat => ("chats", "lead", None),
            Self::Nurture => ("nurtures", "lead", None),
        }
    }
}

/// The rows, until they are written. All those of a table have the same columns.
pub(crate) struct NewRows<'a> {
    tenant: Tenant,
    rows: BTreeMap<NewRow, Rows<'a>>,
    /// The accounts of the new leads.
    pub(super) accounts_of_leads: HashSet<i64>,
    /// The custom fields of the new leads.
    pub(super) custom_keys: BTreeSet<String>,
}

/// Rows of one table, and what they are about.
#[derive(Default)]
struct Rows<'a> {
    about: Vec<i64>,
    columns: Vec<Columns<'a>>,
}

impl<'a> NewRows<'a> {
    pub(crate) fn new(tenant: Tenant) -> Self {
        Self {
            tenant,
            rows: BTreeMap::new(),
            accounts_of_leads: HashSet::new(),
            custom_keys: BTreeSet::new(),
        }
    }

    /// Adds a row about a lead or an account, which is given by its row number. `columns` are the others.
    pub(crate) fn add(&mut self, row: NewRow, about: i64, columns: Columns<'a>) {
        let (_, key, _) = row.table();
        let columns = columns.with(key, about).with("tenant", self.tenant.0);
        let rows = self.rows.entry(row).or_default();
        rows.about.push(about);
        rows.columns.push(columns);
    }

    /// Writes the rows.
    pub(crate) fn write(&mut self, db: Db<'_>) -> Result<(), StoreError> {
        // An account has the number of its leads.
        for account in self.accounts_of_leads.drain() {
            db.touch(self.tenant, ChangeKind::ACCOUNT, account);
        }
        custom_keys::add(db, self.tenant, &std::mem::take(&mut self.custom_keys))?;
        for (row, rows) in std::mem::take(&mut self.rows) {
            let (table, _, changes) = row.table();
            if let Some(kind) = changes {
                for about in rows.about {
                    db.touch(self.tenant, kind, about);
                }
            }
            Columns::insert_all(db, table, &rows.columns)?;
            if let NewRow::Account | NewRow::Lead = row {
                analyze_if_small(db, table)?;
            }
        }
        Ok(())
    }
}

/// Has PostgreSQL count the rows of a table while they are few, before others refer to them.
///
/// It plans the check of a foreign key once per connection. For a table that it takes for empty, any index that
/// begins with the workspace seems good, so each check would read all rows of the workspace. By itself it counts rows
/// once a minute, in which an import adds many thousands.
fn analyze_if_small(db: Db<'_>, table: &str) -> Result<(), StoreError> {
    let On::Postgres(session) = db.on else {
        return Ok(());
    };
    // Citus would do it on all servers at once, and this transaction could read no table of all workspaces after it.
    if db.has_citus() {
        return Ok(());
    }
    let sql = "SELECT reltuples < ?1 FROM pg_class WHERE oid = to_regclass(?2)";
    match db.value(sql, params![FEW, table])? {
        true => session.batch(&format!("ANALYZE (SKIP_LOCKED) {table}")),
        false => Ok(()),
    }
}

/// The number of rows from which PostgreSQL knows enough about a table.
const FEW: f64 = 1000.0;

/// Numbers for new rows of a table, which no other row has. On SQLite the number of a deleted row is given again if it
/// was the highest.
pub(crate) struct RowNumbers {
    table: &'static str,
    /// How many are needed at most.
    most: usize,
    free: std::vec::IntoIter<i64>,
}

/// How many numbers are taken from PostgreSQL at once. Those that are not needed are lost.
const AT_ONCE: usize = 32;

impl RowNumbers {
    pub(crate) fn new(table: &'static str, most: usize) -> Self {
        Self {
            table,
            most,
            free: Vec::new().into_iter(),
        }
    }

    pub(crate) fn next(&mut self, db: Db<'_>) -> Result<i64, StoreError> {
        if self.free.len() == 0 {
            self.free = self.take(db)?.into_iter();
        }
        let next = self.free.next();
        next.ok_or_else(|| StoreError::Unexpected("more new rows than announced".into()))
    }

    fn take(&self, db: Db<'_>) -> Result<Vec<i64>, StoreError> {
        let (table, most) = (self.table, self.most);
        let (sql, count) = match db.on {
            // Those that SQLite would give: in a change, no one else adds rows.
            On::Sqlite(_) => (
                format!(
                    "SELECT (SELECT coalesce(max(id), 0) FROM {table}) + value FROM json_each(?1)"
                ),
                most,
            ),
            On::Postgres(_) => (
                format!(
                    "SELECT nextval(pg_get_serial_sequence('{table}', 'id')) FROM json_each(?1)"
                ),
                most.min(AT_ONCE),
            ),
        };
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        let counted = List::integers(1..=count);
        db.rows(AcrossWorkspaces(&Fixed(sql)), params![counted], |row| {
            row.get(0)
        })
    }
}
