//! Column menu of a grid: visibility, order, width and pinning.

use std::rc::Rc;
use std::sync::Arc;

use gloo_timers::callback::Timeout;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{EventTarget, HtmlElement, HtmlInputElement};

use super::dialog::{head, modal};
use super::dom::{El, KeyedRow, button, div, h3, input, label, p, small, span};
use super::icon;
use crate::app::model::columns::{
    ArrangedColumn, ColumnSet, ColumnSource, ColumnSpec, Columns, MAX_WIDTH, MIN_WIDTH,
};
use crate::app::reactive::{RwSignal, Signal, memo};

/// Inputs and callbacks of the dialog.
#[derive(Clone)]
pub struct ColumnMenu {
    pub set: ColumnSet,
    pub columns: Signal<Columns>,
    /// The columns of the user's own data that are known.
    pub custom: Signal<Vec<&'static ColumnSpec>>,
    /// Name of the host page.
    pub host: String,
    pub on_columns: Callback<Columns>,
    /// What the dialog says of where the layout is saved.
    pub hint: &'static str,
}

/// From this many columns on, there is a search box.
const MANY: usize = 20;

/// Renders the dialog. Every change applies at once.
pub fn columns(menu: &ColumnMenu, on_close: impl Fn() + 'static) -> El {
    let ColumnMenu {
        set,
        columns,
        custom,
        on_columns,
        ..
    } = *menu;
    let dialog = modal("columns", "Columns", on_close);
    let top = head("Columns", &dialog.node());
    let typed = RwSignal::new(String::new());
    // The columns that are in order. Others stay at their place while the dialog is open, also when they are shown.
    let begun: Arc<[&'static str]> = columns
        .get_untracked()
        .all()
        .iter()
        .map(|column| column.spec.id)
        .collect();
    let rows = {
        let (menu, begun) = (menu.clone(), Arc::clone(&begun));
        move || {
            let all = columns.get();
            let specs = all.all().iter().map(|column| column.spec);
            let specs = specs
                .filter(|spec| spec.source != ColumnSource::Custom || begun.contains(&spec.id));
            lines(&menu, specs, &typed.get())
        }
    };
    let offered = {
        let begun = Arc::clone(&begun);
        memo(move |_| {
            let mut offered = custom.get();
            columns.with(|columns| {
                let is_above = |id| {
                    begun.contains(&id) && columns.all().iter().any(|column| column.spec.id == id)
                };
                offered.retain(|spec| !is_above(spec.id));
            });
            offered
        })
    };
    let more = {
        let menu = menu.clone();
        move || lines(&menu, offered.get().into_iter(), &typed.get())
    };
    let list = div().class("lines").attr("role", "list").keyed_rows(rows);
    let added = div()
        .class("lines offered")
        .attr("role", "list")
        .attr("aria-label", YOURS)
        .keyed_rows(more);
    let heading = move || (!offered.get().is_empty()).then(|| h3().child(YOURS));
    let search = move || {
        let many = offered.get().len() + begun.len() >= MANY;
        many.then(|| search_box(typed))
    };
    let reset = button()
        .class("")
        .child("Reset")
        .prop("disabled", move || columns.with(Columns::is_initial).into())
        .on(ev::click, move |_| on_columns.run(Columns::initial(set)));
    let footer = div()
        .class("bottom")
        .child(p().class("fine").child(menu.hint))
        .child(reset);
    let scrolled = div()
        .class("scrolled")
        .child(list)
        .child(heading)
        .child(added);
    dialog
        .child(top)
        .child(search)
        .child(scrolled)
        .child(footer)
}

const YOURS: &str = "Your columns";

fn search_box(typed: RwSignal<String>) -> El {
    let input = input()
        .class("find")
        .attr("type", "search")
        .attr("aria-label", "Find a column")
        .attr("placeholder", "Find a column");
    let node: HtmlInputElement = input.node().unchecked_into();
    input.on(ev::input, move |_| typed.set(node.value()))
}

/// Returns the lines of the columns whose label contains what was typed.
fn lines(
    menu: &ColumnMenu,
    columns: impl Iterator<Item = &'static ColumnSpec>,
    typed: &str,
) -> Vec<KeyedRow> {
    let typed = typed.trim().to_lowercase();
    let line = |spec: &'static ColumnSpec| {
        let of = ColumnContext {
            id: spec.id,
            label: spec.label,
            source: match spec.source {
                ColumnSource::Record => None,
                ColumnSource::Custom => Some("Yours".to_owned()),
                ColumnSource::Host => Some(menu.host.clone()),
            },
            always_visible: spec.always_visible,
            columns: menu.columns,
            on_columns: menu.on_columns,
        };
        KeyedRow {
            key: spec.id.into(),
            version: 0,
            draw: Rc::new(move || row(&of)),
        }
    };
    let found = columns.filter(|spec| spec.label.to_lowercase().contains(&typed));
    found.map(line).collect()
}

/// A column, and what is needed to change it.
#[derive(Clone)]
struct ColumnContext {
    id: &'static str,
    label: &'static str,
    /// Where it is from, if not every list has it.
    source: Option<String>,
    always_visible: bool,
    columns: Signal<Columns>,
    on_columns: Callback<Columns>,
}

