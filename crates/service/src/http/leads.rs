//! Handlers of the lead operations.

use lead_workspace_api::{
    FacetContext, FacetCounts, FacetSearch, FacetSearchResult, Facets, JobId, LeadDetail,
    LeadFacetQuery, LeadFields, LeadId, LeadListItem, LeadQuery, LeadScoring, LeadUpdate,
    LeadUpdated, LeadsUpdate, LeadsUpdated, Page, ScoringStarted, endpoints::NoParams,
};

use super::ApiError;
use super::auth::Caller;
use crate::store::db::Db;
use crate::store::job_queue::enqueue_lead_scoring;
use crate::store::{Encoded, StoreError, audit};

pub(super) async fn query_leads(
    caller: Caller,
    query: LeadQuery,
) -> Result<Encoded<Page<LeadListItem>>, ApiError> {
    Ok(caller.store().query_leads(caller.tenant, query).await?)
}

pub(super) async fn get_lead_facets(
    caller: Caller,
    context: FacetContext,
) -> Result<Facets, ApiError> {
    Ok(caller.store().lead_facets(caller.tenant, context).await?)
}

pub(super) async fn search_lead_facet(
    caller: Caller,
    search: FacetSearch,
) -> Result<FacetSearchResult, ApiError> {
    Ok(caller
        .store()
        .search_lead_facet(caller.tenant, search)
        .await?)
}

pub(super) async fn query_lead_facets(
    caller: Caller,
    query: LeadFacetQuery,
) -> Result<FacetCounts, ApiError> {
    Ok(caller
        .store()
        .query_lead_facets(caller.tenant, query)
        .await?)
}

pub(super) async fn get_lead_fields(caller: Caller, _: NoParams) -> Result<LeadFields, ApiError> {
    Ok(caller.store().lead_fields(caller.tenant).await?)
}

pub(super) async fn get_lead(
    caller: Caller,
    lead_id: LeadId,
    _: NoParams,
) -> Result<Encoded<LeadDetail>, ApiError> {
    let found = caller.store().lead(caller.tenant, lead_id.clone()).await?;
    found.ok_or_else(|| ApiError::unknown("lead", lead_id.as_str()))
}

pub(super) async fn update_lead(
    caller: Caller,
    lead_id: LeadId,
    update: LeadUpdate,
) -> Result<LeadUpdated, ApiError> {
    let status = update.approval_status;
    let updated = caller
        .store()
        .decide(caller.tenant, vec![lead_id.clone()], status, caller.actor())
        .await?;
    if updated == 0 {
        return Err(ApiError::unknown("lead", lead_id.as_str()));
    }
    Ok(LeadUpdated {
        lead_id: Some(lead_id),
        approval_status: Some(status.into()),
    })
}

pub(super) async fn update_leads(
    caller: Caller,
    update: LeadsUpdate,
) -> Result<LeadsUpdated, ApiError> {
    let updated = match update.approval_status.value() {
        Some(status) => {
            caller
                .store()
                .decide(caller.tenant, update.lead_ids, status, caller.actor())
                .await?
        }
        // spec: not shown; without a status there is nothing to set, so nothing changes.
        None => 0,
    };
    Ok(LeadsUpdated {
        updated: Some(updated),
    })
}

pub(super) async fn delete_lead(
    caller: Caller,
    lead_id: LeadId,
    _: NoParams,
) -> Result<(), ApiError> {
    if caller
        .store()
        .delete_lead(caller.tenant, lead_id.clone(), caller.actor())
        .await?
    {
        Ok(())
    } else {
        Err(ApiError::unknown("lead", lead_id.as_str()))
    }
}

pub(super) async fn score_leads(
    caller: Caller,
    scoring: LeadScoring,
) -> Result<ScoringStarted, ApiError> {
    let tenant = caller.tenant;
    start_scoring(caller, "score_leads", move |db| {
        enqueue_lead_scoring(db, tenant, &scoring)
    })
    .await
}

/// Starts a scoring, and records it in the audit log.
pub(super) async fn start_scoring(
    caller: Caller,
    action: &'static str,
    enqueue: impl Fn(Db<'_>) -> Result<ScoringStarted, StoreError> + Send + 'static,
) -> Result<ScoringStarted, ApiError> {
    let (tenant, actor) = (caller.tenant, caller.actor());
    let start = move |db: Db<'_>| {
        let started = enqueue(db)?;
        if let Some(actor) = &actor {
            let job_id = started.job_id.as_ref().map(JobId::as_str);
            audit::record_scoring(db, tenant, actor, action, job_id)?;
        }
        Ok(started)
    };
    Ok(caller.store().write_in(tenant, start).await?)
}
