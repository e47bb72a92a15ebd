//! The pulse of an account within a page of others.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::ShadowRoot;

use super::options::{self, MountOptions};
use super::{Host, Running, with};
use crate::client::{Fetch, Transport};
use crate::components::dom::{El, classed};
use crate::model::place::Place;
use crate::pages::frame::ask_key;
use crate::pages::late;
use crate::state::{Workspace, spawn};

/// Shows the pulse of an account in a shadow root, after what is there.
///
/// # Errors
/// When the theme is none that there is.
#[wasm_bindgen]
pub fn mount_account_pulse(
    root: &ShadowRoot,
    options: &MountOptions,
) -> Result<AccountPulse, JsError> {
    let host = Host {
        view: place(&options.account().unwrap_or_default()),
        ..options::read(options)?
    };
    Ok(mount_pulse(root, host, Arc::new(Fetch)))
}

/// Shows the pulse of the account that the host's view names, over a transport. The host hears of the
/// leads that a person wants to see.
pub fn mount_pulse(root: &ShadowRoot, host: Host, transport: Arc<dyn Transport>) -> AccountPulse {
    let on_navigate = host.on_navigate.clone();
    let draw = move |workspace: Workspace| -> El {
        workspace
            .pulses
            .on_lead
            .set_value(Some(Rc::new(move |lead: &str| {
                let Some(tell) = on_navigate.clone() else {
                    return;
                };
                let view = Place::of_lead(lead);
                // By itself, so that whoever hears of it may take the pulse away.
                spawn(async move { tell(&view.to_view()) });
            })));
        classed("div", "app alone")
            .el(late::pulse(workspace))
            .el(ask_key(workspace))
    };
    AccountPulse {
        running: Running::start(root, host, transport, draw),
    }
}

/// The place of an account; nothing is shown where none is named.
fn place(account: &str) -> Place {
    match account {
        "" => Place::default(),
        account => Place::of_account(account),
    }
}

/// The pulse of an account in a page. It goes with [`unmount`](Self::unmount), and when it is dropped.
#[wasm_bindgen]
pub struct AccountPulse {
    running: RefCell<Option<Running>>,
}

#[wasm_bindgen]
impl AccountPulse {
    /// Takes it away, with all that it listens to and waits for. Once is enough; twice is no error.
    pub fn unmount(&self) {
        drop(self.running.take());
    }

    /// Shows another account.
    ///
    /// # Errors
    /// When the pulse was taken away.
    pub fn show(&self, account: &str) -> Result<(), JsError> {
        with(&self.running, "pulse", |running| running.go(place(account)))
    }

    /// Changes the colours: `light`, `dark` or `system`.
    ///
    /// # Errors
    /// When there is no such theme, or the pulse was taken away.
    #[wasm_bindgen(js_name = setTheme)]
    pub fn set_theme(&self, theme: &str) -> Result<(), JsError> {
        let colours = options::theme(theme)?;
        with(&self.running, "pulse", |running| {
            running.workspace.theme.set(colours);
        })
    }
}
