//! The leads that facets are counted within: those of the context parameters, or a set.

use lead_workspace_api::{FacetContext, FacetSearch};

use super::lead_set::LeadSet;
use crate::store::Tenant;
use crate::store::sql::Conditions;

#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    signal_run_id: Option<String>,
    signal_id: Option<String>,
    campaign_id: Option<String>,
    /// The leads of a view; `None` for all.
    leads: Option<LeadSet>,
}

/// The facet that a context parameter belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContextParameter {
    SignalRun,
    Signal,
    Campaign,
}

impl From<FacetContext> for Context {
    fn from(context: FacetContext) -> Self {
        Self {
            signal_run_id: context.signal_run_id.map(Into::into),
            signal_id: context.signal_id.map(Into::into),
            campaign_id: context.campaign_id.map(Into::into),
            leads: None,
        }
    }
}

impl From<&FacetSearch> for Context {
    fn from(search: &FacetSearch) -> Self {
        Self {
            signal_run_id: search.signal_run_id.clone().map(Into::into),
            signal_id: search.signal_id.clone().map(Into::into),
            campaign_id: search.campaign_id.clone().map(Into::into),
            leads: None,
        }
    }
}

impl From<Option<LeadSet>> for Context {
    fn from(leads: Option<LeadSet>) -> Self {
        Self {
            leads,
            ..Self::default()
        }
    }
}

impl Context {
    pub(super) fn is_empty(&self) -> bool {
        self.signal_run_id.is_none() && self.signal_id.is_none() && self.campaign_id.is_none()
    }

    /// Returns the conditions on a table (by alias) whose column `lead` has the lead's row number,
    /// without the parameter of the facet itself.
    pub(super) fn conditions(
        &self,
        tenant: Tenant,
        alias: &str,
        lead: &str,
        own: Option<ContextParameter>,
    ) -> Conditions {
        let mut conditions = Conditions::of(tenant, alias);
        let parts = [
            (
                ContextParameter::SignalRun,
                &self.signal_run_id,
                "intents",
                "signal_run_id",
            ),
            (
                ContextParameter::Signal,
                &self.signal_id,
                "intents",
                "signal_id",
            ),
            (
                ContextParameter::Campaign,
                &self.campaign_id,
                "campaign_leads",
                "campaign_id",
            ),
        ];
        for (of, value, table, column) in parts {
            let Some(value) = value.as_ref().filter(|_| own != Some(of)) else {
                continue;
            };
            let value = conditions.value(value.clone());
            conditions.and(&format!(
                "{lead} IN (SELECT lead FROM {table} WHERE tenant = ?1 AND {column} = {value})"
            ));
        }
        if let Some(leads) = &self.leads {
            leads.add_to(&mut conditions, lead);
        }
        conditions
    }
}
