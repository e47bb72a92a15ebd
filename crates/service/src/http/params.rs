//! Parameters of an operation: from the body, the query string or the path.

use axum::body::Body;
use axum::extract::RawPathParams;
use axum::extract::rejection::RawPathParamsRejection;
use http::Request;
use lead_workspace_api::limits::PROBLEMS;
use lead_workspace_api::{Endpoint, Input, Request as Params};
use serde_json::{Map, Value, json};

use super::auth::Caller;
use super::error::entry;
use super::large_bodies::LARGE_BODY;
use super::permits::Permit;
use super::{ApiError, body};

/// Reads the parameters of an operation from the body or the query string. A large body also needs
/// a permit, which the caller must hold until the request is answered.
pub(super) async fn read<E: Endpoint>(
    request: Request<Body>,
    caller: &Caller,
) -> Result<(E::Params, Option<Permit>), ApiError>
where
    E::Params: Send + 'static,
{
    let parts = &caller.app.0;
    let value = match E::INPUT {
        Input::Body => {
            let body = body::read(request, parts.limits.body_bytes, parts.limits).await?;
            if body.len() <= LARGE_BODY {
                return Ok((E::Params::from_wire(&body::parse(&body)?, "body")?, None));
            }
            let permit = parts.large_bodies.acquire(caller.tenant)?;
            let parse = move || Ok(E::Params::from_wire(&body::parse(&body)?, "body")?);
            return Ok((parts.large_bodies.parse(parse).await?, Some(permit)));
        }
        Input::Query => query::<E::Params>(request.uri().query().unwrap_or(""))?,
        Input::Nothing => Value::Object(Map::new()),
    };
    Ok((E::Params::from_wire(&value, "query")?, None))
}

/// Parses a query string into an object of strings.
fn query<P: Params>(text: &str) -> Result<Value, ApiError> {
    let params = P::params();
    let mut object = Map::new();
    let mut problems = Vec::new();
    for (name, value) in form_urlencoded::parse(text.as_bytes()) {
        let Some(param) = params.iter().find(|param| param.name == name) else {
            continue;
        };
        // spec: not shown; a query string has no null, so an empty value means null where null is
        // allowed.
        if value.is_empty() && param.ty.ends_with("or null") {
            continue;
        }
        let value = json!(value);
        match object.get_mut(param.name) {
            None => {
                object.insert(param.name.into(), value);
            }
            Some(known) if *known == value => {}
            // Selected facet values may be given as repeated parameters.
            Some(known) if param.name == "selected" => {
                let mut several = match known.take() {
                    Value::Array(several) => several,
                    one => vec![one],
                };
                several.push(value);
                *known = Value::Array(several);
            }
            Some(_) if problems.len() >= PROBLEMS => {}
            Some(_) => {
                let msg = "this parameter is given more than once, with different values";
                let loc = ["query", param.name];
                problems.push(entry(&loc, "duplicate", msg, value, Map::new()));
            }
        }
    }
    if !problems.is_empty() {
        return Err(ApiError::Invalid(problems));
    }
    if let Some(several @ Value::Array(_)) = object.get_mut("selected") {
        *several = json!(several.to_string());
    }
    Ok(Value::Object(object))
}

/// Reads an id from the path. Fails if it is not UTF-8.
pub(super) fn path_id<I: From<String>>(
    params: &Result<RawPathParams, RawPathParamsRejection>,
    name: &'static str,
) -> Result<I, ApiError> {
    let found = params.as_ref().ok().and_then(|params| {
        let mut params = params.iter();
        params.find_map(|(found, value)| (found == name).then(|| value.to_owned()))
    });
    found.map(I::from).ok_or_else(|| {
        let msg = "the id is not UTF-8 text";
        ApiError::invalid(&["path", name], "string_unicode", msg, Value::Null)
    })
}
