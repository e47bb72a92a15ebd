//! Leads: list items, detail and the answers to their updates.

use crate::choice::ApprovalStatus;
use crate::ids::{
    AccountId, CampaignId, ChatId, ImportJobId, LeadId, LeadListId, SignalId, SignalRunId,
};
use crate::model::model;
use crate::raw::Raw;
use crate::wire::Timestamp;

model! {
    /// A lead as an element of `data` in the leads query (spec: Lead list item).
    LeadListItem {
        /// The lead.
        lead_id: LeadId,
        /// The identifier given by the source of the lead.
        provider_id: String,
        /// Full name.
        name: String,
        /// The line under the name on the profile.
        headline: String,
        /// Address of the profile.
        profile_url: String,
        /// Address of the picture.
        profile_picture_url: String,
        /// What the profile says: a free object; see [`ProfileData`](crate::shapes::ProfileData).
        profile_data: Raw,
        /// What the workspace keeps besides: a free object.
        custom_data: Raw,
        /// The company the lead works for.
        current_account: CurrentAccount,
        /// Scores, one per list; see [`ListScore`](crate::shapes::ListScore).
        list_scores: Vec<Raw>,
        /// The latest sign of intent.
        intent: Intent,
        /// The import that brought the lead in.
        import_job_id: ImportJobId,
        /// The decision on the lead.
        approval_status: ApprovalStatus,
        /// When the lead came into the workspace.
        created_at: Timestamp,
        /// The conversation with the lead.
        chat_id: ChatId,
        /// IANA name of the lead's time zone.
        resolved_timezone: String,
        /// The time zone for people.
        timezone_label: String,
        /// The lists that hold the lead.
        lists: Vec<ListRef>,
        /// The campaigns that hold the lead; see [`CampaignRef`](crate::shapes::CampaignRef).
        campaigns: Vec<Raw>,
    }

    /// A list that holds a lead (spec: ListRef).
    ListRef {
        /// The list.
        list_id: LeadListId,
        /// Its name.
        list_name: String,
        /// The lead's place in the list.
        item_id: String,
    }

    /// The company a lead works for (spec: CurrentAccount).
    CurrentAccount {
        /// The account.
        account_id: AccountId,
        /// Name of the company.
        name: String,
        /// Address of the logo.
        logo_url: String,
        /// Address of the company's page on the professional network.
        network_url: String,
        /// Name of the company on the professional network.
        network_username: String,
        /// Industry.
        industry: String,
        /// Size as a range of heads, e.g. `51-200`.
        staff_count_range: String,
        /// The lead's title at the company.
        title: String,
        /// The company's tagline.
        tagline: String,
        /// Year of foundation.
        founded_year: i64,
        /// What the company says of itself.
        description: String,
        /// Where the company is.
        location: String,
    }

    /// A sign of intent (spec: Intent).
    Intent {
        /// The sign.
        id: String,
        /// What happened, e.g. `job_change`.
        event_type: String,
        /// Particulars: a free object.
        event_data: Raw,
        /// The run that found it.
        signal_run_id: SignalRunId,
        /// The list it was found for.
        lead_list_id: LeadListId,
        /// The signal that found it.
        signal_id: SignalId,
        /// When it was found.
        created_at: Timestamp,
    }

    /// A lead in full (spec: Lead detail).
    LeadDetail {
        /// The lead.
        id: LeadId,
        /// The identifier given by the source of the lead.
        provider_id: String,
        /// Full name.
        name: String,
        /// The line under the name on the profile.
        headline: String,
        /// Address of the profile.
        profile_url: String,
        /// Address of the picture.
        profile_picture_url: String,
        /// Address of the picture behind the profile.
        background_image_url: String,
        /// Whether the profile is a paid one.
        is_premium: bool,
        /// What the profile says: a free object; see [`ProfileData`](crate::shapes::ProfileData).
        profile_data: Raw,
        /// What the workspace keeps besides: a free object.
        custom_data: Raw,
        /// The company the lead works for.
        current_account: CurrentAccount,
        /// The decision on the lead.
        approval_status: ApprovalStatus,
        /// Scores, one per list; see [`ListScore`](crate::shapes::ListScore).
        list_scores: Vec<Raw>,
        /// The lists that hold the lead.
        lead_lists: Vec<LeadListMembership>,
        /// The campaigns that hold the lead.
        campaigns: Vec<CampaignMembership>,
        /// Every sign of intent; an element that is an object reads as an [`Intent`].
        intents: Vec<Raw>,
        /// How the lead is being warmed up.
        nurture: Nurture,
        /// The conversation with the lead.
        chat_id: ChatId,
    }

    /// A list that holds a lead, in the detail (spec: LeadListMembership).
    LeadListMembership {
        /// The list.
        lead_list_id: LeadListId,
        /// Its name.
        lead_list_name: String,
        /// The lead's place in the list.
        lead_list_item_id: String,
        /// When the lead was added.
        added_at: Timestamp,
    }

    /// A campaign that holds a lead (spec: CampaignMembership).
    CampaignMembership {
        /// The lead's place in the campaign.
        campaign_lead_id: String,
        /// The campaign.
        campaign_id: CampaignId,
        /// Its name.
        campaign_name: String,
        /// State of the campaign.
        campaign_status: String,
        /// State of the lead in the campaign.
        lead_status: String,
        /// Whether the lead accepted the connection.
        connection_accepted: bool,
        /// Whether the lead answered.
        message_replied: bool,
        /// Who writes to the lead.
        assigned_sender_name: String,
        /// When the lead was added.
        created_at: Timestamp,
    }

    /// How a lead is being warmed up (spec: Nurture).
    Nurture {
        /// The tracked profile.
        tracker_profile_id: String,
        /// How posts are liked; the values are not shown.
        like_mode: String,
        /// Whether it goes on.
        is_active: bool,
        /// When it began.
        created_at: Timestamp,
    }

    /// The answer to an update of one lead (spec: Single lead update).
    LeadUpdated {
        /// The lead.
        lead_id: LeadId,
        /// The status it has now.
        approval_status: ApprovalStatus,
    }

    /// The answer to an update of many leads (spec: Bulk lead update).
    LeadsUpdated {
        /// How many leads were updated.
        updated: u64,
    }
}
