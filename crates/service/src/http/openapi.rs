//! The OpenAPI document, generated from the contract's table and the schemas of the models.

use std::sync::LazyLock;

use axum::response::Response;
use http::StatusCode;
use lead_workspace_api::endpoints::{self, Endpoint, Input};
use lead_workspace_api::{
    ParamSpec, Request, Retry, Wire, for_each_endpoint, for_each_extension, for_each_own_operation,
};
use serde_json::{Map, Value, json};

use super::json::raw_json;

static DOCUMENT: LazyLock<String> = LazyLock::new(|| build().to_string());

/// `GET /openapi.json`. It needs no key, because it reveals nothing about any workspace.
pub(super) async fn document() -> Response {
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

fn build() -> Value {
    let mut document = Document::default();
    macro_rules! add {
        ($($rows:tt)*) => { operations!(document: $($rows)*) };
    }
    for_each_endpoint!(add);
    for_each_extension!(add);
    for_each_own_operation!(add);
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
}

impl Document {
    fn add<E: Endpoint>(&mut self) {
        let mut operation = json!({
            "operationId": E::NAME,
            "summary": E::SUMMARY,
            "tags": [E::PATH.split('/').nth(2).unwrap_or_default()],
            "parameters": parameters::<E>(),
            "responses": self.responses::<E>(),
        });
        if E::INPUT == Input::Body {
            let schema = self.shared(E::Params::schema());
            operation["requestBody"] =
                json!({"required": true, "content": {"application/json": {"schema": schema}}});
        }
        let path = self.paths.entry(E::PATH).or_insert_with(|| json!({}));
        path[E::METHOD.as_str().to_ascii_lowercase()] = operation;
    }

    fn responses<E: Endpoint>(&mut self) -> Value {
        let mut responses = Map::new();
        let schema = E::Response::schema();
        let success = if schema.is_null() {
            json!({"description": "Done. The body is empty."})
        } else {
            let schema = self.shared(schema);
            json!({"description": "Success.", "content": {"application/json": {"schema": schema}}})
        };
        responses.insert(E::STATUS.to_string(), success);
        let mut failures = vec![
            (401, "The key is missing, not valid or revoked."),
            (
                403,
                "The key has no access to the workspace in x-tenant-id.",
            ),
            (
                422,
                "The request is not valid; detail has an entry for each problem.",
            ),
            (
                429,
                "Too many requests for this workspace; Retry-After has the seconds to wait.",
            ),
        ];
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
        }
        for (status, description) in failures {
            let schema = json!({"$ref": "#/components/schemas/Error"});
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
                let object: Map<String, Value> = object
                    .into_iter()
                    .map(|(name, value)| (name, self.shared(value)))
                    .collect();
                // A property may be named "title" as well; that one is a schema, not a string.
                let Some(title) = object.get("title").and_then(Value::as_str) else {
                    return Value::Object(object);
                };
                let name = title.replace(' ', "_");
                let reference = json!({"$ref": format!("#/components/schemas/{name}")});
                self.schemas.insert(name, Value::Object(object));
                reference
            }
            other => other,
        }
    }
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
               "schema": param.json_schema()})
    });
    let tenant = json!({
        "name": "x-tenant-id", "in": "header", "required": false,
        "description": "One of the key's workspaces; the first one by default.",
        "schema": {"type": "string"},
    });
    ids.chain(query).chain([tenant]).collect()
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
