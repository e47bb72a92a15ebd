use http::Method;
use lead_workspace_api::endpoints::{self, Endpoint};
use lead_workspace_api::{for_each_endpoint, for_each_extension, for_each_own_operation};
use proptest::prelude::*;

use super::{RouteError, Routes, Template};

fn template(text: &str) -> Template {
    text.parse().unwrap()
}

/// Returns the upstream path of a request.
fn passes(routes: &Routes, method: &Method, path: &str) -> Result<String, RouteError> {
    routes.find(method, path).map(|route| route.path)
}

fn all() -> Routes {
    let routes = Routes::from_endpoints().with_jobs(&template("/v2/tasks/{id}"));
    routes
        .unwrap()
        .with(&template("/api/emails/reverse"))
        .unwrap()
}

/// Methods and path templates of the table.
fn table() -> Vec<(Method, &'static str)> {
    let mut table = Vec::new();
    macro_rules! add {
        ($(
            #[doc = $summary:literal]
            $name:ident $js:ident $type:ident: $method:ident $path:literal [$($id:ident: $id_type:ty)?];
                $input:ident $params:ty => $status:literal $response:ty; $retry:ident;
        )*) => {
            $(table.push((
                Method::from_bytes(endpoints::$type::METHOD.as_str().as_bytes()).unwrap(),
                endpoints::$type::PATH,
            ));)*
        };
    }
    for_each_endpoint!(add);
    for_each_extension!(add);
    for_each_own_operation!(add);
    table
}

#[test]
fn every_listed_operation_passes_unchanged() {
    let routes = Routes::from_endpoints();
    for (method, path) in table() {
        let path = path
            .replace("{lead_id}", "a%20b")
            .replace("{account_id}", "%C3%A9");
        let found = passes(&routes, &method, &path);
        if path.contains("jobs") {
            assert_eq!(
                found,
                Err(RouteError::NotListed),
                "only when their path is configured"
            );
        } else {
            assert_eq!(found, Ok(path));
        }
    }
}

#[test]
fn jobs_and_further_paths_pass_when_allowed() {
    let routes = all();
    let job = passes(&routes, &Method::GET, "/api/jobs/j-1");
    assert_eq!(job, Ok("/v2/tasks/j-1".into()));
    for method in [Method::GET, Method::POST] {
        let path = "/api/emails/reverse";
        assert_eq!(passes(&routes, &method, path), Ok(path.into()));
        assert_eq!(
            Routes::from_endpoints().find(&method, path),
            Err(RouteError::NotListed)
        );
    }
    assert!(
        Routes::from_endpoints()
            .with_jobs(&template("/api/jobs"))
            .is_err()
    );
    for outside in ["/import", "/api", "/{any}/x"] {
        assert!(
            Routes::from_endpoints().with(&template(outside)).is_err(),
            "{outside}"
        );
    }
}

#[test]
fn other_methods_are_rejected_with_the_allowed_ones() {
    let routes = all();
    let refused = routes.find(&Method::GET, "/api/leads/query");
    assert_eq!(refused, Err(RouteError::Method(vec![Method::POST])));
    // The name of a sibling path is not an id.
    let refused = routes.find(&Method::DELETE, "/api/leads/facets");
    let allowed = vec![Method::GET, Method::POST];
    assert_eq!(refused, Err(RouteError::Method(allowed)));
    for method in [
        Method::HEAD,
        Method::OPTIONS,
        Method::PUT,
        Method::TRACE,
        Method::CONNECT,
    ] {
        let refused = routes.find(&method, "/api/leads/x");
        assert!(matches!(refused, Err(RouteError::Method(_))), "{method}");
    }
}

