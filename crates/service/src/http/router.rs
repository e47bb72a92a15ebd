//! The routes, built from the contract's table. An operation whose handler is missing, or has
//! another signature, does not compile.

use axum::Router;
use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, any, get, on, post};
use http::header::{AUTHORIZATION, CONTENT_TYPE, DATE, RETRY_AFTER};
use http::{HeaderName, HeaderValue, Method as HttpMethod, Request, StatusCode, Uri};
use lead_workspace_api::{
    CHANGES_PATH, Endpoint, Method, Retry, endpoints, for_each_endpoint, for_each_extension,
    for_each_own_operation,
};
use lead_workspace_logic::messages;
use serde::Serialize;
use tower_http::cors::CorsLayer;

use super::auth::Caller;
use super::body::on_blocking_thread;
use super::json::{json_response, raw_json};
use super::request_context::{REQUEST_ID, set_operation};
use super::{
    ApiError, App, ServiceOptions, assets, changes, docs_page, export, gateway, import, middleware,
    openapi, params, probes,
};
use crate::gateway::Gateway;
use crate::scope::NeedsScope;
use crate::store::Encoded;

/// Handlers, named like their operations.
mod handlers {
    pub(super) use crate::http::accounts::{
        get_account, get_account_pulse, query_account_facets, query_accounts, score_accounts,
    };
    pub(super) use crate::http::jobs::get_job;
    pub(super) use crate::http::leads::{
        delete_lead, get_lead, get_lead_facets, get_lead_fields, query_lead_facets, query_leads,
        score_leads, search_lead_facet, update_lead, update_leads,
    };
}

/// Returns the router for the API, the UI and the probes, with the middleware.
pub fn router(app: App, options: &ServiceOptions) -> Router {
    let ui = options.ui.as_deref().map(assets::Ui::at);
    let router = match options.gateway.clone() {
        Some(gateway) => gateway_routes(gateway),
        None => own_operations(extensions(operations(Router::new())))
            .route(CHANGES_PATH, get(changes::changes))
            .route("/openapi.json", get(openapi::document))
            .route("/export/leads", post(export::leads))
            .route("/export/accounts", post(export::accounts))
            .route("/docs", get(docs_page::page))
            .route(docs_page::STYLE_PATH, get(docs_page::style))
            .route("/import/fields", get(import::fields))
            .route("/import/preview", post(import::preview))
            // For a browser's GET the same address is a page of the app.
            .route(
                "/import",
                post(import::import).get_service(assets::service(ui.clone())),
            ),
    };
    let mut router = router
        .route("/livez", get(probes::livez))
        .route("/readyz", get(probes::readyz))
        // The older name.
        .route("/health", get(probes::readyz))
        .method_not_allowed_fallback(method_not_allowed)
        .fallback_service(assets::service(ui));
    if !options.allow_origins.is_empty() {
        router = router.layer(cors(&options.allow_origins));
    }
    with_middleware(router, app)
}

pub(super) fn with_middleware(router: Router<App>, app: App) -> Router {
    router
        .layer(axum::middleware::from_fn_with_state(
            app.clone(),
            middleware::middleware,
        ))
        .with_state(app)
}

/// Routes of a gateway: the API paths that its list allows. It has no import and no OpenAPI
/// document: what the API can do is up to the upstream.
fn gateway_routes(gateway: Gateway) -> Router<App> {
    let forward = async |State(app): State<App>, request: Request<Body>| {
        gateway::forward(gateway, app, request).await
    };
    Router::new().route("/api/{*rest}", any(forward))
}

macro_rules! routes {
    ($into:ident: $(
        #[doc = $summary:literal]
        $name:ident $js:ident $type:ident: $method:ident $path:literal [$($id:ident: $id_type:ty)?];
            $input:ident $params:ty => $status:literal $response:ty; $retry:ident;
    )*) => {
        $into$(.route($path, on(
            filter(Method::$method),
            async |State(app): State<App>, path: PathParams, request: Request<Body>| {
                set_operation(endpoints::$type::NAME);
                let scope = <endpoints::$type as NeedsScope>::SCOPE;
                let (caller, request) = Caller::of_request(&app, request, scope).await?;
                // Held until the response is serialized.
                let _permit = caller.permit.clone();
                let answered = async {
                    let _ = &path;
                    $(let $id: $id_type = params::path_id(&path, stringify!($id))?;)?
                    let (params, _large): ($params, _) =
                        params::read::<endpoints::$type>(request, &caller).await?;
                    in_time::<endpoints::$type, _>(
                        &app,
                        handlers::$name(caller, $($id,)? params),
                    ).await
                };
                answer::<endpoints::$type, _>(answered.await).await
            },
        )))*
    };
}

