//! The head of the portfolio: title, load progress, groups and order.

use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::HtmlSelectElement;

use crate::app::components::dom::{El, div, h2, label, option, p, select, span};
use crate::app::components::format;
use crate::app::model::portfolio_group::Grouping;
use crate::app::model::portfolio_order::PortfolioOrder;
use crate::app::model::portfolio_view::PortfolioView;
use crate::app::model::route::PORTFOLIO_PATH;
use crate::app::reactive::Memo;
use crate::app::state::AppState;

pub fn head(app: AppState, view: Memo<PortfolioView>) -> El {
    let title = move || {
        let (chosen, search) = view.with(|view| (view.accounts.len(), view.search.clone()));
        match (chosen, search.trim()) {
            (0, "") => "All accounts".to_owned(),
            (0, term) => ["Accounts for “", term, "”"].concat(),
            (chosen, _) => [&*format::count(chosen as u64, "account"), " side by side"].concat(),
        }
    };
    let title = div()
        .class("portfolio-title")
        .child(h2().child(title))
        .child(p().child(about(app, view)).child(progress(app)));
    let groups = Grouping::ALL.map(|grouping| (grouping.as_str(), grouping.label()));
    let groups = choice(
        "Group by",
        &groups,
        move || view.with(|view| view.grouping.as_str()),
        move |word| {
            let grouping = Grouping::parse(word).unwrap_or_default();
            go(app, &view.get_untracked().grouped(grouping));
        },
    );
    let orders = PortfolioOrder::ALL.map(|order| (order.as_str(), order.label()));
    let orders = choice(
        "Sort by",
        &orders,
        move || view.with(|view| view.order.as_str()),
        move |word| {
            let order = PortfolioOrder::parse(word).unwrap_or_default();
            go(app, &view.get_untracked().sorted(order));
        },
    );
    div()
        .class("portfolio-head")
        .child(title)
        .child(groups)
        .child(orders)
}

fn go(app: AppState, view: &PortfolioView) {
    app.nav.navigate(PORTFOLIO_PATH, &view.to_query());
}

/// Returns how many accounts there are, and in which order.
fn about(app: AppState, view: Memo<PortfolioView>) -> impl Fn() -> String {
    let page = app.portfolio.page;
    move || {
        let order = view.with(|view| view.accounts.is_empty().then(|| view.order.words()));
        let page = page.with(|page| page.value().cloned());
        let Some((order, page)) = order.zip(page.filter(|page| page.total > 0)) else {
            return String::new();
        };
        let of_page = match page.total > page.ids.len() as u64 {
            true => ". Figures and bars are of this page.",
            false => "",
        };
        [&*format::count(page.total, "account"), ", ", order, of_page].concat()
    }
}

/// Renders how many pulses are loaded, until all are.
fn progress(app: AppState) -> El {
    let progress = move || match app.pulses.progress() {
        (done, all) if done < all => {
            let (done, all) = (format::number(done as u64), format::number(all as u64));
            [&*done, " of ", &all, " pulses loaded"].concat()
        }
        _ => String::new(),
    };
    span()
        .class("progress-text")
        .attr("role", "status")
        .child(progress)
}

/// Renders a menu of values with their labels.
fn choice(
    title: &str,
    options: &[(&'static str, &'static str)],
    chosen: impl Fn() -> &'static str + 'static,
    on_choose: impl Fn(&str) + 'static,
) -> El {
    let options = options
        .iter()
        .map(|(value, label)| option().attr("value", *value).child(*label));
    let select = select().children(options);
    let node: HtmlSelectElement = select.node().unchecked_into();
    let select = select
        .prop("value", move || chosen().into())
        .on(ev::change, move |_| on_choose(&node.value()));
    label().child(title).child(" ").child(select)
}
