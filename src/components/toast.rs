//! A short word on what was just done, with the way back.

use std::rc::Rc;

use super::dom::{El, button, classed, el};

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
    classed("div", "toasts")
        .attr("role", "status")
        .el_of(move || {
            let Said { text, way } = said()?;
            let way = way.map(|(label, act)| button("", label).on("click", move |_| act()));
            Some(
                classed("div", "toast")
                    .el(el("span").text(&text))
                    .el_opt(way),
            )
        })
}
