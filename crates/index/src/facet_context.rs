//! The leads that facets are counted within.

use lead_workspace_api::{FacetSearch, LeadField};

use crate::{ColumnId, Columns, RowSet};

/// The fields whose values are all in one response.
const ALL: [LeadField; 12] = [
    LeadField::CompanySize,
    LeadField::IcpTier,
    LeadField::IntentType,
    LeadField::ListId,
    LeadField::SignalId,
    LeadField::SignalRunId,
    LeadField::CampaignId,
    LeadField::ImportJobId,
    LeadField::FeedPost,
    LeadField::ChatLabel,
    LeadField::ReplyClassification,
    LeadField::NetworkAccount,
];

/// The leads of the context parameters, or those of a view.
#[derive(Clone, Debug, Default)]
pub struct FacetContext {
    /// Field and value of each parameter. The facet of the field ignores it.
    parameters: Vec<(LeadField, String)>,
    /// The leads of a view; `None` for all.
    leads: Option<RowSet>,
}

impl From<lead_workspace_api::FacetContext> for FacetContext {
    fn from(context: lead_workspace_api::FacetContext) -> Self {
        let run = context.signal_run_id.map(Into::into);
        let signal = context.signal_id.map(Into::into);
        let campaign = context.campaign_id.map(Into::into);
        let given = [
            (LeadField::SignalRunId, run),
            (LeadField::SignalId, signal),
            (LeadField::CampaignId, campaign),
        ];
        let given = given.into_iter();
        Self {
            parameters: given.filter_map(|(field, id)| Some((field, id?))).collect(),
            leads: None,
        }
    }
}

impl From<&FacetSearch> for FacetContext {
    fn from(search: &FacetSearch) -> Self {
        Self::from(lead_workspace_api::FacetContext {
            signal_run_id: search.signal_run_id.clone(),
            signal_id: search.signal_id.clone(),
            campaign_id: search.campaign_id.clone(),
        })
    }
}

impl From<Option<RowSet>> for FacetContext {
    fn from(leads: Option<RowSet>) -> Self {
        Self {
            parameters: Vec::new(),
            leads,
        }
    }
}

impl FacetContext {
    /// Returns the parameters that the facet of a field is counted within.
    fn parameters_for(&self, field: ColumnId) -> impl Iterator<Item = &(LeadField, String)> {
        let parameters = self.parameters.iter();
        parameters.filter(move |(of, _)| ColumnId::Lead(*of) != field)
    }

    /// Returns the columns that the counts of a facet need.
    pub fn columns(&self, field: ColumnId) -> Vec<ColumnId> {
        let parameters = self.parameters_for(field);
        let parameters = parameters.map(|(of, _)| ColumnId::Lead(*of));
        parameters.chain(field.with_names()).collect()
    }

    /// Returns the columns that the response with all facets needs.
    pub fn columns_of_all(&self) -> Vec<ColumnId> {
        let columns = ALL.into_iter().flat_map(|field| self.columns(field.into()));
        columns.collect()
    }

    /// Returns the leads that the facet of a field is counted within; `None` for all.
    pub(crate) fn leads(&self, field: ColumnId, columns: &Columns) -> Option<RowSet> {
        let mut counted = self.leads.clone();
        for (of, value) in self.parameters_for(field) {
            let column = columns.get(ColumnId::Lead(*of));
            let found = column.rows_of_value(&value.as_str().into());
            match &mut counted {
                Some(counted) => counted.intersect(&found),
                None => counted = Some(found),
            }
        }
        counted
    }
}
