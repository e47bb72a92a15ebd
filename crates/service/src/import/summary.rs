//! The result of an import as text.

use lead_workspace_api::import::ImportReport;

pub fn summary(report: &ImportReport) -> String {
    let counts = &report.counts;
    if counts.lines() == 0 {
        return "The file has a header but no lines; nothing was imported.".into();
    }
    let mut text = format!(
        "{} new, {} updated, {} unchanged, {} failed.",
        counts.inserted, counts.updated, counts.unchanged, counts.failed
    );
    if counts.inserted + counts.updated == 0 && counts.failed == 0 {
        text.push_str(" All of these leads already exist; nothing was changed.");
    }
    text
}
