//! The figures at the top of the insights.

use super::Loaded;
use super::progress::Progress;
use crate::app::components::dom::{El, b, div, i, p};
use crate::app::components::format;
use crate::app::model::account_pulse::reply_rate::Rate;
use crate::app::model::insights::score_histogram::ScoreHistogram;
use crate::app::reactive::{RwSignal, Signal};
use crate::app::state::remote_value::Remote;
use crate::client::Error;

/// A figure with the words that explain it.
#[derive(Clone)]
struct Figure {
    number: String,
    words: String,
    /// Length of the bar in percent.
    percent: Option<u64>,
}

pub fn figures(
    loaded: Loaded,
    scores: RwSignal<Remote<ScoreHistogram, Error>>,
    own: Option<Progress>,
) -> El {
    let approved = move || {
        loaded.with(|insights| {
            let counts = insights.as_ref()?.totals.counts;
            let decided = counts.decided()?;
            let words = ["approved of ", &format::number(decided), " decided"].concat();
            Some(rated(counts.approved(), Some(decided), words))
        })
    };
    let decided = move || {
        loaded.with(|insights| {
            let totals = insights.as_ref()?.totals;
            let words = ["of ", &format::count(totals.all, "lead"), " decided"].concat();
            Some(rated(totals.counts.decided(), Some(totals.all), words))
        })
    };
    let threshold = move || {
        let scores = scores.with(|scores| scores.value().cloned())?;
        Some(match scores.threshold() {
            Some(threshold) => Figure {
                number: threshold.score.to_string(),
                words: [
                    "best score to approve from, ",
                    &threshold.agreement.words(),
                    " agree",
                ]
                .concat(),
                percent: Some(threshold.agreement.percent()),
            },
            None => Figure {
                number: "–".to_owned(),
                words: "no score separates the decisions".to_owned(),
                percent: None,
            },
        })
    };
    div()
        .class("figures")
        .child(figure("approved", approved))
        .child(figure("", decided))
        .child(own.map(|own| figure("", move || Some(pace(own)))))
        .child(figure("", threshold))
}

/// Returns the pace of the user today.
fn pace(own: Progress) -> Figure {
    let (number, words) = match own.pace {
        Some(pace) => {
            let seconds = pace.div_ceil(1000).max(1);
            let an_hour = format::number(3600 / seconds);
            (
                [&*an_hour, " / hour"].concat(),
                format!("your pace today, {seconds} s a lead"),
            )
        }
        None => ("–".to_owned(), "your pace today, not known yet".to_owned()),
    };
    Figure {
        number,
        words,
        percent: None,
    }
}

fn rated(part: Option<u64>, whole: Option<u64>, words: String) -> Figure {
    let rate = Rate::new(part, whole);
    Figure {
        number: rate.map_or_else(|| "–".to_owned(), Rate::words),
        words,
        percent: rate.map(Rate::percent),
    }
}

/// Renders a figure, whose place is kept while it is not known.
fn figure(class: &'static str, read: impl Fn() -> Option<Figure> + Send + Sync + 'static) -> El {
    let read = Signal::derive(read);
    let of = move |part: fn(Figure) -> String| read.get().map(part).unwrap_or_default();
    let bar = move || {
        let percent = read.get()?.percent?;
        let bar = i().class("meter").attr("aria-hidden", "true");
        Some(bar.style("--part", move || [&*percent.to_string(), "%"].concat()))
    };
    div()
        .class(["figure ", class].concat())
        .child(b().child(move || of(|figure| figure.number)))
        .child(p().child(move || of(|figure| figure.words)))
        .child(bar)
}
