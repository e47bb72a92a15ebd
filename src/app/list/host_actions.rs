//! The actions of the host page: what they act on now, and their buttons.

use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;

use super::grid_controller::GridController;
use super::panes;
use crate::app::components::dom::{El, button};
use crate::app::components::menu::{group, item};
use crate::app::model::chord::KeyPress;
use crate::app::model::command::Scope;
use crate::app::model::host_action::{ActionTarget, HostAction, pressed};
use crate::app::model::route::{ACCOUNTS_PATH, LEADS_PATH};
use crate::app::state::AppState;
use crate::app::state::grid_selection::GridSelection;
use crate::review::selection::Selection;

/// An action that applies, and what it would act on.
pub type Offer = (HostAction, Vec<Arc<str>>);

/// Returns the actions that act on something now, for a key or the palette: on the selection, else on the open or current row.
pub fn offers(app: AppState) -> Vec<Offer> {
    offers_for(app, |target| {
        let selected = match target {
            ActionTarget::Lead => Vec::new(),
            ActionTarget::Leads | ActionTarget::Account => selected(app, target),
        };
        match selected.is_empty() {
            true => current(app, target).into_iter().collect(),
            false => selected,
        }
    })
}

/// Returns the actions for the open or current row.
pub fn offers_for_row(app: AppState) -> Vec<Offer> {
    offers_for(app, |target| current(app, target).into_iter().collect())
}

fn offers_for(app: AppState, ids: impl Fn(ActionTarget) -> Vec<Arc<str>>) -> Vec<Offer> {
    let actions = app.host.get(|parts| parts.actions.clone());
    let offers = actions.into_iter().map(|action| {
        let ids = ids(action.target);
        (action, ids)
    });
    offers.filter(|(_, ids)| !ids.is_empty()).collect()
}

/// Returns what is selected in the list that is shown, if the action is for it.
fn selected(app: AppState, target: ActionTarget) -> Vec<Arc<str>> {
    let ids = |selection: &Selection| selection.ids().map(|(id, _)| Arc::clone(id)).collect();
    match (is_accounts(app), target) {
        (true, ActionTarget::Account) => app.accounts.grid_selection.selection.with(ids),
        (false, ActionTarget::Leads) => app.leads.grid_selection.selection.with(ids),
        _ => Vec::new(),
    }
}

/// Returns the lead or the account that is open or has the cursor.
fn current(app: AppState, target: ActionTarget) -> Option<Arc<str>> {
    untrack(|| {
        if is_accounts(app) {
            let pane = panes::of_accounts(app);
            let open = pane.opened_now();
            let row = || {
                GridController::of_accounts(app)
                    .row()
                    .map(|row| row.account.id.clone())
            };
            let id = open.or_else(row)?;
            return (target == ActionTarget::Account).then(|| id.into());
        }
        if app.nav.path().get() != LEADS_PATH {
            return None;
        }
        // As with decisions: what is shown, never what is still loading.
        if app.details.is_other() {
            return None;
        }
        let open = panes::of_leads(app).opened_now();
        let is_shown = |id: &String| app.leads.grid_selection.has_cursor(id);
        let row = app.leads.grid_selection.row(app.leads.listing);
        match target {
            ActionTarget::Account => match open.filter(|open| !is_shown(open)) {
                Some(_) => app.details.shown()?.company.account.clone(),
                None => row?.lead.account.clone(),
            },
            ActionTarget::Lead | ActionTarget::Leads => {
                open.or_else(|| row.map(|row| row.lead.id.clone()))
            }
        }
        .map(Into::into)
    })
}

fn is_accounts(app: AppState) -> bool {
    untrack(|| app.nav.path().get()) == ACCOUNTS_PATH
}

/// Runs the action of a key. Returns `false` if the key has none that applies now.
pub fn press(app: AppState, press: &KeyPress, at: Scope) -> bool {
    let actions = untrack(|| app.host.get(|parts| parts.actions.clone()));
    let pressed = app.keys.now(|map| pressed(&actions, map, press, at));
    let Some(pressed) = pressed.flatten() else {
        return false;
    };
    let mut offers = untrack(|| offers(app)).into_iter();
    match offers.find(|(action, _)| action == pressed) {
        Some((action, ids)) => {
            app.host.run(&action, ids);
            true
        }
        None => false,
    }
}

/// Returns the name of the host page, untracked.
pub fn page_name(app: AppState) -> String {
    untrack(|| app.host.get(|parts| parts.name.clone()))
}

/// Returns the key caps of an action.
pub fn caps(app: AppState, action: &HostAction) -> Vec<String> {
    let key = action.key.as_ref();
    key.map(|key| key.caps(app.keys.mac)).unwrap_or_default()
}

/// The group of the actions in the menu of a row.
pub fn menu_group(app: AppState, close: impl Fn() + Copy + 'static) -> Option<El> {
    let offers = untrack(|| offers_for_row(app));
    let items: Vec<El> = offers
        .into_iter()
        .map(|(action, ids)| {
            item(None, &action.label, &caps(app, &action)).on(ev::click, move |_| {
                close();
                app.host.run(&action, ids.clone());
            })
        })
        .collect();
    let name = page_name(app);
    (!items.is_empty()).then(|| group(&name, items))
}

/// The buttons for the selected rows.
pub fn selection_buttons(app: AppState, grid_selection: GridSelection) -> Vec<El> {
    let offers = offers_for(app, |target| selected(app, target));
    let of = |(action, _): Offer| {
        button()
            .class("")
            .child(&action.label)
            .on(ev::click, move |_| {
                // What is selected now.
                app.host
                    .run(&action, untrack(|| selected(app, action.target)));
                grid_selection.focus_list();
            })
    };
    offers.into_iter().map(of).collect()
}

/// The buttons in the details of the open row.
pub fn details_buttons(app: AppState, class: &'static str) -> Vec<El> {
    let of = |(action, _): Offer| {
        let caps = caps(app, &action);
        let key = (caps.len() == 1).then(|| caps.concat());
        button()
            .class(class)
            .attr("aria-keyshortcuts", key)
            .child(&action.label)
            .on(ev::click, move |_| {
                if let Some(id) = current(app, action.target) {
                    app.host.run(&action, vec![id]);
                }
            })
    };
    offers_for_row(app).into_iter().map(of).collect()
}
