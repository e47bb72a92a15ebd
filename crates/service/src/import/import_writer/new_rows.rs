//! Rows that a batch adds. They are written together, with few statements.

use std::collections::HashSet;

use lead_workspace_index::ChangeKind;
use lead_workspace_logic::fold;

use crate::store::db::{AcrossWorkspaces, Db, Fixed, List, On, Row, params};
use crate::store::insert::{
    AccountRow, CampaignLeadRow, Columns, NewLead, columns, insert_accounts, insert_campaign_leads,
    insert_leads,
};
use crate::store::{StoreError, Tenant};

/// The rows, until they are written. A line may be about one of them, such as the second lead of a new company:
/// [`write`](Self::write) them before that line is matched.
pub(super) struct NewRows<'a> {
    tenant: Tenant,
    at: &'a str,
    accounts: Vec<(i64, AccountRow)>,
    leads: Vec<NewLead>,
    campaign_leads: Vec<(i64, CampaignLeadRow)>,
    list_items: Vec<ListItem>,
    /// What the accounts and leads would be matched by.
    keys: HashSet<(Key, String)>,
    account_numbers: RowNumbers,
    lead_numbers: RowNumbers,
    /// Whether the batch has changed a known account, which all of its leads show.
    pub has_changed_account: bool,
}

#[derive(PartialEq, Eq, Hash)]
enum Key {
    Lead,
    Email,
    Account,
    Domain,
    Name,
}

struct ListItem {
    lead: i64,
    list_id: String,
    item_id: String,
}

impl<'a> NewRows<'a> {
    /// `at` is when they are added, `lines` how many lines there are at most.
    pub(super) fn new(tenant: Tenant, at: &'a str, lines: usize) -> Self {
        Self {
            tenant,
            at,
            accounts: Vec::new(),
            leads: Vec::new(),
            campaign_leads: Vec::new(),
            list_items: Vec::new(),
            keys: HashSet::new(),
            account_numbers: RowNumbers::new("accounts", lines),
            lead_numbers: RowNumbers::new("leads", lines),
            has_changed_account: false,
        }
    }

    /// Returns whether a lead with this profile or e-mail address is among the rows.
    pub(super) fn has_lead(&self, identity: Option<&str>, email: Option<&str>) -> bool {
        self.has(Key::Lead, identity) || self.has(Key::Email, email)
    }

    /// Returns whether an account that matches may be among the rows.
    pub(super) fn may_have_account(&self, imported: &AccountRow) -> bool {
        self.has(Key::Account, imported.identity.as_deref())
            || self.has(Key::Domain, imported.domain.as_deref())
            || self.has(Key::Name, imported.name.as_deref().map(fold).as_deref())
    }

    fn has(&self, kind: Key, text: Option<&str>) -> bool {
        !self.keys.is_empty()
            && text.is_some_and(|text| self.keys.contains(&(kind, text.to_owned())))
    }

    fn note(&mut self, kind: Key, text: Option<&String>) {
        self.keys.extend(text.map(|text| (kind, text.clone())));
    }

    /// Adds an account, and returns its row number.
    pub(super) fn add_account(&mut self, db: Db<'_>, row: AccountRow) -> Result<i64, StoreError> {
        let id = self.account_numbers.next(db)?;
        self.note(Key::Account, row.identity.as_ref());
        self.note(Key::Domain, row.domain.as_ref());
        self.note(Key::Name, row.name.as_deref().map(fold).as_ref());
        self.accounts.push((id, row));
        Ok(id)
    }

    /// Returns the row number for a new lead.
    pub(super) fn lead_number(&mut self, db: Db<'_>) -> Result<i64, StoreError> {
        self.lead_numbers.next(db)
    }

    pub(super) fn add_lead(&mut self, lead: NewLead) {
        self.note(Key::Lead, lead.row.identity.as_ref());
        self.note(Key::Email, lead.row.email.as_ref());
        self.leads.push(lead);
    }

    pub(super) fn add_list_item(&mut self, lead: i64, list_id: String, item_id: String) {
        self.list_items.push(ListItem {
            lead,
            list_id,
            item_id,
        });
    }

    pub(super) fn add_campaign_lead(&mut self, lead: i64, row: CampaignLeadRow) {
        self.campaign_leads.push((lead, row));
    }

    /// Writes the rows. Those that refer to others come after them.
    pub(super) fn write(&mut self, db: Db<'_>) -> Result<(), StoreError> {
        insert_accounts(db, self.tenant, &self.accounts)?;
        insert_leads(db, self.tenant, &self.leads)?;
        insert_campaign_leads(db, self.tenant, &self.campaign_leads)?;
        for item in &self.list_items {
            db.touch(self.tenant, ChangeKind::LIST, item.lead);
        }
        let items = self.list_items.iter().map(|item| {
            columns! {
                lead: item.lead,
                tenant: self.tenant.0,
                list_id: &item.list_id,
                item_id: &item.item_id,
                added_at: self.at,
            }
        });
        // A line may name a list twice.
        Columns::insert_missing(db, "list_items", &items.collect::<Vec<_>>())?;
        self.accounts.clear();
        self.leads.clear();
        self.campaign_leads.clear();
        self.list_items.clear();
        self.keys.clear();
        Ok(())
    }
}

/// Numbers for new rows of a table, which are not used for others.
struct RowNumbers {
    table: &'static str,
    /// How many are needed at most.
    most: usize,
    free: std::vec::IntoIter<i64>,
}

/// How many numbers are taken from PostgreSQL at once. Those that are not needed are lost.
const AT_ONCE: usize = 32;

impl RowNumbers {
    fn new(table: &'static str, most: usize) -> Self {
        Self {
            table,
            most,
            free: Vec::new().into_iter(),
        }
    }

    fn next(&mut self, db: Db<'_>) -> Result<i64, StoreError> {
        if self.free.len() == 0 {
            self.free = self.take(db)?.into_iter();
        }
        let next = self.free.next();
        next.ok_or_else(|| StoreError::Unexpected("more new rows than lines".into()))
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
        let read = |row: &Row<'_>| row.get(0);
        db.rows(AcrossWorkspaces(&Fixed(sql)), params![counted], read)
    }
}
