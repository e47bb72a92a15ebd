//! What all sections are made of.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::components::dom::{El, button, classed, effect, el};
use crate::components::format;
use crate::model::time::instant;
use crate::signal::RwSignal;

/// A text that is longer than this many letters is shown in full only when asked for.
const LONG: usize = 420;

/// How much of a long text is shown.
const SHORT: usize = 340;

/// Draws entries from this number on, and says how many there are from there.
pub type Draw = Rc<dyn Fn(usize) -> (El, usize)>;

/// A section under a heading.
pub fn section(class: &str, title: &str) -> El {
    classed("section", class).el(el("h3").text(title))
}

/// Nothing is there, said quietly.
pub fn nothing(text: &str) -> El {
    classed("p", "quietly").text(text)
}

/// A text, cut where it is very long.
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

/// A point in time as a distance, with the time itself at hand.
pub fn ago(iso: &str) -> El {
    time(iso, format::ago(iso), format::moment(iso))
}

/// A point in time as its day.
pub fn day(iso: &str) -> El {
    time(iso, format::day(iso), format::moment(iso))
}

fn time(iso: &str, text: String, title: String) -> El {
    // What is no time is shown as it came.
    match instant(iso) {
        Some(_) => el("time")
            .attr("datetime", iso.trim())
            .attr("title", &title)
            .text(&text),
        None => el("span").text(iso),
    }
}

/// A link away from the app, to an address that is known to be safe.
pub fn link(href: &str, label: &str) -> El {
    el("a")
        .attr("href", href)
        .attr("target", "_blank")
        .attr("rel", "noopener noreferrer")
        .text(label)
}

/// Facts: a word and what is known.
#[derive(Default)]
pub struct Facts(Vec<El>);

impl Facts {
    /// Adds a text, where there is one.
    pub fn text(self, term: &str, value: Option<&str>) -> Self {
        self.el(term, value.map(|value| text("span", value)))
    }

    /// Adds whatever there is.
    pub fn el(mut self, term: &str, value: Option<El>) -> Self {
        if let Some(value) = value {
            self.0.push(el("dt").text(term));
            self.0.push(el("dd").el(value));
        }
        self
    }

    /// The list of them, unless it is empty.
    pub fn list(self) -> Option<El> {
        (!self.0.is_empty()).then(|| classed("dl", "facts").els(self.0))
    }
}

/// Draws `step` of many entries, and as many more each time that somebody asks. The entries of one
/// step stand in an element of their own.
pub fn in_steps(step: usize, from: usize, draw: Draw) -> El {
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

/// The button that asked for it is gone, so that the focus goes to what came in its place.
fn focused(entries: El) -> El {
    let node: HtmlElement = entries.node().unchecked_into();
    effect(move || {
        // It was just put into the page.
        let _ = node.focus();
    });
    entries.attr("tabindex", "-1")
}

/// Something folded: a summary, and what is drawn when somebody first looks.
pub fn folded(summary: El, is_open: bool, draw: impl Fn() -> El + 'static) -> El {
    let open = RwSignal::new(is_open);
    // Not by the event of the fold itself, which comes late, when all may be gone.
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
