//! That filters are in force: the button that opens them, the row over the grid, how many leads are left.

use crate::client::ErrorKind;
use crate::components::dom::{El, button, classed, el};
use crate::components::{format, icon};
use crate::model::blame::{Blamed, blamed};
use crate::pages::late;
use crate::signal::{Memo, RwSignal};
use crate::state::Workspace;

/// Opens the filters where there is no room for them beside the list.
pub fn filters_button(sheet: RwSignal<bool>, filtered: Memo<usize>) -> El {
    let count = move || Some(filtered.get()).filter(|count| *count > 0);
    button("quiet filters", "")
        .el(icon::funnel())
        .el(el("span").text("Filters"))
        .el_of(move || Some(el("b").text(" ").text(&count()?.to_string())))
        .on("click", move |_| sheet.set(true))
}

/// The filters that are in force, while there are any. A refused sort is shown among them, too.
pub fn above(workspace: Workspace, filtered: Memo<usize>) -> El {
    let standing = workspace.leads.listing.standing();
    let refused = Memo::new(move |_| {
        standing.with(|standing| {
            let error = standing.error.as_ref();
            error.is_some_and(|error| match &error.kind {
                ErrorKind::Validation(detail) => {
                    let blamed = blamed(0, &[], detail);
                    blamed.iter().any(|(of, _)| *of == Blamed::Sort)
                }
                _ => false,
            })
        })
    });
    let wanted = Memo::new(move |_| filtered.get() > 0 || refused.get());
    classed("div", "above").el_of(move || wanted.get().then(|| late::chips(workspace)))
}

/// How many leads the view has, as far as that is known: `2,092 leads`.
pub fn matching(workspace: Workspace) -> String {
    let total = workspace
        .leads
        .listing
        .standing()
        .with(|standing| standing.total);
    format::count(total, "lead")
}