fn operations(router: Router<App>) -> Router<App> {
    macro_rules! mount {
        ($($rows:tt)*) => { routes!(router: $($rows)*) };
    }
    for_each_endpoint!(mount)
}

fn extensions(router: Router<App>) -> Router<App> {
    macro_rules! mount {
        ($($rows:tt)*) => { routes!(router: $($rows)*) };
    }
    for_each_extension!(mount)
}

fn own_operations(router: Router<App>) -> Router<App> {
    macro_rules! mount {
        ($($rows:tt)*) => { routes!(router: $($rows)*) };
    }
    for_each_own_operation!(mount)
}

type PathParams = Result<RawPathParams, RawPathParamsRejection>;

/// Applies the time limit to reads. Writes have no limit, because an aborted write may have been
/// done.
async fn in_time<E: Endpoint, T>(
    app: &App,
    answer: impl Future<Output = Result<T, ApiError>>,
) -> Result<T, ApiError> {
    if E::RETRY != Retry::Read {
        return answer.await;
    }
    let time = app.limits().read_time;
    let answered = tokio::time::timeout(time, answer).await;
    answered.unwrap_or(Err(ApiError::ReadTimeout(time)))
}

async fn answer<E: Endpoint, A: Answer<E::Response>>(
    result: Result<A, ApiError>,
) -> Result<Response, ApiError> {
    let status = StatusCode::from_u16(E::STATUS).unwrap_or_default();
    let answer = result?;
    if status == StatusCode::NO_CONTENT {
        return Ok(status.into_response());
    }
    answer.into_response(status, E::RETRY == Retry::Read).await
}

/// What the handler of an operation with the response `T` may return: a `T`, or its JSON.
trait Answer<T> {
    fn into_response(
        self,
        status: StatusCode,
        is_read: bool,
    ) -> impl Future<Output = Result<Response, ApiError>> + Send;
}

impl<T: Serialize + Send + 'static> Answer<T> for T {
    async fn into_response(self, status: StatusCode, is_read: bool) -> Result<Response, ApiError> {
        if is_read {
            on_blocking_thread(move || json_response(status, &self)).await
        } else {
            // Writes answer with a few short fields.
            Ok(json_response(status, &self))
        }
    }
}

impl<T> Answer<T> for Encoded<T> {
    async fn into_response(self, status: StatusCode, _: bool) -> Result<Response, ApiError> {
        Ok(raw_json(status, self.into_text()))
    }
}

const fn filter(method: Method) -> MethodFilter {
    match method {
        Method::Get => MethodFilter::GET,
        Method::Post => MethodFilter::POST,
        Method::Patch => MethodFilter::PATCH,
        Method::Delete => MethodFilter::DELETE,
    }
}

async fn method_not_allowed(method: HttpMethod, uri: Uri) -> ApiError {
    let text = messages::method_not_allowed(method.as_str(), uri.path());
    ApiError::MethodNotAllowed(text)
}

/// CORS for pages of other origins, which must be listed one by one. Credentials in the browser's
/// sense (cookies) are never allowed; the key is an ordinary header.
fn cors(origins: &[String]) -> CorsLayer {
    let origins: Vec<HeaderValue> = origins
        .iter()
        .filter_map(|origin| HeaderValue::from_str(origin.trim_end_matches('/')).ok())
        .collect();
    let tenant = HeaderName::from_static("x-tenant-id");
    CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([
            HttpMethod::GET,
            HttpMethod::POST,
            HttpMethod::PATCH,
            HttpMethod::DELETE,
        ])
        .allow_headers([
            AUTHORIZATION,
            CONTENT_TYPE,
            tenant,
            REQUEST_ID,
            changes::LAST_EVENT_ID,
        ])
        .expose_headers([
            RETRY_AFTER,
            // A Retry-After that is a date is relative to this one.
            DATE,
            HeaderName::from_static("retry-after-ms"),
            REQUEST_ID,
            middleware::WORKSPACE_NAME,
            export::ROWS,
        ])
        .max_age(std::time::Duration::from_secs(600))
}
