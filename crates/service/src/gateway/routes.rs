//! Routes that may pass the gateway, and their paths at the upstream. Pure functions.

use http::Method;
use lead_workspace_api::endpoints;
use lead_workspace_api::{Input, Request as _, Retry, StreamChanges, for_each_endpoint, path};

use crate::scope::{NeedsScope, Scope};

/// A path with ids in braces: `/api/leads/{lead_id}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(Vec<Segment>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    Text(String),
    Id,
}

impl std::str::FromStr for Template {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let segments = text
            .strip_prefix('/')
            .ok_or_else(|| format!("{text:?} does not start with /"))?;
        let segments = segments.split('/').map(|segment| {
            let name = segment
                .strip_prefix('{')
                .and_then(|name| name.strip_suffix('}'));
            let is_plain = |text: &str| {
                let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
                !matches!(text, "" | "." | "..") && text.bytes().all(plain)
            };
            match name {
                Some(name) if is_plain(name) => Ok(Segment::Id),
                None if is_plain(segment) => Ok(Segment::Text(segment.to_owned())),
                _ => Err(format!(
                    "{text:?} is not a path: each segment must consist of letters, digits and \
                     -_.~, or be an id in braces such as {{lead_id}}"
                )),
            }
        });
        segments.collect::<Result<_, _>>().map(Self)
    }
}

impl Template {
    /// Returns the ids in a path, or `None` if the path does not match the template.
    fn ids<'a>(&self, segments: &[&'a str]) -> Option<Vec<&'a str>> {
        let fits = |(own, segment): (&Segment, &&str)| match own {
            Segment::Text(text) => text == segment,
            Segment::Id => true,
        };
        let matches = self.0.len() == segments.len() && self.0.iter().zip(segments).all(fits);
        let ids = self.0.iter().zip(segments);
        matches.then(|| {
            ids.filter(|(own, _)| **own == Segment::Id)
                .map(|(_, segment)| *segment)
                .collect()
        })
    }

    /// Whether a matching path has its names as they are: `%63hanges` would be an id for some servers, and `changes` for
    /// others.
    fn has_plain_names<'a>(&self, written: impl Iterator<Item = &'a str>) -> bool {
        let is_plain = |(own, written): (&Segment, &str)| match own {
            Segment::Text(text) => text == written,
            Segment::Id => true,
        };
        self.0.iter().zip(written).all(is_plain)
    }

    /// Fills in ids, each encoded so that it remains a single segment.
    fn fill(&self, ids: &[&str]) -> Result<String, RouteError> {
        let mut ids = ids.iter();
        let mut filled = String::new();
        for segment in &self.0 {
            filled.push('/');
            match segment {
                Segment::Text(text) => filled.push_str(text),
                Segment::Id => {
                    let id = ids.next().copied().unwrap_or_default();
                    let id = path::segment("the id", id, &[]);
                    filled
                        .push_str(&id.map_err(|error| RouteError::UnsafePath(error.to_string()))?);
                }
            }
        }
        Ok(filled)
    }

    fn id_count(&self) -> usize {
        self.0.iter().filter(|one| **one == Segment::Id).count()
    }
}

/// Reason why a request does not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RouteError {
    /// The path is not listed.
    NotListed,
    /// The path is listed, but only with these methods.
    Method(Vec<Method>),
    /// The path is written so that some servers could read it as another one.
    UnsafePath(String),
}

#[derive(Clone, Debug)]
struct Route {
    method: Method,
    path: Template,
    /// The name of the operation, for logs and metrics.
    operation: &'static str,
    /// The path at the upstream.
    upstream: Template,
    /// Whether the request may change something.
    is_write: bool,
    /// The scope that the caller's key needs.
    scope: Scope,
    /// Allowed query parameters; `None` for a path that is not in the table.
    query_names: Option<Vec<&'static str>>,
}

/// Destination of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpstreamRoute {
    /// The path at the upstream.
    pub path: String,
    /// The name of the operation; `allowed_path` if it is not in the table.
    pub operation: &'static str,
    /// Whether the request may change something there.
    pub is_write: bool,
    /// The scope that the caller's key needs.
    pub scope: Scope,
    query_names: Option<Vec<&'static str>>,
}

impl UpstreamRoute {
    /// Returns the query to send, rebuilt from the parameters that the table has, as our own
    /// service reads them. For a path that is not in the table, the query passes unchanged.
    pub fn query(&self, raw: &str) -> Option<String> {
        let Some(query_names) = &self.query_names else {
            return Some(raw.to_owned());
        };
        let pairs = form_urlencoded::parse(raw.as_bytes());
        let known = pairs.filter(|(name, _)| query_names.contains(&&**name));
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(known);
        Some(query.finish()).filter(|query| !query.is_empty())
    }
}

/// The routes that may pass.
#[derive(Clone, Debug)]
pub struct Routes(Vec<Route>);

impl Routes {
    /// Returns the operations of the contract's table, and the counts within a view, the custom fields and the stream of
    /// changes, which another service of this kind also has. An upstream without them answers 404 or 405.
    pub fn from_endpoints() -> Self {
        let mut routes = Self(Vec::new());
        macro_rules! add {
            ($(
                #[doc = $summary:literal]
                $name:ident $js:ident $type:ident: $method:ident $path:literal [$($id:ident: $id_type:ty)?];
                    $input:ident $params:ty => $status:literal $response:ty; $retry:ident;
            )*) => {
                $(routes.add_endpoint::<endpoints::$type>(None);)*
            };
        }
        for_each_endpoint!(add);
        routes.add_endpoint::<endpoints::QueryLeadFacets>(None);
        routes.add_endpoint::<endpoints::QueryAccountFacets>(None);
        routes.add_endpoint::<endpoints::GetLeadFields>(None);
        routes.add_endpoint::<StreamChanges>(None);
        routes
    }

