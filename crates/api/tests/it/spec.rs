//! Reads the tables of the contract document, so that the code can be compared with it.

use std::collections::BTreeMap;

/// Verbatim copy of the contract.
const DOCUMENT: &str = include_str!("../../../../tests/fixtures/lead-account-api.md");

/// Field names and types, in the document's order.
pub type Fields = Vec<(String, String)>;

/// A parameter of an operation, as listed in the document.
#[derive(Debug, PartialEq)]
pub struct Param {
    pub name: String,
    pub ty: String,
    pub required: bool,
    /// As JSON text; `null` if there is none.
    pub default: String,
    pub range: Option<(u32, u32)>,
    pub one_of: Vec<String>,
}

/// An operation, as described in the document.
#[derive(Debug)]
pub struct Operation {
    pub method: String,
    pub path: String,
    pub params: Vec<Param>,
    pub prose: String,
}

/// Returns the text below the `### ` or `## ` heading that starts with `title`.
pub fn section(title: &str) -> &'static str {
    let start = DOCUMENT
        .match_indices('#')
        .map(|(at, _)| at)
        .find(|&at| {
            DOCUMENT[at..]
                .trim_start_matches('#')
                .trim_start()
                .starts_with(title)
        })
        .unwrap_or_else(|| panic!("the document has no section {title:?}"));
    let body = &DOCUMENT[start..];
    let body = &body[body.find('\n').unwrap_or(body.len())..];
    &body[..body.find("\n##").unwrap_or(body.len())]
}

/// Returns the rows of the first table of a text, without its header.
pub fn table(text: &str) -> Vec<Vec<String>> {
    text.lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'))
        .skip(2)
        .map(|line| {
            line.trim_matches('|')
                .split('|')
                .map(|cell| cell.trim().to_owned())
                .collect()
        })
        .collect()
}

/// Returns the fields of a model that has its own table.
pub fn fields(title: &str) -> Fields {
    table(section(title))
        .into_iter()
        .map(|row| (row[0].clone(), plain_type(&row[1])))
        .collect()
}

/// Returns the fields of a model listed in a sentence: `Name: a (string), b (boolean).`
pub fn sentence(start: &str) -> Fields {
    let line = DOCUMENT
        .lines()
        .map(|line| line.trim_start_matches("- "))
        .find(|line| line.starts_with(start))
        .unwrap_or_else(|| panic!("the document has no sentence {start:?}"));
    listed(&line[start.len()..])
}

/// Returns the fields listed as `a (string), b (integer)` anywhere in a text.
pub fn listed(text: &str) -> Fields {
    text.split("), ")
        .filter_map(|part| {
            let (name, ty) = part.split_once(" (")?;
            let name = name.rsplit([' ', ':']).next()?.to_owned();
            Some((name, plain_type(ty.trim_end_matches(['.', ')']))))
        })
        .collect()
}

/// Returns the document's name for a type, without explanations.
fn plain_type(text: &str) -> String {
    let text = text.split(['(', ',', ':']).next().unwrap_or(text).trim();
    match text.strip_suffix(" object") {
        Some(name) => name.to_owned(),
        None => text.replace("array of strings", "array of string"),
    }
}

/// Returns every operation of the chapter "Endpoints", by method and path.
pub fn operations() -> BTreeMap<String, Operation> {
    let chapter = {
        let start = DOCUMENT
            .find("\n## Endpoints")
            .expect("the chapter Endpoints");
        let body = &DOCUMENT[start + 4..];
        &body[..body.find("\n## ").unwrap_or(body.len())]
    };
    chapter
        .split("\n**")
        .skip(1)
        .map(|block| {
            let block = block.split("\n###").next().unwrap_or(block);
            let (title, prose) = block.split_once("**").expect("an operation's title");
            let (method, path) = title.split_once(' ').expect("method and path");
            let operation = Operation {
                method: method.to_owned(),
                path: path.to_owned(),
                params: params(prose),
                prose: prose.to_owned(),
            };
            (title.to_owned(), operation)
        })
        .collect()
}

