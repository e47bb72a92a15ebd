//! What changed between two versions of a workspace, and how its stream of changes reports it.

use std::collections::{BTreeMap, BTreeSet};

use lead_workspace_api::{Change, MAX_CHANGED_IDS};

use crate::ChangeKind;

/// Kinds of changes of leads, as the stream names them. That of a decision has the status, too.
const LEAD_KINDS: [(ChangeKind, &str); 5] = [
    (ChangeKind::SCORE, "score"),
    (ChangeKind::LEAD, "fields"),
    (ChangeKind::LIST, "lists"),
    (ChangeKind::CAMPAIGN, "campaigns"),
    (ChangeKind::INTENT, "signals"),
];

/// Leads and accounts that changed, by their row numbers.
#[derive(Clone, Debug)]
pub struct ChangedRows<N> {
    added: BTreeSet<N>,
    /// What of each lead has changed.
    leads: BTreeMap<N, ChangeKind>,
    /// With their ids. A later lead may have the number again.
    deleted: Vec<(N, String)>,
    accounts: BTreeSet<N>,
}

impl<N> Default for ChangedRows<N> {
    fn default() -> Self {
        Self {
            added: BTreeSet::new(),
            leads: BTreeMap::new(),
            deleted: Vec::new(),
            accounts: BTreeSet::new(),
        }
    }
}

impl<N: Copy + Ord> ChangedRows<N> {
    /// Notes a new lead.
    pub fn add_lead(&mut self, lead: N) {
        self.added.insert(lead);
    }

    /// Notes what of a lead has changed.
    pub fn change_lead(&mut self, lead: N, kind: ChangeKind) {
        let known = self.leads.entry(lead).or_insert(kind);
        *known = known.or(kind);
    }

    /// Notes a deleted lead.
    pub fn delete_lead(&mut self, lead: N, lead_id: String) {
        self.added.remove(&lead);
        self.leads.remove(&lead);
        self.deleted.push((lead, lead_id));
    }

    /// Notes an account that is new or has changed.
    pub fn change_account(&mut self, account: N) {
        self.accounts.insert(account);
    }

    /// Adds what changed later.
    pub fn extend(&mut self, later: &Self) {
        for (lead, lead_id) in &later.deleted {
            self.delete_lead(*lead, lead_id.clone());
        }
        self.added.extend(&later.added);
        for (lead, kind) in &later.leads {
            self.change_lead(*lead, *kind);
        }
        self.accounts.extend(&later.accounts);
    }

    /// Returns whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty()
            && self.leads.is_empty()
            && self.deleted.is_empty()
            && self.accounts.is_empty()
    }

    /// Returns the leads that are new or have changed.
    pub fn leads(&self) -> impl Iterator<Item = N> {
        self.added.iter().chain(self.leads.keys()).copied()
    }

    /// Returns the accounts that are new or have changed.
    pub fn accounts(&self) -> impl Iterator<Item = N> {
        self.accounts.iter().copied()
    }

    /// Returns the changes by kind. `lead` returns the id and the present status of a lead; one that it does not know is
    /// deleted, which a later version reports. `account_ids` are the ids of [`accounts`](Self::accounts).
    pub fn by_kind<'a>(
        &self,
        lead: impl Fn(N) -> Option<(&'a str, &'a str)>,
        account_ids: Vec<String>,
    ) -> Vec<Change> {
        let id_of = |number: &N| lead(*number).map(|(lead_id, _)| lead_id.to_owned());
        let changed = self
            .leads
            .iter()
            .filter(|(number, _)| !self.added.contains(number));
        let deleted = self.deleted.iter().map(|(_, lead_id)| lead_id.clone());
        let mut changes = vec![
            change("added", self.added.iter().filter_map(id_of).collect()),
            change("deleted", deleted.collect()),
        ];
        let mut by_status: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (number, kind) in changed.clone() {
            if let Some((lead_id, status)) = lead(*number)
                && kind.meets(ChangeKind::STATUS)
            {
                by_status
                    .entry(status)
                    .or_default()
                    .push(lead_id.to_owned());
            }
        }
        changes.extend(by_status.into_iter().map(|(status, ids)| Change {
            approval_status: Some(status.into()),
            ..change("status", ids)
        }));
        changes.extend(LEAD_KINDS.map(|(kind, name)| {
            let leads = changed.clone().filter(|(_, of)| of.meets(kind));
            change(
                name,
                leads.filter_map(|(number, _)| id_of(number)).collect(),
            )
        }));
        changes.push(change("accounts", account_ids));
        changes.retain(|change| change.count != Some(0));
        changes
    }
}

fn change(kind: &str, ids: Vec<String>) -> Change {
    Change {
        kind: Some(kind.to_owned()),
        approval_status: None,
        count: Some(ids.len() as u64),
        ids: Some(ids).filter(|ids| ids.len() <= MAX_CHANGED_IDS),
    }
}
