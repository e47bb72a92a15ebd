//! Switching workspaces: connection test, remembered workspaces, opening another one.

use std::time::Duration;

use gloo_timers::future::TimeoutFuture;
use js_sys::{Function, Object, Reflect};
use lead_workspace_api::{LeadQuery, TenantId};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::AppState;
use super::session::StartOptions;
use super::storage::Storage;
use crate::app::model::diagnosis::{Diagnosis, TestObservation, TestOutcome, diagnose};
use crate::app::model::known_workspaces::{KnownWorkspace, KnownWorkspaces};
use crate::app::model::route;
use crate::client::{CallOptions, Client, Config, ConfigError, Credentials, ErrorKind};

/// Timeout of the requests of a connection test.
const TEST_TIMEOUT: Duration = Duration::from_secs(8);

fn storage() -> Storage {
    Storage::new("lead-workspace.places", true)
}

pub fn remembered() -> KnownWorkspaces {
    KnownWorkspaces::parse(&storage().read().unwrap_or_default())
}

/// Changes the remembered workspaces. Reads them first, because another tab may have changed them.
pub fn remember(change: impl FnOnce(&mut KnownWorkspaces)) {
    let mut all = remembered();
    change(&mut all);
    storage().write(&all.to_text());
}

pub fn forget_all() {
    storage().write("");
}

/// Returns the open workspace, with its name if it is remembered.
pub fn current_workspace(app: AppState) -> KnownWorkspace {
    let session = app.session;
    let known = KnownWorkspace {
        base: session.base().to_string(),
        tenant: session
            .tenant()
            .map(|of| of.to_string())
            .unwrap_or_default(),
        name: String::new(),
    };
    let name = remembered()
        .all()
        .iter()
        .find(|other| other.is(&known))
        .cloned();
    name.unwrap_or(known)
}

/// Returns what the open workspace is called, tracked.
pub fn title(app: AppState) -> String {
    app.session.renamed.track();
    let host = window().location().host().unwrap_or_default();
    let sent = app.session.name.get();
    current_workspace(app).title(&sent, &host).to_owned()
}

/// Returns a client without retries for a workspace, with a key.
///
/// # Errors
/// If the address, key or id is invalid. Nothing is sent.
pub fn client(app: AppState, to: &KnownWorkspace, key: &str) -> Result<Client, ConfigError> {
    let tenant = Some(&*to.tenant).filter(|tenant| !tenant.is_empty());
    let credentials = Credentials::new(key)?.in_workspace(tenant.map(TenantId::new))?;
    let config = Config::new(&to.base)?.with(credentials);
    let options = CallOptions {
        retries: Some(0),
        timeout: Some(TEST_TIMEOUT),
        deadline: Some(TEST_TIMEOUT),
        ..CallOptions::default()
    };
    let client = Client::with_transport(config, app.session.transport());
    Ok(client.with_options(options))
}

/// Tests a connection by requesting one lead.
pub async fn test(app: AppState, client: &Client, base: &str) -> Diagnosis {
    let query = LeadQuery {
        page_size: 1,
        ..LeadQuery::default()
    };
    let outcome = match client.query_leads(&query).await {
        Ok(page) => match page.total {
            Some(total) => TestOutcome::Leads(total),
            None if page.data.is_empty() => TestOutcome::Strange,
            None => TestOutcome::Leads(page.data.len() as u64),
        },
        Err(error) => match (&error.kind, error.status) {
            (ErrorKind::Timeout(_), _) => TestOutcome::Slow,
            (ErrorKind::Decode(_) | ErrorKind::Redirected | ErrorKind::TooLarge(_), _) => {
                TestOutcome::Strange
            }
            (_, Some(status)) => TestOutcome::Status(status),
            _ => TestOutcome::Nothing,
        },
    };
    let reachable = outcome == TestOutcome::Nothing && !base.is_empty() && is_reachable(base).await;
    if outcome == TestOutcome::Nothing {
        // The browser reports a policy violation shortly after the request has failed.
        TimeoutFuture::new(POLICY_REPORT_MS).await;
    }
    diagnose(&TestObservation {
        outcome,
        base,
        secure: window().location().protocol().as_deref() == Ok("https:"),
        online: window().navigator().on_line(),
        reachable,
        blocked: untrack(|| app.environment.is_forbidden(base)),
    })
}

/// How long to wait for the report of a policy violation, in milliseconds. It usually takes half a millisecond.
const POLICY_REPORT_MS: u32 = 50;

/// Returns whether anything responds at an address. Sends no key, and uses `no-cors`: it needs no permission, and
/// the response cannot be read. Another service of ours lets pages of other origins request only `/health` so; from
/// other servers any response will do.
async fn is_reachable(base: &str) -> bool {
    let options = Object::new();
    for (name, value) in [
        ("mode", "no-cors"),
        ("credentials", "omit"),
        ("cache", "no-store"),
    ] {
        // Setting a member of a plain object cannot fail.
        let _ = Reflect::set(&options, &name.into(), &value.into());
    }
    let window: JsValue = window().into();
    let Ok(fetch) = Reflect::get(&window, &"fetch".into()) else {
        return false;
    };
    let address = [base.trim_end_matches('/'), "/health"].concat();
    let call = |fetch: &Function| {
        fetch
            .call2(&window, &address.as_str().into(), &options)
            .ok()
    };
    let request = fetch.dyn_ref::<Function>().and_then(call);
    let Some(Ok(request)) = request.map(JsCast::dyn_into::<js_sys::Promise>) else {
        return false;
    };
    let timeout = TimeoutFuture::new(TEST_TIMEOUT.as_millis() as u32);
    match futures_util::future::select(JsFuture::from(request), timeout).await {
        futures_util::future::Either::Left((response, _)) => response.is_ok(),
        futures_util::future::Either::Right(_) => false,
    }
}

/// Opens a workspace and remembers it. The state of the previous one is dropped. Its unsent decisions stay in the
/// browser's storage until it is opened again.
pub fn open(app: AppState, to: KnownWorkspace, options: StartOptions) {
    remember(|all| all.opened(to.clone()));
    show(&to);
    app.session.restart(options);
}

/// Pushes the address of a workspace to the history. Back returns to the current page.
pub fn show(to: &KnownWorkspace) {
    let query = to.to_query();
    let url = match &*query {
        "" => route::LEADS_PATH.to_owned(),
        query => [route::LEADS_PATH, "?", query].concat(),
    };
    if let Ok(history) = window().history() {
        let _ = history.push_state_with_url(&JsValue::TRUE, "", Some(&url));
    }
}
