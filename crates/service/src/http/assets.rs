//! Serves the built UI: the files of one folder with their compressed variants, and the app's page
//! for the app's own routes.

use std::convert::Infallible;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LAST_MODIFIED, VARY,
};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use lead_workspace_logic::messages;
use sha2::{Digest, Sha256};
use tower::{Service, ServiceExt, service_fn};
use tower_http::services::{ServeDir, ServeFile};

use super::ApiError;
use super::request_context::set_operation;

/// The folder of the UI, and a hash of its contents at startup.
#[derive(Clone)]
pub(super) struct Ui {
    dir: PathBuf,
    /// Part of every ETag. Two builds may give a file the same length and modification time, as
    /// container images do, and a browser must not keep the older one.
    mark: Arc<str>,
}

impl Ui {
    pub(super) fn at(dir: &Path) -> Self {
        let mut hash = Sha256::new();
        add(dir, &mut hash);
        let start = hash
            .finalize()
            .iter()
            .take(8)
            .fold(0, |number, byte| number << 8 | u64::from(*byte));
        Self {
            dir: dir.to_owned(),
            mark: format!("{start:016x}").into(),
        }
    }
}

/// Adds the files below a folder to the hash, but of a build only its name, which has a hash of its own. Unreadable files
/// count as empty: they cannot be served either.
fn add(dir: &Path, hash: &mut Sha256) {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    // A link to a folder could lead to any other, or back here.
    let is_linked_folder = |entry: &DirEntry| {
        entry.file_type().is_ok_and(|kind| kind.is_symlink()) && entry.path().is_dir()
    };
    let mut entries: Vec<_> = entries
        .filter(|entry| !is_linked_folder(entry))
        .map(|entry| (entry.file_name(), entry.path()))
        .collect();
    entries.sort();
    for (name, path) in entries {
        let name = name.to_string_lossy();
        hash.update(name.as_bytes());
        if is_build(&name) {
            continue;
        }
        if path.is_dir() {
            add(&path, hash);
        } else {
            let content = fs::read(&path).unwrap_or_default();
            hash.update(content.len().to_le_bytes());
            hash.update(content);
        }
    }
}

/// Returns the fallback service for requests that match no route of the API.
pub(super) fn service(
    ui: Option<Ui>,
) -> impl Service<Request<Body>, Response = Response, Error = Infallible, Future: Send>
+ Clone
+ Send
+ Sync
+ 'static {
    service_fn(move |request: Request<Body>| {
        let ui = ui.clone();
        async move { Ok(serve(ui, request).await) }
    })
}

async fn serve(ui: Option<Ui>, request: Request<Body>) -> Response {
    let path = request.uri().path();
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let of_api = path == "/api" || path.starts_with("/api/");
    if of_api || !reads {
        return unknown(path);
    }
    set_operation("ui");
    let Some(Ui { dir: ui, mark }) = ui else {
        return if wants_page(&request) {
            no_ui_told()
        } else {
            unknown(path)
        };
    };
    let page = ui.join("index.html");
    if wants_page(&request) && !page.is_file() {
        return no_ui(&ui);
    }
    let path = path.to_owned();
    let (wants_page, none_match) = (
        wants_page(&request),
        request.headers().get(IF_NONE_MATCH).cloned(),
    );
    let headers = request.headers().clone();
    let files = ServeDir::new(&ui).precompressed_br().precompressed_gzip();
    let mut response = match files.oneshot(request).await {
        Ok(response) => response.map(Body::new),
        Err(never) => match never {},
    };
    if response.status() == StatusCode::NOT_FOUND {
        if !wants_page || is_of_build(&path) {
            return unknown(&path);
        }
        // The app resolves its own routes; the server sends one page for all of them.
        response = index(&page, headers).await;
    }
    let is_here = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
    if is_here && is_of_build(&path) {
        return immutable(response);
    }
    revalidated(response, &mark, none_match.as_ref())
}

/// Returns whether a file belongs to one build, so that the content at its address never changes.
fn is_of_build(path: &str) -> bool {
    let path = path.strip_prefix('/').and_then(|path| path.split_once('/'));
    path.is_some_and(|(folder, _)| is_build(folder))
}

/// Returns whether this is the name of a build's folder. It contains a hash of the build's files.
fn is_build(folder: &str) -> bool {
    folder
        .strip_prefix("build-")
        .is_some_and(|hash| hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Lets browsers cache a file for a year without revalidation.
fn immutable(mut response: Response) -> Response {
    let cache_control = HeaderValue::from_static("public, max-age=31536000, immutable");
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, cache_control);
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    response
}

async fn index(page: &Path, headers: HeaderMap) -> Response {
    let mut request = Request::new(Body::empty());
    *request.headers_mut() = headers;
    let file = ServeFile::new(page).precompressed_br().precompressed_gzip();
    match file.oneshot(request).await {
        Ok(response) => response.map(Body::new),
        Err(never) => match never {},
    }
}

/// Returns whether a browser requests a page, as opposed to a script, an image or data.
fn wants_page(request: &Request<Body>) -> bool {
    let accept = request
        .headers()
        .get(ACCEPT)
        .and_then(|accept| accept.to_str().ok());
    request.uri().path() == "/" || accept.is_some_and(|accept| accept.contains("text/html"))
}

/// Lets browsers cache a file whose address stays the same between builds, with revalidation on
/// each use. Returns 304 if the browser's copy is current.
fn revalidated(mut response: Response, mark: &str, none_match: Option<&HeaderValue>) -> Response {
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    let part = |name| {
        headers
            .get(name)
            .and_then(|value: &HeaderValue| value.to_str().ok())
    };
    let tag = match (part(LAST_MODIFIED), part(CONTENT_LENGTH)) {
        (Some(modified), Some(length)) => {
            let modified = modified.replace([' ', ',', ':'], "");
            let tag = format!("W/\"{mark}-{length}-{modified}\"");
            HeaderValue::try_from(tag).ok()
        }
        _ => None,
    };
    let Some(tag) = tag else {
        return response;
    };
    let known = none_match
        .and_then(|known| known.to_str().ok())
        .is_some_and(|known| {
            known
                .split(',')
                .any(|one| one.trim().as_bytes() == tag.as_bytes())
        });
    headers.insert(ETAG, tag);
    if known && response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response.headers_mut().remove(CONTENT_LENGTH);
        response.headers_mut().remove(CONTENT_TYPE);
        *response.body_mut() = Body::empty();
    }
    response
}

fn unknown(path: &str) -> Response {
    ApiError::NotFound(messages::unknown_path(path)).into_response()
}

fn no_ui_told() -> Response {
    let text = "This service was started without a UI.\n\
        The API is at /api, and its reference at /docs.\n\
        To serve the UI, start the service with --ui DIR.\n";
    plain(StatusCode::NOT_FOUND, text.to_owned())
}

fn no_ui(ui: &Path) -> Response {
    let text = format!(
        "The UI is missing: there is no index.html in {}.\n\
         Your leads are not affected, and the API at /api works.\n\
         Build the UI (cargo xtask build), or start the service with --ui DIR.\n",
        ui.display()
    );
    plain(StatusCode::NOT_FOUND, text)
}

fn plain(status: StatusCode, text: String) -> Response {
    (status, [(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}
