//! A cell of an added column, ready to be rendered.

use std::sync::Arc;

/// A cell of a column of the user's own data or of the host page. Everything in it is text, never markup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddedCell {
    pub text: String,
    /// The tooltip.
    pub title: Option<String>,
    /// Class of the cell, for the style sheet.
    pub class: &'static str,
    /// A safe URL that the text links to.
    pub href: Option<String>,
    /// Name of the slot that shows a node of the host page.
    pub slot: Option<Arc<str>>,
}
