//! Timeline of the conversations: a row for each campaign, a mark for each conversation.

use std::rc::Rc;

use js_sys::Date;

use super::charts::tone;
use super::part;
use crate::app::components::data_table::data_table;
use crate::app::components::dom::{El, b, div, p, section, span, svg_element};
use crate::app::components::format;
use crate::app::model::account_pulse::Pulse;
use crate::app::model::account_pulse::bar_chart::WIDTH;
use crate::app::model::account_pulse::timeline::{Timeline, TimelineRow};
use crate::app::reactive::RwSignal;

/// Height of a row, in pixels; the same as in the style sheet.
const ROW: u32 = 26;

/// Number of campaigns in the chart. The table has all of them.
const CAMPAIGNS: usize = 8;

/// Renders the timeline; `None` if the time of no message is known.
pub fn timeline(pulse: &Pulse, as_table: RwSignal<bool>) -> Option<El> {
    let timeline = Rc::new(Timeline::new(pulse, Date::now() as i64)?);
    let draw = move || {
        Some(match as_table.get() {
            true => table(&timeline),
            false => figure(&timeline),
        })
    };
    Some(part("timeline-of", "Conversations by campaign").child(draw))
}

fn figure(timeline: &Timeline) -> El {
    let shown = &timeline.rows[..timeline.rows.len().min(CAMPAIGNS)];
    let names = shown
        .iter()
        .map(|row| span().attr("title", &row.campaign).child(&row.campaign));
    let figures = shown
        .iter()
        .map(|row| span().child(b().child(format::number(row.marks.len() as u64))));
    let column = |class: &str| div().class(class).attr("aria-hidden", "true");
    let height = (shown.len() as u32 * ROW).to_string();
    let rows = (0..)
        .zip(shown)
        .flat_map(|(index, row)| drawing(row, index));
    let svg = svg_element("svg")
        .attr("role", "img")
        .attr("aria-label", timeline.words(CAMPAIGNS, &format::number))
        .attr("preserveAspectRatio", "none")
        .attr(
            "viewBox",
            ["0 0 ", &WIDTH.to_string(), " ", &height].concat(),
        )
        .attr("height", &*height)
        .children(rows);
    let chart = div()
        .class("chart bars-of timeline")
        .child(column("names").children(names))
        .child(svg)
        .child(column("figures").children(figures))
        .child(
            column("axis")
                .child(span().child(format::day(&timeline.from)))
                .child(span().child("today")),
        );
    section().child(chart).child(
        p().class("fine")
            .child("A mark is a conversation with a lead of the campaign, at its last message."),
    )
}

/// Draws the line of a row and its marks. A mark is a line without a length and with round ends, which stays round
/// however wide the chart is.
fn drawing(row: &TimelineRow, index: u32) -> Vec<El> {
    let y = (index * ROW + ROW / 2).to_string();
    let line = |class: &str, x: u32, to: u32| {
        svg_element("path")
            .class(class)
            .attr("d", format!("M{x} {y}H{to}"))
            .attr("vector-effect", "non-scaling-stroke")
    };
    let marks = row
        .marks
        .iter()
        .map(|mark| line(&["mark ", tone(mark.tone)].concat(), mark.x, mark.x));
    [line("track", 0, WIDTH)].into_iter().chain(marks).collect()
}

fn table(timeline: &Timeline) -> El {
    let rows = timeline.rows.iter().map(|row| {
        let count = format::number(row.marks.len() as u64);
        let day = |time: Option<&String>| time.map(|time| format::day(time));
        let first = day(row.marks.first().map(|mark| &mark.time));
        let last = day(row.marks.last().map(|mark| &mark.time));
        (row.campaign.clone(), [Some(count), first, last])
    });
    data_table(
        "Conversations by campaign",
        ["Campaign", "Conversations", "First", "Latest"],
        rows,
    )
}
