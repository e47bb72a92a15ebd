//! Serving the files of the UI.

use std::fs;
use std::path::Path;

use axum::body::Body;
use http::Request;
use lead_workspace_service::http::ServiceOptions;

use crate::common::{Answer, Service};
use crate::program::refused;

async fn fetch(service: &Service, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::builder().uri(path).header("host", "localhost");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    service.send(request.body(Body::empty()).unwrap()).await
}

fn ui(dir: &Path) {
    fs::write(dir.join("index.html"), "<!doctype html>the page").unwrap();
    fs::write(dir.join("app_bg.wasm"), "module").unwrap();
    fs::write(dir.join("app_bg.wasm.br"), "squeezed").unwrap();
    fs::write(dir.join("app_bg.wasm.gz"), "zipped").unwrap();
    fs::write(dir.join("app.js"), "script").unwrap();
    fs::write(dir.join("../secret"), "secret").unwrap();
}

async fn service(folder: &tempfile::TempDir) -> Service {
    let ui_dir = folder.path().join("ui");
    fs::create_dir(&ui_dir).unwrap();
    ui(&ui_dir);
    Service::with(&ServiceOptions {
        ui: Some(ui_dir),
        ..ServiceOptions::default()
    })
    .await
}

#[tokio::test]
async fn files_have_their_type_and_smallest_encoding() {
    let folder = tempfile::tempdir().unwrap();
    let service = service(&folder).await;
    for (accept, text, encoding) in [
        ("", "module", None),
        ("gzip", "zipped", Some("gzip")),
        ("gzip, br", "squeezed", Some("br")),
    ] {
        let answer = fetch(&service, "/app_bg.wasm", &[("accept-encoding", accept)]).await;
        assert_eq!(answer.text, text, "{accept}");
        assert_eq!(answer.headers["content-type"], "application/wasm");
        let header = answer
            .headers
            .get("content-encoding")
            .map(|header| header.to_str().unwrap());
        assert_eq!(header, encoding);
        assert_eq!(answer.headers["vary"], "accept-encoding");
    }
    let script = fetch(&service, "/app.js", &[]).await;
    assert!(
        script.headers["content-type"]
            .to_str()
            .unwrap()
            .starts_with("text/javascript")
    );
}

#[tokio::test]
async fn every_app_address_serves_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let service = service(&folder).await;
    let page = [("accept", "text/html,*/*;q=0.8")];
    for path in [
        "/",
        "/leads",
        "/import",
        "/accounts",
        "/settings",
        "/leads/lead_1?search=x",
    ] {
        let answer = fetch(&service, path, &page).await;
        assert_eq!(
            (answer.status.as_u16(), answer.text.as_str()),
            (200, "<!doctype html>the page"),
            "{path}"
        );
        assert!(
            answer.headers["content-type"]
                .to_str()
                .unwrap()
                .starts_with("text/html")
        );
    }
    for path in ["/api/nothing", "/api"] {
        let answer = fetch(&service, path, &page).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.json()["detail"].is_string());
    }
    for path in [
        "/missing.js",
        "/../secret",
        "/%2e%2e/secret",
        "/..%2fsecret",
    ] {
        let answer = fetch(&service, path, &[]).await;
        assert_eq!(answer.status, 404, "{path}: {}", answer.text);
    }
}

#[tokio::test]
async fn build_files_are_cached_as_immutable() {
    let folder = tempfile::tempdir().unwrap();
    let service = service(&folder).await;
    let build = folder.path().join("ui/build-0123456789abcdef");
    fs::create_dir(&build).unwrap();
    fs::create_dir(folder.path().join("ui/build-notes")).unwrap();
    fs::write(build.join("app.js"), "script").unwrap();
    fs::write(folder.path().join("ui/build-notes/app.js"), "script").unwrap();
    for (path, status, header) in [
        (
            "/build-0123456789abcdef/app.js",
            200,
            "public, max-age=31536000, immutable",
        ),
        ("/build-notes/app.js", 200, "no-cache"),
        ("/app.js", 200, "no-cache"),
        // The files of another build do not exist here. This answer must not be cached.
        ("/build-fedcba9876543210/app.js", 404, "no-store"),
    ] {
        let answer = fetch(&service, path, &[("accept", "text/html,*/*")]).await;
        assert_eq!(answer.status, status, "{path}");
        assert_eq!(answer.headers["cache-control"], header, "{path}");
    }
}

