//! Conversations over time, by campaign.

use super::bar_chart::WIDTH;
use super::{AccountCampaign, Conversation, Pulse, Tone};
use crate::app::model::time::instant;

/// Conversations over time: a row for each campaign, the one with the latest message first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// The first of all times, ISO 8601.
    pub from: String,
    pub rows: Vec<TimelineRow>,
}

/// The conversations of a campaign's leads. A pulse does not say which campaign a conversation is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineRow {
    pub campaign: String,
    /// Earliest first.
    pub marks: Vec<Mark>,
}

/// A conversation at the time of its last message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Position from 0, the first of all times, to [`WIDTH`], now.
    pub x: u32,
    pub tone: Tone,
    /// ISO 8601.
    pub time: String,
}

impl Timeline {
    /// Returns the timeline; `None` if no time is known. `now` is in milliseconds since 1970.
    pub fn new(pulse: &Pulse, now: i64) -> Option<Self> {
        let mut dated: Vec<(i64, &Conversation)> = pulse
            .chats
            .iter()
            .filter_map(|chat| Some((instant(chat.last.as_deref()?)?, chat)))
            .collect();
        dated.sort_by_key(|(time, _)| *time);
        let (from, first) = dated.first()?;
        let last = dated.last().map_or(now, |(time, _)| now.max(*time));
        let span = i128::from(last) - i128::from(*from);
        let x = |time: i64| {
            let after = (i128::from(time) - i128::from(*from)) * i128::from(WIDTH);
            after.checked_div(span).map_or(WIDTH, |x| x as u32)
        };
        let row = |campaign: &str, is_in: &dyn Fn(&Conversation) -> bool| {
            let chats = dated.iter().filter(|(_, chat)| is_in(chat));
            let marks = chats.map(|(time, chat)| Mark {
                x: x(*time),
                tone: chat.class.as_ref().map_or(Tone::Plain, |class| class.tone),
                time: chat.last.clone().unwrap_or_default(),
            });
            TimelineRow {
                campaign: campaign.to_owned(),
                marks: marks.collect(),
            }
        };
        let of = |campaign: &AccountCampaign, chat: &Conversation| {
            let lead = chat.person.as_ref().map(|person| &person.id);
            campaign
                .people
                .iter()
                .any(|person| Some(&person.id) == lead)
        };
        let campaigns = pulse.campaigns.iter();
        let rows = campaigns.map(|campaign| row(&campaign.name, &|chat| of(campaign, chat)));
        let others = row("No campaign", &|chat| {
            !pulse.campaigns.iter().any(|campaign| of(campaign, chat))
        });
        let mut rows: Vec<TimelineRow> = rows.chain([others]).collect();
        rows.retain(|row| !row.marks.is_empty());
        rows.sort_by_key(|row| std::cmp::Reverse(row.marks.last().map(|mark| mark.x)));
        Some(Self {
            from: first.last.clone().unwrap_or_default(),
            rows,
        })
    }

    /// Describes the timeline in one sentence: the first `most` campaigns, and how many more there are. `number` formats
    /// a number for the user.
    pub fn words(&self, most: usize, number: &dyn Fn(u64) -> String) -> String {
        let rows = self.rows.iter().take(most);
        let rows = rows.map(|row| [&*row.campaign, " ", &number(row.marks.len() as u64)].concat());
        let mut words = vec![rows.collect::<Vec<_>>().join(", ")];
        let rest = self.rows.len().saturating_sub(most);
        if rest > 0 {
            words.push([&*number(rest as u64), " more in the table"].concat());
        }
        ["Conversations by campaign: ", &words.join(", and "), "."].concat()
    }
}
