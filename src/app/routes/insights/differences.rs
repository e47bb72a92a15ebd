//! What gets approved, against the average: the values with the largest differences, or all values of one facet.

use std::rc::Rc;
use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlSelectElement;

use crate::app::components::chart_card::{ChartCard, chart_card};
use crate::app::components::data_table::data_table;
use crate::app::components::dom::{El, b, div, element, i, li, ol, option, p, select, small, span};
use crate::app::components::empty_state::{Severity, empty_state};
use crate::app::components::format;
use crate::app::list::details_pane::route_links;
use crate::app::model::account_pulse::reply_rate::Rate;
use crate::app::model::chart_picture::{self, PictureRow};
use crate::app::model::filters::Facet;
use crate::app::model::insights::share_bars::{ShareBar, share_bars};
use crate::app::model::insights::{ByStatus, FACETS, Insights, MIN_DECISIONS, ValueCounts};
use crate::app::model::lead_tab::Tab;
use crate::app::model::route::{LEADS_PATH, Route};
use crate::app::model::view::LeadsView;
use crate::app::reactive::{Memo, RwSignal};
use crate::app::state::AppState;
use crate::app::state::download::{SVG, save_text};

/// Maximum number of bars. The table has all values.
const BARS: usize = 12;

pub fn differences(app: AppState, view: Memo<LeadsView>, insights: Arc<Insights>) -> El {
    if insights.values.is_none() {
        return empty_state(
            Severity::Calm,
            "This server cannot count decisions by value",
            "The figures above are complete. Bars by tier, size, title and others need a server that counts facets within a view.",
        );
    }
    let average = share_words(insights.totals.counts);
    let title = ["What gets approved, against the average of ", &average].concat();
    let facet = RwSignal::new(None::<Facet>);
    let (of_chart, of_table) = (Arc::clone(&insights), Arc::clone(&insights));
    let chart = move || {
        let values = shown(&of_chart, facet.get());
        let bars = &values[..values.len().min(BARS)];
        chart(app, view, of_chart.totals.counts, facet.get(), bars)
    };
    let table = move || table(&shown(&of_table, facet.get()));
    let above = facet_choice(&insights, facet);
    chart_card(ChartCard {
        class: "differences",
        title: title.clone(),
        chart: Rc::new(chart),
        table: Rc::new(table),
        above: Some(above),
        on_save: Callback::new(move |()| {
            let values = shown(&insights, facet.get_untracked());
            let values = &values[..values.len().min(BARS)];
            save_text(
                app.notice,
                "what-gets-approved.svg",
                SVG,
                &picture(&title, &insights, values),
            );
        }),
    })
}

fn picture(title: &str, insights: &Insights, values: &[&ValueCounts]) -> String {
    let counts: Vec<ByStatus> = values.iter().map(|value| value.counts).collect();
    let rows = values.iter().map(|value| PictureRow {
        name: name(value),
        share: share_words(value.counts),
        count: format::number(value.counts.decided().unwrap_or_default()),
    });
    let rows: Vec<PictureRow> = rows.collect();
    let shares = share_bars(&counts, insights.totals.counts);
    chart_picture::bars(title, &rows, &shares)
}

/// Returns the value with its facet: `Hiring (Intent)`.
fn name(value: &ValueCounts) -> String {
    [&*value.label, " (", value.facet.label(), ")"].concat()
}

fn share_words(counts: ByStatus) -> String {
    counts.share().map_or_else(|| "–".to_owned(), Rate::words)
}

/// Returns the values to show: those of a facet, or those with the largest differences.
fn shown(insights: &Insights, facet: Option<Facet>) -> Vec<&ValueCounts> {
    match facet {
        Some(facet) => insights.decided_values(facet),
        None => insights.differences(),
    }
}

