//! The panel of a bulk decision: progress, outcome, and controls to pause, cancel, retry and undo.

use lead_workspace_api::NewApprovalStatus;
use leptos::ev;
use leptos::prelude::*;

use crate::app::components::dom::{El, button, div, li, p, ul};
use crate::app::components::format;
use crate::app::components::progress_bar::{panel_in_parts, percent};
use crate::app::reactive::{Signal, memo};
use crate::app::state::AppState;
use crate::app::state::commands::Dialog;
use crate::review::bulk_run::{LeadOutcome, Run, RunProgress};

/// Shown while the browser's storage is full.
const STORAGE_FULL: &str = "Not stored: this browser's storage is full. Keep this page open until all is saved; closing it loses unsaved changes.";

/// Decides which controls the panel has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RunStage {
    /// Some leads were not sent yet.
    Waiting,
    /// All leads were sent, some have no response yet.
    Leaving,
    /// Finished. `stuck`: how many leads were not saved; `undo`: some can be undone.
    Over { stuck: usize, undo: bool },
}

pub fn run(app: AppState, number: u64) -> El {
    let (decisions, grid_selection) = (app.decisions, app.leads.grid_selection);
    let begun = untrack(|| {
        decisions.run(number, |run| {
            Some((run.step, run.targets.first()?.to, run.targets.len() as u64))
        })
    });
    let (step, to, leads) =
        begun
            .flatten()
            .unwrap_or((None, NewApprovalStatus::PendingApproval, 0));
    let progress = memo(move |_| decisions.progress(number).unwrap_or_default());
    let flags = memo(move |_| {
        let run = |run: &Run| (run.paused, run.cancelled);
        decisions.run(number, run).unwrap_or_default()
    });
    let stage = memo(move |_| {
        let progress = progress.get();
        if progress.waiting > 0 {
            return RunStage::Waiting;
        }
        if progress.open > 0 {
            return RunStage::Leaving;
        }
        let stored = step.is_some_and(|step| decisions.has_step(step));
        RunStage::Over {
            stuck: progress.failed + progress.uncertain,
            undo: stored && progress.updated + progress.uncertain > 0,
        }
    });
    let share = Signal::derive(move || {
        let progress = progress.get();
        percent(progress.done() as u64, progress.all as u64)
    });
    let stuck = Signal::derive(move || {
        let progress = progress.get();
        let stuck = (progress.failed + progress.uncertain) as u64;
        // One lead of many must be visible, too.
        let percent = (stuck * 100).div_ceil(progress.all.max(1) as u64);
        percent.min(share.get())
    });
    let word = Signal::derive(move || {
        let progress = progress.get();
        if matches!(stage.get(), RunStage::Over { stuck: 1.., .. }) {
            return summary(step, to, progress);
        }
        let (done, all) = (progress.done() as u64, progress.all as u64);
        [&*format::number(done), " of ", &format::number(all)].concat()
    });
    // Screen readers announce state changes only, not every count.
    let message = move || match (stage.get(), flags.get()) {
        (RunStage::Waiting, (true, _)) => "Paused. Unsent changes are waiting.",
        (RunStage::Waiting | RunStage::Leaving, _) => "Being saved",
        (RunStage::Over { stuck: 1.., .. }, _) => "Some changes weren't saved",
        (RunStage::Over { .. }, (_, true)) => "Cancelled. Unsent changes were dropped.",
        (RunStage::Over { .. }, _) => "All saved",
    };
    let act = move |class: &str, label: &str, act: fn(AppState, u64)| {
        button().class(class).child(label).on(ev::click, move |_| {
            act(app, number);
            grid_selection.focus_list();
        })
    };
    let close = move || {
        act("quiet", "Close", |app, number| {
            app.decisions.close_run(number);
        })
    };
    let undo = move || {
        button().child("Undo all").on(ev::click, move |_| {
            decisions.undo(step);
            grid_selection.focus_list();
        })
    };
    let pause = move || {
        let paused = move || flags.get().0;
        button()
            .child(move || if paused() { "Resume" } else { "Pause" }.to_owned())
            .on(ev::click, move |_| {
                decisions.set_run_paused(number, !untrack(paused))
            })
    };
    panel_in_parts(&title(step, to, leads), share, stuck, word)
        .child(
            p().class("message")
                .attr("role", "status")
                .child(move || message().to_owned()),
        )
        .child(move || {
            let storage_full = progress.get().open > 0 && decisions.storage_full.get();
            storage_full.then(|| {
                p().class("message")
                    .attr("role", "status")
                    .child(STORAGE_FULL)
            })
        })
        .child(move || Some(counts(app, number, done_word(step, to), progress.get())))
        .child(move || {
            let buttons = div().class("buttons");
            Some(match stage.get() {
                RunStage::Waiting => {
                    buttons
                        .child(pause())
                        .child(act("", "Cancel", |app, number| {
                            app.decisions.cancel_run(number);
                        }))
                }
                RunStage::Leaving => buttons,
                RunStage::Over { stuck, undo: back } => buttons
                    .child((stuck > 0).then(|| {
                        let label = ["Retry ", &*format::number(stuck as u64)].concat();
                        act("main", &label, |app, number| {
                            app.decisions.retry_run(number);
                        })
                    }))
                    .child(back.then(undo))
                    .child(close()),
            })
        })
}

