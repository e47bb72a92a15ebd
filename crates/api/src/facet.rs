//! Facets: the values that leads can be narrowed by.

use crate::ids::{CampaignId, SignalId, SignalRunId};
use crate::lead::ListRef;
use crate::limits::SEARCH_CHARACTERS;
use crate::model::model;
use crate::raw::Raw;
use crate::request::request;

model! {@telling
    /// Every facet of the leads (spec: Facets response). The elements of the open arrays read as
    /// [`FacetOption`](crate::shapes::FacetOption).
    Facets {
        /// Company sizes.
        company_sizes: Vec<Raw>,
        /// Tiers of fit.
        icp_tiers: Vec<String>,
        /// Kinds of intent.
        intent_types: Vec<String>,
        /// Lists that were filled by discovery.
        discovery_lists: Vec<Raw>,
        /// Signals.
        signals: Vec<Raw>,
        /// Runs of signals.
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
        /// Accounts on the professional network that write to leads.
        network_accounts: Vec<Raw>,
    }
}

model! {
    /// Values of one facet (spec: Facet search response).
    FacetSearchResult {
        /// The facet that was searched.
        field: String,
        /// Values found, most frequent first.
        items: Vec<FacetItem>,
        /// How many distinct values match in all.
        total_distinct: u64,
        /// Whether there are more than were asked for.
        has_more: bool,
    }

    /// One value of a facet (spec: FacetItem).
    FacetItem {
        /// The value, as a filter takes it.
        value: String,
        /// The value for people.
        label: String,
        /// How many leads have it.
        count: u64,
        /// Logo, where the value is a company.
        company_logo_url: String,
    }
}

request! {
    /// Which leads the facets are taken from (spec: GET /api/leads/facets). Empty means all.
    FacetContext {
        /// Only leads found by this run of a signal.
        signal_run_id: Option<SignalRunId> = None,
        /// Only leads found by this signal.
        signal_id: Option<SignalId> = None,
        /// Only leads in this campaign.
        campaign_id: Option<CampaignId> = None,
    }

    /// Search in one facet (spec: GET /api/leads/facets/search).
    FacetSearch {
        /// The facet, e.g. `company`, `title`, `location`.
        field: String => ..=SEARCH_CHARACTERS,
        /// Text the value must hold; empty gives the most frequent values.
        q: String = String::new() => ..=SEARCH_CHARACTERS,
        /// How many values at the most.
        limit: u32 = 20 => 1..=100,
        /// Values that are chosen now and stay in view. The meaning is not shown; our service
        /// takes a JSON array of strings, or one value, or values separated by commas, 100 at the most.
        selected: Option<String> = None,
        /// Only leads found by this run of a signal.
        signal_run_id: Option<SignalRunId> = None,
        /// Only leads found by this signal.
        signal_id: Option<SignalId> = None,
        /// Only leads in this campaign.
        campaign_id: Option<CampaignId> = None,
    }
}
