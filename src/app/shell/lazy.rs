//! Pages and parts of pages whose code is loaded when they are first opened.
//!
//! With the feature `split` each is a Wasm file of its own: `cargo xtask build` cuts it out of the module, with all
//! code that nothing else uses. Without the feature they are ordinary functions.

use leptos::prelude::*;

use super::dialogs::{columns_dialog, help_dialog, palette_dialog, views_dialog};
use crate::app::components::dom::{El, div};
use crate::app::components::focus_guard;
use crate::app::list::account_pane::account_page;
use crate::app::list::lead_pane::peek_page;
use crate::app::list::pulse_section::pulse_part;
use crate::app::panels::bulk_results::outcome_dialog;
use crate::app::panels::jobs_tray::jobs_part;
use crate::app::panels::rate_limit_banner::limited as limited_strip;
use crate::app::panels::recent_panel::recent_dialog;
use crate::app::panels::task_panels::errands_part;
use crate::app::routes::accounts::accounts_page;
#[cfg(not(feature = "embed"))]
use crate::app::routes::import::import_page;
use crate::app::routes::leads;
use crate::app::routes::portfolio::portfolio_page;
#[cfg(not(feature = "embed"))]
use crate::app::routes::settings::settings_page;
#[cfg(not(feature = "embed"))]
use crate::app::routes::settings::sign_out_dialog::sign_out_dialog;
use crate::app::state::AppState;

/// Delays loading the code of a part until `is_time`.
pub fn after(is_time: Memo<bool>, app: AppState, part: fn(AppState) -> El) -> El {
    div().class("late").child(move || {
        Some(match is_time.get() {
            true => part(app),
            false => div().class("arriving"),
        })
    })
}

fn focus_keeper(_: AppState) -> El {
    focus_guard::focus_guard()
}

/// Declares a lazily loaded part: function name, placeholder (`page`, `part` or `dialog`), style sheet (`first` or
/// `later`), title, render function.
macro_rules! lazy {
    ($(#[$doc:meta])* $name:ident, $around:ident, $sheet:ident, $title:literal, $page:path) => {
        $(#[$doc])*
        #[cfg(not(feature = "split"))]
        pub fn $name(app: AppState) -> El {
            $page(app)
        }

        $(#[$doc])*
        #[cfg(feature = "split")]
        pub fn $name(app: AppState) -> El {
            use futures_util::FutureExt;
            use wasm_split_helpers::{SplitLoaderError, wasm_split};

            #[wasm_split($name, fallible, preload(load))]
            fn draw(app: AppState) -> Result<El, SplitLoaderError> {
                Ok($page(app))
            }

            super::lazy_fallback::load_lazily(super::lazy_fallback::Lazy {
                app,
                title: $title,
                around: super::lazy_fallback::$around,
                load: || super::lazy_fallback::$sheet(load().map(|loaded| loaded.is_ok())),
                // The code is loaded, so this is ready at once.
                draw: |app| draw(app).now_or_never()?.ok(),
            })
        }
    };
}

lazy!(accounts, page, later, "Accounts", accounts_page);

lazy!(account, part, later, "Account details", account_page);

lazy!(
    #[cfg(not(feature = "embed"))]
    import,
    page,
    later,
    "Import leads",
    import_page
);

lazy!(
    /// The filter sidebar of the leads.
    rail, part, first, "Filters", leads::filter_panel::rail
);

lazy!(
    /// The active filters of the leads.
    chips, part, first, "Filters", leads::filter_chips::chip_row
);

lazy!(
    /// The empty state of a filtered lead list.
    relax, part, first, "Filters", leads::no_matches::relax
);

lazy!(peek, part, later, "Lead details", peek_page);

lazy!(portfolio, page, later, "Portfolio", portfolio_page);

lazy!(
    /// The pulse of the account in the address.
    pulse, part, later, "Pulse", pulse_part
);

lazy!(palette, dialog, later, "The palette", palette_dialog);

lazy!(help, dialog, later, "The help", help_dialog);

lazy!(recent, dialog, later, "Recent decisions", recent_dialog);

lazy!(
    /// The leads of a bulk decision by outcome.
    outcome, dialog, later, "The leads", outcome_dialog
);

lazy!(
    /// The strip that is shown while the workspace is over its rate limit.
    limited, part, first, "The rate limit", limited_strip
);

lazy!(
    /// The focus guard.
    keeper, part, first, "The focus", focus_keeper
);

lazy!(columns, dialog, later, "The columns", columns_dialog);

lazy!(views, dialog, later, "The views", views_dialog);

lazy!(
    /// Panels of long-running tasks.
    errands, part, later, "Progress", errands_part
);

lazy!(jobs, part, later, "Jobs", jobs_part);

lazy!(
    #[cfg(not(feature = "embed"))]
    settings,
    page,
    later,
    "Settings",
    settings_page
);

lazy!(
    #[cfg(not(feature = "embed"))]
    sign_out,
    dialog,
    later,
    "Signing out",
    sign_out_dialog
);
