//! A look at a file without importing it.

use std::io::Read;

use serde_json::{Value, json};

use super::lines::Lines;
use super::report::LineError;
use super::{Draft, ImportError, Options, source};

/// Lines that a preview shows.
const SAMPLES: usize = 5;

/// What an import would make of a file.
#[derive(Clone, Debug)]
pub struct Preview {
    /// Header and use of each column.
    pub columns: Vec<(String, &'static str)>,
    /// The first leads, as JSON objects of fields.
    pub samples: Vec<Value>,
    /// What is wrong with lines among the first.
    pub errors: Vec<LineError>,
}

/// Looks at the beginning of a file.
///
/// # Errors
/// When nothing can be imported from it.
pub fn preview(
    reader: impl Read + Send + 'static,
    options: &Options,
) -> Result<Preview, ImportError> {
    let mut lines = Lines::open(source::open(reader)?, options)?;
    let (mut samples, mut errors) = (Vec::new(), Vec::new());
    while samples.len() < SAMPLES && errors.len() < SAMPLES {
        match lines.next()? {
            Some(Ok(draft)) => samples.push(sample(draft)),
            Some(Err(error)) => errors.push(error),
            None => break,
        }
    }
    let mapping = lines.mapping();
    let uses = mapping.uses.iter().map(|to| to.name());
    Ok(Preview {
        columns: mapping.headers.iter().cloned().zip(uses).collect(),
        samples,
        errors,
    })
}

fn sample(draft: Draft) -> Value {
    let company = draft.company.unwrap_or_default();
    let mut sample = json!({
        "line": draft.line,
        "name": draft.name,
        "headline": draft.headline,
        "title": draft.title,
        "location": draft.location,
        "profile_url": draft.profile_url,
        "email": draft.email,
        "approval_status": draft.status,
        "lists": draft.lists,
        "company": company.name,
        "company_domain": company.domain,
        "company_size": company.staff_count_range,
        "industry": company.industry,
        "custom_data": draft.custom_data,
    });
    if let Value::Object(members) = &mut sample {
        let empty = |value: &Value| match value {
            Value::Null => true,
            Value::Array(items) => items.is_empty(),
            Value::Object(items) => items.is_empty(),
            _ => false,
        };
        members.retain(|_, value| !empty(value));
    }
    sample
}
