//! An example of a request, as a command of curl.

use serde_json::{Map, Value, json};

use super::{elements, members};
use crate::http::openapi;

/// Returns the command. Ids are in capitals, to be replaced.
pub(super) fn request(document: &Value, method: &str, path: &str, operation: &Value) -> String {
    let mut url = path.to_owned();
    let mut query = Vec::new();
    for parameter in elements(&operation["parameters"]) {
        let name = parameter["name"].as_str().unwrap_or_default();
        match parameter["in"].as_str() {
            Some("path") => url = url.replace(&format!("{{{name}}}"), &placeholder(name)),
            Some("query") if parameter["required"] == true => {
                let value = value(document, name, &parameter["schema"]);
                query.push(format!("{name}={}", value.as_str().unwrap_or_default()));
            }
            _ => {}
        }
    }
    if !query.is_empty() {
        url += &format!("?{}", query.join("&"));
    }
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    // That of curl is POST if there is a body, and GET otherwise.
    let option = match method {
        "GET" => String::new(),
        "POST" if !body.is_null() => String::new(),
        method => format!(" -X {method}"),
    };
    let mut command = format!("curl -s{option} \"$URL{url}\" -H \"authorization: Bearer $KEY\"");
    if !body.is_null() {
        let body = value(document, "body", body);
        command += &format!(" \\\n  -H 'content-type: application/json' \\\n  -d '{body}'");
    }
    command
}

fn placeholder(name: &str) -> String {
    name.trim_end_matches('s').to_ascii_uppercase()
}

/// Returns a value of a schema: its example, its default, or one that is allowed.
fn value(document: &Value, name: &str, schema: &Value) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        let default = schema.get("default").cloned();
        let name_of = openapi::name_of(reference).unwrap_or_default();
        let target = &document["components"]["schemas"][name_of];
        return default.unwrap_or_else(|| value(document, name, target));
    }
    let is_of_ids = schema["items"]["minLength"] == 1;
    if let Some(example) = schema["examples"].get(0) {
        return example.clone();
    }
    if let Some(default) = schema.get("default").filter(|_| !is_of_ids) {
        return default.clone();
    }
    if let Some(first) = schema["anyOf"].get(0).or(schema["enum"].get(0)) {
        return match first {
            Value::String(_) => first.clone(),
            first => value(document, name, first),
        };
    }
    match schema["type"].as_str() {
        Some("object") => object(document, schema),
        Some("array") => json!([value(document, name, &schema["items"])]),
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        _ => json!(placeholder(name)),
    }
}

/// Returns an object with what is required or has a default; otherwise with the first property, because without any
/// a request may mean everything.
fn object(document: &Value, schema: &Value) -> Value {
    let is_required = |name: &str| elements(&schema["required"]).any(|required| required == name);
    let properties = || members(&schema["properties"]);
    let chosen = properties()
        .filter(|(name, property)| is_required(name) || property.get("default").is_some());
    let make =
        |(name, property): (&String, &Value)| (name.clone(), value(document, name, property));
    let made: Map<String, Value> = chosen.map(make).collect();
    match made.is_empty() {
        true => properties().take(1).map(make).collect(),
        false => made.into(),
    }
}
