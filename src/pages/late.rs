//! Pages and parts of pages whose code is loaded when they are first opened.
//!
//! With the feature `split` each is a Wasm file of its own: `cargo xtask build` cuts it out of the module, with all
//! code that nothing else uses. Without the feature they are ordinary functions.

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

/// Delays loading the code of a part until `is_time`.
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

/// Declares a lazily loaded part: function name, placeholder (`page`, `part` or `dialog`), style sheet (`first` or
/// `later`), title, render function.
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
                // The code is loaded, so this is ready at once.
                draw: |workspace| draw(workspace).now_or_never()?.ok(),
            })
        }
    };
}

late!(accounts, page, later, "Accounts", accounts_page);

late!(account, part, later, "Account details", account_page);

late!(
    #[cfg(not(feature = "embed"))]
    import,
    page,
    later,
    "Import leads",
    import_page
);

late!(
    /// The filter sidebar of the leads.
    rail, part, first, "Filters", leads::rail::rail
);

late!(
    /// The active filters of the leads.
    chips, part, first, "Filters", leads::chips::chip_row
);

late!(
    /// The empty state of a filtered lead list.
    relax, part, first, "Filters", leads::relax::relax
);

late!(peek, part, later, "Lead details", peek_page);

late!(portfolio, page, later, "Portfolio", portfolio_page);

late!(
    /// The pulse of the account in the address.
    pulse, part, later, "Pulse", pulse_part
);

late!(palette, dialog, later, "The palette", palette_dialog);

late!(help, dialog, later, "The help", help_dialog);

late!(recent, dialog, later, "Recent decisions", recent_dialog);

late!(
    /// The leads of a bulk decision by outcome.
    outcome, dialog, later, "The leads", outcome_dialog
);

late!(
    /// The strip that is shown while the workspace is over its rate limit.
    limited, part, first, "The rate limit", limited_strip
);

late!(
    /// The focus guard.
    keeper, part, first, "The focus", focus_keeper
);

late!(columns, dialog, later, "The columns", columns_dialog);

late!(views, dialog, later, "The views", views_dialog);

late!(
    /// Panels of long-running tasks.
    errands, part, later, "Progress", errands_part
);

late!(jobs, part, later, "Jobs", jobs_part);

late!(
    #[cfg(not(feature = "embed"))]
    settings,
    page,
    later,
    "Settings",
    settings_page
);

late!(
    #[cfg(not(feature = "embed"))]
    sign_out,
    dialog,
    later,
    "Signing out",
    sign_out_dialog
);
