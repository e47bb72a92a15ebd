//! Building blocks of the details sections.

use std::rc::Rc;

use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::app::components::dom::{
    El, a, button, dd, details, div, dl, dt, effect, element, h3, p, section, span, time,
};
use crate::app::components::format;
use crate::app::model::time::instant;
use crate::app::reactive::RwSignal;

/// A text that is longer than this many characters is shortened.
const MAX_LENGTH: usize = 420;

/// Number of characters shown of a long text.
const SHORTENED_LENGTH: usize = 340;

/// Renders entries from an index on, and returns how many there are from there.
pub type RenderEntries = Rc<dyn Fn(usize) -> (El, usize)>;

pub fn titled_section(class: &str, title: &str) -> El {
    section().class(class).child(h3().child(title))
}

/// Renders a heading, with an element at the end of its line.
pub fn heading_line(title: &str, aside: Option<El>) -> El {
    div()
        .class("split-line")
        .child(h3().child(title))
        .child(aside)
}

/// Renders a muted text for an empty section.
pub fn nothing(text: &str) -> El {
    p().class("muted").child(text)
}

/// Renders a text. If it is very long, it is shortened, with a button that shows all of it.
pub fn text(tag: &str, text: &str) -> El {
    let Some((cut, _)) = text
        .char_indices()
        .nth(MAX_LENGTH)
        .and_then(|_| text.char_indices().nth(SHORTENED_LENGTH))
    else {
        return element(tag).class("prose").child(text);
    };
    let whole = RwSignal::new(false);
    let (all, short) = (text.to_owned(), format!("{}…", &text[..cut]));
    let more = button()
        .class("link")
        .attr("aria-expanded", move || whole.get().to_string())
        .child(move || if whole.get() { "Show less" } else { "Show all" }.to_owned())
        .on(ev::click, move |_| whole.update(|whole| *whole = !*whole));
    let body = span().child(move || {
        if whole.get() {
            all.clone()
        } else {
            short.clone()
        }
    });
    element(tag)
        .class("prose")
        .child(body)
        .child(" ")
        .child(more)
}

/// Renders a point in time relative to now, with the exact time as its tooltip.
pub fn ago(iso: &str) -> El {
    time_of(iso, format::ago(iso), format::moment(iso))
}

/// Renders a point in time as its day, with the exact time as its tooltip.
pub fn day(iso: &str) -> El {
    time_of(iso, format::day(iso), format::moment(iso))
}

fn time_of(iso: &str, text: String, title: String) -> El {
    // An invalid time is shown as it is.
    match instant(iso) {
        Some(_) => time()
            .attr("datetime", iso.trim())
            .attr("title", &title)
            .child(&text),
        None => span().child(iso),
    }
}

/// Renders an external link. `href` must be a safe URL.
pub fn link(href: &str, label: &str) -> El {
    a().attr("href", href)
        .attr("target", "_blank")
        .attr("rel", "noopener noreferrer")
        .child(label)
}

/// A list of terms and values.
#[derive(Default)]
pub struct DefinitionList(Vec<El>);

impl DefinitionList {
    /// Adds a text, if there is one.
    pub fn text(self, term: &str, value: Option<&str>) -> Self {
        self.child(term, value.map(|value| text("span", value)))
    }

    /// Adds a value, if there is one.
    pub fn child(mut self, term: &str, value: Option<El>) -> Self {
        if let Some(value) = value {
            self.0.push(dt().child(term));
            self.0.push(dd().child(value));
        }
        self
    }

    /// Returns the list, or `None` if it is empty.
    pub fn list(self) -> Option<El> {
        (!self.0.is_empty()).then(|| dl().class("facts").children(self.0))
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
    div().class("steps").child(entries).child(move || {
        if rest == 0 {
            return None;
        }
        if open.get() {
            return Some(in_steps(step, from + step, Rc::clone(&draw)));
        }
        let label = format!("Show more ({})", format::number(rest as u64));
        Some(
            button()
                .class("link more")
                .child(&label)
                .on(ev::click, move |_| open.set(true)),
        )
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
pub fn collapsible(summary: El, is_open: bool, draw: impl Fn() -> El + 'static) -> El {
    let open = RwSignal::new(is_open);
    // Not on `toggle`: it fires late, when the component may be gone.
    let summary = summary.on(ev::click, move |_| {
        if !open.get_untracked() {
            open.set(true);
        }
    });
    details()
        .attr("open", is_open.then_some(""))
        .child(summary)
        .child(move || open.get().then(&draw))
}
