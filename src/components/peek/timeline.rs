//! Signs of intent, the newest one first.

use std::rc::Rc;
use std::sync::Arc;

use super::parts::{Facts, ago, folded, in_steps, nothing, section, text};
use super::tree::branch;
use crate::components::dom::{El, classed, el};
use crate::components::format;
use crate::model::detail::{Detail, Event, SUMMARY};

/// How many signs are shown at a time.
const STEP: usize = 8;

/// The timeline.
pub fn timeline(lead: &Arc<Detail>) -> El {
    let count = lead.timeline.len() as u64;
    if count == 0 {
        return section("", "Intent").el(nothing("No signs of intent."));
    }
    let lead = Arc::clone(lead);
    let draw = move |from: usize| {
        let left = &lead.timeline[from.min(lead.timeline.len())..];
        let list = classed("ol", "time").els(left.iter().take(STEP).map(entry));
        (list, left.len())
    };
    section("", "Intent")
        .attr(
            "aria-label",
            &format!("Intent, {}", format::count(count, "sign")),
        )
        .el(in_steps(STEP, 0, Rc::new(draw)))
}

fn entry(event: &Event) -> El {
    let about = [event.kind.as_deref(), event.list.as_deref()];
    let about: Vec<&str> = about.into_iter().flatten().collect();
    let about = (!about.is_empty()).then(|| classed("p", "fine").text(&about.join(" · ")));
    let what = el("div")
        .el(text("p", &event.what))
        .el_opt(about)
        .el_opt(particulars(event));
    el("li").el(what).el_opt(event.when.as_deref().map(ago))
}

/// What else is known of a sign; drawn when somebody looks.
fn particulars(event: &Event) -> Option<El> {
    if event.more.is_none() && event.ids.is_empty() {
        return None;
    }
    let event = event.clone();
    let draw = move || {
        let mut ids = Facts::default();
        for (what, id) in &event.ids {
            ids = ids.el(what, Some(el("code").text(id)));
        }
        let more = event.more.as_ref();
        el("div")
            .el_opt(more.map(|more| branch(more, &[SUMMARY], 1)))
            .el_opt(ids.list())
    };
    Some(folded(el("summary").text("Particulars"), false, draw))
}
