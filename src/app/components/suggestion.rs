//! A suggestion for a pending lead: how likely it is approved, and what speaks for and against it.

use super::dom::{El, b, div, h3, li, section, span, ul};
use crate::app::model::approval_model::Suggestion;

pub fn suggestion(suggestion: &Suggestion) -> El {
    let likeness = format!("{}% like those you approved", suggestion.percent);
    let head = div()
        .class("split-line")
        .child(h3().child("Suggestion"))
        .child(b().child(likeness));
    let facts = |class: &'static str, side: &'static str, facts: &[String]| {
        let fact = |fact: &String| {
            let side = span().class("visually-hidden").child(side);
            li().class(class).child(span().child(side).child(fact))
        };
        facts.iter().map(fact).collect::<Vec<El>>()
    };
    let explanation = &suggestion.explanation;
    let list = ul()
        .children(facts("pro", "For: ", &explanation.speaks_for))
        .children(facts("con", "Against: ", &explanation.speaks_against));
    section().class("suggestion").child(head).child(list)
}
