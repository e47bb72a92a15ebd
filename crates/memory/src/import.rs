//! Adds the leads of a file, as an import of the service does, and scores them at once.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::Cursor;

use jiff::Timestamp;
use lead_workspace_api::NewApprovalStatus;
use lead_workspace_api::import::{ImportCounts, ImportLineError, ImportReport};
use lead_workspace_demo::{Campaign, CampaignLead, ListItem, Named, Outreach, id};
use lead_workspace_import::{
    Draft, FileError, Lines, ReadOptions, account_of, encoding, identity, merge,
};
use lead_workspace_index::ChangeKind;
use lead_workspace_logic::rows::{AccountRow, LeadRow};
use lead_workspace_logic::{fold, iso};

use crate::Workspace;
use crate::records::{Account, Lead};

/// Limit on the leads of a workspace. An import compares each of its leads with all of them.
const MAX_LEADS: usize = 10_000;

/// Ids of demo records are made from smaller numbers.
const FIRST_ID: u64 = 1 << 40;

impl Workspace {
    /// Adds the leads of a CSV, JSON or JSONL file in UTF-8. A lead that exists is updated, except for its decision.
    ///
    /// # Errors
    /// If nothing can be imported from the file.
    pub fn import(
        &mut self,
        file_name: &str,
        text: &str,
        now: Timestamp,
    ) -> Result<ImportReport, FileError> {
        let file = encoding::open(Cursor::new(text.to_owned()))?;
        let mut lines = Lines::open(file, &ReadOptions::default())?;
        let import_job_id = self.new_id("import", now);
        self.changed(ChangeKind::ALL);
        let mut report = ImportReport::default();
        let mut accounts = BTreeSet::new();
        while let Some(line) = lines.next_draft()? {
            let written = line.and_then(|draft| self.add(&draft, &import_job_id, now));
            match written {
                Ok((counts, account)) => {
                    report.counts += counts;
                    accounts.extend(account);
                }
                Err(error) => {
                    report.counts.failed += 1;
                    if report.first_errors.len() < ImportReport::FIRST_ERRORS {
                        report.first_errors.push(error);
                    }
                }
            }
        }
        if report.counts.inserted + report.counts.updated > 0 {
            self.demo.catalog.imports.push(Named {
                id: import_job_id.clone(),
                name: Cow::Owned(file_name.to_owned()),
                created_at: now,
            });
            report.import_job_id = Some(import_job_id);
        }
        self.add_custom_keys();
        let scored_at = iso(now);
        for at in 0..self.accounts.len() {
            if accounts.contains(&self.accounts[at].number) {
                self.score_account(at, None, now, &scored_at);
            }
        }
        self.commit(now);
        Ok(report)
    }

    /// Adds or updates the lead of a line. Returns what was done, and the number of its account.
    fn add(
        &mut self,
        draft: &Draft,
        import_job_id: &str,
        now: Timestamp,
    ) -> Result<(ImportCounts, Option<i64>), ImportLineError> {
        let identity = identity(draft);
        let known = self.find_imported(identity.as_deref(), draft.lead.email.as_deref());
        if known.is_none() && self.leads.len() >= MAX_LEADS {
            return Err(ImportLineError {
                line: draft.line,
                reason: format!("the workspace has {MAX_LEADS} leads, which is its limit"),
            });
        }
        let company = draft.company.as_ref();
        let account = company.map(|company| self.imported_account(company, now));
        let mut counts = ImportCounts::default();
        let at = known.unwrap_or_else(|| self.add_empty(import_job_id, now));
        let lists = self.imported_lists(&draft.lists, at, now);
        let campaign = draft.campaign.as_deref();
        let campaign = campaign.and_then(|name| self.imported_campaign(name, at, now));
        let lead = &mut self.leads[at];
        let row = merge(&lead.row, draft, identity);
        let status = draft
            .status
            .and_then(|status| status.parse().ok())
            .filter(|_| lead.status == NewApprovalStatus::PendingApproval)
            .unwrap_or(lead.status);
        let (number, before) = (lead.number, lead.account);
        let account = account.or(before);
        let is_same = row == lead.row
            && status == lead.status
            && account == lead.account
            && lists.is_empty()
            && campaign.is_none();
        let mut kind = ChangeKind::LEAD;
        for (is_changed, more) in [
            (status != lead.status, ChangeKind::STATUS),
            (!lists.is_empty(), ChangeKind::LIST),
            (campaign.is_some(), ChangeKind::CAMPAIGN),
        ] {
            if is_changed {
                kind = kind.or(more);
            }
        }
        match known {
            None => counts.inserted += 1,
            Some(_) if is_same => counts.unchanged += 1,
            Some(_) => counts.updated += 1,
        }
        (lead.row, lead.status, lead.account) = (row, status, account);
        lead.lists.extend(lists);
        if campaign.is_some() {
            lead.outreach.campaign = campaign;
        }
        self.move_lead(number, before, account);
        self.score_lead(at, now, &iso(now));
        if known.is_none() {
            self.note_added(number);
        } else if !is_same {
            self.note_lead(number, kind.or(ChangeKind::SCORE));
        }
        if !is_same {
            for account in before.into_iter().chain(account) {
                self.note_account(account);
            }
        }
        Ok((counts, account))
    }

