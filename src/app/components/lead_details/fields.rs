//! Building blocks of the details sections.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::app::components::dom::{El, button, classed, effect, el};
use crate::app::components::format;
use crate::app::model::time::instant;
use crate::app::signal::RwSignal;

/// A text that is longer than this many characters is shortened.
const LONG: usize = 420;

/// Number of characters shown of a long text.
const SHORT: usize = 340;

/// Renders entries from an index on, and returns how many there are from there.
pub type RenderEntries = Rc<dyn Fn(usize) -> (El, usize)>;

pub fn section(class: &str, title: &str) -> El {
    classed("section", class).el(el("h3").text(title))
}

/// Renders a muted text for an empty section.
pub fn nothing(text: &str) -> El {
    classed("p", "quietly").text(text)
}

/// Renders a text. If it is very long, it is shortened, with a button that shows all of it.
pub fn text(tag: &str, text: &str) -> El {
    let Some((cut, _)) = text
        .char_indices()
        .nth(LONG)
        .and_then(|_| text.char_indices().nth(SHORT))
    else {
        return classed(tag, "said-text").text(text);
    };
    let whole = RwSignal::new(false);
    let (all, short) = (text.to_owned(), format!("{}…", &text[..cut]));
    let more = button("link", "")
        .attr_of("aria-expanded", move || whole.get().to_string())
        .text_of(move || if whole.get() { "Show less" } else { "Show all" }.to_owned())
        .on("click", move |_| whole.update(|whole| *whole = !*whole));
    let body = el("span").text_of(move || {
        if whole.get() {
            all.clone()
        } else {
            short.clone()
        }
    });
    classed(tag, "said-text").el(body).text(" ").el(more)
}

/// Renders a point in time relative to now, with the exact time as its tooltip.
pub fn ago(iso: &str) -> El {
    time(iso, format::ago(iso), format::moment(iso))
}

/// Renders a point in time as its day, with the exact time as its tooltip.
pub fn day(iso: &str) -> El {
    time(iso, format::day(iso), format::moment(iso))
}

fn time(iso: &str, text: String, title: String) -> El {
    // An invalid time is shown as it is.
    match instant(iso) {
        Some(_) => el("time")
            .attr("datetime", iso.trim())
            .attr("title", &title)
            .text(&text),
        None => el("span").text(iso),
    }
}

/// Renders an external link. `href` must be a safe URL.
pub fn link(href: &str, label: &str) -> El {
    el("a")
        .attr("href", href)
        .attr("target", "_blank")
        .attr("rel", "noopener noreferrer")
        .text(label)
}

/// A list of terms and values.
#[derive(Default)]
pub struct DefinitionList(Vec<El>);

impl DefinitionList {
    /// Adds a text, if there is one.
    pub fn text(self, term: &str, value: Option<&str>) -> Self {
        self.el(term, value.map(|value| text("span", value)))
    }

    /// Adds a value, if there is one.
    pub fn el(mut self, term: &str, value: Option<El>) -> Self {
        if let Some(value) = value {
            self.0.push(el("dt").text(term));
            self.0.push(el("dd").el(value));
        }
        self
    }

    /// Returns the list, or `None` if it is empty.
    pub fn list(self) -> Option<El> {
        (!self.0.is_empty()).then(|| classed("dl", "facts").els(self.0))
    }
}

/// Renders `step` entries, and as many more on each click of "Show more". The entries of each step have an element of
/// their own.
pub fn in_steps(step: usize, from: usize, draw: RenderEntries) -> El {
    let (entries, left) = draw(from);
    let entries = match from {
        0 => entries,
        _ => focused(entries),
    };
    let rest = left.saturating_sub(step);
    let open = RwSignal::new(false);
    classed("div", "steps").el(entries).el_of(move || {
        if rest == 0 {
            return None;
        }
        if open.get() {
            return Some(in_steps(step, from + step, Rc::clone(&draw)));
        }
        let label = format!("Show more ({})", format::number(rest as u64));
        Some(button("link more", &label).on("click", move |_| open.set(true)))
    })
}

/// Focuses new entries, because the button that requested them is removed.
fn focused(entries: El) -> El {
    let node: HtmlElement = entries.node().unchecked_into();
    effect(move || {
        // The entries were just added to the page.
        let _ = node.focus();
    });
    entries.attr("tabindex", "-1")
}

/// Renders a collapsible block. Its content is rendered when it is first opened.
pub fn folded(summary: El, is_open: bool, draw: impl Fn() -> El + 'static) -> El {
    let open = RwSignal::new(is_open);
    // Not on `toggle`: it fires late, when the component may be gone.
    let summary = summary.on("click", move |_| {
        if !open.get_untracked() {
            open.set(true);
        }
    });
    el("details")
        .attr_opt("open", is_open.then_some(""))
        .el(summary)
        .el_of(move || open.get().then(&draw))
}
