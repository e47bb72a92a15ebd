//! The page of metrics, and the router of its own address.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::header::CONTENT_TYPE;
use prometheus_client::metrics::gauge::Gauge;

use super::request_context::set_operation;
use super::{ApiError, App, ServiceOptions, probes, router};
use crate::metrics::{Page, SecondsGauge};
use crate::store::Usage;

/// Returns the router for the operator's address: the metrics and the probes. It is not for the
/// network of the API.
pub fn metrics_router(app: App, options: &ServiceOptions) -> Router {
    let page = Arc::new(MetricsPage::new(&app, options));
    let metrics = async move |State(app): State<App>| -> Result<Response, ApiError> {
        set_operation("metrics");
        let text = page.text(&app).await?;
        let content_type = "text/plain; version=0.0.4; charset=utf-8";
        Ok(([(CONTENT_TYPE, content_type)], text).into_response())
    };
    let router = Router::new()
        .route("/metrics", get(metrics))
        .route("/livez", get(probes::livez))
        .route("/readyz", get(probes::readyz));
    router::with_middleware(router, app)
}

struct MetricsPage {
    page: Page,
    measured: Measured,
}

/// Gauges that are set when the page is read.
#[derive(Default)]
struct Measured {
    writer_queue: Gauge,
    database_bytes: Gauge,
    wal_bytes: Gauge,
    free_bytes: Gauge,
    jobs_queued: Gauge,
    jobs_running: Gauge,
    oldest_job_seconds: SecondsGauge,
    imports_running: Gauge,
}

impl MetricsPage {
    fn new(app: &App, options: &ServiceOptions) -> Self {
        let mut page = Page::new();
        app.0.metrics.add_to(&mut page);
        app.store().metrics().add_to(&mut page);
        if let Some(gateway) = &options.gateway {
            page.add(
                "upstream_seconds",
                "Duration of a request to the upstream, until its response was read",
                gateway.upstream_seconds(),
            );
        }
        let measured = Measured::default();
        measured.add_to(&mut page);
        Self { page, measured }
    }

    async fn text(&self, app: &App) -> Result<String, ApiError> {
        self.measured.set(app.store().usage().await?);
        let imports = app.0.imports.in_use();
        self.measured.imports_running.set(whole(imports as u64));
        Ok(self.page.text())
    }
}

impl Measured {
    fn add_to(&self, page: &mut Page) {
        for (name, help, gauge) in [
            (
                "writer_queue",
                "Changes that wait for the writer",
                &self.writer_queue,
            ),
            (
                "database_bytes",
                "Size of the database file",
                &self.database_bytes,
            ),
            ("wal_bytes", "Size of the write-ahead log", &self.wal_bytes),
            (
                "disk_free_bytes",
                "Free space on the disk of the data folder",
                &self.free_bytes,
            ),
            ("jobs_queued", "Scoring jobs that wait", &self.jobs_queued),
            (
                "jobs_running",
                "Scoring jobs in progress",
                &self.jobs_running,
            ),
            (
                "imports_running",
                "Imports and previews in progress",
                &self.imports_running,
            ),
        ] {
            page.add(name, help, gauge);
        }
        page.add(
            "oldest_job_seconds",
            "Age of the oldest unfinished scoring job",
            &self.oldest_job_seconds,
        );
    }

    fn set(&self, usage: Usage) {
        self.writer_queue.set(whole(usage.writer_queue as u64));
        self.database_bytes.set(whole(usage.database_bytes));
        self.wal_bytes.set(whole(usage.wal_bytes));
        // What is unknown now keeps its last value.
        if let Some(free) = usage.free_bytes {
            self.free_bytes.set(whole(free));
        }
        if let Some(jobs) = usage.jobs {
            self.jobs_queued.set(whole(jobs.queued));
            self.jobs_running.set(whole(jobs.running));
            self.oldest_job_seconds.set(jobs.oldest_age);
        }
    }
}

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