#[test]
fn disguised_paths_are_rejected() {
    let routes = all();
    for hostile in [
        "/api/leads/..",
        "/api/leads/.",
        "/api/leads/%2e%2e",
        "/api/leads/%2E.",
        "/api/leads/.%2e",
        "/api/leads/a%2fb",
        "/api/leads/a%2Fb",
        "/api/leads/%2f",
        "/api/leads/a%5cb",
        "/api/leads/a\\b",
        "//api/leads/x",
        "/api//leads/x",
        "/api/leads//",
        "/api/leads/",
        "/api/leads/x/",
        "/api/leads/../../admin",
        "/api/leads/..;/admin",
        "/api/leads/..;a=b",
        "/api/leads/%2e%2e%3b",
        "/api/leads/%252e%252e",
        "/api/leads/a%252fb",
        "/api/leads/a%25252fb",
        "/api/leads/%255c",
        "/api/leads/%00",
        "/api/leads/a%0d%0ab",
        "/api/leads/%ff",
        "/api/leads/%",
        "/api/leads/%2",
        "/api/leads/%zz",
        "/api/accounts/%2e%2e/pulse",
        "/./api/leads/x",
        "",
    ] {
        let refused = routes.find(&Method::GET, hostile);
        assert!(
            matches!(refused, Err(RouteError::UnsafePath(_))),
            "{hostile}: {refused:?}"
        );
    }
    for unknown in [
        "/api/leads",
        "/api/lead/x",
        "/API/leads/x",
        "/api/leads/x/y",
        "/api/le%61ds/x",
        "/api/leads/%63hanges",
        "/api/leads/%66acets",
        "/admin",
        "/api/jobs",
        "/api/accounts/x/pulse/y",
        "/import",
        "/openapi.json",
        "/api/emails/other",
    ] {
        let refused = routes.find(&Method::GET, unknown).unwrap_err();
        assert!(!matches!(refused, RouteError::UnsafePath(_)), "{unknown}");
    }
}

#[test]
fn only_a_path_is_a_template() {
    for wrong in [
        "",
        "api",
        "/",
        "//",
        "/api/",
        "/api/..",
        "/api/{a}/../b",
        "/api/%2e",
        "/a?b",
        "/a b",
        "/api/{}",
        "/api/{a",
        "/api/x{a}",
        "/*",
    ] {
        assert!(wrong.parse::<Template>().is_err(), "{wrong}");
    }
}

/// Generates paths from parts that can make a path dangerous.
fn hostile() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("api"),
        Just("leads"),
        Just("accounts"),
        Just("facets"),
        Just("query"),
        Just("pulse"),
        Just("score"),
        Just("jobs"),
        Just(".."),
        Just("."),
        Just("%2e"),
        Just("%2E%2e"),
        Just("/"),
        Just("//"),
        Just("%2f"),
        Just("%5C"),
        Just("\\"),
        Just(";"),
        Just("%252e"),
        Just("%25"),
        Just("%"),
        Just("a"),
        Just("%00"),
        Just("%c3%a9"),
        Just("é"),
        Just("?"),
        Just("admin"),
        Just("%3b"),
        Just("{"),
    ];
    let parts = proptest::collection::vec(part, 0..8).prop_map(|parts| parts.concat());
    prop_oneof![
        parts.clone().prop_map(|rest| format!("/api/{rest}")),
        parts.clone().prop_map(|rest| format!("/api/leads/{rest}")),
        parts
            .clone()
            .prop_map(|rest| format!("/api/accounts/{rest}/pulse")),
        parts,
        ".*",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Everything that reaches the upstream is a listed path, also when it is decoded once or twice,
    /// its dots are resolved, or its parameters are cut off.
    #[test]
    fn only_listed_operations_pass(path in hostile(), at in 0..5_usize) {
        let methods = [Method::GET, Method::POST, Method::PATCH, Method::DELETE, Method::PUT];
        let Ok(sent) = passes(&all(), &methods[at], &path) else { return Ok(()) };
        prop_assert!(sent.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-_.~%".contains(&byte)));
        let shape = |sent: &str| {
            let parts: Vec<&str> = sent[1..].split('/').collect();
            table().iter().any(|(method, known)| {
                let known: Vec<&str> = known[1..].split('/').collect();
                *method == methods[at] && known.len() == parts.len()
                    && known.iter().zip(&parts).all(|(known, part)| {
                        if known.starts_with('{') { !part.is_empty() } else { known == part }
                    })
            }) || sent == "/api/emails/reverse" || (parts.len() == 3 && sent.starts_with("/v2/tasks/"))
        };
        prop_assert!(shape(&sent), "{path} became {sent}");
        let mut read = sent.clone();
        for _ in 0..2 {
            read = decoded(&read);
            prop_assert!(shape(&read), "{path} became {sent}, read as {read}");
            for part in read[1..].split('/') {
                let name = part.split(';').next().unwrap_or_default();
                prop_assert!(!matches!(name, "" | "." | ".."), "{path} became {sent}, read as {read}");
            }
        }
    }
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let code = text
            .get(at + 1..at + 3)
            .and_then(|code| u8::from_str_radix(code, 16).ok());
        match code {
            Some(code) if bytes[at] == b'%' => {
                out.push(code);
                at += 3;
            }
            _ => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
