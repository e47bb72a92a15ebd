//! Outreach to demo leads: the decision, the campaign, the conversation.

use super::Demo;
use super::catalog;
use super::clock;
use super::ids::id;
use super::random::Random;
use crate::store::insert::{CampaignLeadRow, ChatRow, NurtureRow};

/// What happened to a lead after it was created.
#[derive(Default)]
pub(crate) struct Story {
    pub campaign: Option<CampaignLeadRow>,
    pub chat: Option<ChatRow>,
    pub nurture: Option<NurtureRow>,
    pub outreach: Outreach,
}

/// Picks the decision on a lead. Most leads are pending; of the others, the ones with better scores
/// are more likely to be approved.
pub(crate) fn decision(random: &mut Random, tier: &str) -> &'static str {
    if random.percent(68) {
        return "pending_approval";
    }
    let weights = match tier {
        "A" => [80, 17, 3],
        "B" => [55, 36, 9],
        "C" => [30, 44, 26],
        _ => [8, 46, 46],
    };
    ["approved", "rejected", "filtered"][random.weighted(weights)]
}

/// Progress of a campaign with a lead: status, connection, current node, and the share in percent.
const STAGES: &[(&str, &str, &str, u32)] = &[
    ("pending", "none", "visit_profile", 10),
    ("in_progress", "invited", "send_invite", 22),
    ("in_progress", "connected", "first_message", 14),
    ("in_progress", "connected", "second_message", 12),
    ("replied", "connected", "conversation", 28),
    ("finished", "connected", "end", 8),
    ("failed", "declined", "send_invite", 6),
];

/// Classes of replies, the label in the inbox, and the share in percent.
const REPLIES: &[(&str, Option<&str>, u32)] = &[
    ("interested", Some("Hot"), 13),
    ("interested", Some("Meeting booked"), 9),
    ("question", Some("Answer today"), 9),
    ("not_now", Some("Follow up"), 22),
    ("referral", Some("Referral"), 7),
    ("not_interested", Some("Closed"), 26),
    ("out_of_office", None, 12),
    ("other", None, 2),
];

impl Demo {
    /// Makes the story of a lead that was created at `created`.
    pub(super) fn story(
        &self,
        random: &mut Random,
        number: u64,
        status: &str,
        created: i64,
    ) -> Story {
        let mut story = Story::default();
        let in_campaign = match status {
            "approved" => 86,
            // Some were contacted before they were rejected.
            "rejected" => 14,
            _ => 0,
        };
        if random.percent(in_campaign) {
            self.campaign(random, number, created, &mut story);
        }
        let warmed_up = match status {
            "approved" => 9,
            "pending_approval" => 5,
            _ => 0,
        };
        if random.percent(warmed_up) {
            let began = self.clock.after(random, created, 20);
            story.nurture = Some(NurtureRow {
                tracker_profile_id: id(self.seed, "tracker", number, began),
                like_mode: random.pick(&["all_posts", "latest_post", "weekly"]),
                is_active: random.percent(80),
                created_at: clock::text(began),
            });
        }
        story
    }

    fn campaign(&self, random: &mut Random, number: u64, created: i64, story: &mut Story) {
        let campaign = &self.catalog.campaigns[catalog::any_campaign(random)];
        let sender = &self.catalog.senders[random.index(self.catalog.senders.len())];
        let (status, connection, node, _) = STAGES[random.weighted(STAGES.iter().map(|s| s.3))];
        let added = self.clock.after(random, created, 10);
        let replied = status == "replied";
        story.outreach = Outreach {
            campaign_lead_status: Some(status),
            connection: Some(connection),
            reply: Some(if replied { "replied" } else { "none" }),
            sender: Some(sender.name.to_owned()),
            current_node: Some(node),
            rate_limited_by: (status == "in_progress" && random.percent(9))
                .then(|| random.pick(&["invites_per_week", "messages_per_day"])),
            has_pending_approval: Some(node.ends_with("message") && random.percent(25)),
            network_account: Some(sender.id.clone()),
            ..Outreach::default()
        };
        story.campaign = Some(CampaignLeadRow {
            campaign_id: campaign.named.id.clone(),
            campaign_lead_id: id(self.seed, "campaign_lead", number, added),
            lead_status: status,
            connection_accepted: connection == "connected",
            message_replied: replied,
            assigned_sender_name: Some(sender.name.to_owned()),
            created_at: clock::text(added),
        });
        // A conversation begins with the first message.
        if matches!(node, "second_message" | "conversation" | "end") {
            let reply = replied.then(|| &REPLIES[random.weighted(REPLIES.iter().map(|r| r.2))]);
            let last = self.clock.after(random, added, 30);
            let chat = ChatRow {
                chat_id: id(self.seed, "chat", number, last),
                classification: reply.map(|reply| reply.0),
                label: reply.map_or(Some("Waiting"), |reply| reply.1),
                campaign_id: Some(campaign.named.id.clone()),
                network_account: Some(sender.id.clone()),
                replied,
                last_message_at: clock::text(last),
            };
            story.outreach.chat_id = Some(chat.chat_id.clone());
            story.outreach.chat_label = chat.label;
            story.outreach.reply_classification = chat.classification;
            story.chat = Some(chat);
        }
    }
}

/// Columns that a lead copies from its campaign and its conversation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Outreach {
    pub campaign_lead_status: Option<&'static str>,
    pub connection: Option<&'static str>,
    pub reply: Option<&'static str>,
    pub sender: Option<String>,
    pub current_node: Option<&'static str>,
    pub rate_limited_by: Option<&'static str>,
    pub has_pending_approval: Option<bool>,
    pub chat_id: Option<String>,
    pub chat_label: Option<&'static str>,
    pub reply_classification: Option<&'static str>,
    pub network_account: Option<String>,
}
