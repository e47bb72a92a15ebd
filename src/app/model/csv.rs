//! Leads as CSV: RFC 4180, as spreadsheet programs read it, and safe from formula injection.

use std::borrow::Cow;

use lead_workspace_api::ApprovalStatus;
use lead_workspace_api::csv_cell::is_formula;

use super::columns::{Column, LEAD_COLUMNS, LeadCell};
use super::lead::LeadItem;

/// Returns the columns of the lead grid that are exported, between the id and the profile's URL.
fn columns() -> impl Iterator<Item = &'static Column<LeadCell>> {
    let columns = LEAD_COLUMNS.iter();
    columns.filter(|column| !matches!(column.cell, LeadCell::Fit | LeadCell::Signal))
}

/// Returns the start of a file: byte order mark and header. Without the mark, some programs guess
/// the encoding.
pub fn head() -> String {
    let mut text = String::from("\u{feff}");
    let mut names = vec!["lead_id"];
    names.extend(columns().map(|column| column.spec.id));
    names.push("profile_url");
    line(&mut text, &names);
    text
}

pub fn lead(text: &mut String, lead: &LeadItem, status: &ApprovalStatus) {
    let value = |cell: LeadCell| match cell {
        LeadCell::Name => Cow::from(&lead.name),
        LeadCell::Text(get) | LeadCell::Date(get) => get(lead).unwrap_or_default().into(),
        LeadCell::Fit | LeadCell::Signal => Cow::default(),
        LeadCell::Score => lead.score.map(number).unwrap_or_default().into(),
        LeadCell::Status => status.as_str().into(),
    };
    let mut cells = vec![Cow::from(&lead.id)];
    cells.extend(columns().map(|column| value(column.cell)));
    cells.push(lead.profile.as_deref().unwrap_or_default().into());
    line(text, &cells);
}

/// Appends one line with its CRLF. Cells are quoted where needed.
pub fn line(text: &mut String, cells: &[impl AsRef<str>]) {
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        write_cell(text, cell.as_ref());
    }
    text.push_str("\r\n");
}

fn write_cell(text: &mut String, cell: &str) {
    let apostrophe = if is_formula(cell) { "'" } else { "" };
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
