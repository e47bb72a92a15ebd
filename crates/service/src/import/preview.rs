//! Previews a file without importing it.

use std::collections::BTreeSet;
use std::io::Read;

use lead_workspace_api::import::{ImportColumn, ImportPreview};
use lead_workspace_import::{ColumnUse, Draft, FileError, Lines, encoding};
use lead_workspace_logic::custom::note;
use serde_json::{Map, Value, json};

use super::{ImportError, ImportOptions};

/// Number of leads that a preview shows, and limit on its errors.
const SAMPLES: usize = 5;

/// Number of values per column that a preview shows.
const VALUES: usize = 3;

/// Limit on the length of a shown value, in characters.
const MAX_SHOWN: usize = 120;

/// Previews the beginning of a file.
///
/// # Errors
/// If nothing can be imported from it.
pub fn preview(
    reader: impl Read + Send + 'static,
    options: &ImportOptions,
) -> Result<ImportPreview, ImportError> {
    preview_lines(Lines::open(
        encoding::open(reader)?,
        &options.read_options(),
    )?)
}

/// Like [`preview`], but accepts a file in which no column identifies a lead: the user can still
/// map one.
///
/// # Errors
/// If nothing can be imported from it with any mapping.
pub(crate) fn preview_unmapped(
    reader: impl Read + Send + 'static,
    options: &ImportOptions,
) -> Result<ImportPreview, ImportError> {
    preview_lines(Lines::open_unmapped(
        encoding::open(reader)?,
        &options.read_options(),
    )?)
}

fn preview_lines(mut lines: Lines) -> Result<ImportPreview, ImportError> {
    let (mut leads, mut errors) = (Vec::new(), Vec::new());
    let mut samples: Vec<Vec<String>> = Vec::new();
    let (mut keys, mut deep) = (BTreeSet::new(), BTreeSet::new());
    while leads.len() < SAMPLES && errors.len() < SAMPLES {
        let Some(line) = lines.line()? else { break };
        if let Ok((cells, _)) = &line.values {
            samples.resize(samples.len().max(cells.len()), Vec::new());
            for (column, cell) in samples.iter_mut().zip(cells) {
                if let (true, Some(cell)) = (column.len() < VALUES, cell) {
                    column.push(shown(cell));
                }
            }
        }
        match lines.draft_of(line.number, line.values) {
            Ok(draft) => {
                for (key, value) in &draft.custom_data {
                    keys.insert(key.clone());
                    if value.is_array() || value.is_object() {
                        deep.insert(key.clone());
                    }
                }
                leads.push(lead(draft));
            }
            Err(error) => errors.push(error),
        }
    }
    let mapping = lines.mapping();
    let (sheets, sheet) = lines.sheets();
    // Below the limit, these are the errors of the whole file. At the limit, later lines may be
    // usable.
    let is_whole = leads.is_empty() && errors.len() < SAMPLES;
    if let (true, true, [first, ..]) = (is_whole, mapping.headers.is_empty(), &*errors) {
        return Err(FileError::NoLine(first.line, first.reason.clone()).into());
    }
    samples.resize(mapping.headers.len(), Vec::new());
    let columns = mapping.headers.iter().zip(&mapping.uses).zip(samples);
    let columns = columns.zip(&mapping.keys);
    let columns: Vec<ImportColumn> = columns
        .map(|(((header, to), values), key)| ImportColumn {
            header: header.clone(),
            used_as: to.name().to_owned(),
            key: (*to == ColumnUse::Custom).then(|| key.clone()),
            values,
        })
        .collect();
    keys.extend(columns.iter().filter_map(|column| column.key.clone()));
    let custom = note(&keys, &deep);
    Ok(ImportPreview {
        format: lines.format().as_str().to_owned(),
        sheets: sheets.to_vec(),
        sheet: sheet.to_owned(),
        notes: lines.notes().iter().cloned().chain(custom).collect(),
        columns,
        leads,
        errors,
    })
}

fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut letters = text.chars();
    let mut shown: String = letters.by_ref().take(MAX_SHOWN).collect();
    if letters.next().is_some() {
        shown.push('…');
    }
    shown
}

fn lead(draft: Draft) -> Map<String, Value> {
    let company = draft.company.unwrap_or_default();
    let fields = json!({
        "line": draft.line,
        "name": draft.lead.name,
        "headline": draft.lead.headline,
        "title": draft.lead.title,
        "location": draft.lead.location,
        "profile_url": draft.lead.profile_url,
        "email": draft.lead.email,
        "approval_status": draft.status,
        "lists": draft.lists,
        "company": company.name,
        "company_domain": company.domain,
        "company_size": company.staff_count_range,
        "industry": company.industry,
        "custom_data": draft.custom_data,
    });
    let Value::Object(mut fields) = fields else {
        return Map::new();
    };
    fields.retain(|_, value| match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(items) => !items.is_empty(),
        _ => true,
    });
    fields
}
