//! Handlers of the account operations.

use lead_workspace_api::{
    Account, AccountDetail, AccountDetailQuery, AccountFacetQuery, AccountId, AccountPulse,
    AccountQuery, AccountScoring, FacetCounts, Page, ScoringStarted, endpoints::NoParams,
};

use super::ApiError;
use super::auth::Caller;
use super::leads::start_scoring;
use crate::store::job_queue::enqueue_account_scoring;
use crate::store::{FacetsOfAccounts, Filters};

pub(super) async fn query_accounts(
    caller: Caller,
    query: AccountQuery,
) -> Result<Page<Account>, ApiError> {
    let filters = Filters::of_accounts(&query.filters)?;
    Ok(caller
        .store()
        .query_accounts(caller.tenant, filters, query)
        .await?)
}

pub(super) async fn query_account_facets(
    caller: Caller,
    query: AccountFacetQuery,
) -> Result<FacetCounts, ApiError> {
    let view = FacetsOfAccounts::of(&query)?;
    Ok(caller
        .store()
        .query_account_facets(caller.tenant, view)
        .await?)
}

pub(super) async fn get_account(
    caller: Caller,
    account_id: AccountId,
    query: AccountDetailQuery,
) -> Result<AccountDetail, ApiError> {
    let include = query.include_unpromoted;
    let found = caller
        .store()
        .account(caller.tenant, account_id.clone(), include)
        .await?;
    found.ok_or_else(|| ApiError::unknown("account", account_id.as_str()))
}

pub(super) async fn get_account_pulse(
    caller: Caller,
    account_id: AccountId,
    _: NoParams,
) -> Result<AccountPulse, ApiError> {
    let found = caller
        .store()
        .pulse(caller.tenant, account_id.clone())
        .await?;
    found.ok_or_else(|| ApiError::unknown("account", account_id.as_str()))
}

pub(super) async fn score_accounts(
    caller: Caller,
    scoring: AccountScoring,
) -> Result<ScoringStarted, ApiError> {
    let tenant = caller.tenant;
    start_scoring(caller, "score_accounts", move |db| {
        enqueue_account_scoring(db, tenant, &scoring)
    })
    .await
}
