//! The dialogs of the app, connected to the state.

use std::rc::Rc;

use leptos::prelude::*;

use self::palette_dialog::lazy_palette;
use super::key_handler;
use crate::app::components::dom::{El, div};
use crate::app::components::{column_menu, help_dialog, views_dialog};
use crate::app::list::host_actions;
use crate::app::model::columns::{AddedSpec, ColumnSpec};
use crate::app::model::custom_fields::{CustomField, known_fields};
use crate::app::model::route;
use crate::app::model::view::{AccountsView, LeadsView};
use crate::app::panels::bulk_results::lazy_outcome;
use crate::app::panels::recent_panel::lazy_recent;
use crate::app::reactive::{Signal, StoredValue, memo};
#[cfg(not(feature = "embed"))]
use crate::app::routes::settings::sign_out_dialog::lazy_sign_out;
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::commands::Dialog;
use crate::app::state::view_store::column_set;

mod palette_dialog;

/// Renders the open dialog.
pub fn dialogs(app: AppState) -> El {
    let dialog = app.commands.dialog;
    div().class("dialogs").child(move || {
        Some(match dialog.get()? {
            Dialog::Palette => lazy_palette(app),
            Dialog::Help => lazy_help(app),
            Dialog::Recent => lazy_recent(app),
            Dialog::Outcome(..) => lazy_outcome(app),
            Dialog::Columns => lazy_columns(app),
            Dialog::Views | Dialog::SaveView => lazy_views(app),
            #[cfg(not(feature = "embed"))]
            Dialog::SignOut => lazy_sign_out(app),
            #[cfg(feature = "embed")]
            Dialog::SignOut => return None,
        })
    })
}

/// The keyboard help.
pub fn help_dialog(app: AppState) -> El {
    let (keys, commands) = (app.keys, app.commands);
    let help = help_dialog::Help {
        keymap: Signal::derive(move || keys.get()),
        on_keymap: Callback::new(move |keymap| keys.set(keymap)),
        mac: keys.mac,
        host: host_keys(app),
        press: key_handler::press,
    };
    help_dialog::help(&help, move || commands.dialog.set(None))
}

/// Returns the name of the host page, and its actions with their keys.
fn host_keys(app: AppState) -> (String, Vec<(String, Vec<String>)>) {
    let actions = untrack(|| app.host.get(|parts| parts.actions.clone()));
    let keys = actions
        .iter()
        .map(|action| (action.label.clone(), host_actions::caps(app, action)));
    (host_actions::page_name(app), keys.collect())
}

/// The column dialog of the current list.
pub fn columns_dialog(app: AppState) -> El {
    let (nav, layout) = (app.nav, app.views);
    let column_set = column_set(&nav.path().get_untracked());
    // All changes made while the dialog is open are one history entry.
    let first = StoredValue::new(true);
    let on_columns = Callback::new(move |columns| {
        let now = untrack(|| layout.layout());
        layout.lay_out(&now.with(&columns), !first.get_value());
        first.set_value(false);
    });
    let menu = column_menu::ColumnMenu {
        set: column_set,
        columns: Signal::derive(move || layout.arranged(column_set)),
        custom: match column_set.has_added {
            true => custom_columns(app),
            false => Signal::stored(Vec::new()),
        },
        host: host_actions::page_name(app),
        on_columns,
        hint: match app.session.is_embedded() {
            true => "Tip: Alt+↑/↓ moves a column.",
            false => COLUMNS_HINT,
        },
    };
    column_menu::columns(&menu, move || app.commands.dialog.set(None))
}

const COLUMNS_HINT: &str =
    "Tip: Alt+↑/↓ moves a column. The layout is saved in this browser and in the URL.";

/// Returns the columns of the user's own data: of the rows that were read, and once the server answered, of all leads.
fn custom_columns(app: AppState) -> Signal<Vec<&'static ColumnSpec>> {
    let (pages, named) = (app.leads.listing.pages, app.custom_fields.named);
    app.custom_fields.load();
    let columns = memo(move |_| {
        let fields = pages.with(|pages| {
            let rows = pages.rows().map(|(_, row)| &*row.lead);
            named.with(|named| known_fields(rows, named.as_ref()))
        });
        let column = |field: &CustomField| AddedSpec::custom(field).spec();
        fields.iter().map(column).collect()
    });
    columns.into()
}

pub fn views_dialog(app: AppState) -> El {
    let (nav, stored, commands) = (app.nav, app.views, app.commands);
    let current = untrack(|| nav.route());
    let (path, query, words) = if current.path == route::ACCOUNTS_PATH {
        let mut now = AccountsView::from_query(&current.query);
        now.open = None;
        (route::ACCOUNTS_PATH, now.to_query(), now.words())
    } else {
        let now = LeadsView::from_query(&current.query).opened(None);
        (route::LEADS_PATH, now.to_query(), now.words())
    };
    let views = views_dialog::ViewsDialog {
        saved: Signal::derive(move || stored.get(path)),
        now: query.clone(),
        words,
        // Letters that are typed for a name would be commands. On a phone the field would open the keyboard over the views.
        focuses_name: commands.dialog.get_untracked() == Some(Dialog::SaveView)
            || !app.environment.narrow.get_untracked(),
        href: Rc::new(move |query| nav.href(path, query)),
        on_action: Rc::new(move |action| {
            stored.change(path, |saved| {
                match action {
                    views_dialog::ViewAction::Save(name) => saved.save(&name, &query)?,
                    views_dialog::ViewAction::Rename(old, new) => saved.rename(&old, &new)?,
                    views_dialog::ViewAction::Remove(name) => saved.remove(&name),
                    views_dialog::ViewAction::First(name) => saved.open_with(name.as_deref()),
                }
                Ok(())
            })
        }),
    };
    let on_done = Callback::new(move |picked: Option<String>| {
        commands.dialog.set(None);
        if let Some(query) = picked {
            nav.navigate(path, &query);
        }
    });
    views_dialog::views(&views, on_done)
}

lazy!(lazy_help: pages, dialog, later, "The help", help_dialog);

lazy!(lazy_columns: pages, dialog, later, "The columns", columns_dialog);

lazy!(lazy_views: pages, dialog, later, "The views", views_dialog);
