//! The JavaScript options of the host page.

use std::rc::Rc;
use std::sync::Arc;

use js_sys::Function;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use super::callbacks::call_with;
use super::theme_option::theme;
use super::{Appearance, HostOptions, OnNavigate, Warnings, setup};
use crate::app::model::route::Route;
use crate::app::state::decisions::events::{OnSaved, SavedDecision};
use crate::app::state::session::Connection;
use crate::client::key_source::KeySource;
use crate::client::{CallbackKeySource, Config, Fetch, Transport, property};

#[wasm_bindgen]
extern "C" {
    /// The options of `mount_lead_review` and `mount_account_pulse`.
    #[wasm_bindgen(typescript_type = "MountOptions")]
    pub type MountOptions;

    #[wasm_bindgen(method, getter, js_name = "baseUrl")]
    fn base_url(this: &MountOptions) -> Option<String>;
    #[wasm_bindgen(method, getter, js_name = "apiKey")]
    fn api_key(this: &MountOptions) -> Option<String>;
    #[wasm_bindgen(method, getter, js_name = "getApiKey")]
    fn get_api_key(this: &MountOptions) -> Option<Function>;
    #[wasm_bindgen(method, getter)]
    fn fetch(this: &MountOptions) -> Option<Function>;
    #[wasm_bindgen(method, getter, js_name = "tenantId")]
    fn tenant_id(this: &MountOptions) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn view(this: &MountOptions) -> Option<String>;
    #[wasm_bindgen(method, getter, js_name = "accountId")]
    pub fn account(this: &MountOptions) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn theme(this: &MountOptions) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn appearance(this: &MountOptions) -> JsValue;
    #[wasm_bindgen(method, getter)]
    fn warn(this: &MountOptions) -> Option<Function>;
    #[wasm_bindgen(method, getter)]
    fn style(this: &MountOptions) -> Option<String>;
    #[wasm_bindgen(method, getter, js_name = "onDecision")]
    fn on_decision(this: &MountOptions) -> Option<Function>;
    #[wasm_bindgen(method, getter, js_name = "onNavigate")]
    fn on_navigate(this: &MountOptions) -> Option<Function>;
    #[wasm_bindgen(method, getter)]
    fn page(this: &MountOptions) -> JsValue;
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** The options of `mount_lead_review` and `mount_account_pulse`. */
export interface MountOptions {
  /** The address of the workspace; the page's origin by default. */
  baseUrl?: string;
  /** The API key; kept in memory only. */
  apiKey?: string;
  /** Called for the key if `apiKey` is missing, and again if the server does not accept the key. */
  getApiKey?: () => string | PromiseLike<string>;
  /** The workspace id, if the key has access to several. */
  tenantId?: string;
  /** Client options, as for `Workspace`. */
  retry?: object;
  timeoutMs?: number;
  deadlineMs?: number;
  maxBodyBytes?: number;
  jobPath?: string;
  headers?: Record<string, string>;
  fetch?: (url: string, init: RequestInit) => PromiseLike<Response>;
  hooks?: object;
  /** The initial view: `leads`, `accounts`, `portfolio` or `insights`, optionally with a query string. */
  view?: string;
  /** The account of the pulse. */
  accountId?: string;
  /** The theme. */
  theme?: "light" | "dark" | "system";
  /** Theme, colors, font, corners and row height of the page. */
  appearance?: object;
  /** Called with each line for the developer of the page. */
  warn?: (line: string) => void;
  /** The address of the style sheet. */
  style?: string;
  /** Called with each decision that the server saved. */
  onDecision?: (decision: { leadId: string; status: string; previous: string }) => void;
  /** Called when the user changes the view. */
  onNavigate?: (place: { view: string }) => void;
  /** What the page adds to the review. */
  page?: HostPage;
}

/** What a page adds to the review; see `LeadReviewOptions` of `lead-workspace/ui`. */
export interface HostPage {
  hostName?: string;
  columns?: object[];
  actions?: object[];
  details?: (lead: object) => unknown;
  onSelection?: (event: object) => void;
  onOpen?: (event: object) => void;
  onBulk?: (event: object) => void;
}
"#;

/// Reads the options. Fails if the address is not a workspace address, the view or the theme does not exist, or the
/// appearance is not an object.
pub fn read(options: &MountOptions) -> Result<HostOptions, JsError> {
    let base = options.base_url().unwrap_or_default();
    Config::new(&base).map_err(|error| JsError::new(&error.to_string()))?;
    let on_decision = options.on_decision().map(|listener| {
        let tell = move |saved: SavedDecision| {
            call_with(
                &listener,
                &[
                    ("leadId", (*saved.lead_id).into()),
                    ("status", saved.status.as_str().into()),
                    ("previous", saved.previous.as_str().into()),
                ],
            );
        };
        Rc::new(tell) as OnSaved
    });
    let on_navigate = options.on_navigate().map(|listener| {
        let tell = move |view: &str| call_with(&listener, &[("view", view.into())]);
        Rc::new(tell) as OnNavigate
    });
    let warnings = options
        .warn()
        .map(Warnings::to_function)
        .unwrap_or_default();
    Ok(HostOptions {
        connection: Connection {
            base,
            has_own_requests: options.fetch().is_some() || property(options, "headers").is_some(),
            key: options.api_key(),
            tenant: options.tenant_id(),
            key_source: options
                .get_api_key()
                .map(|ask| Rc::new(CallbackKeySource(ask)) as Rc<dyn KeySource>),
            setup: Some(setup::read(options)),
        },
        view: view(options.view().as_deref().unwrap_or_default())?,
        theme: theme(options.theme().as_deref().unwrap_or("system"))?,
        appearance: Appearance::read(&options.appearance(), &warnings)?,
        warnings,
        style: options.style(),
        on_decision,
        on_navigate,
        page: options.page(),
    })
}

/// Returns the transport: the page's own `fetch`, if it has one.
pub fn transport(options: &MountOptions) -> Arc<dyn Transport> {
    Arc::new(Fetch::with_function(options.fetch()))
}

pub fn view(view: &str) -> Result<Route, JsError> {
    Route::from_view(view).ok_or_else(|| {
        JsError::new(&format!(
            "{view:?} is not a view. Use \"leads\", \"accounts\", \"portfolio\" or \"insights\", alone or with a query string such as \"leads?tab=approved\"."
        ))
    })
}