fn params(prose: &str) -> Vec<Param> {
    let rows = table(prose);
    if let Some(row) = rows.first() {
        // Bodies have the columns Field | Type | Default | Constraint; queries have Required in third place.
        let query = row.len() == 5;
        return rows
            .iter()
            .map(|row| {
                let (required, default) = if query {
                    (row[2] == "yes", &row[3])
                } else {
                    (false, &row[2])
                };
                let constraint = row.last().map_or("", String::as_str);
                Param {
                    name: row[0].clone(),
                    ty: row[1].replace("filter specs", "filter spec"),
                    required,
                    default: default_text(default, &row[1]),
                    range: range(constraint),
                    one_of: one_of(constraint),
                }
            })
            .collect();
    }
    in_sentences(prose)
}

/// Returns the parameters listed in sentences, e.g. `Body: approval_status (string, required; one of …)` or
/// `Query parameters, all optional strings or null: a, b, c.`
fn in_sentences(prose: &str) -> Vec<Param> {
    let text = |start: &str| prose.split_once(start).map(|(_, text)| text);
    if let Some(text) = text("Query parameters, all optional strings or null: ") {
        let names = text.split('.').next().unwrap_or(text);
        return names
            .split(", ")
            .map(|name| param(name, "string or null", false, "null", ""))
            .collect();
    }
    let Some(text) = text("Query parameter ")
        .or_else(|| text("Body: "))
        .or_else(|| text("Body, both optional"))
    else {
        return Vec::new();
    };
    let text = text.split(". Response").next().unwrap_or(text);
    let nullable = text.starts_with(" and nullable");
    let optional = text.starts_with(" and nullable") || text.starts_with(": ");
    text.split("), ")
        .filter_map(|part| {
            let (name, about) = part.split_once(" (")?;
            let name = name.rsplit([' ', ':']).next()?;
            let about = about.trim_end_matches(')');
            let ty = about.split([',', ';']).next()?;
            let ty = if nullable {
                format!("{ty} or null")
            } else {
                ty.to_owned()
            };
            let default = about
                .split_once("default ")
                .map_or("none", |(_, default)| default);
            let required = !optional && !about.contains("optional") && !about.contains("default");
            Some(param(name, &ty, required, default, about))
        })
        .collect()
}

fn param(name: &str, ty: &str, required: bool, default: &str, constraint: &str) -> Param {
    // "array of lead identifiers": identifiers are strings.
    let ty = ty.replace("list of", "array of");
    let ty = match ty.split_once("array of ") {
        Some((_, of)) if of.contains("identifier") && ty.ends_with("or null") => {
            "array of string or null".to_owned()
        }
        Some((_, of)) if of.contains("identifier") => "array of string".to_owned(),
        _ => ty,
    };
    Param {
        name: name.to_owned(),
        default: default_text(default, &ty),
        ty,
        required,
        range: None,
        one_of: one_of(constraint),
    }
}

fn default_text(default: &str, ty: &str) -> String {
    match default {
        "" | "none" => "null".to_owned(),
        "empty string" => "\"\"".to_owned(),
        text if ty == "string" => format!("{text:?}"),
        text => text.to_owned(),
    }
}

fn range(constraint: &str) -> Option<(u32, u32)> {
    if let Some(least) = constraint.strip_prefix(">= ") {
        return Some((least.parse().ok()?, u32::MAX));
    }
    let (least, most) = constraint.split_once(" to ")?;
    Some((least.parse().ok()?, most.parse().ok()?))
}

fn one_of(constraint: &str) -> Vec<String> {
    if constraint == "asc or desc" {
        return vec!["asc".into(), "desc".into()];
    }
    let Some((_, list)) = constraint.split_once("one of") else {
        return Vec::new();
    };
    list.trim_start_matches(':')
        .split(',')
        .map(|value| value.trim().to_owned())
        .collect()
}
