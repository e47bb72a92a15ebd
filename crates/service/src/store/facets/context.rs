//! The leads that facets are counted within: those of the context parameters, or a set.

use lead_workspace_api::{FacetContext, FacetSearch};

use crate::store::columns::{ColumnId, Snapshot};
use crate::store::row_set::RowSet;
use crate::store::sql::Conditions;
use crate::store::{StoreError, Tenant};

#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    signal_run_id: Option<String>,
    signal_id: Option<String>,
    campaign_id: Option<String>,
    /// The leads of a view; `None` for all.
    leads: Option<RowSet>,
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

impl From<Option<RowSet>> for Context {
    fn from(leads: Option<RowSet>) -> Self {
        Self {
            leads,
            ..Self::default()
        }
    }
}

/// The leads that a facet counts.
pub(super) enum CountedLeads {
    All,
    Some(RowSet),
}

impl CountedLeads {
    pub(super) fn set(&self) -> Option<&RowSet> {
        match self {
            Self::All => None,
            Self::Some(set) => Some(set),
        }
    }
}

impl Context {
    /// Returns the leads by the columns in memory, without the parameter of the facet itself; `None`
    /// if a column for that is not in memory.
    pub(super) fn counted(
        &self,
        snapshot: &Snapshot<'_>,
        own: Option<ContextParameter>,
    ) -> Result<Option<CountedLeads>, StoreError> {
        let mut counted = self.leads.clone();
        for (of, value, table, column) in self.parts() {
            let Some(value) = value.filter(|_| own != Some(of)) else {
                continue;
            };
            let column = ColumnId::find(table, column).map(|id| snapshot.column(id));
            let Some(column) = column.transpose()?.flatten() else {
                return Ok(None);
            };
            let found = column.rows_of_value(&value.into());
            match &mut counted {
                Some(counted) => counted.intersect(&found),
                None => counted = Some(found),
            }
        }
        Ok(Some(counted.map_or(CountedLeads::All, CountedLeads::Some)))
    }

    /// Returns each parameter with the table and column of its values.
    fn parts(&self) -> [(ContextParameter, Option<&str>, &'static str, &'static str); 3] {
        [
            (
                ContextParameter::SignalRun,
                self.signal_run_id.as_deref(),
                "intents",
                "signal_run_id",
            ),
            (
                ContextParameter::Signal,
                self.signal_id.as_deref(),
                "intents",
                "signal_id",
            ),
            (
                ContextParameter::Campaign,
                self.campaign_id.as_deref(),
                "campaign_leads",
                "campaign_id",
            ),
        ]
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
        for (of, value, table, column) in self.parts() {
            let Some(value) = value.filter(|_| own != Some(of)) else {
                continue;
            };
            let value = conditions.value(value.to_owned());
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
