//! The OpenAPI document, generated from the contract's table and the schemas of the models.

use std::sync::LazyLock;

use axum::response::Response;
use http::StatusCode;
use lead_workspace_api::endpoints::{self, Endpoint, Input};
use lead_workspace_api::{
    LAST_EVENT_ID_HEADER, ParamSpec, Request, Retry, StreamChanges, WORKSPACE_NAME_HEADER, Wire,
    for_each_endpoint, for_each_extension, for_each_own_operation, plain_doc,
};
use serde_json::{Map, Value, json};

use super::json::raw_json;
use super::request_context::set_operation;
use crate::scope::{NeedsScope, Scope};

const SCHEMAS: &str = "#/components/schemas/";

static DOCUMENT: LazyLock<String> = LazyLock::new(|| build().to_string());

/// `GET /openapi.json`. It needs no key, because it reveals nothing about any workspace.
pub(super) async fn document() -> Response {
    set_operation("openapi");
    raw_json(StatusCode::OK, DOCUMENT.as_str())
}

macro_rules! operations {
    ($into:ident: $(
        #[doc = $summary:literal]
        $name:ident $js:ident $type:ident: $method:ident $path:literal [$($id:ident: $id_type:ty)?];
            $input:ident $params:ty => $status:literal $response:ty; $retry:ident;
    )*) => {
        $($into.add::<endpoints::$type>();)*
    };
}

/// Returns the document.
pub(super) fn build() -> Value {
    let mut document = Document::default();
    macro_rules! add {
        ($($rows:tt)*) => { operations!(document: $($rows)*) };
    }
    for_each_endpoint!(add);
    for_each_extension!(add);
    for_each_own_operation!(add);
    document.add_stream();
    document.finish();
    let error = document.shared(error_schema());
    document.schemas.insert("Error".into(), error);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Lead and account workspace",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Query, review and score the leads and accounts of a workspace.",
        },
        "security": [{"bearer": []}],
        "paths": document.paths,
        "components": {
            "schemas": document.schemas,
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
    })
}

#[derive(Default)]
struct Document {
    paths: Map<String, Value>,
    schemas: Map<String, Value>,
    operations: Vec<Operation>,
}

/// What links need to know of an operation.
struct Operation {
    name: &'static str,
    method: String,
    path: &'static str,
    ids: &'static [&'static str],
    status: u16,
    response: Value,
}

impl Document {
    fn add<E: NeedsScope>(&mut self) {
        let mut operation = json!({
            "operationId": E::NAME,
            "summary": E::SUMMARY,
            "tags": [collection(E::PATH)],
            "parameters": parameters::<E>(),
            "responses": self.responses::<E>(),
        });
        if E::INPUT == Input::Body {
            let schema = self.shared(E::Params::schema());
            operation["requestBody"] =
                json!({"required": true, "content": {"application/json": {"schema": schema}}});
        }
        let method = E::METHOD.as_str().to_ascii_lowercase();
        let path = self.paths.entry(E::PATH).or_insert_with(|| json!({}));
        path[&method] = operation;
        self.operations.push(Operation {
            name: E::NAME,
            method,
            path: E::PATH,
            ids: E::PATH_IDS,
            status: E::STATUS,
            response: E::Response::schema(),
        });
    }

    /// Adds the stream of changes.
    fn add_stream(&mut self) {
        self.add::<StreamChanges>();
        let stream = &mut self.paths[StreamChanges::PATH]["get"];
        let resume = json!({
            "name": LAST_EVENT_ID_HEADER, "in": "header", "required": false,
            "description": "The id of the last event that was received, to go on after it.",
            "schema": {"type": "integer", "minimum": 0},
        });
        if let Some(parameters) = stream["parameters"].as_array_mut() {
            parameters.push(resume);
        }
        let success = &mut stream["responses"]["200"];
        let event = success["content"]["application/json"].take();
        success["content"] = json!({"text/event-stream": event});
        success["description"] = json!(
            "Events until one side closes the connection, each with the version as its id. open: the first one; its data has \
             the version that the stream begins after. change: the schema is that of its data. reset: what led to the \
             version in its data is not known, so read everything again. A comment every 15 s says that the connection \
             is alive."
        );
    }

    /// Adds what depends on other operations: the links.
    fn finish(&mut self) {
        for operation in &self.operations {
            let written = &mut self.paths[operation.path][&operation.method];
            let links: Map<String, Value> = self
                .operations
                .iter()
                .filter_map(|target| Some((target.name.to_owned(), link(operation, target)?)))
                .collect();
            if !links.is_empty() {
                written["responses"][operation.status.to_string()]["links"] = links.into();
            }
        }
    }

