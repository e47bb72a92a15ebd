//! The pulse of an account, embedded in another page.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};
use web_sys::ShadowRoot;

use super::options::MountOptions;
use super::{HostOptions, Running, options, theme_option, with};
use crate::app::components::dom::{El, div};
use crate::app::list::pulse_section::lazy_pulse;
use crate::app::model::route::Route;
use crate::app::shell::key_prompt::key_dialog;
use crate::app::state::{AppState, spawn};
use crate::client::Transport;

/// Mounts the pulse of an account in a shadow root, after its existing children.
///
/// # Errors
/// Fails if the address is not a workspace address, the theme does not exist, or the appearance is not an object.
#[wasm_bindgen]
pub fn mount_account_pulse(
    root: &ShadowRoot,
    options: &MountOptions,
) -> Result<AccountPulse, JsError> {
    let host = HostOptions {
        view: route_of(&options.account().unwrap_or_default()),
        ..options::read(options)?
    };
    Ok(mount_pulse(root, host, options::transport(options)))
}

/// Mounts the pulse of the account in the host's view, with the given transport. `on_navigate` of
/// the host is called with the leads that the user opens.
pub fn mount_pulse(
    root: &ShadowRoot,
    host: HostOptions,
    transport: Arc<dyn Transport>,
) -> AccountPulse {
    let on_navigate = host.on_navigate.clone();
    let draw = move |app: AppState| -> El {
        app.pulses
            .on_lead
            .set_value(Some(Rc::new(move |lead: &str| {
                let Some(tell) = on_navigate.clone() else {
                    return;
                };
                let view = Route::lead(lead);
                // In a separate task, so that the callback may unmount the pulse.
                spawn(async move { tell(&view.to_view()) });
            })));
        div()
            .class("app alone")
            .child(lazy_pulse(app))
            .child(key_dialog(app))
    };
    AccountPulse {
        running: Running::start(root, host, transport, draw),
    }
}

/// Returns the place of an account. An empty id shows no account.
fn route_of(account: &str) -> Route {
    match account {
        "" => Route::default(),
        account => Route::account(account),
    }
}

/// A mounted pulse. [`unmount`](Self::unmount) or dropping it removes it.
#[wasm_bindgen]
pub struct AccountPulse {
    running: RefCell<Option<Running>>,
}

#[wasm_bindgen]
impl AccountPulse {
    /// Removes the pulse with all its listeners and timers. Repeated calls do nothing.
    pub fn unmount(&self) {
        drop(self.running.take());
    }

    /// Shows another account.
    ///
    /// # Errors
    /// Fails if the pulse was unmounted.
    pub fn show(&self, account: &str) -> Result<(), JsError> {
        with(&self.running, "pulse", |running| {
            running.navigate(route_of(account))
        })
    }

    /// Changes the theme: `light`, `dark` or `system`.
    ///
    /// # Errors
    /// Fails if the theme does not exist, or the pulse was unmounted.
    #[wasm_bindgen(js_name = setTheme)]
    pub fn set_theme(&self, theme: &str) -> Result<(), JsError> {
        let colors = theme_option::theme(theme)?;
        with(&self.running, "pulse", |running| {
            running.app.theme.set(colors);
        })
    }

    /// Changes the appearance. `undefined` has none.
    ///
    /// # Errors
    /// Fails if it is not an object, its theme does not exist, or the pulse was unmounted.
    #[wasm_bindgen(js_name = setAppearance)]
    pub fn set_appearance(&self, appearance: &JsValue) -> Result<(), JsError> {
        with(&self.running, "pulse", |running| {
            running.brand.set_appearance(appearance)
        })?
    }
}
