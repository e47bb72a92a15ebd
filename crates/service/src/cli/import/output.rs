//! Terminal output of an import.

use std::fs::{self, File};
use std::io::{self, ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use lead_workspace_api::custom_field;
use lead_workspace_api::import::{
    CUSTOM, ImportColumn, ImportCounts, ImportEvent, ImportLineError, ImportPreview, ImportReport,
};
use serde_json::Value;

use crate::cli::output::{print_line, tell_line};
use crate::import::summary;

/// Number of errors shown on the screen; more go to a file.
const ON_SCREEN: usize = ImportReport::FIRST_ERRORS;

/// Shows an import: a bar on a terminal, a line per tenth elsewhere, and the errors.
pub(super) struct ImportOutput {
    size: u64,
    bar: Option<ProgressBar>,
    tenth: u64,
    errors: ErrorList,
}

impl ImportOutput {
    pub(super) fn new(file: &Path, errors: Option<PathBuf>) -> Self {
        let size = file.metadata().map(|data| data.len()).unwrap_or(0);
        let bar = io::stderr().is_terminal().then(|| {
            let template = "import [{bar:30}] {percent} %, {msg}, {eta} left";
            let style = ProgressStyle::with_template(template);
            let bar = ProgressBar::new(size);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        let mut default_path = file.as_os_str().to_owned();
        default_path.push(".errors.csv");
        Self {
            size,
            bar,
            tenth: 0,
            errors: ErrorList {
                requested: errors.is_some(),
                path: errors.unwrap_or_else(|| default_path.into()),
                first: Vec::new(),
                more: 0,
                file: None,
                failed: None,
            },
        }
    }

    pub(super) fn event(&mut self, event: &ImportEvent) {
        match event {
            ImportEvent::Mapping { columns } => self.line(&mapping(columns)),
            ImportEvent::Progress { bytes, counts } => self.progress(*bytes, counts),
            ImportEvent::Failed(error) => self.errors.add(error),
            ImportEvent::Done(_) | ImportEvent::Error { .. } | ImportEvent::Unknown => {}
        }
    }

    /// Shows the errors, and returns the summary of the import.
    pub(super) fn end(self, report: Result<ImportReport, String>) -> Result<String, String> {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let failed = report.as_ref().map_or(0, |report| report.counts.failed);
        self.errors.show(failed);
        let report = report?;
        let counts = report.counts;
        if counts.failed > 0 && counts.failed == counts.lines() {
            return Err("every line of the file was rejected. Nothing was imported".into());
        }
        Ok(summary(&report))
    }

    fn progress(&mut self, bytes: u64, counts: &ImportCounts) {
        let lines = format!("{} lines, {} new", counts.lines(), counts.inserted);
        if let Some(bar) = &self.bar {
            bar.set_position(bytes.min(self.size));
            bar.set_message(lines);
            return;
        }
        let tenth = bytes * 10 / self.size.max(1);
        if tenth > self.tenth {
            self.tenth = tenth;
            tell_line!("import: {} %, {lines}", (tenth * 10).min(100));
        }
    }

    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => tell_line!("{text}"),
        }
    }
}

fn mapping(columns: &[(String, String)]) -> String {
    let (custom, used): (Vec<_>, Vec<_>) = columns.iter().partition(|(_, to)| to == CUSTOM);
    let used: Vec<_> = used
        .iter()
        .map(|(header, to)| format!("{header} → {to}"))
        .collect();
    let custom: Vec<_> = custom.iter().map(|(header, _)| header.as_str()).collect();
    let custom = match custom.as_slice() {
        [] => String::new(),
        custom => format!("\nkept as custom data: {}", custom.join(", ")),
    };
    format!("columns: {}{custom}", used.join(", "))
}

/// Shows a dry run.
pub(super) fn preview(preview: &ImportPreview) -> Result<(), String> {
    if !preview.sheet.is_empty() {
        print_line!(
            "Sheet: {} (of {})",
            preview.sheet,
            preview.sheets.join(", ")
        );
    }
    print_line!("Columns:");
    for ImportColumn {
        header,
        used_as,
        key,
        ..
    } in &preview.columns
    {
        let renamed = key.as_ref().filter(|key| *key != header);
        let used_as = renamed.map_or_else(|| used_as.clone(), |key| custom_field(key));
        print_line!("  {header} → {used_as}");
    }
    print_line!("First leads:");
    for lead in &preview.leads {
        print_line!("  {}", Value::from(lead.clone()));
    }
    for ImportLineError { line, reason } in &preview.errors {
        print_line!("  line {line}: {reason}");
    }
    for note in &preview.notes {
        print_line!("Note: {note}.");
    }
    print_line!("Nothing was imported (--dry-run). Change a column with --map \"HEADER=FIELD\".");
    Ok(())
}

/// Checks before an import that the list of rejected lines can be written to a file. What the file has stays.
///
/// # Errors
/// If it cannot be written, or is the imported file.
pub(super) fn check_errors_file(errors: &Path, imported: &Path) -> Result<(), String> {
    let refused = |problem: &str| {
        format!(
            "--errors {} {problem}. Nothing was imported, and the file is unchanged; name another file",
            errors.display()
        )
    };
    let same = fs::canonicalize(errors)
        .is_ok_and(|errors| fs::canonicalize(imported).is_ok_and(|imported| imported == errors));
    if same {
        return Err(refused("is the file to import"));
    }
    let cannot = |error: io::Error| refused(&format!("cannot be written: {error}"));
    match File::create_new(errors) {
        // The import makes it if it rejects a line.
        Ok(_) => fs::remove_file(errors).map_err(cannot),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let opened = File::options().append(true).open(errors);
            opened.map(drop).map_err(cannot)
        }
        Err(error) => Err(cannot(error)),
    }
}