impl ColumnContext {
    /// Reads the current state of the column.
    fn get<T>(&self, read: impl FnOnce(&ArrangedColumn) -> T) -> Option<T> {
        let columns = self.columns.get();
        let mut all = columns.all().iter();
        all.find(|column| column.spec.id == self.id).map(read)
    }

    fn change(&self, change: impl FnOnce(&Columns) -> Columns) {
        self.on_columns.run(change(&untrack(|| self.columns.get())));
    }
}

fn row(of: &ColumnContext) -> El {
    let row = div().class("line").attr("role", "listitem");
    let (node, keys) = (row.node(), of.clone());
    row.attr("data-hidden", {
        let of = of.clone();
        move || of.get(|column| column.hidden).unwrap_or(true).to_string()
    })
    .child(shown(of))
    .child(
        of.source
            .as_ref()
            .map(|source| small().class("source").child(source)),
    )
    .child(width(of))
    .child(pin(of))
    .child(step(of, false))
    .child(step(of, true))
    .on(ev::keydown, move |event| {
        let down = match event.key().as_str() {
            "ArrowDown" => true,
            "ArrowUp" => false,
            _ => return,
        };
        if event.alt_key() {
            event.prevent_default();
            keys.change(|columns| columns.moved(keys.id, down));
            focus_again(event.target());
            return;
        }
        if event.target().is_some_and(|target| {
            let input = target.dyn_ref::<HtmlInputElement>();
            input.is_some_and(|input| input.type_() == "number")
        }) {
            // There the arrow keys change the number.
            return;
        }
        event.prevent_default();
        let other = if down {
            node.next_element_sibling()
        } else {
            node.previous_element_sibling()
        };
        let check =
            other.and_then(|other| other.query_selector("input:enabled, button:enabled").ok()?);
        if let Some(check) = check {
            let _ = check.unchecked_ref::<HtmlElement>().focus();
        }
    })
}

fn shown(of: &ColumnContext) -> El {
    let input = input().attr("type", "checkbox");
    let node: HtmlInputElement = input.node().unchecked_into();
    let (now, set) = (of.clone(), of.clone());
    let input = input
        .prop("checked", move || {
            now.get(|column| !column.hidden).unwrap_or_default().into()
        })
        .prop("disabled", {
            let always_visible = of.always_visible;
            move || always_visible.into()
        })
        .on(ev::change, move |_| {
            set.change(|columns| columns.shown(set.id, node.checked()));
        });
    label()
        .attr("title", of.label)
        .child(input)
        .child(span().child(of.label))
}

fn width(of: &ColumnContext) -> El {
    let input = input()
        .class("width")
        .attr("type", "number")
        .attr("min", MIN_WIDTH.to_string())
        .attr("max", MAX_WIDTH.to_string())
        .attr("step", "10")
        .attr("placeholder", "auto")
        .attr("title", "Width in pixels; empty for the default width")
        .attr("aria-label", ["Width of ", of.label, " in pixels"].concat());
    let node: HtmlInputElement = input.node().unchecked_into();
    let (now, set) = (of.clone(), of.clone());
    input
        .prop("value", move || {
            let width = now.get(|column| column.width).flatten();
            width
                .map(|width| width.to_string())
                .unwrap_or_default()
                .into()
        })
        .on(ev::change, move |_| {
            let width = node.value().parse().ok();
            set.change(|columns| columns.sized(set.id, width));
            // A width out of range was clamped: show the result.
            let width = untrack(|| set.get(|column| column.width)).flatten();
            let width = width.map(|width| width.to_string());
            node.set_value(&width.unwrap_or_default());
        })
}

fn pin(of: &ColumnContext) -> El {
    let (now, set) = (of.clone(), of.clone());
    let is = move || now.get(|column| column.pinned).unwrap_or_default();
    button()
        .class("quiet pin")
        .attr("aria-label", ["Pin ", of.label].concat())
        .attr("title", "Pin this column")
        .attr("aria-pressed", move || is().to_string())
        .on(ev::click, move |_| {
            let pinned = untrack(|| set.get(|column| column.pinned)).unwrap_or_default();
            set.change(|columns| columns.pinned(set.id, !pinned));
        })
        .child(icon::pin())
}

fn step(of: &ColumnContext, down: bool) -> El {
    let (now, set) = (of.clone(), of.clone());
    let (word, icon) = if down {
        ("Move down ", icon::down())
    } else {
        ("Move up ", icon::up())
    };
    button()
        .class("quiet")
        .attr("aria-label", [word, of.label].concat())
        // Not disabled: a disabled button would lose the focus at either end.
        .attr("aria-disabled", move || {
            (!now.columns.get().can_move(now.id, down)).to_string()
        })
        .on(ev::click, move |event| {
            set.change(|columns| columns.moved(set.id, down));
            focus_again(event.current_target());
        })
        .child(icon)
}

/// Restores the focus, which an element loses when it is moved in the DOM.
fn focus_again(target: Option<EventTarget>) {
    let Some(element) = target.and_then(|target| target.dyn_into::<HtmlElement>().ok()) else {
        return;
    };
    Timeout::new(0, move || {
        let _ = element.focus();
    })
    .forget();
}
