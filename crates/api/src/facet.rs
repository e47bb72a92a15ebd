//! Facets: the values by which leads can be filtered.

use serde_json::Value;

use crate::choice::choice;
use crate::filter::{AccountField, FilterSpec, LeadField, facet_name, filters};
use crate::ids::{CampaignId, LeadListId, SignalId, SignalRunId};
use crate::lead::ListRef;
use crate::limits::{FACETS, FILTERS, SEARCH_CHARACTERS, SEARCH_WORDS, SELECTED};
use crate::model::model;
use crate::raw::Raw;
use crate::request::{FromWire, Reading, Request, always_sent, request};

model! {@telling
    /// Every facet of the leads (spec: Facets response). Elements of the open arrays read as
    /// [`FacetOption`](crate::shapes::FacetOption).
    Facets {
        /// Company sizes.
        company_sizes: Vec<Raw>,
        /// ICP tiers.
        icp_tiers: Vec<String>,
        /// Intent types.
        intent_types: Vec<String>,
        /// Lists filled by discovery.
        discovery_lists: Vec<Raw>,
        /// Signals.
        signals: Vec<Raw>,
        /// Signal runs.
        signal_runs: Vec<Raw>,
        /// Lists.
        lists: Vec<ListRef>,
        /// Campaigns.
        campaigns: Vec<Raw>,
        /// Imports.
        import_jobs: Vec<Raw>,
        /// Posts that leads reacted to.
        feed_posts: Vec<Raw>,
        /// Labels of conversations.
        chat_labels: Vec<Raw>,
        /// Classes of replies.
        reply_classifications: Vec<Raw>,
        /// Accounts on the professional network that send messages to leads.
        network_accounts: Vec<Raw>,
    }
}

model! {
    /// Values of one facet (spec: Facet search response).
    FacetSearchResult {
        /// The facet that was searched.
        field: String,
        /// Values found. Our service returns the selected ones first, then the most frequent ones.
        items: Vec<FacetItem>,
        /// Number of distinct values that match.
        total_distinct: u64,
        /// Whether more values match than were returned.
        has_more: bool,
    }

    /// One value of a facet (spec: FacetItem).
    FacetItem {
        /// The value, as used in a filter.
        value: String,
        /// The label to display.
        label: String,
        /// Number of leads with this value.
        count: u64,
        /// URL of the logo, if the value is a company.
        company_logo_url: String,
    }

    /// Counted facets. Not in the contract; our service offers it.
    FacetCounts {
        /// One result for each facet of the request, in its order.
        facets: Vec<FacetSearchResult>,
    }
}

request! {
    /// The leads whose facets are returned (spec: GET /api/leads/facets). Empty means all.
    FacetContext {
        /// Only leads found by this signal run.
        signal_run_id: Option<SignalRunId> = None,
        /// Only leads found by this signal.
        signal_id: Option<SignalId> = None,
        /// Only leads in this campaign.
        campaign_id: Option<CampaignId> = None,
    }

    /// A search in one facet (spec: GET /api/leads/facets/search).
    FacetSearch {
        /// The facet, e.g. `company`, `title`, `location`. Our service also has those of custom fields with up to 1,000
        /// different values, e.g. `custom_data.Deal size`.
        field: String => ..=SEARCH_CHARACTERS; schema facet_name(),
        /// Text that the value must contain; empty returns the most frequent values.
        q: String = String::new() => ..=SEARCH_CHARACTERS,
        /// Maximum number of values.
        limit: u32 = 20 => 1..=100,
        /// Selected values, which stay in the result. The meaning is not shown; our service accepts a JSON
        /// array of strings, a single value, or values separated by commas, at most 100.
        selected: Option<String> = None,
        /// Only leads found by this signal run.
        signal_run_id: Option<SignalRunId> = None,
        /// Only leads found by this signal.
        signal_id: Option<SignalId> = None,
        /// Only leads in this campaign.
        campaign_id: Option<CampaignId> = None,
    }
    /// Facets to count within the leads of a view. Not in the contract; our service offers it.
    ///
    /// Each facet counts the leads that match the filters, the search and the selected values of all
    /// other facets. So its counts say what each value would add.
    LeadFacetQuery {
        /// Conditions on the leads, as in a leads query.
        filters: Vec<FilterSpec> = Vec::new() => ..=FILTERS; schema filters::<LeadField>(),
        /// Free text, as in a leads query.
        search: Option<String> = None => ..=SEARCH_CHARACTERS; words SEARCH_WORDS,
        /// The facets to count.
        facets: Vec<FacetQuery> = Vec::new() => ..=FACETS,
    }

    /// A facet to count.
    FacetQuery {
        /// The facet, e.g. `company`, `icp_tier`, `approval_status`, or that of a custom field with up to 1,000 different
        /// values, e.g. `custom_data.Deal size`.
        field: String => ..=SEARCH_CHARACTERS; schema facet_name(),
        /// Text that the value must contain; empty returns the most frequent values.
        q: String = String::new() => ..=SEARCH_CHARACTERS,
        /// Maximum number of values.
        limit: u32 = 20 => 1..=100,
        /// Selected values. They stay in the result, and restrict the other facets.
        selected: Vec<String> = Vec::new() => ..=SELECTED,
    }

    /// Facets to count within the accounts of a view. Not in the contract; our service offers it.
    ///
    /// Each facet counts the accounts that match the query and the selected values of all other facets.
    AccountFacetQuery {
        /// Conditions on the accounts, as in an accounts query.
        filters: Vec<FilterSpec> = Vec::new() => ..=FILTERS; schema filters::<AccountField>(),
        /// Free text, as in an accounts query.
        search: Option<String> = None => ..=SEARCH_CHARACTERS; words SEARCH_WORDS,
        /// Only accounts in this list.
        list_id: Option<LeadListId> = None,
        /// Whether to include accounts that were not promoted.
        include_unpromoted: bool = false,
        /// The facets to count.
        facets: Vec<AccountFacet> = Vec::new() => ..=FACETS,
    }

    /// A facet of accounts to count.
    AccountFacet {
        /// The facet.
        field: AccountFacetField,
        /// Selected values, which restrict the other facets.
        selected: Vec<String> = Vec::new() => ..=SELECTED,
    }
}

choice! {
    /// The facets of accounts.
    AccountFacetField {
        IcpTier = "icp_tier",
        StaffCountRange = "staff_count_range",
    }
}

impl From<AccountFacetField> for AccountField {
    fn from(field: AccountFacetField) -> Self {
        match field {
            AccountFacetField::IcpTier => Self::IcpTier,
            AccountFacetField::StaffCountRange => Self::StaffCountRange,
        }
    }
}

impl FromWire for FacetQuery {
    fn from_wire(value: &Value, reading: &mut Reading<'_>) -> Option<Self> {
        Self::read(value, reading.nested())
    }
}

impl FromWire for AccountFacet {
    fn from_wire(value: &Value, reading: &mut Reading<'_>) -> Option<Self> {
        Self::read(value, reading.nested())
    }
}

always_sent!(AccountFacetField);
