//! Builds a client from the options of `Workspace.create`.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::TenantId;
use wasm_bindgen::JsValue;

use super::error::options as refused;
use super::hooks::JsHooks;
use super::options::Options;
use crate::client::retry::Policy;
use crate::client::{CallbackKeySource, Client, Config, ConfigError, Credentials, Fetch};

/// The options of `Workspace.create`, except `wasm`, which the loader takes. The last three are for
/// the scripts of the package.
const CREATE: [&str; 16] = [
    "baseUrl",
    "apiKey",
    "getApiKey",
    "tenantId",
    "retry",
    "timeoutMs",
    "deadlineMs",
    "maxBodyBytes",
    "jobPath",
    "allowScoringOfEverything",
    "hooks",
    "headers",
    "fetch",
    "logger",
    "logLevel",
    "allowApiKeyInPage",
];

const RETRY: [&str; 5] = [
    "attempts",
    "baseMs",
    "limitedBaseMs",
    "capMs",
    "longestWaitMs",
];

/// Returns a client with these options.
pub(super) fn client(value: &JsValue) -> Result<Client, JsValue> {
    let options = Options::new("options", value, &CREATE)?;
    let unusable = |problem: ConfigError| refused(&problem.to_string());
    let base_url = options
        .text("baseUrl")?
        .ok_or_else(|| refused("options.baseUrl is missing; use \"\" for the page's own origin"))?;
    let config = Config::new(&base_url).map_err(unusable)?;
    let tenant = options.text("tenantId")?.map(TenantId::from);
    let mut config = match (options.text("apiKey")?, options.function("getApiKey")?) {
        (Some(key), None) => {
            let credentials = Credentials::new(&key).map_err(unusable)?;
            config.with(credentials.in_workspace(tenant).map_err(unusable)?)
        }
        (None, Some(callback)) => config
            .with_key_source(Rc::new(CallbackKeySource(callback)), tenant)
            .map_err(unusable)?,
        _ => return Err(refused("pass either options.apiKey or options.getApiKey")),
    };
    let retry = options.get("retry").unwrap_or_default();
    config.policy = policy(&Options::new("options.retry", &retry, &RETRY)?)?;
    config.timeout = options.milliseconds("timeoutMs")?;
    config.deadline = options.milliseconds("deadlineMs")?;
    if let Some(path) = options.text("jobPath")? {
        config = config.with_job_path(&path).map_err(unusable)?;
    }
    if let Some(hooks) = options.get("hooks") {
        config.hooks = Some(Rc::new(JsHooks::read(&hooks)?));
    }
    if let Some(cap) = options.integer("maxBodyBytes")? {
        config.body_cap = cap as usize;
    }
    config.allow_scoring_of_everything = options.flag("allowScoringOfEverything")?;
    // Only checked here; `www/npm/page-key.js` reads it.
    options.flag("allowApiKeyInPage")?;
    config.extra_headers = options.headers()?;
    let transport = Fetch::with_function(options.function("fetch")?);
    Ok(Client::with_transport(config, Arc::new(transport)))
}

fn policy(retry: &Options<'_>) -> Result<Policy, JsValue> {
    let defaults = Policy::default();
    let time = |member: &str, default| {
        let time = retry.milliseconds(member)?;
        Ok::<_, JsValue>(time.unwrap_or(default))
    };
    Ok(Policy {
        attempts: retry.integer("attempts")?.unwrap_or(defaults.attempts),
        base: time("baseMs", defaults.base)?,
        base_limited: time("limitedBaseMs", defaults.base_limited)?,
        cap: time("capMs", defaults.cap)?,
        longest_wait: time("longestWaitMs", defaults.longest_wait)?,
    })
}
