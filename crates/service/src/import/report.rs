//! What an import tells while it runs, and at its end.

use serde::{Deserialize, Serialize};

/// A line that could not be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineError {
    /// The number of the line in the file, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub reason: String,
}

/// What became of the lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Made a new lead.
    pub inserted: u64,
    /// Changed a known lead.
    pub updated: u64,
    /// Said nothing new.
    pub unchanged: u64,
    /// Could not be used.
    pub failed: u64,
}

impl Counts {
    /// All lines.
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

/// What happens during an import; over HTTP, one JSON object on each line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// What each column was taken for, by header: a field, `custom` or `skip`.
    Mapping {
        /// Header and use, in the order of the file.
        columns: Vec<(String, String)>,
    },
    /// A batch was written.
    Progress {
        /// Bytes of the file that were read.
        bytes: u64,
        /// Lines so far.
        counts: Counts,
    },
    /// A line could not be used.
    Failed(LineError),
    /// The import has ended well. Only over HTTP.
    Done(ImportReport),
    /// The import has ended early. Only over HTTP.
    Error {
        /// What happened, what was kept, and what to do.
        message: String,
    },
}

/// What came of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportReport {
    /// The import, as leads and facets name it; none when nothing was added or changed.
    pub import_job_id: Option<String>,
    /// The list that the leads were put on, if one was named.
    #[serde(default)]
    pub list_id: Option<String>,
    /// What became of the lines.
    pub counts: Counts,
    /// The first lines that could not be used.
    pub first_errors: Vec<LineError>,
}

impl ImportReport {
    /// How many errors the report itself keeps.
    pub const ERRORS_KEPT: usize = 10;

    /// The report in words.
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
