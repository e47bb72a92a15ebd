//! Parameters of an operation as JSON, from the body or the query string.

use lead_workspace_api::limits::{BODY_VALUES, PROBLEMS};
use lead_workspace_api::{ErrorEntry, Request, without_mark};
use serde_json::{Map, Value, json};

/// Largest JSON body, in bytes.
pub const BODY_BYTES: usize = 1 << 20;

/// Makes an entry of a validation error.
pub fn entry(
    loc: &[&str],
    kind: &str,
    msg: impl Into<String>,
    input: Value,
    ctx: Map<String, Value>,
) -> ErrorEntry {
    ErrorEntry {
        loc: loc.iter().map(|&step| step.to_owned()).collect(),
        msg: msg.into(),
        kind: kind.to_owned(),
        input,
        ctx,
    }
}

/// Parses a JSON body, which may begin with a byte order mark.
///
/// # Errors
/// One entry: where the text is not JSON, or that it has too many values.
pub fn from_body(body: &[u8]) -> Result<Value, Vec<ErrorEntry>> {
    let body = without_mark(body);
    let invalid = |kind, msg, ctx| vec![entry(&["body"], kind, msg, Value::Null, ctx)];
    if body.is_empty() {
        let msg = "a JSON body is required; send {} if there are no parameters";
        return Err(invalid("missing", msg.to_owned(), Map::new()));
    }
    // Every value except the first follows one of these.
    let values = body
        .iter()
        .filter(|byte| matches!(byte, b',' | b'[' | b'{'));
    if values.count() > BODY_VALUES {
        let msg = format!("the body can have at most {BODY_VALUES} values");
        let ctx = Map::from_iter([("max_values".into(), json!(BODY_VALUES))]);
        return Err(invalid("too_many_values", msg, ctx));
    }
    serde_json::from_slice(body).map_err(|error| {
        let ctx = Map::from_iter([
            ("error".into(), json!(error.to_string())),
            ("line".into(), json!(error.line())),
            ("column".into(), json!(error.column())),
        ]);
        invalid(
            "json_invalid",
            format!("the body is not JSON: {error}"),
            ctx,
        )
    })
}

/// Parses a query string into an object of strings.
///
/// # Errors
/// An entry for each parameter that is given twice with different values.
pub fn from_query<P: Request>(text: &str) -> Result<Value, Vec<ErrorEntry>> {
    let params = P::params();
    let mut object = Map::new();
    let mut problems = Vec::new();
    for (name, value) in form_urlencoded::parse(text.as_bytes()) {
        let Some(param) = params.iter().find(|param| param.name == name) else {
            continue;
        };
        // spec: not shown; a query string has no null, so an empty value means null where null is
        // allowed.
        if value.is_empty() && param.is_nullable() {
            continue;
        }
        let value = json!(value);
        match object.get_mut(param.name) {
            None => {
                object.insert(param.name.into(), value);
            }
            Some(known) if *known == value => {}
            // Selected facet values may be given as repeated parameters.
            Some(known) if param.name == "selected" => {
                let mut several = match known.take() {
                    Value::Array(several) => several,
                    one => vec![one],
                };
                several.push(value);
                *known = Value::Array(several);
            }
            Some(_) if problems.len() >= PROBLEMS => {}
            Some(_) => {
                let msg = "this parameter is given more than once, with different values";
                let loc = ["query", param.name];
                problems.push(entry(&loc, "duplicate", msg, value, Map::new()));
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    if let Some(several @ Value::Array(_)) = object.get_mut("selected") {
        *several = json!(several.to_string());
    }
    Ok(Value::Object(object))
}
