//! Parameters of an operation: from the body, the query string or the path.

use axum::body::Body;
use axum::extract::RawPathParams;
use axum::extract::rejection::RawPathParamsRejection;
use http::Request;
use lead_workspace_api::{Endpoint, Input, Request as Params};
use lead_workspace_logic::params::{from_body, from_query};
use serde_json::{Map, Value};

use super::auth::Caller;
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
    let value = match E::INPUT {
        Input::Body => {
            let parse = |body: &Value| Ok(E::Params::from_wire(body, "body")?);
            return read_body(request, caller, parse).await;
        }
        Input::Query => from_query::<E::Params>(request.uri().query().unwrap_or(""))?,
        Input::Nothing => Value::Object(Map::new()),
    };
    Ok((E::Params::from_wire(&value, "query")?, None))
}

/// Reads a body. A large one needs a permit, which the caller must hold until the request is answered.
pub(super) async fn read_body<T: Send + 'static>(
    request: Request<Body>,
    caller: &Caller,
    parse: impl FnOnce(&Value) -> Result<T, ApiError> + Send + 'static,
) -> Result<(T, Option<Permit>), ApiError> {
    let parts = &caller.app.0;
    let body = body::read(request, parts.limits.body_bytes, parts.limits).await?;
    if body.len() <= LARGE_BODY {
        return Ok((parse(&from_body(&body)?)?, None));
    }
    let permit = parts.large_bodies.acquire(caller.tenant)?;
    let parse = move || parse(&from_body(&body)?);
    Ok((parts.large_bodies.parse(parse).await?, Some(permit)))
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