    /// Adds the job status operation, with its path at the upstream.
    ///
    /// # Errors
    /// If that path does not have exactly one id.
    pub fn with_jobs(mut self, upstream: &Template) -> Result<Self, String> {
        if upstream.id_count() != 1 {
            return Err("the job path must have exactly one id, e.g. /api/jobs/{job_id}".into());
        }
        self.add_endpoint::<endpoints::GetJob>(Some(upstream));
        Ok(self)
    }

    /// Adds a further path, for `GET` and `POST`.
    ///
    /// # Errors
    /// If it is not below `/api/`: all other paths belong to the UI.
    pub fn with(mut self, allowed: &Template) -> Result<Self, String> {
        if allowed.0.len() < 2 || allowed.0[0] != Segment::Text("api".into()) {
            return Err("an allowed path must start with /api/".into());
        }
        for method in [Method::GET, Method::POST] {
            // The effect of a POST there is unknown.
            let is_write = method != Method::GET;
            let scope = if is_write { Scope::Admin } else { Scope::Read };
            self.0.push(Route {
                method,
                path: allowed.clone(),
                operation: "allowed_path",
                upstream: allowed.clone(),
                is_write,
                scope,
                query_names: None,
            });
        }
        Ok(self)
    }

    fn add_endpoint<E: NeedsScope>(&mut self, upstream: Option<&Template>) {
        // Both are constants of the table, and a test reads all of them.
        let method = Method::from_bytes(E::METHOD.as_str().as_bytes());
        if let (Ok(method), Ok(path)) = (method, E::PATH.parse::<Template>()) {
            let upstream = upstream.unwrap_or(&path).clone();
            let query_names = match E::INPUT {
                Input::Query => E::Params::params().iter().map(|param| param.name).collect(),
                Input::Body | Input::Nothing => Vec::new(),
            };
            self.0.push(Route {
                method,
                path,
                operation: E::NAME,
                upstream,
                is_write: E::RETRY != Retry::Read,
                scope: E::SCOPE,
                query_names: Some(query_names),
            });
        }
    }

    /// Finds the destination of a request.
    ///
    /// # Errors
    /// If the request may not pass.
    pub fn find(&self, method: &Method, raw: &str) -> Result<UpstreamRoute, RouteError> {
        let written = raw.strip_prefix('/').unwrap_or(raw).split('/');
        // The upstream's path is built from them.
        let decoded: Vec<String> = written
            .clone()
            .map(safe_segment)
            .collect::<Result<_, _>>()?;
        let segments: Vec<&str> = decoded.iter().map(String::as_str).collect();
        let mut found: Vec<(&Route, Vec<&str>)> = self
            .0
            .iter()
            .filter_map(|route| Some((route, route.path.ids(&segments)?)))
            .collect();
        // `/api/leads/facets` is not a lead, for any method.
        if let Some(fewest) = found.iter().map(|(_, ids)| ids.len()).min() {
            found.retain(|(_, ids)| ids.len() == fewest);
        }
        let Some((route, ids)) = found.iter().find(|(route, _)| route.method == *method) else {
            return Err(if found.is_empty() {
                RouteError::NotListed
            } else {
                RouteError::Method(
                    found
                        .iter()
                        .map(|(route, _)| route.method.clone())
                        .collect(),
                )
            });
        };
        if !route.path.has_plain_names(written) {
            return Err(RouteError::NotListed);
        }
        Ok(UpstreamRoute {
            path: route.upstream.fill(ids)?,
            operation: route.operation,
            is_write: route.is_write,
            scope: route.scope,
            query_names: route.query_names.clone(),
        })
    }
}

/// Decodes a segment. Refuses one that one server reads as a name and another as a different path.
fn safe_segment(segment: &str) -> Result<String, RouteError> {
    let hostile = |what: &str| Err(RouteError::UnsafePath(format!("the path {what}")));
    if segment.is_empty() {
        return hostile("has an empty segment");
    }
    let text = decode(segment)?;
    // Some servers cut a segment at its first semicolon before they check for dots.
    let name = text.split(';').next().unwrap_or_default();
    if matches!(name, "" | "." | "..") {
        return hostile("has an empty or dot segment");
    }
    if text.contains(['/', '\\']) {
        return hostile("has a slash or backslash within a segment");
    }
    if text.contains(char::is_control) {
        return hostile("has a control character");
    }
    let lower = text.to_ascii_lowercase();
    if ["%2e", "%2f", "%5c", "%25"]
        .iter()
        .any(|code| lower.contains(code))
    {
        return hostile("is encoded twice");
    }
    Ok(text)
}

fn decode(segment: &str) -> Result<String, RouteError> {
    let hostile = |what: &str| RouteError::UnsafePath(format!("the path {what}"));
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        let code = digit().zip(digit()).map(|(high, low)| high * 16 + low);
        let code = code.and_then(|code| u8::try_from(code).ok());
        bytes.push(code.ok_or_else(|| hostile("has an invalid percent-encoding"))?);
    }
    String::from_utf8(bytes).map_err(|_| hostile("is not UTF-8 text"))
}

#[cfg(test)]
#[path = "routes_tests.rs"]
mod tests;