/// Renders the menu of what is compared.
fn facet_choice(insights: &Insights, facet: RwSignal<Option<Facet>>) -> El {
    let counted = FACETS.iter().enumerate();
    let counted = counted.filter(|(_, facet)| !insights.decided_values(**facet).is_empty());
    let options = counted.map(|(index, facet)| {
        option()
            .attr("value", index.to_string())
            .child(facet.label())
    });
    let menu = select()
        .child(option().attr("value", "").child("Largest differences"))
        .children(options);
    let node: HtmlSelectElement = menu.node().unchecked_into();
    let menu = menu.on(ev::change, move |_| {
        let chosen = node.value().parse::<usize>().ok();
        facet.set(chosen.and_then(|index| FACETS.get(index).copied()));
    });
    element("label")
        .class("facet-choice")
        .child(span().child("Compare"))
        .child(menu)
}

fn chart(
    app: AppState,
    view: Memo<LeadsView>,
    all: ByStatus,
    facet: Option<Facet>,
    values: &[&ValueCounts],
) -> El {
    let counts: Vec<ByStatus> = values.iter().map(|value| value.counts).collect();
    let bars = share_bars(&counts, all);
    let average = bars.average;
    let rows = values.iter().zip(bars.bars);
    let rows = rows.map(|(value, bar)| row(app, view, value, bar, all, facet.is_none()));
    let rule = match facet {
        None if values.is_empty() => format!("No value differs significantly from the average yet: with at least {MIN_DECISIONS} decisions, and the average outside the 95% confidence interval (Wilson)."),
        None => format!("The most significant differences first: with at least {MIN_DECISIONS} decisions, and the average (the line) outside the 95% confidence interval (Wilson)."),
        Some(_) => "Share of approved among approved and rejected leads. The line is the average. A share of few decisions says little.".to_owned(),
    };
    div()
        .style("--average", move || thousandths(average))
        .child((!values.is_empty()).then(heads))
        .child(ol().class("share-bars").children(rows))
        .child(p().class("fine").child(rule))
}

/// Says what the two numbers of each row are. The rows' names say it, too.
fn heads() -> El {
    div()
        .class("share-heads")
        .attr("aria-hidden", "true")
        .child(span().child("approved"))
        .child(span().child("decided"))
}

fn row(
    app: AppState,
    view: Memo<LeadsView>,
    value: &ValueCounts,
    bar: ShareBar,
    all: ByStatus,
    with_facet: bool,
) -> El {
    let share = share_words(value.counts);
    let decided = format::number(value.counts.decided().unwrap_or_default());
    let facet = value.facet.label();
    let label = [
        &*value.label,
        ", ",
        facet,
        ": ",
        &share,
        " approved of ",
        &decided,
        " decided, average ",
        &share_words(all),
    ]
    .concat();
    let route = untrack(|| view.with(|view| leads_with(view, value)));
    let words = span()
        .class("name")
        .child(span().attr("dir", "auto").child(&value.label))
        .child(with_facet.then(|| small().child(facet)));
    let tone = if bar.is_above { "above" } else { "below" };
    let bar = i()
        .class(["share-bar ", tone].concat())
        .style("--from", move || thousandths(bar.from))
        .style("--to", move || thousandths(bar.to));
    let link = route_links(app)
        .link("", route)
        .attr("aria-label", label)
        .child(words)
        .child(bar)
        .child(b().child(share))
        .child(span().class("count").child(decided));
    li().child(link)
}

/// Returns a length in percent: 12.5% for 125.
fn thousandths(of: u64) -> String {
    format!("{}.{}%", of / 10, of % 10)
}

/// Returns the leads of the view with a value, of every status.
fn leads_with(view: &LeadsView, value: &ValueCounts) -> Route {
    let filters = view.filters.only(value.facet, &value.value);
    Route {
        path: LEADS_PATH.to_owned(),
        query: view.filtered(filters).on(Tab::All).to_query(),
    }
}

fn table(values: &[&ValueCounts]) -> El {
    let rows = values.iter().map(|value| {
        let [approved, rejected, pending, filtered] =
            value.counts.0.map(|count| count.map(format::number));
        let share = value.counts.share().map(Rate::words);
        (name(value), [share, approved, rejected, pending, filtered])
    });
    data_table(
        "Decisions by value",
        [
            "Value",
            "Share approved",
            "Approved",
            "Rejected",
            "Pending",
            "Filtered",
        ],
        rows,
    )
}
