//! Where the values of a facet are stored, and how they are named.

use lead_workspace_api::LeadField;

use super::context::{Context, ContextParameter};
use crate::store::Tenant;
use crate::store::sql::Conditions;

#[derive(Clone, Copy, Debug)]
pub(super) struct FacetSource {
    /// The table whose rows are counted; its alias is `t`.
    pub table: &'static str,
    /// The expression for the row number of the lead.
    pub lead: &'static str,
    /// The column to group by.
    pub column: &'static str,
    /// The aggregate expression.
    pub count: &'static str,
    pub names: ValueNames,
    /// The context parameter that this facet ignores.
    pub own: Option<ContextParameter>,
}

impl FacetSource {
    /// Returns the conditions on the counted rows.
    pub(super) fn conditions(&self, context: &Context, tenant: Tenant) -> Conditions {
        context.conditions(tenant, "t", self.lead, self.own)
    }

    /// Returns the SQL for the number of leads of each value, as `value` and `leads`.
    pub(super) fn counts(&self, conditions: &Conditions) -> String {
        let Self {
            table,
            column,
            count,
            ..
        } = self;
        format!(
            "SELECT t.{column} AS value, {count} AS leads FROM {table} t
             WHERE {} AND t.{column} IS NOT NULL GROUP BY t.{column}",
            conditions.text()
        )
    }
}

/// Where the name of a counted value is stored.
#[derive(Clone, Copy, Debug)]
pub(super) enum ValueNames {
    /// The value is folded text; this column of leads has the original text.
    Written(&'static str),
    /// The value is a token, without a name.
    Word,
    /// A table with the names: table, id column, name column.
    Table(&'static str, &'static str, &'static str),
    /// The value is the row number of an account.
    Account,
}

/// Returns the source of a field, if it is a text or token field.
pub(super) fn of(field: LeadField) -> Option<FacetSource> {
    use LeadField as F;
    let written = |column, written| leads(column, ValueNames::Written(written));
    let word = |column| leads(column, ValueNames::Word);
    let table = |table: &'static str, column, names, own| FacetSource {
        table,
        lead: "t.lead",
        column,
        count: if table == "intents" {
            "count(DISTINCT t.lead)"
        } else {
            "count(*)"
        },
        names,
        own,
    };
    let source = match field {
        F::Name => written("name_key", "name"),
        F::Headline => written("headline_key", "headline"),
        F::Location => written("location_key", "location"),
        F::Title => written("title_key", "title"),
        F::Company => written("company_key", "company"),
        F::Industry => written("industry_key", "industry"),
        F::CompanyLocation => written("company_location_key", "company_location"),
        F::CompanyTagline => written("company_tagline_key", "company_tagline"),
        F::Sender => written("sender_key", "sender"),
        F::ApprovalStatus => word("approval_status"),
        F::CompanySize => word("company_size"),
        F::IcpTier => word("icp_tier"),
        F::CampaignLeadStatus => word("campaign_lead_status"),
        F::Connection => word("connection"),
        F::Reply => word("reply"),
        F::CurrentNode => word("current_node"),
        F::RateLimitedBy => word("rate_limited_by"),
        F::IntentType => word("intent_type"),
        F::ReplyClassification => word("reply_classification"),
        F::ChatLabel => word("chat_label"),
        F::ImportJobId => leads(
            "import_job_id",
            ValueNames::Table("import_jobs", "import_job_id", "file_name"),
        ),
        F::NetworkAccount => leads(
            "network_account",
            ValueNames::Table("network_accounts", "network_account", "name"),
        ),
        F::AccountId => leads("account", ValueNames::Account),
        F::ListId => table(
            "list_items",
            "list_id",
            ValueNames::Table("lists", "list_id", "name"),
            None,
        ),
        F::CampaignId => {
            let names = ValueNames::Table("campaigns", "campaign_id", "name");
            table(
                "campaign_leads",
                "campaign_id",
                names,
                Some(ContextParameter::Campaign),
            )
        }
        F::SignalId => {
            let names = ValueNames::Table("signals", "signal_id", "name");
            table(
                "intents",
                "signal_id",
                names,
                Some(ContextParameter::Signal),
            )
        }
        F::SignalRunId => {
            let names = ValueNames::Table("signal_runs", "signal_run_id", "name");
            table(
                "intents",
                "signal_run_id",
                names,
                Some(ContextParameter::SignalRun),
            )
        }
        F::FeedPost => {
            let names = ValueNames::Table("feed_posts", "feed_post_id", "label");
            table("intents", "feed_post_id", names, None)
        }
        F::CreatedAt
        | F::ConnectionsCount
        | F::FollowerCount
        | F::IsPremium
        | F::CompanyFoundedYear
        | F::IcpScore
        | F::HasPendingApproval => return None,
    };
    Some(source)
}

fn leads(column: &'static str, names: ValueNames) -> FacetSource {
    FacetSource {
        table: "leads",
        lead: "t.id",
        column,
        count: "count(*)",
        names,
        own: None,
    }
}

#[cfg(test)]
mod tests {
    use lead_workspace_api::{FieldKind, LeadField};

    use super::of;

    #[test]
    fn every_text_or_enum_field_has_a_facet() {
        for &field in LeadField::ALL {
            let expected = matches!(field.kind(), FieldKind::Text | FieldKind::Token);
            assert_eq!(of(field).is_some(), expected, "{field}");
        }
    }
}
