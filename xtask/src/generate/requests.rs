//! Generates `src/js/requests.js`: the limits of each request.

use std::fmt::Write as _;

use anyhow::{Result, bail};
use lead_workspace_api::{Operator, ParamKind, ParamSpec, limits};
use serde_json::Value;

use super::contract;

/// The handwritten part of the file.
const HEAD: &str = include_str!("requests.head.js");

pub fn write() -> Result<String> {
    let mut out = HEAD.to_owned();
    writeln!(out, "\nconst operator = {};", choice(Operator::TEXTS))?;
    writeln!(out, "const PROBLEMS = {};", limits::PROBLEMS)?;
    writeln!(
        out,
        "const SEARCH_CHARACTERS = {};",
        limits::SEARCH_CHARACTERS
    )?;
    writeln!(out, "const VALUES = {};", limits::VALUES)?;
    writeln!(
        out,
        "const VALUE_CHARACTERS = {};",
        limits::VALUE_CHARACTERS
    )?;
    out += "\nconst REQUESTS = {\n  __proto__: null,\n";
    let requests = contract::requests();
    for operation in contract::operations() {
        let Some(request) = requests
            .iter()
            .find(|request| request.name == operation.request)
        else {
            continue;
        };
        writeln!(out, "  {}: {{", operation.name)?;
        for param in &request.params {
            writeln!(out, "    {}: {},", param.name, check(param)?)?;
        }
        out += "  },\n";
    }
    out += "};\n";
    Ok(out)
}

/// Returns the expression that checks a parameter.
fn check(param: &ParamSpec) -> Result<String> {
    let schema = &param.schema;
    let check = match schema["anyOf"].as_array() {
        Some(choices) => format!("optional({})", value(param, &choices[0])?),
        None => value(param, schema)?,
    };
    Ok(if param.required {
        format!("required({check})")
    } else {
        check
    })
}

fn value(param: &ParamSpec, schema: &Value) -> Result<String> {
    if schema["title"] == "FilterSpec" {
        return Ok("filter".into());
    }
    Ok(match schema["type"].as_str() {
        Some("array") => match &param.range {
            Some(range) => format!("list({}, {})", value(param, &schema["items"])?, range.end()),
            None => bail!("{} needs a limit", param.name),
        },
        Some("boolean") => "boolean".into(),
        Some("integer") => match &param.range {
            Some(range) if *range.end() == u32::MAX => format!("integer({})", range.start()),
            Some(range) => format!("integer({}, {})", range.start(), range.end()),
            None => "integer()".into(),
        },
        Some("string") if !param.one_of.is_empty() => choice(param.one_of),
        Some("string") if param.is_id => "id".into(),
        Some("string") => match (&param.range, param.words) {
            (Some(range), Some(words)) if param.kind() == ParamKind::Text => {
                format!("shortText({}, {words})", range.end())
            }
            (Some(range), None) if param.kind() == ParamKind::Text => {
                format!("shortText({})", range.end())
            }
            _ => "text".into(),
        },
        _ => bail!("requests.js has no check for the schema {schema}"),
    })
}

fn choice(texts: &[&str]) -> String {
    format!("choice(\"{}\")", texts.join(", "))
}
