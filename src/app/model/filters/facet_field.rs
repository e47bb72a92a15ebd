//! Facets of the filter sidebar.

use lead_workspace_api::LeadField;

use super::custom_name::CustomName;
use super::lead_filter_field::LeadFilterField;

macro_rules! facets {
    ($($(#[doc = $doc:literal])* $facet:ident = $key:literal $field:ident $label:literal $find:literal,)*) => {
        /// A facet of the filter sidebar.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Facet {
            $($(#[doc = $doc])* $facet,)*
            /// The values of a custom field.
            Custom(CustomName),
        }

        impl Facet {
            /// All facets besides those of custom fields, in sidebar order.
            pub const ALL: &'static [Self] = &[$(Self::$facet,)*];

            /// Name in the address.
            pub fn key(self) -> &'static str {
                match self {
                    $(Self::$facet => $key,)*
                    Self::Custom(name) => name.as_str(),
                }
            }

            /// Parses the name in the address.
            pub fn parse(key: &str) -> Option<Self> {
                let known = Self::ALL.iter().copied().find(|facet| facet.key() == key);
                known.or_else(|| CustomName::parse(key).map(Self::Custom))
            }

            /// Returns the field that the filter uses.
            pub fn field(self) -> LeadFilterField {
                match self {
                    $(Self::$facet => LeadFilterField::Lead(LeadField::$field),)*
                    Self::Custom(name) => LeadFilterField::Custom(name),
                }
            }

            pub fn label(self) -> &'static str {
                match self {
                    $(Self::$facet => $label,)*
                    Self::Custom(name) => name.key(),
                }
            }

            /// Returns the placeholder of the search box within the facet.
            pub fn hint(self) -> &'static str {
                match self {
                    $(Self::$facet => $find,)*
                    Self::Custom(_) => "Find a value",
                }
            }
        }
    };
}

facets! {
    Company = "company" Company "Company" "Find a company",
    IcpTier = "icp_tier" IcpTier "ICP tier" "Find a tier",
    CompanySize = "company_size" CompanySize "Company size" "Find a size",
    IntentType = "intent_type" IntentType "Intent" "Find an intent",
    Title = "title" Title "Title" "Find a title",
    Industry = "industry" Industry "Industry" "Find an industry",
    Location = "location" Location "Location" "Find a location",
    /// Lists made by users and by imports.
    List = "list_id" ListId "List" "Find a list",
    /// Lists that discovery fills.
    DiscoveryList = "discovery_list" ListId "Discovery list" "Find a discovery list",
    Campaign = "campaign_id" CampaignId "Campaign" "Find a campaign",
    Signal = "signal_id" SignalId "Signal" "Find a signal",
    SignalRun = "signal_run_id" SignalRunId "Signal run" "Find a signal run",
    ImportJob = "import_job_id" ImportJobId "Import" "Find an import",
    /// Posts that leads reacted to.
    FeedPost = "feed_post" FeedPost "Feed post" "Find a feed post",
    Reply = "reply_classification" ReplyClassification "Reply" "Find a kind of reply",
    ChatLabel = "chat_label" ChatLabel "Chat label" "Find a chat label",
    /// Accounts on the professional network that contact leads.
    NetworkAccount = "network_account" NetworkAccount "Network account" "Find a network account",
}

/// Maximum number of values that a response has for a facet that is not searched.
pub const ALL_VALUES: u32 = 100;

/// Maximum number of values that a response has for a searched facet.
const FOUND_VALUES: u32 = 20;

impl Facet {
    /// Returns what a request asks of the facet: the text to search for, and the maximum number of values.
    pub fn search(self, text: &str) -> (String, u32) {
        if self.is_searched() {
            (text.to_owned(), FOUND_VALUES)
        } else {
            (String::new(), ALL_VALUES)
        }
    }

    /// Whether it has too many values to list, so that they are always searched.
    pub fn is_searched(self) -> bool {
        matches!(
            self,
            Self::Company | Self::Title | Self::Industry | Self::Location | Self::Custom(_)
        )
    }

    /// Whether its values are initially expanded.
    pub fn begins_open(self) -> bool {
        matches!(
            self,
            Self::Company | Self::IcpTier | Self::CompanySize | Self::IntentType
        )
    }
}
