//! Metrics, as counted where the work is done. `http::metrics_page` shows them.
//!
//! No label has unbounded values: there are no paths, keys or workspaces.

use std::sync::atomic::AtomicU64;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Metric, Registry};

/// Prefix of every name.
const PREFIX: &str = "lead_workspace";

/// A gauge of seconds.
pub(crate) type SecondsGauge = Gauge<f64, AtomicU64>;

/// Adds metrics to a page, each with a help text.
pub(crate) struct Page(Registry);

impl Page {
    pub(crate) fn new() -> Self {
        Self(Registry::with_prefix(PREFIX))
    }

    pub(crate) fn add(&mut self, name: &str, help: &str, metric: &(impl Metric + Clone)) {
        self.0.register(name, help, metric.clone());
    }

    /// Returns the page in the text format of Prometheus.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = prometheus_client::encoding::prometheus_text::encode(&mut text, &self.0);
        text
    }
}

/// Returns a histogram of durations from half a millisecond to a minute, in seconds.
pub(crate) fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.0005, 2.0, 18))
}

/// Metrics of a data folder.
#[derive(Clone)]
pub(crate) struct StoreMetrics {
    pub readers_busy: Gauge,
    pub readers_waiting: Gauge,
    pub group_changes: Histogram,
    pub commit_seconds: Histogram,
    pub failed_commits: Counter,
}

impl StoreMetrics {
    pub(crate) fn new() -> Self {
        Self {
            readers_busy: Gauge::default(),
            readers_waiting: Gauge::default(),
            group_changes: Histogram::new(exponential_buckets(1.0, 2.0, 10)),
            commit_seconds: seconds(),
            failed_commits: Counter::default(),
        }
    }

    pub(crate) fn add_to(&self, page: &mut Page) {
        page.add(
            "readers_busy",
            "Database connections that serve a read",
            &self.readers_busy,
        );
        page.add(
            "readers_waiting",
            "Reads that wait for a database connection",
            &self.readers_waiting,
        );
        page.add(
            "group_changes",
            "Changes that share one commit",
            &self.group_changes,
        );
        page.add(
            "commit_seconds",
            "Duration of a commit, including the sync to disk",
            &self.commit_seconds,
        );
        page.add(
            "failed_commits",
            "Groups of changes that could not be committed",
            &self.failed_commits,
        );
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct OperationLabels {
    pub operation: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct RequestLabels {
    pub operation: &'static str,
    pub status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct ResultLabels {
    pub result: &'static str,
}

/// Metrics of the HTTP server.
pub(crate) struct HttpMetrics {
    pub requests: Family<RequestLabels, Counter>,
    pub request_seconds: Family<OperationLabels, Histogram, fn() -> Histogram>,
    pub in_flight: Gauge,
    pub streams: Gauge,
    pub rate_limited: Counter,
    pub shed: Counter,
    pub imports: Family<ResultLabels, Counter>,
}

impl HttpMetrics {
    pub(crate) fn new() -> Self {
        Self {
            requests: Family::default(),
            request_seconds: Family::new_with_constructor(seconds),
            in_flight: Gauge::default(),
            streams: Gauge::default(),
            rate_limited: Counter::default(),
            shed: Counter::default(),
            imports: Family::default(),
        }
    }

    pub(crate) fn add_to(&self, page: &mut Page) {
        page.add(
            "requests",
            "Requests that have ended, by operation and status",
            &self.requests,
        );
        page.add(
            "request_seconds",
            "Duration of a request until its response was passed on, by operation",
            &self.request_seconds,
        );
        page.add(
            "requests_in_flight",
            "Requests in progress",
            &self.in_flight,
        );
        page.add("streams", "Streams of changes that are open", &self.streams);
        page.add(
            "rate_limited",
            "Requests refused with 429 because of a limit of their workspace",
            &self.rate_limited,
        );
        page.add(
            "shed",
            "Requests refused with 503 because too many were in progress",
            &self.shed,
        );
        page.add(
            "imports",
            "Imports that have ended, by result",
            &self.imports,
        );
    }
}

/// Counts one in a gauge until it is dropped.
pub(crate) struct Counted(Gauge);

impl Counted {
    pub(crate) fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}
