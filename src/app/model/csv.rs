//! Leads as CSV: RFC 4180, as spreadsheet programs read it, and safe from formula injection.

use lead_workspace_api::ApprovalStatus;

use super::lead::Lead;

pub const COLUMNS: [&str; 11] = [
    "lead_id",
    "name",
    "title",
    "company",
    "industry",
    "location",
    "icp_score",
    "icp_tier",
    "approval_status",
    "created_at",
    "profile_url",
];

/// Returns the start of a file: byte order mark and header. Without the mark, some programs guess
/// the encoding.
pub fn head() -> String {
    let mut text = String::from("\u{feff}");
    line(&mut text, &COLUMNS);
    text
}

pub fn lead(text: &mut String, lead: &Lead, status: &ApprovalStatus) {
    let or_empty = |part: &Option<String>| part.clone().unwrap_or_default();
    let score = lead.score.map(number).unwrap_or_default();
    line(
        text,
        &[
            &lead.id,
            &lead.name,
            &or_empty(&lead.title),
            &or_empty(&lead.company),
            &or_empty(&lead.industry),
            &or_empty(&lead.location),
            &score,
            &or_empty(&lead.tier),
            status.as_str(),
            &or_empty(&lead.created),
            &or_empty(&lead.profile),
        ],
    );
}

/// Appends one line with its CRLF. Cells are quoted where needed.
pub fn line(text: &mut String, cells: &[&str]) {
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        put(text, cell);
    }
    text.push_str("\r\n");
}

fn put(text: &mut String, cell: &str) {
    // A spreadsheet program would run such a cell as a formula. The apostrophe makes it text.
    let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    let apostrophe = if formula { "'" } else { "" };
    if cell.contains([',', '"', '\r', '\n']) {
        text.push('"');
        text.push_str(apostrophe);
        text.push_str(&cell.replace('"', "\"\""));
        text.push('"');
    } else {
        text.push_str(apostrophe);
        text.push_str(cell);
    }
}

/// Formats a whole number without a decimal point, and any other number as JSON does.
fn number(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        return (number as i64).to_string();
    }
    serde_json::Number::from_f64(number).map_or_else(String::new, |number| number.to_string())
}
