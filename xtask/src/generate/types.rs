//! Generates `www/npm/types.d.ts`: the inputs and outputs of the package's methods.

use anyhow::{Context, Result, bail};
use lead_workspace_api::{Facets, FieldKind, Model, ParamKind, ParamSpec};
use serde_json::Value;

use super::contract::{self, ChoiceSpec, FilterFields, ModelSpec, RequestSpec};
use super::jsdoc::jsdoc;
use super::shapes::is_map;

/// The handwritten part of the file.
const HEAD: &str = include_str!("types.head.d.ts");
const FILTER: &str = include_str!("types.filter.d.ts");

/// The types of members that the contract leaves open. Every such member must be listed here.
const OPEN: [(&str, &str); 31] = [
    ("LeadListItem.profile_data", "ProfileData"),
    ("LeadListItem.custom_data", "FreeObject"),
    ("LeadListItem.list_scores", "Open<ListScore>[]"),
    ("LeadListItem.campaigns", "Open<CampaignRef>[]"),
    ("Intent.event_data", "FreeObject"),
    ("LeadDetail.profile_data", "ProfileData"),
    ("LeadDetail.custom_data", "FreeObject"),
    ("LeadDetail.list_scores", "Open<ListScore>[]"),
    ("LeadDetail.intents", "Open<Partial<Intent>>[]"),
    ("Account.list_scores", "Open<ListScore>[]"),
    ("AccountDetail.list_scores", "Open<ListScore>[]"),
    ("AccountDetail.lists", "unknown[]"),
    ("AccountDetail.leads", "Open<AccountLead>[]"),
    ("AccountPulse.campaigns", "Open<PulseCampaign>[]"),
    ("AccountPulse.chats", "Open<PulseChat>[]"),
    ("AccountPulse.lead_campaigns", "FreeObject"),
    ("Facets.company_sizes", "Open<FacetOption>[]"),
    ("Facets.discovery_lists", "Open<FacetOption>[]"),
    ("Facets.signals", "Open<FacetOption>[]"),
    ("Facets.signal_runs", "Open<FacetOption>[]"),
    ("Facets.campaigns", "Open<FacetOption>[]"),
    ("Facets.import_jobs", "Open<FacetOption>[]"),
    ("Facets.feed_posts", "Open<FacetOption>[]"),
    ("Facets.chat_labels", "Open<FacetOption>[]"),
    ("Facets.reply_classifications", "Open<FacetOption>[]"),
    ("Facets.network_accounts", "Open<FacetOption>[]"),
    ("CustomField.kind", "CustomKind | (string & {})"),
    ("LeadQuery.sort_by", "LeadSort | CustomFieldName"),
    // The server knows which facets it has.
    ("FacetSearch.field", "string"),
    // The filters of a query are typed by their rows.
    ("LeadQuery.filters", "readonly LeadFilter[]"),
    ("AccountQuery.filters", "readonly AccountFilter[]"),
];

pub fn write() -> Result<String> {
    let mut out = HEAD.to_owned();
    for choice in contract::choices() {
        out += &union(&choice);
    }
    // `Job` is written by hand, because callers see a normalized form of it.
    for model in contract::models().iter().filter(|m| m.name != "Job") {
        out += &interface(model, false)?;
    }
    for shape in contract::shapes() {
        out += &interface(&shape, true)?;
    }
    for request in contract::requests() {
        out += &parameters(&request)?;
    }
    out += &filters();
    Ok(out)
}

fn union(choice: &ChoiceSpec) -> String {
    format!(
        "\n{}export type {} ={};\n",
        jsdoc("", choice.doc, &[]),
        choice.name,
        one_of(choice.texts)
    )
}

fn one_of(texts: &[&str]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| format!("\"{text}\"")).collect();
    if texts.len() > 4 {
        format!("\n  | {}", quoted.join("\n  | "))
    } else {
        format!(" {}", quoted.join(" | "))
    }
}

fn interface(model: &ModelSpec, open: bool) -> Result<String> {
    let extends = if open { " extends FreeObject" } else { "" };
    let mark = if open { "?" } else { "" };
    let mut out = format!(
        "\n{}export interface {}{extends} {{\n",
        jsdoc("", model.doc, &[]),
        model.name
    );
    for field in &model.fields {
        let ty = member(model.name, field.name, &field.schema)?;
        let is_id = contract::row_id(model.name) == Some(field.name);
        let (more, null) = match is_id {
            true => (&[ROW_ID.to_owned()][..], ""),
            false => (&[][..], " | null"),
        };
        out += &jsdoc("  ", field.doc, more);
        out += &format!("  {}{mark}: {ty}{null};\n", field.name);
    }
    if model.name == Facets::NAME {
        out += &jsdoc("  ", PROBLEMS, &[]);
        out += "  problems: string[];\n";
    }
    Ok(out + "}\n")
}

/// A line of the doc of a row's id.
const ROW_ID: &str = "A row without one is not in `data`, but in `rowErrors`.";