fn title(step: Option<u64>, to: NewApprovalStatus, leads: u64) -> String {
    let leads = format::count(leads, "lead");
    let before = match (step, to) {
        (None, _) => "Undo: ",
        (_, NewApprovalStatus::Approved) => "Approve ",
        (_, NewApprovalStatus::Rejected) => "Reject ",
        (_, NewApprovalStatus::Filtered) => "Filter out ",
        (_, NewApprovalStatus::PendingApproval) => "Move back to pending: ",
    };
    [before, &leads].concat()
}

fn done_word(step: Option<u64>, to: NewApprovalStatus) -> &'static str {
    match (step, to) {
        (None, _) => "undone",
        (_, NewApprovalStatus::Approved) => "approved",
        (_, NewApprovalStatus::Rejected) => "rejected",
        (_, NewApprovalStatus::Filtered) => "filtered out",
        (_, NewApprovalStatus::PendingApproval) => "moved back",
    }
}

/// Returns the outcome in a few words, such as "266 approved, 100 not confirmed".
fn summary(step: Option<u64>, to: NewApprovalStatus, progress: RunProgress) -> String {
    let parts = [
        (progress.updated, done_word(step, to)),
        (progress.failed, NOT_SAVED),
        (progress.uncertain, NOT_CONFIRMED),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<_> = parts
        .map(|(count, word)| [&*format::number(count as u64), " ", word].concat())
        .collect();
    parts.join(", ")
}

const NOT_SAVED: &str = "not saved";
const NOT_CONFIRMED: &str = "not confirmed";

/// The number of leads per outcome. That of the saved ones is always shown, the others if not zero. A click lists the
/// leads.
fn counts(app: AppState, number: u64, done: &'static str, progress: RunProgress) -> El {
    let dialog = app.commands.dialog;
    let parts = [
        (progress.updated, done, "updated", LeadOutcome::Updated),
        (progress.failed, NOT_SAVED, "failed", LeadOutcome::Failed),
        (
            progress.uncertain,
            NOT_CONFIRMED,
            "uncertain",
            LeadOutcome::Uncertain,
        ),
        (
            progress.left_out(),
            "not changed",
            "left-out",
            LeadOutcome::LeftOut,
        ),
    ];
    let parts = parts
        .into_iter()
        .filter(|(count, _, _, outcome)| *outcome == LeadOutcome::Updated || *count > 0);
    let items = parts.map(|(count, word, of, outcome)| {
        let text = [&*format::number(count as u64), " ", word].concat();
        let item = li().attr("data-of", of);
        if count == 0 {
            return item.child(&text);
        }
        let show = button()
            .class("which")
            .child(&text)
            .attr("aria-haspopup", "dialog");
        item.child(show.on(ev::click, move |_| {
            dialog.set(Some(Dialog::Outcome(number, outcome)));
        }))
    });
    ul().class("counts").children(items)
}
