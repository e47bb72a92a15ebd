//! The confirmation before a lead is deleted.

use crate::app::components::confirm::{Confirm, confirm};
use crate::app::components::dom::El;
use crate::app::reactive::Signal;
use crate::app::state::AppState;

pub fn delete(app: AppState) -> El {
    let deletion = app.deletion;
    let prompt = move || {
        let row = deletion.prompt.get()?;
        Some(Confirm {
            title: format!("Delete {}?", row.lead.name),
            text: "The lead and all its data are deleted permanently. You can undo this for 5 seconds."
                .to_owned(),
            verb: "Delete",
            mild: false,
        })
    };
    confirm(
        Signal::derive(prompt),
        move || deletion.confirm(),
        move || deletion.prompt.set(None),
    )
}
