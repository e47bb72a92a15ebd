//! The filter sidebar that all lists share. In a narrow window it is a sheet, opened by a button.

use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;

use super::filter_bar::add_button;
use crate::app::components::dialog::sheet;
use crate::app::components::dom::{El, aside, button, div, h2};
use crate::app::components::icon;
use crate::app::reactive::{RwSignal, Signal};
use crate::app::state::facets::Editing;

/// Contents and callbacks of the sidebar.
#[derive(Clone)]
pub struct FilterSidebar {
    /// Whether the sheet is open.
    pub sheet_open: RwSignal<bool>,
    /// The filter in the editor.
    pub editing: RwSignal<Option<Editing>>,
    /// Whether there are filters to clear.
    pub is_filtered: Signal<bool>,
    pub on_clear: Callback<()>,
    /// The number of matching records as text, for the button that closes the sheet.
    pub matching: Signal<String>,
    /// Renders the chips of the active filters, for the sheet.
    pub chips: Rc<dyn Fn() -> El>,
    /// Renders the editor of a filter, for the sheet.
    pub editor: Rc<dyn Fn() -> Option<El>>,
    /// Renders the filters to select from.
    pub sections: Rc<dyn Fn() -> El>,
}

pub fn filter_sidebar(props: FilterSidebar) -> El {
    let FilterSidebar {
        sheet_open,
        editing,
        ..
    } = props;
    let sidebar = panel().child(head(editing, None)).child((props.sections)());
    let over = sheet(
        "sheet",
        "Filters",
        Signal::derive(move || sheet_open.get()),
        Callback::new(move |()| {
            sheet_open.set(false);
            editing.set(None);
        }),
        move || filter_sheet(&props),
    );
    div().class("sidebars").child(sidebar).child(over)
}

fn panel() -> El {
    aside().class("sidebar").attr("aria-label", "Filters")
}

fn head(editing: RwSignal<Option<Editing>>, close: Option<El>) -> El {
    div()
        .class("sidebar-head")
        .child(h2().child("Filters"))
        .child(add_button(editing))
        .child(close)
}

/// The sheet: chips, filters, and the number of matching records.
fn filter_sheet(props: &FilterSidebar) -> El {
    let FilterSidebar {
        sheet_open,
        editing,
        is_filtered,
        on_clear,
        matching,
        ..
    } = *props;
    let close = button()
        .class("quiet")
        .attr("aria-label", "Close the filters")
        .child(icon::cross())
        .on(ev::click, move |_| sheet_open.set(false));
    let clear = move || {
        is_filtered.get().then(|| {
            button()
                .child("Clear all")
                .on(ev::click, move |_| on_clear.run(()))
        })
    };
    let done = button()
        .class("main")
        .child(move || ["Show ", &matching.get()].concat())
        .on(ev::click, move |_| sheet_open.set(false));
    let editor = Rc::clone(&props.editor);
    let sidebar = panel()
        .child(head(editing, Some(close)))
        .child((props.chips)())
        .child(move || editor())
        .child((props.sections)());
    div()
        .class("over")
        .child(sidebar)
        .child(div().class("sidebar-foot").child(clear).child(done))
}
