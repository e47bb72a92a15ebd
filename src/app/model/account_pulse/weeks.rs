//! Conversations by the week of their last message.

use super::Conversation;
use crate::app::model::time::instant;

/// Number of weeks that are counted, up to now.
pub const WEEKS: usize = 12;

const WEEK: i64 = 7 * 86_400_000;

/// Returns how many conversations had their last message in each week, the current one last. `None` if no time is known.
/// `now` is in milliseconds since 1970.
pub fn by_week(chats: &[Conversation], now: i64) -> Option<[u64; WEEKS]> {
    let times = chats
        .iter()
        .filter_map(|chat| instant(chat.last.as_deref()?));
    let mut weeks = None;
    for time in times {
        let weeks = weeks.get_or_insert([0; WEEKS]);
        // The clocks of server and browser may differ: a time in the future is now.
        let age = now.saturating_sub(time).max(0) / WEEK;
        if let Some(week) = usize::try_from(age)
            .ok()
            .and_then(|age| (WEEKS - 1).checked_sub(age))
        {
            weeks[week] += 1;
        }
    }
    weeks
}
