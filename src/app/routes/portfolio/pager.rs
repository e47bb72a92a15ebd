//! The footer of the portfolio: which accounts are shown, and the pages before and after them.

use leptos::ev;

use crate::app::components::dom::{El, button, footer, span};
use crate::app::list::list_layout::range;
use crate::app::model::portfolio_view::PortfolioView;
use crate::app::model::route::PORTFOLIO_PATH;
use crate::app::reactive::{Memo, Signal, memo};
use crate::app::state::AppState;

pub fn pager(app: AppState, view: Memo<PortfolioView>) -> El {
    let page = app.portfolio.page;
    let place = memo(move |_| {
        page.with(|page| page.value().map(|page| (page.total, page.range())))
            .unwrap_or_default()
    });
    let is_chosen = memo(move |_| view.with(|view| !view.accounts.is_empty()));
    let text = move || {
        let (total, shown) = place.get();
        range(total, shown)
    };
    let step = |label: &str, by: fn(u32) -> u32, is_there: Signal<bool>| {
        button()
            .class("quiet")
            .child(label)
            .attr("aria-disabled", move || (!is_there.get()).to_string())
            .on(ev::click, move |_| {
                if is_there.get_untracked() {
                    let view = view.get_untracked();
                    let other = view.at_page(by(view.page));
                    app.nav.navigate(PORTFOLIO_PATH, &other.to_query());
                }
            })
    };
    let has_previous = Signal::derive(move || view.with(|view| view.page > 1));
    let has_next = Signal::derive(move || place.with(|(total, shown)| shown.end < *total));
    footer()
        .class("footer")
        .prop("hidden", move || is_chosen.get().into())
        .child(span().class("range").attr("role", "status").child(text))
        .child(step("Previous", |page| page - 1, has_previous))
        .child(step("Next", |page| page + 1, has_next))
}
