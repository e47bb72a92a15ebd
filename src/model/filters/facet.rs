//! The facets of the rail.

use lead_workspace_api::LeadField;

macro_rules! facets {
    ($($(#[doc = $doc:literal])* $facet:ident = $key:literal $field:ident $label:literal $find:literal,)*) => {
        /// What leads can be narrowed by in the rail.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Facet {
            $($(#[doc = $doc])* $facet,)*
        }

        impl Facet {
            /// Every facet, in the order of the rail.
            pub const ALL: &'static [Self] = &[$(Self::$facet,)*];

            /// The name in the address.
            pub fn key(self) -> &'static str {
                match self {
                    $(Self::$facet => $key,)*
                }
            }

            /// The facet of a name in the address.
            pub fn of(key: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|facet| facet.key() == key)
            }

            /// The field that a filter is on.
            pub fn field(self) -> LeadField {
                match self {
                    $(Self::$facet => LeadField::$field,)*
                }
            }

            /// The name for people.
            pub fn label(self) -> &'static str {
                match self {
                    $(Self::$facet => $label,)*
                }
            }

            /// What the search box within the facet offers.
            pub fn hint(self) -> &'static str {
                match self {
                    $(Self::$facet => $find,)*
                }
            }
        }
    };
}

facets! {
    /// The company that a lead works for.
    Company = "company" Company "Company" "Find a company",
    /// Tier of fit.
    IcpTier = "icp_tier" IcpTier "ICP tier" "Find a tier",
    /// Size of the company.
    CompanySize = "company_size" CompanySize "Company size" "Find a size",
    /// Kind of intent.
    IntentType = "intent_type" IntentType "Intent" "Find an intent",
    /// Title of the lead.
    Title = "title" Title "Title" "Find a title",
    /// Industry of the company.
    Industry = "industry" Industry "Industry" "Find an industry",
    /// Where the lead is.
    Location = "location" Location "Location" "Find a location",
    /// Lists of people and imports.
    List = "list_id" ListId "List" "Find a list",
    /// Lists that discovery fills.
    DiscoveryList = "discovery_list" ListId "Discovery list" "Find a discovery list",
    /// Campaigns.
    Campaign = "campaign_id" CampaignId "Campaign" "Find a campaign",
    /// Signals.
    Signal = "signal_id" SignalId "Signal" "Find a signal",
    /// Runs of signals.
    SignalRun = "signal_run_id" SignalRunId "Signal run" "Find a signal run",
    /// Imports.
    ImportJob = "import_job_id" ImportJobId "Import" "Find an import",
    /// Posts that leads reacted to.
    FeedPost = "feed_post" FeedPost "Feed post" "Find a feed post",
    /// Classes of replies.
    Reply = "reply_classification" ReplyClassification "Reply" "Find a kind of reply",
    /// Labels of conversations.
    ChatLabel = "chat_label" ChatLabel "Chat label" "Find a chat label",
    /// Accounts on the professional network that write to leads.
    NetworkAccount = "network_account" NetworkAccount "Network account" "Find a network account",
}

impl Facet {
    /// Whether its values are too many to be listed, so that they are always searched for.
    pub fn is_searched(self) -> bool {
        matches!(
            self,
            Self::Company | Self::Title | Self::Industry | Self::Location
        )
    }

    /// Whether the rail shows its values until somebody folds them away.
    pub fn begins_open(self) -> bool {
        matches!(
            self,
            Self::Company | Self::IcpTier | Self::CompanySize | Self::IntentType
        )
    }
}
