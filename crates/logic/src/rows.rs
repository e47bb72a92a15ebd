//! Leads and accounts as rows: the columns that files and the demo data have.

use lead_workspace_demo::{Company, Lead};

use crate::iso;

/// Expands a macro for each row, with its columns: the service makes its statements of them.
#[macro_export]
macro_rules! for_each_row {
    ($expand:ident) => {
        $expand! {
            /// The columns of a lead that an import reads and writes.
            LeadRow {
                lead_id: String,
                provider_id: Option<String>,
                name: Option<String>,
                headline: Option<String>,
                profile_url: Option<String>,
                profile_picture_url: Option<String>,
                background_image_url: Option<String>,
                is_premium: Option<bool>,
                title: Option<String>,
                location: Option<String>,
                connections_count: Option<i64>,
                follower_count: Option<i64>,
                profile_data: Option<String>,
                custom_data: Option<String>,
                resolved_timezone: Option<String>,
                timezone_label: Option<String>,
                import_job_id: Option<String>,
                created_at: String,
                /// Normalized form of `profile_url`, or another text that leads are matched by.
                identity: Option<String>,
                /// The e-mail address in lower case.
                email: Option<String>,
            }
        }
        $expand! {
            /// The columns of an account that an import reads and writes.
            AccountRow {
                account_id: String,
                network_id: Option<String>,
                name: Option<String>,
                network_username: Option<String>,
                network_url: Option<String>,
                logo_url: Option<String>,
                industry: Option<String>,
                staff_count_range: Option<String>,
                location: Option<String>,
                tagline: Option<String>,
                description: Option<String>,
                founded_year: Option<i64>,
                identity: Option<String>,
                domain: Option<String>,
                is_promoted: bool,
                created_at: String,
            }
        }
    };
}

macro_rules! row {
    ($(#[$doc:meta])* $name:ident { $($(#[$column_doc:meta])* $column:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            $($(#[$column_doc])* pub $column: $type,)*
        }

        impl $name {
            /// Returns these values, with the values of `other` where they are missing here.
            #[must_use]
            pub fn or(&self, other: &Self) -> Self {
                Self {
                    $($column: if self.$column.is_missing() {
                        other.$column.clone()
                    } else {
                        self.$column.clone()
                    },)*
                }
            }
        }
    };
}

for_each_row!(row);

/// A value that a row may lack.
trait Missing {
    fn is_missing(&self) -> bool;
}

impl<T> Missing for Option<T> {
    fn is_missing(&self) -> bool {
        self.is_none()
    }
}

impl Missing for String {
    fn is_missing(&self) -> bool {
        self.is_empty()
    }
}

impl Missing for bool {
    fn is_missing(&self) -> bool {
        !self
    }
}

/// Returns a URL as leads and accounts are matched by it.
fn identity(url: &str) -> Option<String> {
    url.strip_prefix("https://").map(str::to_owned)
}

/// Returns a company of the demo as a row.
pub fn account_row(company: &Company) -> AccountRow {
    let network_url = company.network_url();
    AccountRow {
        account_id: company.account_id.clone(),
        network_id: Some(company.network_id.clone()),
        name: Some(company.name.clone()),
        network_username: Some(company.slug.clone()),
        identity: identity(&network_url),
        network_url: Some(network_url),
        logo_url: None,
        industry: Some(company.industry().to_owned()),
        staff_count_range: Some(company.size.to_owned()),
        location: Some(company.location()),
        tagline: Some(company.tagline.clone()),
        description: Some(company.description.clone()),
        founded_year: Some(company.founded),
        domain: Some(company.domain()),
        is_promoted: company.promoted,
        created_at: iso(company.created_at),
    }
}

/// Returns a lead of the demo as a row.
pub fn lead_row<S>(lead: &Lead<S>) -> LeadRow {
    LeadRow {
        lead_id: lead.lead_id.clone(),
        provider_id: Some(lead.provider_id.clone()),
        name: Some(lead.name.clone()),
        headline: Some(lead.headline.clone()),
        profile_url: Some(lead.profile_url.clone()),
        profile_picture_url: None,
        background_image_url: None,
        is_premium: Some(lead.is_premium),
        title: Some(lead.title.clone()),
        location: Some(lead.location.clone()),
        connections_count: Some(lead.connections_count),
        follower_count: Some(lead.follower_count),
        profile_data: Some(lead.profile_data.clone()),
        custom_data: Some(lead.custom_data.clone()),
        resolved_timezone: Some(lead.timezone.to_owned()),
        timezone_label: Some(lead.timezone_label.to_owned()),
        import_job_id: lead.import_job_id.clone(),
        created_at: iso(lead.created_at),
        identity: identity(&lead.profile_url),
        email: lead.email.clone(),
    }
}
