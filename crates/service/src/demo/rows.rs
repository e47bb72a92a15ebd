//! Demo records as rows of the store.

use lead_workspace_demo::{Company, Lead};

use crate::store::insert::{AccountRow, LeadRow};
use crate::time::iso;

/// Returns a URL as leads and accounts are matched by it.
fn identity(url: &str) -> Option<String> {
    url.strip_prefix("https://").map(str::to_owned)
}

pub(super) fn account_row(company: &Company) -> AccountRow {
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

pub(super) fn lead_row<S>(lead: &Lead<S>) -> LeadRow {
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
