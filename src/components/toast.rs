//! A short word on what was just done, with the way back.

use std::rc::Rc;

use leptos::prelude::untrack;

use super::dom::{El, button, classed, el};
use crate::signal::Memo;

/// What can be done: the label of the button, and its work.
pub type Way = (&'static str, Rc<dyn Fn()>);

/// A word, and what can be done about it: the label of the button, and its work.
pub struct Said {
    /// The word.
    pub text: String,
    /// What can be done.
    pub way: Option<Way>,
}

/// The toast; nothing while there is nothing to say. Its place in the page is always there, so that
/// what it says is heard.
pub fn toast(said: impl Fn() -> Option<Said> + 'static) -> El {
    let said = Rc::new(said);
    let now = Rc::clone(&said);
    // The elements are kept, so that a new message changes only their text.
    let words = Memo::new(move |_| {
        let Said { text, way } = now()?;
        Some((text, way.map(|(label, _)| label)))
    });
    let is_here = Memo::new(move |_| words.with(Option::is_some));
    let label = Memo::new(move |_| words.with(|words| words.as_ref()?.1));
    let text = move || words.with(|words| words.as_ref().map(|(text, _)| text.clone()));
    classed("div", "toasts")
        .attr("role", "status")
        .el_of(move || {
            let said = Rc::clone(&said);
            let way = move || {
                let said = Rc::clone(&said);
                Some(button("", label.get()?).on("click", move |_| {
                    if let Some((_, act)) = untrack(|| said()).and_then(|said| said.way) {
                        act();
                    }
                }))
            };
            is_here.get().then(|| {
                classed("div", "toast")
                    .el(el("span").text_of(move || text().unwrap_or_default()))
                    .el_of(way)
            })
        })
}
