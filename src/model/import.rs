//! Import of a file: mapping of its columns, its result, and texts about both.

use form_urlencoded::Serializer;
use serde_json::Value;

use super::csv;
use super::filters::{Facet, Filters};
use super::view::LeadsView;

/// Mapping of a column that is stored under its own header.
pub const CUSTOM: &str = "custom";

/// Mapping of a column that is left out.
pub const SKIP: &str = "skip";

/// Fields that identify a lead.
const IDENTITY: [&str; 5] = ["name", "first_name", "last_name", "profile_url", "email"];

/// A column of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    pub header: String,
    /// Values of the first lines that have one.
    pub values: Vec<String>,
    /// Mapping of the column: the name of a field, [`CUSTOM`] or [`SKIP`].
    pub to: String,
    guess: String,
}

/// A line that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    pub line: u64,
    pub reason: String,
}

/// Preview of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    pub columns: Vec<Column>,
    /// Lines of the preview that cannot be used with the initial mapping.
    pub errors: Vec<BadLine>,
    has_lines: bool,
}

impl Sheet {
    /// Reads the response to the preview request.
    pub fn read(text: &str) -> Option<Self> {
        let told: Value = serde_json::from_str(text).ok()?;
        let columns = told["columns"].as_array()?.iter().map(|column| {
            let guess = words(&column["use"]);
            Column {
                header: words(&column["header"]),
                values: column["values"]
                    .as_array()
                    .map_or_else(Vec::new, |values| values.iter().map(words).collect()),
                to: guess.clone(),
                guess,
            }
        });
        let errors = bad_lines(&told["errors"]);
        let leads = told["leads"].as_array().map_or(0, Vec::len);
        Some(Self {
            columns: columns.collect(),
            has_lines: leads + errors.len() > 0,
            errors,
        })
    }

    /// Sets the mapping of a column.
    pub fn set(&mut self, at: usize, to: &str) {
        if let Some(column) = self.columns.get_mut(at) {
            column.to = to.to_owned();
        }
    }

    /// Returns why the file cannot be imported with this mapping, if there is a reason.
    pub fn problem(&self) -> Option<&'static str> {
        if !self.has_lines {
            return Some("The file has a header and no lines below it. Choose another file.");
        }
        let tells = |column: &Column| IDENTITY.contains(&&*column.to);
        (!self.columns.iter().any(tells)).then_some(
            "No column tells whom a line is about. Choose which one holds the name, the profile \
             address or the e-mail address.",
        )
    }

    /// Returns the query string of the import: file name, list, and changes of the mapping.
    pub fn query(&self, file: &str, list: &str) -> String {
        let mut query = Serializer::new(String::new());
        query.append_pair("file_name", file);
        if !list.trim().is_empty() {
            query.append_pair("list", list.trim());
        }
        for column in &self.columns {
            if column.to != column.guess {
                let said = [&*column.header, "=", &column.to].concat();
                query.append_pair("map", &said);
            }
        }
        query.finish()
    }
}

/// Result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Number of new leads.
    pub added: u64,
    /// Number of known leads that changed.
    pub updated: u64,
    /// Number of known leads without new data.
    pub unchanged: u64,
    /// Number of lines that could not be used.
    pub refused: u64,
    /// The first of these lines.
    pub errors: Vec<BadLine>,
    /// Why it ended early, if it did.
    pub stopped: Option<String>,
    list: Option<String>,
    import: Option<String>,
}

impl Report {
    /// Reads the events of an import, one JSON object on each line; `None` if the end is missing.
    pub fn read(text: &str) -> Option<Self> {
        let mut report = Self::default();
        let mut ended = false;
        for line in text.lines() {
            let Ok(told) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            match told["event"].as_str() {
                Some("progress") => report.count(&told["counts"]),
                Some("failed") => report.errors.extend(bad_line(&told)),
                Some("error") => {
                    report.stopped = Some(words(&told["message"]));
                    ended = true;
                }
                Some("done") => {
                    report.count(&told["counts"]);
                    report.list = told["list_id"].as_str().map(str::to_owned);
                    report.import = told["import_job_id"].as_str().map(str::to_owned);
                    ended = true;
                }
                _ => {}
            }
        }
        ended.then_some(report)
    }

