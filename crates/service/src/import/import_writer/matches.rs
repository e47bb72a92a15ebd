//! Finds the lead and the account of a line, among those that are known and those that the batch adds.

use std::collections::{BTreeSet, HashMap};

use lead_workspace_import::{Draft, account_of, identity};

use crate::fold;
use crate::store::db::{Db, List};
use crate::store::insert::{AccountRow, KnownLead, LeadRow, accounts_with, leads_with};
use crate::store::{StoreError, Tenant};

/// A line, with what its lead and its account are matched by.
pub(super) struct Line<'a> {
    pub draft: &'a Draft,
    pub identity: Option<String>,
    pub company: Option<AccountRow>,
}

/// What a lead or an account is matched by.
#[derive(Clone, Copy)]
enum Key {
    /// The profile of a lead, or what it has instead.
    Lead,
    /// The e-mail address of a lead without a profile, and of one with a profile.
    Email,
    EmailOfProfile,
    /// The page of an account on the network.
    Account,
    Domain,
    Name,
}

/// The leads and accounts that lines may match, by their row numbers.
#[derive(Default)]
pub(super) struct Matches {
    leads: HashMap<i64, KnownLead>,
    accounts: HashMap<i64, AccountRow>,
    /// The row numbers with a text, in order, for each [`Key`].
    keys: [HashMap<String, Vec<i64>>; 6],
}

impl<'a> Line<'a> {
    pub(super) fn of(draft: &'a Draft, at: &str) -> Self {
        let company = draft.company.as_ref();
        Self {
            draft,
            identity: identity(draft),
            company: company.map(|company| account_of(company, at)),
        }
    }

    pub(super) fn email(&self) -> Option<&String> {
        self.draft.lead.email.as_ref()
    }
}

