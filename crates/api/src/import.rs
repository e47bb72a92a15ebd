//! Import of the user's own leads from a file, an extension of the contract outside `/api`.
//!
//! | Route | Response |
//! |---|---|
//! | `GET /import/fields` | [`ImportFields`] |
//! | `POST /import/preview`, with the beginning of a file | [`ImportPreview`] |
//! | `POST /import`, with a file | one [`ImportEvent`] per line while the import runs |
//!
//! Readers ignore unknown members and unknown events. Absent members read as empty or 0, except those
//! without which a response is none of ours: the fields, and the columns of a preview.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Use of a column that is stored with the lead as a custom field, under its own header. For another key, the use is
/// `custom_data.` with the key, as in [`custom_field`](crate::custom_field).
pub const CUSTOM: &str = "custom";

/// Use of a column that is left out.
pub const SKIP: &str = "skip";

/// The fields that a column of a file can hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportFields {
    /// Names of the fields, in the order shown to users.
    pub fields: Vec<String>,
    /// Headers by which columns are recognized.
    #[serde(default)]
    pub headers: Vec<FieldHeaders>,
}

/// The headers by which the column of a field is recognized. Case and punctuation do not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FieldHeaders {
    /// A name of [`ImportFields`].
    pub field: String,
    /// In lower case, most likely first.
    pub headers: Vec<String>,
}

/// How an import would interpret a file. Nothing was changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ImportPreview {
    /// `csv`, `jsonl` or `xlsx`.
    #[serde(default)]
    pub format: String,
    /// The sheets of a workbook, in its order.
    #[serde(default)]
    pub sheets: Vec<String>,
    /// The sheet that was read; empty for other files.
    #[serde(default)]
    pub sheet: String,
    /// What the user should know about the values, such as dates that cannot be read.
    #[serde(default)]
    pub notes: Vec<String>,
    /// The columns, in the order of the file.
    pub columns: Vec<ImportColumn>,
    /// The first leads, as objects of fields without empty ones.
    #[serde(default)]
    pub leads: Vec<Map<String, Value>>,
    /// The lines among the first ones that cannot be used.
    #[serde(default)]
    pub errors: Vec<ImportLineError>,
}

/// A column of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ImportColumn {
    /// The header in the file.
    pub header: String,
    /// How the column is used: a name of [`ImportFields`], [`CUSTOM`] or [`SKIP`].
    #[serde(rename = "use")]
    pub used_as: String,
    /// The key of the custom field that the column becomes; absent for other uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The first values that are not empty, shortened.
    pub values: Vec<String>,
}

/// A line that cannot be used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ImportLineError {
    /// Number of the line in the file, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub reason: String,
}

/// Number of lines by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ImportCounts {
    /// Lines that became a new lead.
    pub inserted: u64,
    /// Lines that changed a known lead.
    pub updated: u64,
    /// Lines without new data about a known lead.
    pub unchanged: u64,
    /// Lines that could not be used.
    pub failed: u64,
}

impl ImportCounts {
    /// Returns the number of all lines.
    pub const fn lines(&self) -> u64 {
        self.inserted + self.updated + self.unchanged + self.failed
    }
}

impl AddAssign for ImportCounts {
    fn add_assign(&mut self, more: Self) {
        self.inserted += more.inserted;
        self.updated += more.updated;
        self.unchanged += more.unchanged;
        self.failed += more.failed;
    }
}

/// An event of an import. [`Done`](Self::Done) or [`Error`](Self::Error) is the last one; if both are
/// missing, the connection broke.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum ImportEvent {
    /// How the columns are used.
    Mapping {
        /// Header and use of each column, in the order of the file.
        #[serde(default)]
        columns: Vec<(String, String)>,
    },
    /// A batch of lines was written.
    Progress {
        /// Bytes of the file read so far.
        #[serde(default)]
        bytes: u64,
        /// Counts so far.
        #[serde(default)]
        counts: ImportCounts,
    },
    /// A line could not be used. Only the first 10,000 are sent.
    Failed(ImportLineError),
    /// The import has finished.
    Done(ImportReport),
    /// The import has stopped early.
    Error {
        /// What happened, what was stored, and what to do.
        #[serde(default)]
        message: String,
    },
    /// An event of another version.
    #[serde(other)]
    Unknown,
}

/// Result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ImportReport {
    /// Id that leads and facets use for the import; `None` if nothing was added or changed.
    pub import_job_id: Option<String>,
    /// Id of the list that the leads were put on, if one was named.
    pub list_id: Option<String>,
    /// Final counts.
    pub counts: ImportCounts,
    /// The first lines that could not be used, at most [`Self::FIRST_ERRORS`].
    pub first_errors: Vec<ImportLineError>,
}

impl ImportReport {
    /// Limit on the errors in a report.
    pub const FIRST_ERRORS: usize = 10;
}