/// The doc of the member `problems`, which the reader adds to facets.
const PROBLEMS: &str =
    " What could not be read and is left out, e.g. `signals: expected an array, got a string`.\n";

fn parameters(request: &RequestSpec) -> Result<String> {
    let mut out = format!(
        "\n{}export interface {} {{\n",
        jsdoc("", request.doc, &[]),
        request.name
    );
    for param in &request.params {
        let ty = only_read(member(request.name, param.name, &param.schema)?);
        out += &jsdoc("  ", param.doc, &limits(param));
        let (mark, undefined) = if param.required {
            ("", "")
        } else {
            ("?", " | undefined")
        };
        out += &format!("  {}{mark}: {ty}{undefined};\n", param.name);
    }
    Ok(out + "}\n")
}

/// Makes arrays in parameters `readonly`: they are never modified, so callers may pass readonly arrays.
fn only_read(ty: String) -> String {
    if ty.contains("[]") && !ty.starts_with("readonly ") {
        format!("readonly {ty}")
    } else {
        ty
    }
}

/// Returns the range and the default as lines of documentation.
fn limits(param: &ParamSpec) -> Vec<String> {
    let mut said = Vec::new();
    // An open end is documented where the parameter is declared.
    if let Some(range) = param.range.as_ref().filter(|range| *range.end() < u32::MAX) {
        let (from, to) = (range.start(), range.end());
        let words = param.words.map(|words| format!(" and {words} words"));
        let words = words.unwrap_or_default();
        said.push(match param.kind() {
            ParamKind::Number => format!("From {from} to {to}."),
            ParamKind::Text => format!("At most {to} characters{words}."),
            ParamKind::Array => format!("At most {to} items."),
        });
    }
    if !param.required && !param.default.is_null() {
        said.push(format!("@defaultValue `{}`", param.default));
    }
    said
}

fn member(owner: &str, name: &str, schema: &Value) -> Result<String> {
    let path = format!("{owner}.{name}");
    if let Some((_, ty)) = OPEN.iter().find(|(open, _)| *open == path) {
        return Ok((*ty).to_owned());
    }
    typescript(schema).with_context(|| format!("{path} has no type for JavaScript"))
}

fn typescript(schema: &Value) -> Result<String> {
    if let Some([some, _null]) = schema["anyOf"].as_array().map(Vec::as_slice) {
        return Ok(format!("{} | null", typescript(some)?));
    }
    Ok(match (schema["type"].as_str(), schema["title"].as_str()) {
        (Some("array"), _) => format!("{}[]", typescript(&schema["items"])?),
        (Some("object"), _) if is_map(schema) => {
            let values = typescript(&schema["additionalProperties"])?;
            format!("{{ [name: string]: {values} }}")
        }
        (Some(_), Some(title)) => title.to_owned(),
        (Some("string"), None) => "string".to_owned(),
        (Some("boolean"), None) => "boolean".to_owned(),
        (Some("integer" | "number"), None) => "number".to_owned(),
        _ => bail!("the schema is {schema}"),
    })
}

fn filters() -> String {
    let mut out = String::new();
    let fields = contract::filter_fields();
    for noun in ["Lead", "Account"] {
        let of_noun = || fields.iter().filter(|fields| fields.noun == noun);
        for fields in of_noun() {
            out += &format!(
                "\n/** {} of {}s that filters compare with {}. */\nexport type {} ={};\n",
                "Fields",
                noun.to_lowercase(),
                values(fields.kind),
                name(fields),
                one_of(&fields.names)
            );
        }
        let variants: Vec<String> = of_noun()
            .map(|fields| format!("{:?}Filter<{}>", fields.kind, name(fields)))
            .collect();
        let custom_data = match noun {
            "Lead" => "\n  | CustomDataFilter",
            _ => "",
        };
        out += &format!(
            "\n/** A condition on {}s. */\nexport type {noun}Filter =\n  | {}{custom_data}\n  | CustomFilter<Custom{noun}Fields>\n  | ForeignFilter;\n",
            noun.to_lowercase(),
            variants.join("\n  | ")
        );
    }
    let meanings: Vec<String> = contract::operators()
        .map(|(operator, doc)| format!("- `{operator}`: {}", doc.trim()))
        .collect();
    out + &FILTER.replace(" * OPERATORS", &format!(" * {}", meanings.join("\n * ")))
}

fn name(fields: &FilterFields) -> String {
    format!("{}{:?}Field", fields.noun, fields.kind)
}

/// Describes what fields of this kind are compared with.
fn values(kind: FieldKind) -> &'static str {
    match kind {
        FieldKind::Text => "a text; case and accents do not matter",
        FieldKind::Token => "an id or a known word, to the letter",
        FieldKind::Time => "an ISO 8601 date-time, or a date, which means the whole day",
        FieldKind::Number => "a number",
        FieldKind::Flag => "true or false",
    }
}