struct ErrorList {
    path: PathBuf,
    requested: bool,
    first: Vec<ImportLineError>,
    more: u64,
    file: Option<csv::Writer<File>>,
    failed: Option<String>,
}

impl ErrorList {
    fn add(&mut self, error: &ImportLineError) {
        if self.first.len() < ON_SCREEN {
            self.first.push(error.clone());
        } else {
            self.more += 1;
        }
        let needs_file = self.requested || self.more > 0;
        if needs_file && self.failed.is_none() {
            let written = self.write(error);
            self.failed = written.err().map(|error| error.to_string());
        }
    }

    fn write(&mut self, error: &ImportLineError) -> csv::Result<()> {
        let row = |error: &ImportLineError| [error.line.to_string(), error.reason.clone()];
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                let mut file = csv::Writer::from_path(&self.path)?;
                file.write_record(["line", "reason"])?;
                // Errors before this one were only stored in memory.
                let before = self.first.iter().filter(|first| *first != error);
                for first in before {
                    file.write_record(row(first))?;
                }
                none.insert(file)
            }
        };
        file.write_record(row(error))
    }

    /// Shows the errors. `failed` is the total number of failed lines; a service may list fewer.
    fn show(mut self, failed: u64) {
        for ImportLineError { line, reason } in &self.first {
            tell_line!("line {line}: {reason}");
        }
        let flushed = self.file.as_mut().map(csv::Writer::flush);
        if let Some(Err(error)) = flushed {
            self.failed = Some(error.to_string());
        }
        let path = self.path.display();
        let listed = self.first.len() as u64 + self.more;
        match (&self.failed, self.more) {
            (Some(error), more) => tell_line!("and {more} more; {path} cannot be written: {error}"),
            (None, 0) if self.file.is_none() => {}
            (None, 0) => tell_line!("these lines are listed in {path}"),
            (None, _) if failed > listed => tell_line!(
                "and {} more; the first {listed} of {failed} are listed in {path}",
                failed - self.first.len() as u64
            ),
            (None, more) => tell_line!("and {more} more; all of them are listed in {path}"),
        }
    }
}
