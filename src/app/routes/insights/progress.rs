//! The user's own progress: decisions by hour today, and by day. From this browser only.

use std::rc::Rc;

use js_sys::Date;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use crate::app::components::chart_card::{ChartCard, chart_card};
use crate::app::components::column_chart::{ColumnChart, column_chart};
use crate::app::components::data_table::data_table;
use crate::app::components::dom::{El, div, h2, p, section};
use crate::app::components::format;
use crate::app::model::chart_picture::{Columns, column_picture};
use crate::app::model::decision_pace::{DAYS, noons, streak};
use crate::app::state::download::{SVG, save_text};
use crate::app::state::{AppState, decision_pace};

/// What the log says now.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub days: [u64; DAYS],
    pub hours: [u64; 24],
    /// Time for a lead today in milliseconds.
    pub pace: Option<u64>,
    now: u64,
}

impl Progress {
    /// Returns `None` in a host page.
    pub fn read(app: AppState) -> Option<Self> {
        let pace = decision_pace::read(app.session)?;
        let now = Date::now() as u64;
        let offset = &decision_pace::offset;
        Some(Self {
            days: pace.days(now, offset),
            hours: pace.hours_of_today(now, offset),
            pace: pace.pace(now, offset),
            now,
        })
    }

    fn today(&self) -> u64 {
        self.days[DAYS - 1]
    }
}

/// A chart of the log.
struct LogChart {
    title: &'static str,
    file: &'static str,
    /// Heading of the first column of the table.
    what: &'static str,
    values: Vec<u64>,
    /// Labels below the columns; some are empty.
    labels: Vec<String>,
    /// Names in the table.
    names: Vec<String>,
    words: String,
}

/// Renders the charts, or what they will show while the log is empty.
pub fn progress(app: AppState, progress: Progress) -> Vec<El> {
    if progress
        .days
        .iter()
        .chain(&progress.hours)
        .all(|count| *count == 0)
    {
        return vec![nothing_yet()];
    }
    let today = format::count(progress.today(), "decision");
    let streak = streak(&progress.days);
    let in_a_row = match streak {
        0 | 1 => String::new(),
        _ => format!(" Decisions on {} in a row.", format::count(streak, "day")),
    };
    let hours = LogChart {
        title: "Your decisions today, by hour",
        file: "decisions-today.svg",
        what: "Hour",
        values: progress.hours.to_vec(),
        labels: (0..24)
            .map(|hour| {
                if hour % 4 == 0 {
                    format!("{hour}:00")
                } else {
                    String::new()
                }
            })
            .collect(),
        names: (0..24).map(|hour| format!("{hour}:00")).collect(),
        words: [&*today, " today."].concat(),
    };
    let dates = noons(progress.now, &decision_pace::offset);
    let days = LogChart {
        title: "Your decisions a day, last two weeks",
        file: "decisions-a-day.svg",
        what: "Day",
        values: progress.days.to_vec(),
        labels: dates.iter().map(|at| day_of_month(*at)).collect(),
        names: dates.iter().map(|at| format::date(&iso(*at))).collect(),
        words: [
            &*today,
            " today.",
            &in_a_row,
            " Counted in this browser only; an undo takes the latest one back.",
        ]
        .concat(),
    };
    vec![log_card(app, days), log_card(app, hours)]
}

fn nothing_yet() -> El {
    let title = "Your decisions";
    let text = "Once you approve and reject leads in this browser, this shows how many you decide an hour and a day.";
    section()
        .class("chart-card log")
        .attr("aria-label", title)
        .child(div().class("chart-head").child(h2().child(title)))
        .child(p().class("fine").child(text))
}

fn log_card(app: AppState, log: LogChart) -> El {
    let log = Rc::new(log);
    let (of_chart, of_table) = (Rc::clone(&log), Rc::clone(&log));
    let values: Vec<[u64; 2]> = log.values.iter().map(|value| [*value, 0]).collect();
    let picture = column_picture(log.title, &values, Columns::Plain, &log.labels, None);
    let file = log.file;
    chart_card(ChartCard {
        class: "log",
        title: log.title.to_owned(),
        chart: Rc::new(move || {
            let chart = column_chart(ColumnChart {
                class: "plain",
                description: &[of_chart.title, ": ", &*of_chart.words].concat(),
                values: &values,
                labels: &of_chart.labels,
                mark: None,
            });
            div()
                .child(chart)
                .child(p().class("fine").child(&of_chart.words))
        }),
        table: Rc::new(move || {
            let rows = of_table.names.iter().zip(&of_table.values);
            let rows = rows.map(|(name, value)| (name.clone(), [Some(format::number(*value))]));
            data_table(of_table.title, [of_table.what, "Decisions"], rows)
        }),
        above: None,
        on_save: Callback::new(move |()| save_text(app.notice, file, SVG, &picture)),
    })
}

fn date(at: u64) -> Date {
    Date::new(&JsValue::from_f64(at as f64))
}

fn day_of_month(at: u64) -> String {
    date(at).get_date().to_string()
}

fn iso(at: u64) -> String {
    date(at).to_iso_string().into()
}
