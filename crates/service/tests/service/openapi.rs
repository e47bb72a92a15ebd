//! The description of the API.

use lead_workspace_api::{
    AccountField, AccountQuery, FilterField, FilterSpec, LeadField, LeadQuery, Operator, Request,
};
use lead_workspace_logic::filter;
use serde_json::{Value, json};

use crate::common::{Service, without_key};

async fn document() -> Value {
    let service = Service::empty().await;
    let request = without_key(service.request("GET", "/openapi.json", ""));
    service.send(request).await.json()
}

/// Returns a check of a request against its schema in the document.
fn schema(document: &Value, name: &str) -> jsonschema::Validator {
    let schema = json!({
        "$ref": format!("#/components/schemas/{name}"),
        "components": document["components"],
    });
    jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .unwrap()
}

#[tokio::test]
async fn the_api_description_lists_every_operation() {
    let document = document().await;
    let operations: usize = document["paths"]
        .as_object()
        .unwrap()
        .values()
        .map(|path| path.as_object().unwrap().len())
        .sum();
    // Those of the table, and the stream of changes.
    assert_eq!(operations, 17);
    let schemas = document["components"]["schemas"].as_object().unwrap();
    assert!(schemas.contains_key("LeadListItem") && schemas.contains_key("LeadQuery"));
    let mut missing = Vec::new();
    references(&document, &mut |name| {
        if !schemas.contains_key(name) {
            missing.push(name.to_owned());
        }
    });
    assert!(missing.is_empty(), "{missing:?}");
}

fn references(value: &Value, found: &mut impl FnMut(&str)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        Value::Object(object) => {
            for (name, value) in object {
                match value.as_str() {
                    Some(path) if name == "$ref" => found(path.rsplit('/').next().unwrap()),
                    _ => references(value, found),
                }
            }
        }
        _ => {}
    }
}

#[tokio::test]
async fn links_lead_from_each_response_with_an_id() {
    let document = document().await;
    let links = |path: &str, method: &str, status: &str| {
        let links = &document["paths"][path][method]["responses"][status]["links"];
        let links = links.as_object().unwrap();
        links.keys().cloned().collect::<Vec<_>>().join(" ")
    };
    let of_lead = "delete_lead get_lead update_lead";
    assert_eq!(links("/api/leads/query", "post", "200"), of_lead);
    assert_eq!(links("/api/leads/{lead_id}", "patch", "200"), of_lead);
    assert_eq!(links("/api/leads/score", "post", "202"), "get_job");
    assert_eq!(links("/api/accounts/score", "post", "202"), "get_job");
    assert_eq!(
        links("/api/accounts/query", "post", "200"),
        "get_account get_account_pulse"
    );
    assert_eq!(links("/api/leads/{lead_id}", "get", "200"), of_lead);
    let get_lead = &document["paths"]["/api/leads/query"]["post"]["responses"]["200"]["links"];
    assert_eq!(
        get_lead["get_lead"]["parameters"]["lead_id"],
        "$response.body#/data/0/lead_id"
    );
}

#[tokio::test]
async fn ids_are_never_empty() {
    let document = document().await;
    for (name, accepts, refuses) in [
        ("LeadsUpdate", json!(["a"]), json!([""])),
        ("LeadScoring", json!(["a"]), json!(["a", ""])),
    ] {
        let schema = schema(&document, name);
        assert!(schema.is_valid(&json!({"lead_ids": accepts})), "{name}");
        assert!(!schema.is_valid(&json!({"lead_ids": refuses})), "{name}");
    }
    let parameters = |path: &str, index: usize| {
        document["paths"][path]["get"]["parameters"][index]["schema"].clone()
    };
    assert_eq!(parameters("/api/leads/{lead_id}", 0)["minLength"], 1);
    // In a query string, an empty value means that none is given.
    let signal_run = parameters("/api/leads/facets", 0);
    assert_eq!(
        signal_run,
        json!({"anyOf": [{"type": "string"}, {"type": "null"}]})
    );
}

/// Returns values of every kind and length, alone, in arrays and in pairs.
fn operands() -> Vec<Value> {
    let long = |length| json!("x".repeat(length));
    let scalars = [
        json!(""),
        json!("text"),
        json!("51-200"),
        json!(" Self-employed"),
        json!("9".repeat(30)),
        json!("2026-02-28"),
        json!("2026-02-30"),
        json!("2026-02-28T10:11:12.5Z"),
        json!("2026-02-28T10:11:12+05:30"),
        json!("2026-02-28T25:00:00Z"),
        json!(true),
        json!(-7),
        json!(1.5),
        json!(1e300),
        long(256),
        long(257),
        long(1_025),
    ];
    let mut all = vec![
        json!([]),
        json!(["a", 1]),
        json!([["a"]]),
        json!(vec!["a"; 1_000]),
        json!(vec!["a"; 1_001]),
        json!({}),
        Value::Null,
    ];
    for scalar in scalars {
        all.extend([json!([scalar]), json!([scalar, scalar]), scalar]);
    }
    all
}

fn agree<F: FilterField, Q: Request>(
    schema: &jsonschema::Validator,
    specs: impl Fn(Q) -> Vec<FilterSpec>,
) {
    let (mut accepted, mut refused) = (0, 0);
    for field in F::TEXTS.iter().chain([&"unknown"]) {
        for operator in Operator::TEXTS.iter().chain([&"unknown"]) {
            for value in operands() {
                let query =
                    json!({"filters": [{"field": field, "operator": operator, "value": value}]});
                let read = Q::from_wire(&query, "body");
                let read = read.and_then(|query| filter::read::<F>(&specs(query)));
                let accepts = read.is_ok();
                assert_eq!(
                    schema.is_valid(&query),
                    accepts,
                    "{query}: {:?}",
                    read.err()
                );
                *(if accepts { &mut accepted } else { &mut refused }) += 1;
            }
        }
    }
    assert!(accepted > 500 && refused > 500, "{accepted} {refused}");
}

#[tokio::test]
async fn the_schema_allows_the_filters_that_are_accepted_and_no_others() {
    let document = document().await;
    agree::<LeadField, LeadQuery>(&schema(&document, "LeadQuery"), |query| query.filters);
    agree::<AccountField, AccountQuery>(&schema(&document, "AccountQuery"), |query| query.filters);
}

#[tokio::test]
async fn the_schema_has_the_limits_of_a_search() {
    let document = document().await;
    let schema = schema(&document, "LeadQuery");
    for search in [
        json!(null),
        json!(""),
        json!(" a "),
        json!("a ".repeat(16)),
        json!("a ".repeat(17)),
        json!("x".repeat(256)),
        json!("x".repeat(257)),
    ] {
        let query = json!({"search": search});
        let read = LeadQuery::from_wire(&query, "body");
        assert_eq!(schema.is_valid(&query), read.is_ok(), "{query}");
    }
    // Whether a character is a space differs between languages for some of these.
    for space in (0..0xffff).filter_map(char::from_u32) {
        if space.is_whitespace() || space.is_control() || "\u{180e}\u{200b}\u{feff}".contains(space)
        {
            let search = ["a"; 17].join(&space.to_string());
            let query = json!({"search": search});
            let read = LeadQuery::from_wire(&query, "body");
            assert_eq!(schema.is_valid(&query), read.is_ok(), "{space:?}");
        }
    }
    for page in [0, 1, u64::from(u32::MAX), u64::from(u32::MAX) + 1] {
        let query = json!({"page": page});
        let read = LeadQuery::from_wire(&query, "body");
        assert_eq!(schema.is_valid(&query), read.is_ok(), "{query}");
    }
}