    fn count(&mut self, counts: &Value) {
        let of = |name: &str| counts[name].as_u64().unwrap_or_default();
        self.added = of("inserted");
        self.updated = of("updated");
        self.unchanged = of("unchanged");
        self.refused = of("failed");
    }

    /// Returns the counts that are not 0, each with its label. “added” is always included.
    pub fn counts(&self) -> Vec<(u64, &'static str)> {
        let all = [
            (self.added, "added"),
            (self.updated, "updated"),
            (self.unchanged, "unchanged"),
            (self.refused, "refused"),
        ];
        let told = |(count, word): &(u64, &str)| *count > 0 || *word == "added";
        all.into_iter().filter(told).collect()
    }

    /// Returns the view of the imported leads: those of the list, else those of the import. `None`
    /// if the result has neither of them.
    pub fn view(&self) -> Option<LeadsView> {
        let (facet, id) = match (&self.list, &self.import) {
            (Some(list), _) => (Facet::List, list),
            (None, Some(import)) => (Facet::ImportJob, import),
            (None, None) => return None,
        };
        let filters = Filters::default().with(facet, id, true);
        Some(LeadsView::default().filtered(filters))
    }

    /// Returns the lines that could not be used, as CSV.
    pub fn errors_file(&self) -> String {
        let mut text = String::from("\u{feff}");
        csv::line(&mut text, &["line", "reason"]);
        for BadLine { line, reason } in &self.errors {
            csv::line(&mut text, &[&line.to_string(), reason]);
        }
        text
    }
}

/// Returns the message of a rejected request, if the response has one.
pub fn refusal(text: &str) -> Option<String> {
    let told: Value = serde_json::from_str(text).ok()?;
    let detail = &told["detail"];
    let text = detail.as_str().or_else(|| detail[0]["msg"].as_str())?;
    let mut letters = text.chars();
    let first = letters.next()?.to_ascii_uppercase();
    Some(
        [&*first.to_string(), letters.as_str(), "."]
            .concat()
            .replace("..", "."),
    )
}

/// Reads the fields that a column can be mapped to.
pub fn fields(text: &str) -> Option<Vec<String>> {
    let told: Value = serde_json::from_str(text).ok()?;
    Some(told["fields"].as_array()?.iter().map(words).collect())
}

/// Returns the label of a field.
pub fn label(field: &str) -> String {
    let plain = match field {
        "title" => "Job title",
        "profile_url" => "Profile address",
        "email" => "E-mail address",
        "provider_id" => "Id at the source",
        "approval_status" => "Decision",
        "company_url" => "Company page",
        "industry" => "Company industry",
        "profile_picture_url" => "Picture",
        "background_image_url" => "Background picture",
        "company_logo_url" => "Company logo",
        "created_at" => "Created",
        "is_premium" => "Premium profile",
        _ => "",
    };
    if !plain.is_empty() {
        return plain.to_owned();
    }
    let mut letters = field.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    let rest = letters.as_str().replace('_', " ");
    first.map(String::from).unwrap_or_default() + &rest
}

pub fn is_of_company(field: &str) -> bool {
    field == "industry" || field.starts_with("company")
}

/// Returns the suggested list name for a file: the file name without its extension.
pub fn list_name(file: &str) -> String {
    let name = file.rsplit_once('.').map_or(file, |(name, _)| name);
    name.trim().to_owned()
}

/// Formats a number of bytes, rounded down.
pub fn size(bytes: u64) -> String {
    let (unit, name) = match bytes {
        0..1_000 => return [&*bytes.to_string(), " bytes"].concat(),
        1_000..1_000_000 => (1_000, " kB"),
        1_000_000..1_000_000_000 => (1_000_000, " MB"),
        _ => (1_000_000_000, " GB"),
    };
    let tenths = bytes * 10 / unit;
    let whole = (tenths / 10).to_string();
    match tenths % 10 {
        0 => [&*whole, name].concat(),
        _ if tenths >= 1_000 => [&*whole, name].concat(),
        part => [&*whole, ".", &part.to_string(), name].concat(),
    }
}

fn bad_lines(all: &Value) -> Vec<BadLine> {
    let all = all.as_array().map_or(&[][..], Vec::as_slice);
    all.iter().filter_map(bad_line).collect()
}

fn bad_line(told: &Value) -> Option<BadLine> {
    Some(BadLine {
        line: told["line"].as_u64()?,
        reason: words(&told["reason"]),
    })
}

fn words(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
