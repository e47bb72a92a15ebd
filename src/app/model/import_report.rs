//! Import of a file: mapping of its columns, its result, and texts about both.

use form_urlencoded::Serializer;
use lead_workspace_api::csv_cell;
use lead_workspace_api::first_messages::FirstMessages;
use lead_workspace_api::import::{
    ImportColumn, ImportCounts, ImportEvent, ImportFields, ImportLineError, ImportPreview,
};
use lead_workspace_api::{Detail, ErrorBody};

use super::filters::{Facet, Filters};
use super::humanize::humanize;
use super::view::LeadsView;

/// Fields that identify a lead.
const IDENTITY: [&str; 5] = ["name", "first_name", "last_name", "profile_url", "email"];

/// A column of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileColumn {
    pub header: String,
    /// Values of the first lines that have one.
    pub values: Vec<String>,
    /// Mapping of the column: the name of a field, `custom` or `skip`.
    pub to: String,
    guess: String,
}

impl From<ImportColumn> for FileColumn {
    fn from(column: ImportColumn) -> Self {
        Self {
            header: column.header,
            values: column.values,
            to: column.used_as.clone(),
            guess: column.used_as,
        }
    }
}

/// The columns of a file, and the field that each is imported into.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnMapping {
    pub columns: Vec<FileColumn>,
    /// Lines of the preview that cannot be used with the initial mapping.
    pub errors: Vec<ImportLineError>,
    /// The sheets of a workbook.
    pub sheets: Vec<String>,
    /// The one that is imported; empty for other files.
    pub sheet: String,
    /// What the service says about the values, such as dates that it cannot read.
    pub notes: Vec<String>,
    has_lines: bool,
}

impl ColumnMapping {
    /// The mapping of a sheet before its preview.
    pub fn of_sheet(sheet: String) -> Self {
        Self {
            sheet,
            ..Self::default()
        }
    }

    /// Reads the response to the preview request.
    pub fn read(text: &str) -> Option<Self> {
        let preview: ImportPreview = serde_json::from_str(text).ok()?;
        let columns = preview.columns.into_iter().map(FileColumn::from);
        Some(Self {
            columns: columns.collect(),
            has_lines: preview.leads.len() + preview.errors.len() > 0,
            errors: preview.errors,
            sheets: preview.sheets,
            sheet: preview.sheet,
            notes: preview.notes,
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
            return Some("The file has a header but no data lines. Choose another file.");
        }
        let tells = |column: &FileColumn| IDENTITY.contains(&&*column.to);
        (!self.columns.iter().any(tells)).then_some(
            "No column identifies the lead. Choose the column with the name, the profile URL or the \
             e-mail address.",
        )
    }

    /// Returns the query string of the import: file name, sheet, list, and changes of the mapping.
    pub fn query(&self, file: &str, list: &str) -> String {
        let mut query = Serializer::new(String::new());
        query.append_pair("file_name", file);
        if is_workbook(file) {
            query.append_pair("format", "xlsx");
        }
        if !self.sheet.is_empty() {
            query.append_pair("sheet", &self.sheet);
        }
        if !list.trim().is_empty() {
            query.append_pair("list", list.trim());
        }
        for column in &self.columns {
            if column.to != column.guess {
                let pair = [&*column.header, "=", &column.to].concat();
                query.append_pair("map", &pair);
            }
        }
        query.finish()
    }
}

/// Result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub counts: ImportCounts,
    /// The lines that could not be used, as far as the service lists them.
    pub errors: Vec<ImportLineError>,
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
        let events = text.lines().map(serde_json::from_str);
        for event in events.flatten() {
            match event {
                ImportEvent::Progress { counts, .. } => report.counts = counts,
                ImportEvent::Failed(error) => report.errors.push(error),
                ImportEvent::Error { message } => {
                    report.stopped = Some(message);
                    ended = true;
                }
                ImportEvent::Done(done) => {
                    report.counts = done.counts;
                    report.list = done.list_id;
                    report.import = done.import_job_id;
                    ended = true;
                }
                ImportEvent::Mapping { .. } | ImportEvent::Unknown => {}
            }
        }
        ended.then_some(report)
    }

    /// Returns the counts that are not 0, each with its label. “added” is always included.
    pub fn labeled_counts(&self) -> Vec<(u64, &'static str)> {
        let all = [
            (self.counts.inserted, "added"),
            (self.counts.updated, "updated"),
            (self.counts.unchanged, "unchanged"),
            (self.counts.failed, "refused"),
        ];
        let is_shown = |(count, label): &(u64, &str)| *count > 0 || *label == "added";
        all.into_iter().filter(is_shown).collect()
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
        csv_cell::line(&mut text, &["line", "reason"]);
        for ImportLineError { line, reason } in &self.errors {
            csv_cell::line(&mut text, &[&line.to_string(), reason]);
        }
        text
    }
}

/// Returns the message of a rejected request, if the response has one.
pub fn refusal(text: &str) -> Option<String> {
    let body: ErrorBody = serde_json::from_str(text).ok()?;
    let text = match body.detail {
        Detail::Entries(entries) => {
            let messages = entries.into_iter().map(|entry| entry.msg);
            messages.collect::<FirstMessages>().join("; ")
        }
        Detail::Other(_) => return None,
        text => text.to_string(),
    };
    let mut letters = text.chars();
    let first = letters.next()?.to_ascii_uppercase();
    Some(
        [&*first.to_string(), letters.as_str(), "."]
            .concat()
            .replace("..", "."),
    )
}

/// Reads the fields that a column can be mapped to.
pub fn fields(text: &str) -> Option<ImportFields> {
    serde_json::from_str(text).ok()
}

/// Returns the label of a field.
pub fn label(field: &str) -> String {
    let plain = match field {
        "title" => "Job title",
        "profile_url" => "Profile URL",
        "email" => "E-mail address",
        "provider_id" => "Provider id",
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
    humanize(field)
}

pub fn is_of_company(field: &str) -> bool {
    field == "industry" || field.starts_with("company")
}

/// Returns whether a file is an Excel workbook, by its name. Its preview needs all of it.
pub fn is_workbook(file: &str) -> bool {
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    ending.eq_ignore_ascii_case("xlsx")
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