    /// Finds the lead with this profile, or else the one with this e-mail address. A lead with another profile does not
    /// match by e-mail: addresses such as `info@` are shared.
    fn find_imported(&self, identity: Option<&str>, email: Option<&str>) -> Option<usize> {
        let position = |matches: &dyn Fn(&LeadRow) -> bool| {
            self.leads.iter().position(|lead| matches(&lead.row))
        };
        let by_profile =
            identity.and_then(|_| position(&|row: &LeadRow| row.identity.as_deref() == identity));
        by_profile.or_else(|| {
            email?;
            position(&|row: &LeadRow| {
                row.email.as_deref() == email && (identity.is_none() || row.profile_url.is_none())
            })
        })
    }

    fn add_empty(&mut self, import_job_id: &str, now: Timestamp) -> usize {
        let row = LeadRow {
            lead_id: self.new_id("lead", now),
            created_at: iso(now),
            profile_data: Some("{}".into()),
            custom_data: Some("{}".into()),
            import_job_id: Some(import_job_id.to_owned()),
            ..LeadRow::default()
        };
        self.leads.push(Lead {
            number: self.leads.last().map_or(1, |last| last.number + 1),
            row,
            account: None,
            status: NewApprovalStatus::PendingApproval,
            icp_score: 0.0,
            icp_tier: "D",
            scores: Vec::new(),
            lists: Vec::new(),
            intents: Vec::new(),
            outreach: Outreach::default(),
        });
        self.leads.len() - 1
    }

    /// Returns the number of a company's account; adds one if there is none. Missing values of a known account are
    /// filled in.
    fn imported_account(&mut self, company: &AccountRow, now: Timestamp) -> i64 {
        let mut row = account_of(company, &iso(now));
        if let Some(at) = self.find_company(&row) {
            let known = &mut self.accounts[at];
            known.row = known.row.or(&row);
            return known.number;
        }
        row.account_id = self.new_id("acc", now);
        let number = self.accounts.last().map_or(1, |last| last.number + 1);
        self.accounts.push(Account {
            number,
            name_key: row.name.as_deref().map(fold),
            row,
            leads: BTreeSet::new(),
            lists: Vec::new(),
            score: None,
            scores: Vec::new(),
        });
        number
    }

    /// Finds an account by its page on the network, then by its domain, then by its name if page and domain do not
    /// contradict.
    fn find_company(&self, row: &AccountRow) -> Option<usize> {
        let agree = |a: &Option<String>, b: &Option<String>| a.is_none() || b.is_none() || a == b;
        let agrees = |known: &Account| agree(&known.row.identity, &row.identity);
        let has_page =
            |known: &Account| row.identity.is_some() && known.row.identity == row.identity;
        let has_domain = |known: &Account| {
            row.domain.is_some() && known.row.domain == row.domain && agrees(known)
        };
        let name = row.name.as_deref().map(fold);
        let has_name = |known: &Account| {
            name.is_some()
                && known.name_key == name
                && agrees(known)
                && agree(&known.row.domain, &row.domain)
        };
        let position = |matches: &dyn Fn(&Account) -> bool| self.accounts.iter().position(matches);
        position(&has_page)
            .or_else(|| position(&has_domain))
            .or_else(|| position(&has_name))
    }

    /// Returns the entries of lists that a lead is not on yet. A list that is missing is created.
    fn imported_lists(&mut self, names: &[String], lead: usize, now: Timestamp) -> Vec<ListItem> {
        let mut items = Vec::new();
        for name in names {
            let lists = &self.demo.catalog.lists;
            let found = lists.iter().position(|list| fold(&list.name) == fold(name));
            let list = found.unwrap_or_else(|| {
                let named = self.new_named("list", name, now);
                self.demo.catalog.lists.push(named);
                self.demo.catalog.lists.len() - 1
            });
            let known = self.leads[lead].lists.iter().chain(&items);
            if !known.into_iter().any(|item| item.list == list) {
                let item_id = self.new_id("item", now);
                items.push(ListItem { list, item_id });
            }
        }
        items
    }

    /// Returns the membership in a campaign, for a lead without one. A campaign that is missing is created.
    fn imported_campaign(
        &mut self,
        name: &str,
        lead: usize,
        now: Timestamp,
    ) -> Option<CampaignLead> {
        if self.leads[lead].outreach.campaign.is_some() {
            return None;
        }
        let campaigns = &self.demo.catalog.campaigns;
        let mut found = campaigns.iter().map(|campaign| &campaign.named);
        let found = found.find(|named| fold(&named.name) == fold(name));
        let campaign_id = found.map(|named| named.id.clone()).unwrap_or_else(|| {
            let named = self.new_named("campaign", name, now);
            let campaign_id = named.id.clone();
            let status = "draft";
            self.demo.catalog.campaigns.push(Campaign { named, status });
            campaign_id
        });
        Some(CampaignLead {
            campaign_id,
            campaign_lead_id: self.new_id("campaign_lead", now),
            status: "pending",
            connection: "none",
            replied: false,
            current_node: None,
            rate_limited_by: None,
            has_pending_approval: false,
            sender_name: None,
            network_account: None,
            created_at: now,
        })
    }

    fn new_named(&mut self, prefix: &str, name: &str, now: Timestamp) -> Named {
        Named {
            id: self.new_id(prefix, now),
            name: Cow::Owned(name.to_owned()),
            created_at: now,
        }
    }

    fn new_id(&mut self, prefix: &str, now: Timestamp) -> String {
        self.imported_ids += 1;
        id(self.options.seed, prefix, FIRST_ID + self.imported_ids, now)
    }
}

#[cfg(test)]
#[path = "import_tests.rs"]
mod tests;
