//! Requests on leads and accounts, with the contract's defaults and limits.

use crate::choice::{AccountSort, LeadSort, NewApprovalStatus, SortDir};
use crate::filter::FilterSpec;
use crate::ids::{AccountId, LeadId, LeadListId};
use crate::limits::{FILTERS, IDS, SEARCH_CHARACTERS, SEARCH_WORDS};
use crate::request::{Nullable, request};

request! {
    /// Search and filter leads (spec: POST /api/leads/query).
    LeadQuery {
        /// All must hold.
        filters: Vec<FilterSpec> = Vec::new() => ..=FILTERS,
        /// Free text. Which fields it covers is not shown; our service searches name, headline,
        /// title and company.
        search: Option<String> = None => ..=SEARCH_CHARACTERS; words SEARCH_WORDS,
        /// The column to sort by.
        sort_by: LeadSort = LeadSort::IcpScore,
        /// The direction of the sort.
        sort_dir: SortDir = SortDir::Desc,
        /// Which page, from 1.
        page: u32 = 1 => 1..,
        /// Leads on a page.
        page_size: u32 = 50 => 1..=100,
    }

    /// Set the approval status of one lead (spec: PATCH /api/leads/{lead_id}).
    LeadUpdate {
        /// The new status.
        approval_status: NewApprovalStatus,
    }

    /// Set the approval status of many leads (spec: PATCH /api/leads).
    LeadsUpdate {
        /// The leads.
        lead_ids: Vec<LeadId> => ..=IDS,
        /// The new status. Absent and null differ on the wire; the effect of both is not shown.
        /// Our client refuses them unless told otherwise, our service then changes nothing.
        approval_status: Nullable<NewApprovalStatus> = Nullable::Absent,
    }

    /// Start scoring leads (spec: POST /api/leads/score). What happens when both are absent is not
    /// shown; our client refuses that unless told otherwise, our service scores every lead.
    LeadScoring {
        /// The leads.
        lead_ids: Option<Vec<LeadId>> = None => ..=IDS,
        /// The lists whose leads are to be scored.
        lead_list_ids: Option<Vec<LeadListId>> = None => ..=IDS,
    }

    /// Search and filter accounts (spec: POST /api/accounts/query).
    AccountQuery {
        /// All must hold.
        filters: Vec<FilterSpec> = Vec::new() => ..=FILTERS,
        /// Free text.
        search: Option<String> = None => ..=SEARCH_CHARACTERS; words SEARCH_WORDS,
        /// Only accounts in this list.
        list_id: Option<LeadListId> = None,
        /// Also accounts that were not promoted; the meaning is not shown.
        include_unpromoted: bool = false,
        /// The column to sort by.
        sort_by: AccountSort = AccountSort::CreatedAt,
        /// The direction of the sort.
        sort_dir: SortDir = SortDir::Desc,
        /// Which page, from 1.
        page: u32 = 1 => 1..,
        /// Accounts on a page.
        page_size: u32 = 50 => 1..=100,
    }

    /// Read one account (spec: GET /api/accounts/{account_id}).
    AccountDetailQuery {
        /// Also an account that was not promoted.
        include_unpromoted: bool = false,
    }

    /// Start scoring accounts (spec: POST /api/accounts/score). What happens when both are empty
    /// is not shown; our client refuses that unless told otherwise, our service scores every account.
    AccountScoring {
        /// The accounts.
        account_ids: Vec<AccountId> = Vec::new() => ..=IDS,
        /// The list whose accounts are to be scored.
        lead_list_id: Option<LeadListId> = None,
    }
}
