//! Generates `src/js/shapes.js`: a reader for each model.

use anyhow::{Context, Result, bail};
use lead_workspace_api::shapes::{ListScore, Shape};
use lead_workspace_api::{ENDED, FieldSpec, JobState, NewApprovalStatus};
use serde_json::Value;

use super::contract::{self, ModelSpec, OperationSpec};

/// The handwritten part of the file.
const HEAD: &str = include_str!("shapes.head.js");

pub fn write() -> Result<String> {
    let mut out = HEAD.to_owned();
    let models = contract::models();
    for model in &models {
        out += &reader(model)?;
    }
    out += &shape::<ListScore>()?;
    let texts: Vec<String> = NewApprovalStatus::TEXTS
        .iter()
        .map(|text| format!("\"{text}\""))
        .collect();
    out += &format!(
        "\nexport const APPROVAL_STATUSES = [{}];\n",
        texts.join(", ")
    );
    out += &ended();
    out += "\nconst NOTHING = Symbol(\"no body\");\n";
    out += "\nconst READERS = {\n  __proto__: null,\n";
    for operation in contract::operations() {
        out += &entry(&operation, &models)?;
    }
    out += "};\n";
    Ok(out)
}

fn reader(model: &ModelSpec) -> Result<String> {
    let mut out = format!(
        "\nfunction {}(value) {{\n  const it = object(value);\n  return keep(it, {{\n",
        model.name
    );
    for field in &model.fields {
        let first = read(field.name, field)?;
        let value = if field.name == "network_id" {
            format!("either({first}, {})", read("linkedin_id", field)?)
        } else {
            first
        };
        out += &format!("    {}: {value},\n", field.name);
    }
    out += "  });\n}\n";
    Ok(out)
}

/// Returns the expression that reads a field from the property `name`.
fn read(name: &str, field: &FieldSpec) -> Result<String> {
    let member = format!("it.{name}");
    let schema = &field.schema;
    Ok(match schema["type"].as_str() {
        None => format!("{member} ?? null"),
        Some("object") if is_map(schema) => match scalar(&schema["additionalProperties"])? {
            "uint64" => format!("counts({member}, \"{name}\")"),
            other => bail!("shapes.js has no reader for a map of {other}"),
        },
        Some("object") => {
            let model = schema["title"].as_str().unwrap_or_default();
            format!("one({model}, {member}, \"{name}\")")
        }
        Some("array") => match &schema["items"] {
            items if items["type"].is_null() => format!("array({member}, \"{name}\")"),
            items if items["type"] == "object" => {
                let model = items["title"].as_str().unwrap_or_default();
                format!("many({model}, {member}, \"{name}\")")
            }
            items => format!("list({}, {member}, \"{name}\")", scalar(items)?),
        },
        Some(_) => format!("{}({member}, \"{name}\")", scalar(schema)?),
    })
}

/// Whether the schema is that of a map: values by name, all of one type.
pub fn is_map(schema: &Value) -> bool {
    schema["additionalProperties"].is_object()
}

/// Returns the name of the helper that checks a scalar.
fn scalar(schema: &Value) -> Result<&str> {
    Ok(match (schema["type"].as_str(), schema["format"].as_str()) {
        (Some("string"), _) => "text",
        (Some("boolean"), _) => "boolean",
        (Some("number"), _) => "number",
        (Some("integer"), Some("uint32")) => "uint32",
        (Some("integer"), Some("uint64")) => "uint64",
        (Some("integer"), Some("int64")) => "int64",
        _ => bail!("shapes.js has no reader for the schema {schema}"),
    })
}

/// Returns the lenient reader of a shape: a member that is absent or of another type reads as null.
fn shape<S: Shape>() -> Result<String> {
    let mut out = format!(
        "\nexport function {}(value) {{\n  if (!isObject(value)) return null;\n  return {{\n",
        S::NAME
    );
    for field in S::fields() {
        let ty = field.schema["type"].as_str().unwrap_or_default();
        if !["string", "number"].contains(&ty) {
            bail!("shapes.js has no lenient reader for {ty}");
        }
        out += &format!("    {0}: member(value.{0}, \"{ty}\"),\n", field.name);
    }
    Ok(out + "  };\n}\n")
}

/// Returns the map from a job's raw status to its final state.
fn ended() -> String {
    let mut out = "\nconst ENDED = new Map([\n".to_owned();
    for (state, words) in ENDED {
        let state = match state {
            JobState::Running => "running",
            JobState::Succeeded => "succeeded",
            JobState::Failed => "failed",
            JobState::Cancelled => "cancelled",
        };
        for word in words {
            out += &format!("  [\"{word}\", \"{state}\"],\n");
        }
    }
    out + "]);\n"
}

fn entry(operation: &OperationSpec, models: &[ModelSpec]) -> Result<String> {
    let response = operation.response.as_str();
    let row = response.strip_prefix("page of ");
    let model = row.unwrap_or(response);
    if response != "nothing" && !models.iter().any(|known| known.name == model) {
        bail!("{model} is missing in the list of models");
    }
    let reader = match (response, row) {
        ("nothing", _) => "NOTHING".to_owned(),
        ("Job", _) => "job".to_owned(),
        ("Facets", _) => "facets".to_owned(),
        (_, Some(row)) => format!(
            "(value) => page({row}, \"{}\", value)",
            contract::row_id(row).with_context(|| format!("{row} has no id"))?
        ),
        (model, None) => model.to_owned(),
    };
    Ok(format!("  {}: {reader},\n", operation.name))
}
