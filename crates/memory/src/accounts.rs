//! The account query, its facets, and the account detail.

use jiff::Timestamp;
use lead_workspace_api::shapes::{AccountLead, Shape};
use lead_workspace_api::{
    Account as Item, AccountDetail, AccountDetailQuery, AccountFacetQuery, AccountId, AccountQuery,
    FacetCounts, LeadListId, NewApprovalStatus, Page, Raw,
};
use lead_workspace_index::{FacetsOfAccounts, Filters, Part, Query};

use crate::Workspace;
use crate::error::Error;
use crate::leads::raw;
use crate::records::{Account, Lead, in_order, list_ref, list_scores};

/// Maximum number of leads in a detail, best scores first.
const LEADS: usize = 100;

impl Workspace {
    pub(crate) fn query_accounts(
        &mut self,
        query: AccountQuery,
        _: Timestamp,
    ) -> Result<Page<Item>, Error> {
        let accounts = Query::of_accounts(Filters::of_accounts(&query.filters)?, &query)?;
        let part = Part::of(query.page, query.page_size);
        let found = accounts.page(&self.columns(accounts.columns()), part)?;
        let rows = found.rows.iter().filter_map(|row| self.account(*row));
        let item = |account| self.account_item(account, query.list_id.as_ref());
        Ok(Page {
            data: rows.map(item).collect(),
            total: Some(found.total),
            has_more: Some(found.has_more(part)),
            page: Some(query.page),
            page_size: Some(query.page_size),
            ..Page::default()
        })
    }

    pub(crate) fn query_account_facets(
        &mut self,
        query: AccountFacetQuery,
        _: Timestamp,
    ) -> Result<FacetCounts, Error> {
        let facets = FacetsOfAccounts::of(&query)?;
        Ok(facets.counts(&self.columns(facets.columns()))?)
    }

    pub(crate) fn find_account(&self, account_id: &AccountId) -> Result<&Account, Error> {
        let mut accounts = self.accounts.iter();
        let found = accounts.find(|account| account.row.account_id == account_id.as_str());
        found.ok_or_else(|| Error::unknown("account", account_id.as_str()))
    }

    /// Returns the account of a lead, if it has one.
    pub(crate) fn account_of(&self, lead: &Lead) -> Option<&Account> {
        self.account(lead.account?)
    }

    /// Returns an account by its number.
    pub(crate) fn account(&self, number: i64) -> Option<&Account> {
        self.accounts.get(place_of_account(number)?)
    }

    /// Notes that a lead is of another account than before.
    pub(crate) fn move_lead(&mut self, lead: i64, from: Option<i64>, to: Option<i64>) {
        if let Some(at) = from.and_then(place_of_account) {
            self.accounts[at].leads.remove(&lead);
        }
        if let Some(at) = to.and_then(place_of_account) {
            self.accounts[at].leads.insert(lead);
        }
    }

    /// Returns the entry in a list; without one, the entry in the first list that contains the account.
    fn list_item_of(&self, account: &Account, list: Option<&LeadListId>) -> Option<String> {
        let mut lists = in_order(&account.lists, self.catalog()).into_iter();
        let found = lists.find(|(known, _)| list.is_none_or(|list| known.id == list.as_str()));
        found.map(|(_, item)| item.item_id.clone())
    }

    fn account_item(&self, account: &Account, list: Option<&LeadListId>) -> Item {
        let row = account.row.clone();
        let score = account.score.as_ref();
        let approved = |lead: &&Lead| lead.status == NewApprovalStatus::Approved;
        Item {
            id: Some(row.account_id.into()),
            network_id: row.network_id,
            name: row.name,
            network_username: row.network_username,
            network_url: row.network_url,
            logo_url: row.logo_url,
            industry: row.industry,
            staff_count_range: row.staff_count_range,
            location: row.location,
            tagline: row.tagline,
            description: row.description,
            lead_count: Some(account.leads.len() as u64),
            icp_tier: score.map(|score| score.tier.to_owned()),
            icp_score: score.map(|score| f64::from(score.points)),
            icp_reasoning: score.map(|score| score.reasoning()),
            list_scores: Some(list_scores(&account.scores, self.catalog())),
            list_item_id: self.list_item_of(account, list),
            created_at: Some(row.created_at.into()),
            approved_count: Some(self.leads_of(account).filter(approved).count() as u64),
        }
    }

    pub(crate) fn get_account(
        &mut self,
        account_id: AccountId,
        query: AccountDetailQuery,
        _: Timestamp,
    ) -> Result<AccountDetail, Error> {
        let account = self.find_account(&account_id)?;
        if !query.include_unpromoted && !account.row.is_promoted {
            return Err(Error::unknown("account", account_id.as_str()));
        }
        let item = self.account_item(account, None);
        let lists = in_order(&account.lists, self.catalog());
        Ok(AccountDetail {
            id: item.id,
            network_id: item.network_id,
            name: item.name,
            network_username: item.network_username,
            network_url: item.network_url,
            logo_url: item.logo_url,
            industry: item.industry,
            staff_count_range: item.staff_count_range,
            location: item.location,
            tagline: item.tagline,
            description: item.description,
            lead_count: item.lead_count,
            icp_tier: item.icp_tier,
            icp_score: item.icp_score,
            icp_reasoning: item.icp_reasoning,
            list_scores: item.list_scores,
            list_item_id: item.list_item_id,
            created_at: item.created_at,
            is_promoted: Some(account.row.is_promoted),
            lists: Some(lists.into_iter().map(|one| raw(&list_ref(one))).collect()),
            leads: Some(self.account_leads(account)),
        })
    }

    fn account_leads(&self, account: &Account) -> Vec<Raw> {
        let mut leads: Vec<&Lead> = self.leads_of(account).collect();
        leads.sort_by(|a, b| {
            let best = b.icp_score.total_cmp(&a.icp_score);
            best.then_with(|| b.number.cmp(&a.number))
        });
        let leads = leads.into_iter().take(LEADS).map(|lead| AccountLead {
            lead_id: Some(lead.row.lead_id.clone()),
            name: lead.row.name.clone(),
            title: lead.row.title.clone(),
            approval_status: Some(lead.status.as_str().to_owned()),
            icp_score: Some(lead.icp_score),
        });
        leads.map(|lead| lead.to_raw()).collect()
    }
}

/// Accounts are numbered from 1, and never removed.
pub(crate) fn place_of_account(number: i64) -> Option<usize> {
    usize::try_from(number - 1).ok()
}
