//! Charts: SVG bars with labels beside them, a sentence for screen readers, and the same data as a table.

use std::rc::Rc;

use leptos::ev;

use super::{bare, part};
use crate::app::components::data_table::data_table;
use crate::app::components::dom::{El, b, button, div, i, p, section, small, span, svg_element};
use crate::app::components::format;
use crate::app::model::account_pulse::bar_chart::{Chart, WIDTH};
use crate::app::model::account_pulse::reply_rate::Rate;
use crate::app::model::account_pulse::{Funnel, Pulse, ReplyClass, Tone, description, odd};
use crate::app::reactive::RwSignal;

/// Height of a funnel step and of its bar, in pixels.
const STEP: (u32, u32) = (38, 22);

/// Height of a class and of its bar, in pixels.
const CLASS: (u32, u32) = (26, 8);

/// Number of classes shown before "Show all" is clicked.
const INITIAL_CLASSES: usize = 6;

/// Maximum number of classes in the sentence for screen readers.
const MAX_SPOKEN_CLASSES: usize = 12;

pub fn funnel(funnel: &Funnel, as_table: RwSignal<bool>) -> El {
    let odd = (!funnel.fits()).then(|| {
        p().class("fine")
            .child("These counts are inconsistent. They are shown as the server sent them.")
    });
    let funnel = funnel.clone();
    let draw = move || {
        Some(match as_table.get() {
            true => funnel_table(&funnel),
            false => figure("funnel", &funnel),
        })
    };
    section().class("steps-of").child(draw).child(odd)
}

/// Renders the funnel steps as bars, with a shape that connects each bar to the next.
fn figure(class: &str, funnel: &Funnel) -> El {
    let steps = funnel.steps();
    let counts: Vec<u64> = steps
        .iter()
        .map(|step| step.count.unwrap_or_default())
        .collect();
    let chart = Chart::new(&counts, STEP.0, STEP.1);
    let names = steps.iter().map(|step| span().child(step.name));
    let figures = steps.iter().map(|step| {
        let count = step.count.map_or_else(|| "–".to_owned(), format::number);
        let rate = step.rate.map(|rate| {
            small()
                .class("rate")
                .child(i().child(rate.words()))
                .child(" ")
                .child(step.of)
        });
        span().child(b().child(&count)).child(rate)
    });
    let tones: Vec<&str> = steps.iter().map(|_| "").collect();
    let description = funnel.words(&format::number);
    picture(
        class,
        &description,
        &chart,
        &tones,
        names.collect(),
        figures.collect(),
    )
}

fn funnel_table(funnel: &Funnel) -> El {
    let rows = funnel.steps().map(|step| {
        let of_all = Rate::new(step.count, funnel.leads).map(Rate::words);
        let of_before = step.rate.map(Rate::words);
        let count = step.count.map(format::number);
        (step.name.to_owned(), [count, of_before, of_all])
    });
    data_table(
        "Funnel",
        ["Step", "Leads", "vs. previous step", "Of all leads"],
        rows,
    )
}

pub fn classes(pulse: &Pulse, as_table: RwSignal<bool>) -> El {
    let known = pulse.classes.len() as u64;
    let odd = odd(known, pulse.odd_classes, &format::number);
    if pulse.classes.is_empty() {
        let none = odd.as_deref().unwrap_or("No replies are classified yet.");
        return bare("classes", "Replies", none);
    }
    let all: Rc<[ReplyClass]> = pulse.classes.as_slice().into();
    let whole = RwSignal::new(false);
    let many = all.len() > INITIAL_CLASSES;
    let shown = Rc::clone(&all);
    let draw = move || {
        let count = if whole.get() {
            shown.len()
        } else {
            INITIAL_CLASSES
        };
        Some(match as_table.get() {
            true => class_table(&shown),
            false => class_bars(&shown, count.min(shown.len())),
        })
    };
    let label = format!("Show all {} classes", format::number(all.len() as u64));
    let more = move || {
        // The table shows all of them.
        (many && !as_table.get()).then(|| {
            let label = label.clone();
            button()
                .class("link")
                .attr("aria-expanded", move || whole.get().to_string())
                .child(move || match whole.get() {
                    true => "Show fewer".to_owned(),
                    false => label.clone(),
                })
                .on(ev::click, move |_| whole.update(|whole| *whole = !*whole))
        })
    };
    let odd = odd.map(|odd| p().class("fine").child(&odd));
    part("classes", "Replies")
        .child(draw)
        .child(odd)
        .child(more)
}

/// Renders bars for the first `shown` classes.
fn class_bars(all: &[ReplyClass], shown: usize) -> El {
    let classes = &all[..shown];
    let counts: Vec<u64> = classes.iter().map(|class| class.count).collect();
    let chart = Chart::new(&counts, CLASS.0, CLASS.1);
    let names = classes.iter().map(|class| {
        span()
            .class("class")
            .attr("data-tone", tone(class.tone))
            .attr("title", &class.name)
            .child(&class.name)
    });
    let figures = counts
        .iter()
        .map(|count| span().child(b().child(format::number(*count))));
    let tones: Vec<&str> = classes.iter().map(|class| tone(class.tone)).collect();
    let description = description(all, shown.min(MAX_SPOKEN_CLASSES), &format::number);
    picture(
        "bars-of",
        &description,
        &chart,
        &tones,
        names.collect(),
        figures.collect(),
    )
}

fn class_table(classes: &[ReplyClass]) -> El {
    let rows = classes
        .iter()
        .map(|class| (class.name.clone(), [Some(format::number(class.count))]));
    data_table("Replies by class", ["Class", "Replies"], rows)
}

/// Returns the word for a tone in the style sheet.
pub(super) fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "good",
        Tone::Bad => "bad",
        Tone::Plain => "",
    }
}

/// Renders labels, bars and figures in three columns with the same row heights. The sentence replaces all of it for
/// screen readers.
fn picture(
    class: &str,
    description: &str,
    chart: &Chart,
    tones: &[&str],
    names: Vec<El>,
    figures: Vec<El>,
) -> El {
    let svg = drawing(chart, tones).attr("aria-label", description);
    let column = |class: &str, rows: Vec<El>| {
        div()
            .class(class)
            .attr("aria-hidden", "true")
            .children(rows)
    };
    div()
        .class(["chart ", class].concat())
        .child(column("names", names))
        .child(svg)
        .child(column("figures", figures))
}

/// Draws the flows and the bars.
fn drawing(chart: &Chart, tones: &[&str]) -> El {
    let (across, height) = (WIDTH.to_string(), chart.height.to_string());
    let thick = chart.thick.to_string();
    let flows = (chart.thick > CLASS.1).then(|| chart.flows());
    let flows = flows.into_iter().flatten().map(|flow| {
        let points: Vec<String> = flow.iter().map(|(x, y)| format!("{x},{y}")).collect();
        svg_element("polygon").attr("points", points.join(" "))
    });
    let rect = |class: &str, top: &str, width: &str| {
        svg_element("rect")
            .class(class)
            .attr("y", top)
            .attr("width", width)
            .attr("height", &*thick)
    };
    let bars = chart.bars.iter().zip(tones).flat_map(|(bar, tone)| {
        let top = bar.top.to_string();
        let track = rect("track", &top, &across);
        let length = rect(&["long ", tone].concat(), &top, &bar.length.to_string());
        [track, length]
    });
    svg_element("svg")
        .attr("role", "img")
        .attr("preserveAspectRatio", "none")
        .attr("viewBox", ["0 0 ", &across, " ", &height].concat())
        .attr("height", &*height)
        .children(flows)
        .children(bars)
}
