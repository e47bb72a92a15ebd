//! From page to page.

use leptos::prelude::*;

use super::format;
use super::icon::{Left, Right};
use crate::model::view::SIZES;

/// Where we are in a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The page, from 1.
    pub page: u32,
    /// How many pages there are.
    pub pages: u32,
    /// Rows on a page.
    pub size: u32,
}

/// The pages to offer: the first, the last, those around the current one, and 0 for a gap.
pub fn offered(page: u32, pages: u32) -> Vec<u32> {
    let mut numbers = vec![
        1,
        page.saturating_sub(1),
        page,
        page.saturating_add(1),
        pages,
    ];
    numbers.retain(|number| (1..=pages).contains(number));
    numbers.sort_unstable();
    numbers.dedup();
    let mut offered = Vec::new();
    let mut last = 0;
    for number in numbers {
        match number - last {
            1 => {}
            // A gap of one page takes as much room as the page itself.
            2 => offered.push(last + 1),
            _ => offered.push(0),
        }
        offered.push(number);
        last = number;
    }
    offered
}

/// Page buttons and the page size.
#[component]
pub fn Pager(
    /// Where we are.
    #[prop(into)]
    position: Signal<Position>,
    /// Another page is wanted.
    on_page: impl Fn(u32) + Copy + Send + Sync + 'static,
    /// Another page size is wanted.
    on_size: impl Fn(u32) + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let page = move || position.get().page;
    let numbers = move || {
        let Position { page, pages, .. } = position.get();
        let numbers = offered(page, pages).into_iter().map(|number| match number {
            0 => view! { <span class="gap">"…"</span> }.into_any(),
            number => view! {
                <button type="button" class="quiet number" aria-label=format!("Page {number}")
                    aria-current=(number == page).then_some("page")
                    on:click=move |_| on_page(number)>
                    {format::number(number.into())}
                </button>
            }
            .into_any(),
        });
        numbers.collect_view()
    };
    let sizes = SIZES.map(|size| {
        let selected = move || position.get().size == size;
        view! { <option value=size.to_string() prop:selected=selected>{size}</option> }
    });
    let choose = move |event| {
        if let Ok(size) = event_target_value(&event).parse() {
            on_size(size);
        }
    };
    view! {
        <nav class="pager" aria-label="Pages">
            <button type="button" class="quiet" aria-label="Previous page"
                disabled=move || { page() <= 1 } on:click=move |_| on_page(page().saturating_sub(1))>
                <Left />
            </button>
            {numbers}
            <button type="button" class="quiet" aria-label="Next page"
                disabled=move || { page() >= position.get().pages } on:click=move |_| on_page(page() + 1)>
                <Right />
            </button>
        </nav>
        <label class="size">
            <select aria-label="Rows on a page" on:change=choose>{sizes.into_iter().collect_view()}</select>
            " a page"
        </label>
    }
}
