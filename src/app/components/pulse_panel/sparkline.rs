//! The conversations of the last weeks as small bars.

use js_sys::Date;

use crate::app::components::dom::{El, svg_element};
use crate::app::model::account_pulse::Conversation;
use crate::app::model::account_pulse::weeks::{WEEKS, by_week};

/// Width of a week with its gap, of its bar, and the height of the largest bar.
const WEEK: u64 = 8;
const BAR: u64 = 6;
const HEIGHT: u64 = 24;

/// Renders a bar for each week; `None` if the time of no message is known.
pub fn sparkline(chats: &[Conversation]) -> Option<El> {
    let weeks = by_week(chats, Date::now() as i64)?;
    let most = weeks.iter().copied().max().unwrap_or_default().max(1);
    let bars = (0..).zip(&weeks).map(|(week, count)| {
        // A week without a message is a line.
        let tall = (count * HEIGHT).div_ceil(most).max(1);
        format!("M{} {HEIGHT}v-{tall}h{BAR}v{tall}z", week * WEEK)
    });
    let counts: Vec<String> = weeks.iter().map(u64::to_string).collect();
    let label = [
        "Conversations by the week of their last message, the latest week last: ",
        &counts.join(", "),
    ];
    let size = [
        "0 0 ",
        &(WEEKS as u64 * WEEK).to_string(),
        " ",
        &HEIGHT.to_string(),
    ];
    Some(
        svg_element("svg")
            .class("sparkline")
            .attr("role", "img")
            .attr("aria-label", label.concat())
            .attr("viewBox", size.concat())
            .child(svg_element("path").attr("d", bars.collect::<String>())),
    )
}