    fn responses<E: NeedsScope>(&mut self) -> Value {
        let mut responses = Map::new();
        let schema = E::Response::schema();
        let mut success = if schema.is_null() {
            json!({"description": "Done. The body is empty."})
        } else {
            let schema = self.shared(schema);
            json!({"description": "Success.", "content": {"application/json": {"schema": schema}}})
        };
        success["headers"] = json!({WORKSPACE_NAME_HEADER: {
            "description": "The name of the workspace that people see, if it has one: percent-encoded UTF-8.",
            "schema": {"type": "string"},
        }});
        responses.insert(E::STATUS.to_string(), success);
        let forbidden = match E::SCOPE {
            Scope::Read => "The key has no access to the workspace in x-tenant-id.",
            Scope::Decide => {
                "The key has no access to the workspace in x-tenant-id, or its scope is read."
            }
            Scope::Admin => {
                "The key has no access to the workspace in x-tenant-id, or its scope is not admin."
            }
        };
        let mut failures = vec![
            (400, "The request is malformed, such as one with two keys."),
            (401, "The key is missing, not valid, revoked or expired."),
            (403, forbidden),
            (
                422,
                "The request is not valid; detail has an entry for each problem.",
            ),
            (
                429,
                "Too many requests for this workspace; Retry-After has the seconds to wait.",
            ),
        ];
        failures.push((
            503,
            "The service is busy or stopping; Retry-After has the seconds to wait.",
        ));
        if !E::PATH_IDS.is_empty() {
            failures.push((404, "There is no resource with this id."));
        }
        if E::RETRY == Retry::Start {
            failures.push((
                409,
                "Too many jobs of the workspace are queued; nothing was started.",
            ));
        }
        if E::INPUT == Input::Body {
            failures.push((413, "The body is too large."));
            failures.push((415, "The body is compressed."));
        }
        for (status, description) in failures {
            let schema = json!({"$ref": format!("{SCHEMAS}Error")});
            let failure = json!({
                "description": description,
                "content": {"application/json": {"schema": schema}},
            });
            responses.insert(status.to_string(), failure);
        }
        Value::Object(responses)
    }

    /// Moves every object with a title to the shared schemas and returns a reference in its place.
    fn shared(&mut self, schema: Value) -> Value {
        match schema {
            Value::Array(items) => items.into_iter().map(|item| self.shared(item)).collect(),
            Value::Object(object) => {
                let mut object: Map<String, Value> = object
                    .into_iter()
                    .map(|(name, value)| (name, self.shared(value)))
                    .collect();
                // A property may be named "title" as well; that one is a schema, not a string.
                let Some(title) = object.get("title").and_then(Value::as_str) else {
                    return Value::Object(object);
                };
                let name = title.replace(' ', "_");
                let mut reference = json!({"$ref": format!("{SCHEMAS}{name}")});
                for of_place in ["default", "description"] {
                    if let Some(value) = object.remove(of_place) {
                        reference[of_place] = value;
                    }
                }
                self.schemas.insert(name, Value::Object(object));
                reference
            }
            other => other,
        }
    }
}

/// Returns the name of the schema that a reference points to.
pub(super) fn name_of(reference: &str) -> Option<&str> {
    reference.strip_prefix(SCHEMAS)
}

/// Returns the name of the collection in a path, e.g. `leads`.
fn collection(path: &str) -> &str {
    path.split('/').nth(2).unwrap_or_default()
}

/// Returns the link from the response of an operation to one that takes an id from it.
fn link(from: &Operation, to: &Operation) -> Option<Value> {
    let [id] = to.ids else { return None };
    // The rows of a collection name their own id just "id".
    let of_collection = collection(from.path) == collection(to.path);
    let names = [Some(*id), of_collection.then_some("id")];
    let properties = &from.response["properties"];
    let rows = &properties["data"]["items"]["properties"];
    let expression = names.into_iter().flatten().find_map(|name| {
        if properties.get(name).is_some() {
            return Some(format!("$response.body#/{name}"));
        }
        rows.get(name)
            .map(|_| format!("$response.body#/data/0/{name}"))
    })?;
    Some(json!({"operationId": to.name, "parameters": {*id: expression}}))
}

fn parameters<E: Endpoint>() -> Value {
    let ids = E::PATH_IDS.iter().map(|id| {
        json!({"name": id, "in": "path", "required": true,
               "schema": {"type": "string", "minLength": 1}})
    });
    let query = (E::INPUT == Input::Query)
        .then(E::Params::params)
        .unwrap_or_default();
    let query = query.into_iter().map(|param: ParamSpec| {
        json!({"name": param.name, "in": "query", "required": param.required,
               "description": plain_doc(param.doc), "schema": query_schema(&param)})
    });
    let tenant = json!({
        "name": "x-tenant-id", "in": "header", "required": false,
        "description": "One of the key's workspaces; the first one by default.",
        "schema": {"type": "string"},
    });
    ids.chain(query).chain([tenant]).collect()
}

/// A query string has no null: an empty value stands for it.
fn query_schema(param: &ParamSpec) -> Value {
    let mut schema = param.json_schema();
    if param.is_nullable()
        && let Some(Value::Object(mut text)) = schema["anyOf"].get(0).cloned()
    {
        text.remove("minLength");
        schema["anyOf"][0] = text.into();
    }
    schema
}

/// spec: Errors, 1; where there is nothing to list, `detail` is a sentence.
fn error_schema() -> Value {
    json!({
        "type": "object",
        "required": ["detail"],
        "properties": {"detail": {"anyOf": [
            {"type": "string"},
            {"type": "array", "items": {
                "type": "object",
                "title": "ErrorEntry",
                "required": ["loc", "msg", "type", "input", "ctx"],
                "properties": {
                    "loc": {"type": "array", "items": {"type": "string"}},
                    "msg": {"type": "string"},
                    "type": {"type": "string"},
                    "input": {},
                    "ctx": {"type": "object"},
                },
            }},
        ]}},
    })
}
