//! The rows that a batch is about: those that its lines match, and those that it adds.

use std::collections::HashSet;

use uuid::Uuid;

use super::matches::{Line, Matches};
use crate::store::db::{Db, List, Row, params};
use crate::store::insert::{
    AccountRow, CampaignLeadRow, LeadRow, NewLead, NewRow, NewRows, RowNumbers, columns, leads_with,
};
use crate::store::{StoreError, Tenant};

pub(super) struct BatchRows<'a> {
    tenant: Tenant,
    at: &'a str,
    pub matches: Matches,
    /// The lists that leads are on, and their campaigns.
    list_items: HashSet<(i64, String)>,
    campaign_leads: HashSet<(i64, String)>,
    new: NewRows<'a>,
    account_numbers: RowNumbers,
    lead_numbers: RowNumbers,
    /// The accounts that the unwritten rows are or refer to.
    unwritten_accounts: HashSet<i64>,
    /// Whether the batch has changed a known account, which all of its leads show.
    pub has_changed_account: bool,
}

impl<'a> BatchRows<'a> {
    /// Reads what the lines match. `at` is when rows are added.
    pub(super) fn read(
        db: Db<'_>,
        tenant: Tenant,
        at: &'a str,
        lines: &[Line<'_>],
    ) -> Result<Self, StoreError> {
        let matches = Matches::read(db, tenant, lines)?;
        let leads = List::integers(matches.leads());
        let of_leads = |sql| {
            let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
            match matches.leads().next() {
                Some(_) => db.rows(sql, params![tenant.0, leads], read),
                None => Ok(HashSet::new()),
            }
        };
        Ok(Self {
            tenant,
            at,
            list_items: of_leads(
                "SELECT lead, list_id FROM list_items
                 WHERE tenant = ?1 AND lead IN (SELECT value FROM json_each(?2))",
            )?,
            campaign_leads: of_leads(
                "SELECT lead, campaign_id FROM campaign_leads
                 WHERE tenant = ?1 AND lead IN (SELECT value FROM json_each(?2))",
            )?,
            matches,
            new: NewRows::new(tenant),
            account_numbers: RowNumbers::new("accounts", lines.len()),
            lead_numbers: RowNumbers::new("leads", lines.len()),
            unwritten_accounts: HashSet::new(),
            has_changed_account: false,
        })
    }

    /// Returns the known lead of a line. One that the batch has added is written and read first.
    pub(super) fn find_lead(
        &mut self,
        db: Db<'_>,
        line: &Line<'_>,
    ) -> Result<Option<i64>, StoreError> {
        let Some(lead) = self.matches.find_lead(line) else {
            return Ok(None);
        };
        if self.matches.lead(lead).is_none() {
            self.write(db)?;
            for known in leads_with(db, self.tenant, "id", &List::integers([lead]))? {
                self.matches.put_lead(known);
            }
        }
        Ok(Some(lead))
    }

    /// Adds an account, and returns its row number.
    pub(super) fn add_account(&mut self, db: Db<'_>, row: AccountRow) -> Result<i64, StoreError> {
        let account = self.account_numbers.next(db)?;
        self.unwritten_accounts.insert(account);
        self.matches.put_account(account, row.clone());
        self.new.add_account(account, row);
        Ok(account)
    }

    /// Adds a lead, and returns its row number.
    pub(super) fn add_lead(
        &mut self,
        db: Db<'_>,
        row: LeadRow,
        approval_status: &'static str,
        account: Option<i64>,
        campaign_lead_status: Option<&'static str>,
    ) -> Result<i64, StoreError> {
        let lead = self.lead_numbers.next(db)?;
        self.unwritten_accounts.extend(account);
        self.matches.add_lead(lead, &row);
        let company = account.and_then(|account| Some((account, self.matches.account(account)?)));
        let new = NewLead {
            row,
            approval_status,
            account: company,
            more: columns! { campaign_lead_status: campaign_lead_status },
        };
        self.new.add_lead(lead, new);
        Ok(lead)
    }

    /// Puts a lead on a list. Returns whether it was not on it.
    pub(super) fn add_list_item(&mut self, lead: i64, list_id: &str) -> bool {
        let is_new = self.list_items.insert((lead, list_id.to_owned()));
        if is_new {
            let columns = columns! {
                list_id: list_id.to_owned(),
                item_id: format!("item_{}", Uuid::now_v7().simple()),
                added_at: self.at,
            };
            self.new.add(NewRow::ListItem, lead, columns);
        }
        is_new
    }

    /// Puts a lead into a campaign. Returns whether it was not in it.
    pub(super) fn add_campaign_lead(&mut self, lead: i64, row: CampaignLeadRow) -> bool {
        let is_new = self.campaign_leads.insert((lead, row.campaign_id.clone()));
        if is_new {
            self.new.add_campaign_lead(lead, row);
        }
        is_new
    }

    /// Writes the rows that are new, if an account or one of its leads is among them.
    pub(super) fn write_account(&mut self, db: Db<'_>, account: i64) -> Result<(), StoreError> {
        match self.unwritten_accounts.contains(&account) {
            true => self.write(db),
            false => Ok(()),
        }
    }

    pub(super) fn write(&mut self, db: Db<'_>) -> Result<(), StoreError> {
        self.unwritten_accounts.clear();
        self.new.write(db)
    }
}
