//! Decisions by score, with the threshold that separates them best.

use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;

use crate::app::components::chart_card::{ChartCard, chart_card};
use crate::app::components::column_chart::{ColumnChart, column_chart};
use crate::app::components::data_table::data_table;
use crate::app::components::dom::{El, div, h2, p, section, span};
use crate::app::components::format;
use crate::app::model::account_pulse::reply_rate::Rate;
use crate::app::model::chart_picture::{Columns, column_picture};
use crate::app::model::insights::score_histogram::{POINTS, RANGES, ScoreHistogram};
use crate::app::shell::retry::Retry;
use crate::app::state::AppState;
use crate::app::state::download::{SVG, save_text};
use crate::app::state::insights::InsightCounts;

const TITLE: &str = "Score and decision";

/// Renders the card, or a placeholder of its size.
pub fn scores(app: AppState, counts: InsightCounts, retry: Retry) -> El {
    let scores = counts.scores;
    div().class("slot").child(move || {
        scores.with(|scores| {
            Some(match (scores.value(), scores.error()) {
                (Some(scores), _) => scores_card(app, scores),
                (None, Some(error)) => plain(&error.headline()).child(retry.button("")),
                (None, None) => plain("Counting the decisions by score."),
            })
        })
    })
}

fn plain(text: &str) -> El {
    section()
        .class("chart-card scores")
        .attr("aria-label", TITLE)
        .child(div().class("chart-head").child(h2().child(TITLE)))
        .child(p().class("fine").attr("role", "status").child(text))
}

fn scores_card(app: AppState, scores: &Arc<ScoreHistogram>) -> El {
    if scores.decided() == 0 {
        return plain("No decided lead of this view has a score.");
    }
    let (of_chart, of_table, of_picture) =
        (Arc::clone(scores), Arc::clone(scores), Arc::clone(scores));
    let legend = div()
        .class("legend")
        .child(swatch("first", "approved, below"))
        .child(swatch("second", "rejected, above"));
    chart_card(ChartCard {
        class: "scores",
        title: TITLE.to_owned(),
        chart: Rc::new(move || chart(&of_chart)),
        table: Rc::new(move || table(&of_table)),
        above: Some(legend),
        on_save: Callback::new(move |()| {
            let values = values(&of_picture);
            let labels = labels();
            let svg = column_picture(
                TITLE,
                &values,
                Columns::Decisions,
                &labels,
                mark(&of_picture),
            );
            save_text(app.notice, "score-and-decision.svg", SVG, &svg);
        }),
    })
}

fn values(scores: &ScoreHistogram) -> Vec<[u64; 2]> {
    let ranges = scores.0.iter();
    ranges
        .map(|range| [range.approved, range.rejected])
        .collect()
}

/// Returns the labels below the columns, which are narrow.
fn labels() -> Vec<String> {
    let labels = (0..RANGES).map(|range| match range + 1 {
        RANGES => format!("{}+", range * POINTS),
        _ => name(range).replace(" to ", "–"),
    });
    labels.collect()
}

/// Returns the scores of a range: `60 to 69`.
fn name(range: u64) -> String {
    let from = range * POINTS;
    let to = if range + 1 == RANGES {
        from + POINTS
    } else {
        from + POINTS - 1
    };
    format!("{from} to {to}")
}

fn mark(scores: &ScoreHistogram) -> Option<(u64, String)> {
    let score = scores.threshold()?.score;
    Some((score, ["Approve from ", &*score.to_string()].concat()))
}

fn chart(scores: &ScoreHistogram) -> El {
    let words = match scores.threshold() {
        Some(threshold) => format!(
            "Approving from a score of {} on, in steps of {POINTS}, reproduces {} of the decisions on {}.",
            threshold.score,
            threshold.agreement.words(),
            format::count(scores.decided(), "scored lead"),
        ),
        None => {
            "No score separates the decisions better than the same answer for all leads.".to_owned()
        }
    };
    let chart = column_chart(ColumnChart {
        class: "decisions",
        description: &["Approved and rejected leads by score. ", &words].concat(),
        values: &values(scores),
        labels: &labels(),
        mark: mark(scores),
    });
    div().child(chart).child(p().class("fine").child(words))
}

fn table(scores: &ScoreHistogram) -> El {
    let rows = (0..).zip(&scores.0).map(|(index, range)| {
        let (approved, rejected) = (range.approved, range.rejected);
        let share = Rate::new(Some(approved), Some(approved + rejected)).map(Rate::words);
        let counts = [approved, rejected].map(|count| Some(format::number(count)));
        let [approved, rejected] = counts;
        (name(index), [share, approved, rejected])
    });
    data_table(
        TITLE,
        ["Score", "Share approved", "Approved", "Rejected"],
        rows,
    )
}

/// Renders an entry of a legend.
fn swatch(class: &str, words: &str) -> El {
    span().class(["swatch ", class].concat()).child(words)
}
