//! Leads: list items, detail and the responses to updates.

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
        /// Id of the lead.
        lead_id: LeadId,
        /// Identifier given by the source of the lead.
        provider_id: String,
        /// Full name.
        name: String,
        /// Headline of the profile, shown below the name.
        headline: String,
        /// URL of the profile.
        profile_url: String,
        /// URL of the profile picture.
        profile_picture_url: String,
        /// Profile data: a free-form object; see [`ProfileData`](crate::shapes::ProfileData).
        profile_data: Raw,
        /// Additional data of the workspace: a free-form object.
        custom_data: Raw,
        /// The company the lead works for.
        current_account: CurrentAccount,
        /// Scores, one per list; see [`ListScore`](crate::shapes::ListScore).
        list_scores: Vec<Raw>,
        /// The latest intent signal.
        intent: Intent,
        /// Id of the import that added the lead.
        import_job_id: ImportJobId,
        /// Approval status of the lead.
        approval_status: ApprovalStatus,
        /// When the lead was added to the workspace.
        created_at: Timestamp,
        /// Id of the conversation with the lead.
        chat_id: ChatId,
        /// IANA name of the lead's time zone.
        resolved_timezone: String,
        /// Display name of the time zone.
        timezone_label: String,
        /// The lists that contain the lead.
        lists: Vec<ListRef>,
        /// The campaigns that contain the lead; see [`CampaignRef`](crate::shapes::CampaignRef).
        campaigns: Vec<Raw>,
    }

    /// A list that contains a lead (spec: ListRef).
    ListRef {
        /// Id of the list.
        list_id: LeadListId,
        /// Name of the list.
        list_name: String,
        /// Id of the lead's entry in the list.
        item_id: String,
    }

    /// The company a lead works for (spec: CurrentAccount).
    CurrentAccount {
        /// Id of the account.
        account_id: AccountId,
        /// Company name.
        name: String,
        /// URL of the logo.
        logo_url: String,
        /// URL of the company's page on the professional network.
        network_url: String,
        /// Name of the company on the professional network.
        network_username: String,
        /// Industry.
        industry: String,
        /// Headcount range, e.g. `51-200`.
        staff_count_range: String,
        /// The lead's job title at the company.
        title: String,
        /// Tagline of the company.
        tagline: String,
        /// Year in which the company was founded.
        founded_year: i64,
        /// The company's description of itself.
        description: String,
        /// Location of the company.
        location: String,
    }

    /// An intent signal (spec: Intent).
    Intent {
        /// Id of the intent signal.
        id: String,
        /// What happened, e.g. `job_change`.
        event_type: String,
        /// Details: a free-form object.
        event_data: Raw,
        /// Id of the signal run that found it.
        signal_run_id: SignalRunId,
        /// Id of the list that it was found for.
        lead_list_id: LeadListId,
        /// Id of the signal that found it.
        signal_id: SignalId,
        /// When it was found.
        created_at: Timestamp,
    }

    /// A lead in full (spec: Lead detail).
    LeadDetail {
        /// Id of the lead.
        id: LeadId,
        /// Identifier given by the source of the lead.
        provider_id: String,
        /// Full name.
        name: String,
        /// Headline of the profile, shown below the name.
        headline: String,
        /// URL of the profile.
        profile_url: String,
        /// URL of the profile picture.
        profile_picture_url: String,
        /// URL of the profile's background image.
        background_image_url: String,
        /// Whether the lead has a paid profile.
        is_premium: bool,
        /// Profile data: a free-form object; see [`ProfileData`](crate::shapes::ProfileData).
        profile_data: Raw,
        /// Additional data of the workspace: a free-form object.
        custom_data: Raw,
        /// The company the lead works for.
        current_account: CurrentAccount,
        /// Approval status of the lead.
        approval_status: ApprovalStatus,
        /// Scores, one per list; see [`ListScore`](crate::shapes::ListScore).
        list_scores: Vec<Raw>,
        /// The lists that contain the lead.
        lead_lists: Vec<LeadListMembership>,
        /// The campaigns that contain the lead.
        campaigns: Vec<CampaignMembership>,
        /// Every intent signal of the lead; an element that is an object reads as an [`Intent`].
        intents: Vec<Raw>,
        /// How the lead is nurtured.
        nurture: Nurture,
        /// Id of the conversation with the lead.
        chat_id: ChatId,
    }

    /// A list that contains a lead, in the lead detail (spec: LeadListMembership).
    LeadListMembership {
        /// Id of the list.
        lead_list_id: LeadListId,
        /// Name of the list.
        lead_list_name: String,
        /// Id of the lead's entry in the list.
        lead_list_item_id: String,
        /// When the lead was added to the list.
        added_at: Timestamp,
    }

    /// A campaign that contains a lead (spec: CampaignMembership).
    CampaignMembership {
        /// Id of the lead's entry in the campaign.
        campaign_lead_id: String,
        /// Id of the campaign.
        campaign_id: CampaignId,
        /// Name of the campaign.
        campaign_name: String,
        /// Status of the campaign.
        campaign_status: String,
        /// Status of the lead in the campaign.
        lead_status: String,
        /// Whether the lead accepted the connection request.
        connection_accepted: bool,
        /// Whether the lead replied.
        message_replied: bool,
        /// Name of the sender who writes to the lead.
        assigned_sender_name: String,
        /// When the lead was added to the campaign.
        created_at: Timestamp,
    }

    /// How a lead is nurtured (spec: Nurture).
    Nurture {
        /// Id of the tracked profile.
        tracker_profile_id: String,
        /// How posts are liked; the values are not shown.
        like_mode: String,
        /// Whether nurturing is active.
        is_active: bool,
        /// When nurturing began.
        created_at: Timestamp,
    }

    /// Response to the update of one lead (spec: Single lead update).
    LeadUpdated {
        /// Id of the lead.
        lead_id: LeadId,
        /// Approval status after the update.
        approval_status: ApprovalStatus,
    }

    /// Response to the update of many leads (spec: Bulk lead update).
    LeadsUpdated {
        /// Number of leads that were updated.
        updated: u64,
    }
}
