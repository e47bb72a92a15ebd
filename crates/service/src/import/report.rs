//! Events of an import, and its final report.

use serde::{Deserialize, Serialize};

/// A line that could not be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineError {
    /// Number of the line in the file, from 1.
    pub line: u64,
    pub reason: String,
}

/// Number of lines by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub inserted: u64,
    pub updated: u64,
    pub unchanged: u64,
    pub failed: u64,
}

impl Counts {
    pub const fn lines(&self) -> u64 {
        self.inserted + self.updated + self.unchanged + self.failed
    }

    pub(super) fn add(&mut self, more: Self) {
        self.inserted += more.inserted;
        self.updated += more.updated;
        self.unchanged += more.unchanged;
        self.failed += more.failed;
    }
}

/// An event of an import; over HTTP, one JSON object per line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// How each column is used: a field, `custom` or `skip`.
    Mapping {
        /// Header and use, in the order of the file.
        columns: Vec<(String, String)>,
    },
    /// A batch was written.
    Progress {
        /// Bytes of the file read so far.
        bytes: u64,
        /// Counts so far.
        counts: Counts,
    },
    Failed(LineError),
    /// The import has finished. Only sent over HTTP.
    Done(ImportReport),
    /// The import has stopped early. Only sent over HTTP.
    Error {
        /// What happened, what was stored, and what to do.
        message: String,
    },
}

/// Result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportReport {
    /// Id that leads and facets use for the import; `None` if nothing was added or changed.
    pub import_job_id: Option<String>,
    /// Id of the list that the leads were put on, if one was named.
    #[serde(default)]
    pub list_id: Option<String>,
    pub counts: Counts,
    /// The first lines that could not be used, at most [`Self::ERRORS_KEPT`].
    pub first_errors: Vec<LineError>,
}

impl ImportReport {
    /// Limit on the errors in a report.
    pub const ERRORS_KEPT: usize = 10;

    /// Returns the report as text.
    pub fn summary(&self) -> String {
        let counts = &self.counts;
        if counts.lines() == 0 {
            return "The file has a header and no lines; nothing was imported.".into();
        }
        let mut text = format!(
            "{} new, {} updated, {} unchanged, {} failed.",
            counts.inserted, counts.updated, counts.unchanged, counts.failed
        );
        if counts.inserted + counts.updated == 0 && counts.failed == 0 {
            text.push_str(" All of these leads were here already; nothing was changed.");
        }
        text
    }
}
