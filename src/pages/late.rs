//! Pages, and parts of pages, whose code is loaded when they are first opened.
//!
//! With the feature `split` each is a Wasm file of its own, which `cargo xtask build` cuts out of the
//! module together with all that nothing else uses. Without it they are functions like all others.

use super::account::account_page;
use super::accounts::accounts_page;
use super::dialogs::{columns_dialog, help_dialog, palette_dialog, views_dialog};
use super::errands::errands_part;
#[cfg(not(feature = "embed"))]
use super::import::import_page;
use super::jobs::jobs_part;
use super::leads;
use super::limited::limited as limited_strip;
use super::outcome::outcome_dialog;
use super::peek::peek_page;
use super::portfolio::portfolio_page;
use super::pulse::pulse_part;
use super::recent::recent_dialog;
#[cfg(not(feature = "embed"))]
use super::settings::settings_page;
#[cfg(not(feature = "embed"))]
use super::sign_out::sign_out_dialog;
use crate::components::dom::{El, classed};
use crate::components::keeper;
use crate::signal::Memo;
use crate::state::Workspace;

/// A part of a page whose code is not loaded before it is time.
pub fn after(is_time: Memo<bool>, workspace: Workspace, part: fn(Workspace) -> El) -> El {
    classed("div", "late").el_of(move || {
        Some(match is_time.get() {
            true => part(workspace),
            false => classed("div", "arriving"),
        })
    })
}

fn focus_keeper(_: Workspace) -> El {
    keeper::keeper()
}

/// Declares a page or a part of one that comes late: its function here, what stands around it until
/// it is there (`page`, `part` or `dialog`), the style sheet that it needs (`first` or `later`), its name, the function
/// that draws it.
macro_rules! late {
    ($(#[$doc:meta])* $name:ident, $around:ident, $sheet:ident, $title:literal, $page:path) => {
        $(#[$doc])*
        #[cfg(not(feature = "split"))]
        pub fn $name(workspace: Workspace) -> El {
            $page(workspace)
        }

        $(#[$doc])*
        #[cfg(feature = "split")]
        pub fn $name(workspace: Workspace) -> El {
            use futures_util::FutureExt;
            use wasm_split_helpers::{SplitLoaderError, wasm_split};

            #[wasm_split($name, fallible, preload(load))]
            fn draw(workspace: Workspace) -> Result<El, SplitLoaderError> {
                Ok($page(workspace))
            }

            super::arrival::arrival(super::arrival::Late {
                workspace,
                title: $title,
                around: super::arrival::$around,
                load: || super::arrival::$sheet(load().map(|loaded| loaded.is_ok())),
                // What is loaded draws at once.
                draw: |workspace| draw(workspace).now_or_never()?.ok(),
            })
        }
    };
}

late!(
    /// The accounts.
    accounts, page, later, "Accounts", accounts_page
);

late!(
    /// The details of an account.
    account, part, later, "Account details", account_page
);

late!(
    /// A file of leads.
    #[cfg(not(feature = "embed"))]
    import, page, later, "Import leads", import_page
);

late!(
    /// The rail of the leads.
    rail, part, first, "Filters", leads::rail::rail
);

late!(
    /// The filters of the leads that are in force.
    chips, part, first, "Filters", leads::chips::chip_row
);

late!(
    /// What stands in place of leads that filters keep out.
    relax, part, first, "Filters", leads::relax::relax
);

late!(
    /// The details of a lead.
    peek, part, later, "Lead details", peek_page
);

late!(
    /// Accounts side by side.
    portfolio, page, later, "Portfolio", portfolio_page
);

late!(
    /// The pulse of the account that the address names.
    pulse, part, later, "Pulse", pulse_part
);

late!(
    /// The palette of commands.
    palette, dialog, later, "The palette", palette_dialog
);

late!(
    /// All keys.
    help, dialog, later, "The help", help_dialog
);

late!(
    /// The latest decisions.
    recent, dialog, later, "Recent decisions", recent_dialog
);

late!(
    /// What became of many leads.
    outcome, dialog, later, "The leads", outcome_dialog
);

late!(
    /// What is said while the workspace is over its limit.
    limited, part, first, "The rate limit", limited_strip
);

late!(
    /// What keeps the focus in the app.
    keeper, part, first, "The focus", focus_keeper
);

late!(
    /// The columns of the list.
    columns, dialog, later, "The columns", columns_dialog
);

late!(
    /// The saved views.
    views, dialog, later, "The views", views_dialog
);

late!(
    /// What takes a while.
    errands, part, later, "Progress", errands_part
);

late!(
    /// The jobs.
    jobs, part, later, "Jobs", jobs_part
);

late!(
    /// The settings.
    #[cfg(not(feature = "embed"))]
    settings, page, later, "Settings", settings_page
);

late!(
    /// The question before somebody signs out.
    #[cfg(not(feature = "embed"))]
    sign_out, dialog, later, "Signing out", sign_out_dialog
);
