//! Finds the operation of a request, built from the contract's table. An operation without a method here does not
//! compile.

use jiff::Timestamp;
use lead_workspace_api::{
    CHANGES_PATH, ChangesQuery, Endpoint, Input, Request as Params, endpoints, for_each_endpoint,
    for_each_extension, for_each_own_operation,
};
use lead_workspace_demo::id;
use lead_workspace_logic::params::{BODY_BYTES, entry, from_body, from_query};
use lead_workspace_logic::{credentials, messages};
use percent_encoding::percent_decode_str;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::changes::StreamPart;
use crate::error::Error;
use crate::{Request, Response, Workspace};

/// Longest request id that is repeated in the response, in bytes.
const REQUEST_ID_BYTES: usize = 128;

/// Status and body of a success.
type Answer = (u16, String);

impl Workspace {
    /// Answers a request that arrives at `now`.
    pub fn handle(&mut self, request: &Request<'_>, now: Timestamp) -> Response {
        self.requests += 1;
        let mut headers = vec![
            ("cache-control", "no-store".to_owned()),
            ("x-request-id", self.request_id(request, now)),
        ];
        let mut stream = None;
        let answer = match self.stream(request) {
            Some(part) => part.map(|part| {
                stream = Some(part.version);
                headers.push(("content-type", "text/event-stream".to_owned()));
                (200, part.text)
            }),
            None => self.answer(request, now),
        };
        self.commit(now);
        let (status, body) = answer.unwrap_or_else(|error| {
            let status = error.status();
            if status == 401 {
                headers.push(("www-authenticate", "Bearer".to_owned()));
            }
            (status, json(&error.body()))
        });
        if !body.is_empty() && stream.is_none() {
            headers.push(("content-type", "application/json".to_owned()));
        }
        Response {
            status,
            headers,
            body,
            stream,
        }
    }

    /// Begins the stream of changes, if the request is for it.
    fn stream(&self, request: &Request<'_>) -> Option<Result<StreamPart, Error>> {
        let is_stream = request.path == CHANGES_PATH && request.method == "GET";
        is_stream.then(|| {
            self.check_caller(request)?;
            let query = match request.last_event_id {
                Some(id) => format!("since={id}"),
                None => request.query.to_owned(),
            };
            let value = from_query::<ChangesQuery>(&query)?;
            let since = ChangesQuery::from_wire(&value, "query")?.since;
            Ok(self.stream_after(since.map(|since| since as i64)))
        })
    }

    fn request_id(&self, request: &Request<'_>, now: Timestamp) -> String {
        let given = request.request_id.filter(|id| id.len() <= REQUEST_ID_BYTES);
        given.map_or_else(
            || id(self.options.seed, "request", self.requests, now),
            str::to_owned,
        )
    }

    fn answer(&mut self, request: &Request<'_>, now: Timestamp) -> Result<Answer, Error> {
        let template = template(request.path)
            .ok_or_else(|| Error::NotFound(messages::unknown_path(request.path)))?;
        macro_rules! rows {
            ($(
                #[doc = $summary:literal]
                $name:ident $js:ident $type:ident: $method:ident $path:literal [$($id:ident: $id_type:ty)?];
                    $input:ident $params:ty => $status:literal $response:ty; $retry:ident;
            )*) => {$(
                if endpoints::$type::METHOD.as_str() == request.method && $path == template {
                    self.check_caller(request)?;
                    $(let $id: $id_type = path_id(template, request.path, stringify!($id))?;)?
                    let params = params::<endpoints::$type>(request)?;
                    let answer: $response = self.$name($($id,)? params, now)?;
                    let body = if $status == 204 { String::new() } else { json(&answer) };
                    return Ok(($status, body));
                }
            )*};
        }
        for_each_endpoint!(rows);
        for_each_extension!(rows);
        for_each_own_operation!(rows);
        let text = messages::method_not_allowed(request.method, request.path);
        Err(Error::MethodNotAllowed(text))
    }

    fn check_caller(&self, request: &Request<'_>) -> Result<(), Error> {
        let header = request.authorization;
        let header = header.ok_or(Error::Unauthorized(messages::KEY_REQUIRED))?;
        let key = credentials::bearer(header);
        let key = key.ok_or(Error::Unauthorized(messages::KEY_MALFORMED))?;
        let valid = self.options.api_key.as_deref();
        if key.is_empty() || valid.is_some_and(|valid| valid != key) {
            return Err(Error::Unauthorized(messages::KEY_INVALID));
        }
        match request.tenant_id.and_then(credentials::tenant_id) {
            Some(id) if id != self.options.tenant_id => {
                Err(Error::Forbidden(messages::no_access(id)))
            }
            _ => Ok(()),
        }
    }
}

/// Returns the path of the operations at a path, with its ids in braces. Names go before ids.
fn template(path: &str) -> Option<&'static str> {
    let mut all: Vec<&'static str> = Vec::new();
    macro_rules! add {
        ($(
            #[doc = $summary:literal]
            $name:ident $js:ident $type:ident: $method:ident $path:literal [$($id:ident: $id_type:ty)?];
                $input:ident $params:ty => $status:literal $response:ty; $retry:ident;
        )*) => { all.extend([$($path),*]) };
    }
    for_each_endpoint!(add);
    for_each_extension!(add);
    for_each_own_operation!(add);
    all.push(CHANGES_PATH);
    let found = all
        .into_iter()
        .filter(|template| id_in(template, path).is_some());
    found.min_by_key(|template| template.contains('{'))
}

/// Returns the id in a path, still encoded and empty if there is none; `None` if the path has another form.
fn id_in<'a>(template: &str, path: &'a str) -> Option<&'a str> {
    let mut segments = path.split('/').peekable();
    let mut id = "";
    for name in template.split('/') {
        let segment = segments.next()?;
        // As in the router of the service, only the end of a path cannot be an empty id.
        if name.starts_with('{') && (!segment.is_empty() || segments.peek().is_some()) {
            id = segment;
        } else if name != segment {
            return None;
        }
    }
    segments.next().is_none().then_some(id)
}

fn path_id<I: From<String>>(template: &str, path: &str, name: &'static str) -> Result<I, Error> {
    let encoded = id_in(template, path).unwrap_or_default();
    let decoded = percent_decode_str(encoded).decode_utf8();
    decoded.map(|id| I::from(id.into_owned())).map_err(|_| {
        let msg = "the id is not UTF-8 text";
        let loc = ["path", name];
        Error::Invalid(vec![entry(
            &loc,
            "string_unicode",
            msg,
            Value::Null,
            Map::new(),
        )])
    })
}

fn params<E: Endpoint>(request: &Request<'_>) -> Result<E::Params, Error> {
    let (value, root) = match E::INPUT {
        Input::Body if request.body.len() > BODY_BYTES => return Err(Error::TooLarge(BODY_BYTES)),
        Input::Body => (from_body(request.body)?, "body"),
        Input::Query => (from_query::<E::Params>(request.query)?, "query"),
        Input::Nothing => (Value::Object(Map::new()), "query"),
    };
    Ok(E::Params::from_wire(&value, root)?)
}

fn json(value: &impl Serialize) -> String {
    // Only a map with keys that are not strings could fail here; there is none.
    serde_json::to_string(value).unwrap_or_default()
}
