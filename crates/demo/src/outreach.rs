//! Outreach to demo leads: the decision, the campaign, the conversation.

use jiff::Timestamp;

use crate::Demo;
use crate::catalog;
use crate::clock;
use crate::ids::id;
use crate::random::Random;

/// What happened to a lead after it was created.
#[derive(Default, Debug, PartialEq)]
pub struct Outreach {
    pub campaign: Option<CampaignLead>,
    pub chat: Option<Chat>,
    pub nurture: Option<Nurture>,
}

/// Membership of a lead in a campaign.
#[derive(Debug, PartialEq)]
pub struct CampaignLead {
    pub campaign_id: String,
    pub campaign_lead_id: String,
    pub status: &'static str,
    /// `none`, `invited`, `connected` or `declined`.
    pub connection: &'static str,
    pub replied: bool,
    /// `None` if the outreach has not begun, as for a lead that a file put into the campaign.
    pub current_node: Option<&'static str>,
    pub rate_limited_by: Option<&'static str>,
    pub has_pending_approval: bool,
    pub sender_name: Option<String>,
    pub network_account: Option<String>,
    pub created_at: Timestamp,
}

/// A conversation in a campaign.
#[derive(Debug, PartialEq)]
pub struct Chat {
    pub chat_id: String,
    /// Class of the lead's reply, if there is one.
    pub classification: Option<&'static str>,
    pub label: Option<&'static str>,
    pub last_message_at: Timestamp,
}

/// Reactions to the posts of a lead, before any message.
#[derive(Debug, PartialEq)]
pub struct Nurture {
    pub tracker_profile_id: String,
    pub like_mode: &'static str,
    pub is_active: bool,
    pub created_at: Timestamp,
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
    /// Makes the outreach to a lead that was created at `created`, a time of the fixed day or before.
    pub(crate) fn outreach(
        &self,
        random: &mut Random,
        number: u64,
        status: &str,
        created: Timestamp,
    ) -> Outreach {
        let mut outreach = Outreach::default();
        let in_campaign = match status {
            "approved" => 86,
            // Some were contacted before they were rejected.
            "rejected" => 14,
            _ => 0,
        };
        if random.percent(in_campaign) {
            let mut campaign = self.campaign(random, number, created);
            outreach.chat = self.chat(random, number, &campaign);
            campaign.created_at = self.clock.moved(campaign.created_at);
            outreach.campaign = Some(campaign);
        }
        let nurtured = match status {
            "approved" => 9,
            "pending_approval" => 5,
            _ => 0,
        };
        if random.percent(nurtured) {
            let began = clock::after(random, created, 20);
            outreach.nurture = Some(Nurture {
                tracker_profile_id: id(self.seed, "tracker", number, began),
                like_mode: random.pick(&["all_posts", "latest_post", "weekly"]),
                is_active: random.percent(80),
                created_at: self.clock.moved(began),
            });
        }
        outreach
    }

    /// The time of the membership is not moved yet.
    fn campaign(&self, random: &mut Random, number: u64, created: Timestamp) -> CampaignLead {
        let campaign = &self.catalog.campaigns[catalog::any_campaign(random)];
        let sender = &self.catalog.senders[random.index(self.catalog.senders.len())];
        let (status, connection, node, _) = STAGES[random.weighted(STAGES.iter().map(|s| s.3))];
        let added = clock::after(random, created, 10);
        CampaignLead {
            campaign_id: campaign.named.id.clone(),
            campaign_lead_id: id(self.seed, "campaign_lead", number, added),
            status,
            connection,
            replied: status == "replied",
            current_node: Some(node),
            rate_limited_by: (status == "in_progress" && random.percent(9))
                .then(|| random.pick(&["invites_per_week", "messages_per_day"])),
            has_pending_approval: node.ends_with("message") && random.percent(25),
            sender_name: Some(sender.name.to_string()),
            network_account: Some(sender.id.clone()),
            created_at: added,
        }
    }

    /// Makes the conversation of a campaign, which begins with the first message.
    fn chat(&self, random: &mut Random, number: u64, campaign: &CampaignLead) -> Option<Chat> {
        let node = campaign.current_node;
        if !matches!(node, Some("second_message" | "conversation" | "end")) {
            return None;
        }
        let reply = campaign
            .replied
            .then(|| &REPLIES[random.weighted(REPLIES.iter().map(|r| r.2))]);
        let last = clock::after(random, campaign.created_at, 30);
        Some(Chat {
            chat_id: id(self.seed, "chat", number, last),
            classification: reply.map(|reply| reply.0),
            label: reply.map_or(Some("Waiting"), |reply| reply.1),
            last_message_at: self.clock.moved(last),
        })
    }
}
