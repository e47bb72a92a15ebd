//! `GET /docs`: the reference of the API as one page, made from the OpenAPI document. It has no script.

mod example;

use std::sync::LazyLock;

use axum::response::IntoResponse;
use http::header::CONTENT_TYPE;
use serde_json::{Map, Value};

use super::openapi;
use super::request_context::set_operation;

/// Where the style sheet is served.
pub(super) const STYLE_PATH: &str = "/docs/style.css";

static PAGE: LazyLock<String> = LazyLock::new(|| page_of(&openapi::build()));

/// `GET /docs`. Like the document, it needs no key.
pub(super) async fn page() -> impl IntoResponse {
    set_operation("docs");
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], PAGE.as_str())
}

pub(super) async fn style() -> impl IntoResponse {
    set_operation("docs");
    let css = include_str!("docs_page/style.css");
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], css)
}

fn page_of(document: &Value) -> String {
    let (title, about) = (
        text(&document["info"]["title"]),
        text(&document["info"]["description"]),
    );
    let mut names = String::new();
    let mut operations = String::new();
    for (path, methods) in members(&document["paths"]) {
        for (method, operation) in members(methods) {
            let name = text(&operation["operationId"]);
            let method = method.to_ascii_uppercase();
            let head = format!("<b>{method}</b> <code>{}</code>", escaped(path));
            names += &format!("<li><a href=\"#{name}\">{head}</a></li>");
            operations += &format!(
                "<section id=\"{name}\"><h2>{head}</h2><p>{}</p>",
                text(&operation["summary"])
            );
            let request = example::request(document, &method, path, operation);
            operations += &format!("<pre><code>{}</code></pre>", escaped(&request));
            operations += &parameters(operation);
            operations += &responses(operation);
            operations += "</section>";
        }
    }
    let schemas: String = members(&document["components"]["schemas"])
        .map(|(name, schema)| {
            format!(
                "<section id=\"schema-{name}\"><h3>{name}</h3>{}</section>",
                schema_body(schema)
            )
        })
        .collect();
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}: API reference</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <link rel=\"icon\" href=\"data:,\"><link rel=\"stylesheet\" href=\"{STYLE_PATH}\"></head>\
         <body><header><h1>{title}: API reference</h1><p>{about}</p>\
         <p>Each request needs a key in the header <code>authorization: Bearer KEY</code>. The requests below take \
         the address and the key from two variables; a click on a request selects all of it:</p>\
         <pre><code>URL=http://127.0.0.1:8787 KEY=lwk_…</code></pre>\
         <p>For programs: <a href=\"/openapi.json\">/openapi.json</a>, an OpenAPI 3.1 document.</p></header>\
         <nav aria-label=\"Operations\"><ul>{names}</ul></nav>\
         <main>{operations}<h2 id=\"types\">Types</h2>{schemas}</main></body></html>"
    )
}

fn parameters(operation: &Value) -> String {
    let mut list = String::new();
    for parameter in elements(&operation["parameters"]) {
        let (name, place) = (text(&parameter["name"]), text(&parameter["in"]));
        let required = match parameter["required"].as_bool() {
            Some(true) => ", required",
            _ => "",
        };
        list += &entry(
            &format!("<code>{name}</code>"),
            &format!("{place}, {}{required}", type_of(&parameter["schema"])),
            &text(&parameter["description"]),
        );
    }
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    if !body.is_null() {
        list += &entry("body", &type_of(body), "");
    }
    format!("<h3>Parameters</h3><dl>{list}</dl>")
}

fn responses(operation: &Value) -> String {
    let mut list = String::new();
    for (status, response) in members(&operation["responses"]) {
        let shape = match members(&response["content"]).next() {
            None => "no body".to_owned(),
            Some((media, body)) if media == "application/json" => type_of(&body["schema"]),
            Some((media, body)) => format!("{media} of {}", type_of(&body["schema"])),
        };
        let status = format!("<code>{status}</code>");
        list += &entry(&status, &shape, &text(&response["description"]));
    }
    format!("<h3>Responses</h3><dl>{list}</dl>")
}

fn schema_body(schema: &Value) -> String {
    let Some(properties) = schema["properties"].as_object() else {
        return format!("<p>{}</p>", type_of(schema));
    };
    let required: Vec<_> = elements(&schema["required"])
        .filter_map(Value::as_str)
        .collect();
    let mut list = String::new();
    for (name, property) in properties {
        let mut shape = type_of(property);
        if required.contains(&name.as_str()) {
            shape += ", required";
        }
        if let Some(default) = property.get("default") {
            shape += &format!(
                ", by default <code>{}</code>",
                escaped(&default.to_string())
            );
        }
        list += &entry(
            &format!("<code>{name}</code>"),
            &shape,
            &text(&property["description"]),
        );
    }
    format!("<dl>{list}</dl>")
}

/// An entry of a definition list. The texts are HTML.
fn entry(name: &str, shape: &str, about: &str) -> String {
    let about = match about {
        "" => String::new(),
        about => format!("<dd>{about}</dd>"),
    };
    format!("<dt>{name} <span>{shape}</span></dt>{about}")
}

/// Describes the type of a value, as HTML.
fn type_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(openapi::name_of) {
        return format!("<a href=\"#schema-{name}\">{name}</a>");
    }
    if let Some(values) = schema["enum"].as_array() {
        let values = values
            .iter()
            .map(|value| format!("<code>{}</code>", text(value)));
        return format!("one of {}", values.collect::<Vec<_>>().join(", "));
    }
    if let Some(several) = schema["anyOf"].as_array()
        && schema["type"].is_null()
    {
        let several: Vec<_> = several.iter().map(type_of).collect();
        return several.join(" or ");
    }
    let limits: String = LIMITS
        .iter()
        .filter_map(|(name, words)| Some(format!(", {words} {}", schema.get(name)?)))
        .collect();
    let kind = match schema["type"].as_str() {
        Some("array") => format!("array of {}", type_of(&schema["items"])),
        Some("object") if schema["additionalProperties"].is_object() => {
            format!("object of {}", type_of(&schema["additionalProperties"]))
        }
        Some(kind) => kind.to_owned(),
        None => "any JSON".to_owned(),
    };
    kind + &limits
}

const LIMITS: [(&str, &str); 6] = [
    ("minimum", "at least"),
    ("maximum", "at most"),
    ("minLength", "characters at least"),
    ("maxLength", "characters at most"),
    ("minItems", "items at least"),
    ("maxItems", "items at most"),
];

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn elements(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Returns a text of the document as HTML.
fn text(value: &Value) -> String {
    escaped(value.as_str().unwrap_or_default())
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