impl Matches {
    /// Reads those that are known, with one statement for each way to match. A line whose profile or page is found
    /// is not looked for in another way: a lead with an e-mail address, and an account, keep what they were found by.
    pub(super) fn read(db: Db<'_>, tenant: Tenant, lines: &[Line<'_>]) -> Result<Self, StoreError> {
        let mut matches = Self::default();
        let identities = lines.iter().filter_map(|line| line.identity.clone());
        for lead in leads_with(db, tenant, "identity", &List::texts(identities))? {
            matches.put_lead(lead);
        }
        let others = lines.iter().filter(|line| {
            let mut same = matches.with(Key::Lead, line.identity.as_ref());
            same.next().is_none()
        });
        let emails = List::texts(others.filter_map(|line| line.email().cloned()));
        for lead in leads_with(db, tenant, "email", &emails)? {
            matches.put_lead(lead);
        }
        let companies = lines.iter().filter_map(|line| line.company.as_ref());
        let pages = companies
            .clone()
            .filter_map(|company| company.identity.clone());
        matches.read_accounts(db, tenant, "identity", pages.collect())?;
        let others = companies.filter(|company| {
            let mut same = matches.with(Key::Account, company.identity.as_ref());
            same.next().is_none()
        });
        let others: Vec<_> = others.collect();
        let domains = others.iter().filter_map(|company| company.domain.clone());
        matches.read_accounts(db, tenant, "domain", domains.collect())?;
        let names = others
            .iter()
            .filter_map(|company| company.name.as_deref().map(fold));
        matches.read_accounts(db, tenant, "name_key", names.collect())?;
        Ok(matches)
    }

    /// Reads accounts. Many lines may have the same text.
    fn read_accounts(
        &mut self,
        db: Db<'_>,
        tenant: Tenant,
        column: &str,
        texts: BTreeSet<String>,
    ) -> Result<(), StoreError> {
        for (account, row) in accounts_with(db, tenant, column, &List::texts(texts))? {
            self.put_account(account, row);
        }
        Ok(())
    }

    pub(super) fn leads(&self) -> impl Iterator<Item = i64> {
        self.leads.keys().copied()
    }

    /// Returns a known lead.
    pub(super) fn lead(&self, lead: i64) -> Option<&KnownLead> {
        self.leads.get(&lead)
    }

    pub(super) fn account(&self, account: i64) -> Option<&AccountRow> {
        self.accounts.get(&account)
    }

    /// Notes a lead that is known, as it is now.
    pub(super) fn put_lead(&mut self, lead: KnownLead) {
        let (id, keys) = (lead.lead, keys_of_lead(&lead.row));
        let before = self.leads.insert(id, lead);
        self.set_keys(id, before.map(|lead| keys_of_lead(&lead.row)), keys);
    }

    /// Notes a lead that is added.
    pub(super) fn add_lead(&mut self, lead: i64, row: &LeadRow) {
        self.set_keys(lead, None, keys_of_lead(row));
    }

    /// Notes an account that is known or added, as it is now.
    pub(super) fn put_account(&mut self, account: i64, row: AccountRow) {
        let keys = keys_of_account(&row);
        let before = self.accounts.insert(account, row);
        self.set_keys(account, before.map(|row| keys_of_account(&row)), keys);
    }

    fn set_keys<const N: usize>(
        &mut self,
        id: i64,
        before: Option<[(Key, Option<String>); N]>,
        after: [(Key, Option<String>); N],
    ) {
        for (key, text) in before.into_iter().flatten() {
            if let Some(ids) = text.and_then(|text| self.keys[key as usize].get_mut(&text)) {
                ids.retain(|known| *known != id);
            }
        }
        for (key, text) in after {
            if let Some(text) = text {
                let ids = self.keys[key as usize].entry(text).or_default();
                ids.insert(ids.partition_point(|known| *known < id), id);
            }
        }
    }

    /// Returns the row numbers with this key, in order.
    fn with(&self, key: Key, text: Option<&String>) -> impl Iterator<Item = i64> {
        let ids = text.and_then(|text| self.keys[key as usize].get(text));
        ids.into_iter().flatten().copied()
    }

    /// Finds the lead with the profile of a line, or else the one with its e-mail address.
    ///
    /// A lead with a different profile does not match by e-mail: addresses such as `info@` are shared.
    pub(super) fn find_lead(&self, line: &Line<'_>) -> Option<i64> {
        let by_identity = self.with(Key::Lead, line.identity.as_ref()).next();
        by_identity.or_else(|| {
            let without_profile = self.with(Key::Email, line.email());
            match line.identity {
                Some(_) => without_profile.min(),
                None => without_profile
                    .chain(self.with(Key::EmailOfProfile, line.email()))
                    .min(),
            }
        })
    }

    /// Finds the account of a company: by its page on the network, then by its domain, then by its name if page
    /// and domain do not contradict.
    pub(super) fn find_account(&self, company: &AccountRow) -> Option<i64> {
        let same_page = |known: &AccountRow| agree(&known.identity, &company.identity);
        let same_site = |known: &AccountRow| agree(&known.domain, &company.domain);
        let by_page = self.with(Key::Account, company.identity.as_ref()).next();
        let by_domain = || {
            let first = self.with(Key::Domain, company.domain.as_ref()).next();
            first.filter(|account| self.account(*account).is_some_and(same_page))
        };
        let by_name = || {
            let name = company.name.as_deref().map(fold);
            self.with(Key::Name, name.as_ref()).find(|account| {
                self.account(*account)
                    .is_some_and(|known| same_page(known) && same_site(known))
            })
        };
        by_page.or_else(by_domain).or_else(by_name)
    }
}

/// Whether two values may be of the same company.
fn agree(one: &Option<String>, other: &Option<String>) -> bool {
    one.is_none() || other.is_none() || one == other
}

fn keys_of_lead(row: &LeadRow) -> [(Key, Option<String>); 2] {
    let email = match row.profile_url {
        Some(_) => Key::EmailOfProfile,
        None => Key::Email,
    };
    [
        (Key::Lead, row.identity.clone()),
        (email, row.email.clone()),
    ]
}

fn keys_of_account(row: &AccountRow) -> [(Key, Option<String>); 3] {
    [
        (Key::Account, row.identity.clone()),
        (Key::Domain, row.domain.clone()),
        (Key::Name, row.name.as_deref().map(fold)),
    ]
}