#[tokio::test]
async fn an_unchanged_file_is_not_sent_again() {
    let folder = tempfile::tempdir().unwrap();
    let service = service(&folder).await;
    for path in ["/", "/leads", "/app.js"] {
        let first = fetch(&service, path, &[("accept", "text/html")]).await;
        assert_eq!(first.headers["cache-control"], "no-cache");
        let tag = first.headers["etag"].to_str().unwrap().to_owned();
        let again = fetch(
            &service,
            path,
            &[("accept", "text/html"), ("if-none-match", &tag)],
        )
        .await;
        assert_eq!(
            (again.status.as_u16(), again.text.as_str()),
            (304, ""),
            "{path}"
        );
        let other = fetch(
            &service,
            path,
            &[("accept", "text/html"), ("if-none-match", "\"x\"")],
        )
        .await;
        assert_eq!(other.status, 200, "{path}");
    }
}

/// All files have the same modification time, as in container images.
#[tokio::test]
async fn another_file_of_the_same_length_and_time_has_another_tag() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("ui");
    fs::create_dir(&dir).unwrap();
    let path = dir.join("app.js");
    let mut tags = Vec::new();
    for text in ["one", "two", "one"] {
        fs::write(&path, text).unwrap();
        let time = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1 << 30);
        fs::File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_modified(time)
            .unwrap();
        let service = Service::with(&ServiceOptions {
            ui: Some(dir.clone()),
            ..ServiceOptions::default()
        })
        .await;
        let answer = fetch(&service, "/app.js", &[]).await;
        assert_eq!(answer.text, text);
        tags.push(answer.headers["etag"].clone());
    }
    assert_ne!(tags[0], tags[1]);
    assert_eq!(
        tags[0], tags[2],
        "the same files are the same after a restart"
    );
}

#[tokio::test]
async fn connect_src_lists_only_allowed_origins() {
    let service = Service::with(&ServiceOptions {
        allow_connections: vec!["https://a.example".into(), "http://b.example:1".into()],
        ..ServiceOptions::default()
    })
    .await;
    let answer = fetch(&service, "/", &[]).await;
    let policy = answer.headers["content-security-policy"].to_str().unwrap();
    let sources = "connect-src 'self' https://a.example http://b.example:1;";
    assert!(policy.contains(sources), "{policy}");
}

#[tokio::test]
async fn a_missing_ui_is_reported_and_the_api_works() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("nothing");
    for ui in [Some(missing), None] {
        let is_told = ui.is_some();
        let service = Service::with(&ServiceOptions {
            ui,
            ..ServiceOptions::default()
        })
        .await;
        let answer = fetch(&service, "/", &[("accept", "text/html")]).await;
        assert_eq!(answer.status, 404);
        assert!(answer.text.contains("--ui DIR"), "{}", answer.text);
        assert_eq!(answer.text.contains("index.html"), is_told);
        assert_eq!(service.get("/api/leads/facets").await.status, 200);
    }
}

#[test]
fn a_folder_without_the_ui_is_refused_before_anything_is_changed() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let missing = dir.path().join("nothing");
    for ui in [dir.path(), &missing] {
        let message = refused(&data, &["--ui", ui.to_str().unwrap()]);
        assert!(
            message.contains("index.html") && message.contains("Nothing was started"),
            "{message}"
        );
        assert!(!data.exists());
    }
}

/// Each of these links leads back to both.
#[cfg(unix)]
#[tokio::test]
async fn links_to_folders_are_not_followed_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let ui_dir = folder.path().join("ui");
    fs::create_dir(&ui_dir).unwrap();
    ui(&ui_dir);
    for link in ["one", "two"] {
        std::os::unix::fs::symlink(".", ui_dir.join(link)).unwrap();
    }
    let service = Service::with(&ServiceOptions {
        ui: Some(ui_dir),
        ..ServiceOptions::default()
    })
    .await;
    assert_eq!(fetch(&service, "/app.js", &[]).await.text, "script");
}
