//! The custom fields of leads, from the import to queries, facets and the list of fields.

mod limits;

use http::StatusCode;
use serde_json::{Value, json};

use super::common::{Answer, Service};
use super::import::options;

/// Numbers, dates, true and false, texts, and values of several kinds.
const FILE: &str = "\
Name,Deal size,Renewal,Hot,Segment,Note
Ana,50000,2026-01-31,TRUE,Retail,7
Bo,-1.5,2026-01-31T12:00:00Z,false,retail,n/a
Cy,1200000,2026-02-01,,Food,007
Di,,,true,Société,
Ed,50000.0,2025-12-31,,,\"<b>x</b>\"
";

async fn import(service: &Service, name: &str, text: &str) {
    let imported = service.import(text, options(name)).await.unwrap();
    assert_eq!(imported.counts.failed, 0);
}

async fn imported() -> Service {
    let service = Service::empty().await;
    import(&service, "leads.csv", FILE).await;
    service
}

async fn query(service: &Service, body: Value) -> Answer {
    service.call("POST", "/api/leads/query", body).await
}

/// Returns the names of the leads of a query, in order.
async fn names(service: &Service, body: Value) -> Vec<String> {
    let answer = query(service, body).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let body = answer.json();
    let leads = body["data"].as_array().unwrap().iter();
    leads
        .map(|lead| lead["name"].as_str().unwrap().to_owned())
        .collect()
}

async fn found(service: &Service, key: &str, operator: &str, value: Value) -> String {
    let field = format!("custom_data.{key}");
    let filter = json!({"field": field, "operator": operator, "value": value});
    names(
        service,
        json!({"filters": [filter], "sort_by": "name", "sort_dir": "asc"}),
    )
    .await
    .concat()
}

async fn fields(service: &Service) -> Value {
    let answer = service.get("/api/leads/fields").await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    answer.json()["fields"].clone()
}

fn field(key: &str, kind: &str, leads: u64, values: u64) -> Value {
    json!({"key": key, "kind": kind, "leads": leads, "values": values})
}

#[tokio::test]
async fn leads_are_filtered_by_every_kind_of_value() {
    let service = imported().await;
    for (key, operator, value, expected) in [
        ("Deal size", "gte", json!(50_000), "AnaCyEd"),
        ("Deal size", "gt", json!("50000"), "Cy"),
        ("Deal size", "lt", json!(0), "Bo"),
        ("Deal size", "between", json!([-2, 50_000]), "AnaBoEd"),
        ("Deal size", "eq", json!(50_000), "AnaEd"),
        ("Deal size", "eq", json!("many"), ""),
        ("Deal size", "not_in", json!(["50000", -1.5]), "CyDi"),
        ("Deal size", "contains", json!("5"), "AnaBoEd"),
        ("Deal size", "starts_with", json!("12"), "Cy"),
        ("Deal size", "is_not_set", Value::Null, "Di"),
        ("Renewal", "eq", json!("2026-01-31"), "AnaBo"),
        ("Renewal", "lte", json!("2026-01-31"), "AnaBoEd"),
        ("Renewal", "gt", json!("2026-01-31T11:00:00+00:00"), "BoCy"),
        ("Hot", "eq", json!(true), "AnaDi"),
        ("Hot", "neq", json!(true), "BoCyEd"),
        ("Segment", "eq", json!("RETAIL"), "AnaBo"),
        ("Segment", "contains", json!("ciete"), "Di"),
        ("Segment", "gt", json!("food"), "AnaBoDi"),
        ("Note", "eq", json!(7), "Ana"),
        ("Note", "eq", json!("007"), "Cy"),
        ("Note", "contains", json!("<B>"), "Ed"),
        ("Note", "gte", json!("m"), "Bo"),
        ("Unknown", "is_set", Value::Null, ""),
        ("Unknown", "is_not_set", Value::Null, "AnaBoCyDiEd"),
        ("Unknown", "gte", json!(5), ""),
    ] {
        let leads = found(&service, key, operator, value.clone()).await;
        assert_eq!(leads, expected, "{key} {operator} {value}");
    }
}

#[tokio::test]
async fn leads_are_sorted_by_a_custom_field() {
    let service = imported().await;
    for (key, dir, expected) in [
        ("Deal size", "asc", "BoAnaEdCyDi"),
        ("Deal size", "desc", "CyEdAnaBoDi"),
        ("Renewal", "asc", "EdAnaBoCyDi"),
        ("Note", "asc", "AnaCyEdBoDi"),
        ("Unknown", "asc", "AnaBoCyDiEd"),
    ] {
        let sort = json!({"sort_by": format!("custom_data.{key}"), "sort_dir": dir});
        assert_eq!(
            names(&service, sort).await.concat(),
            expected,
            "{key} {dir}"
        );
    }
    let too_long = format!("custom_data.{}", "x".repeat(201));
    for wrong in ["custom_data.", "Deal size", &too_long] {
        let answer = query(&service, json!({"sort_by": wrong})).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
    }
}

#[tokio::test]
async fn a_bound_of_another_kind_is_refused_with_an_example() {
    let service = imported().await;
    let filter = |key: &str, value: Value| json!({"field": format!("custom_data.{key}"), "operator": "gte", "value": value});
    let filters = [
        filter("Deal size", json!(1)),
        filter("Note", json!(5)),
        filter("Renewal", json!("soon")),
    ];
    let answer = query(&service, json!({"filters": filters})).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        answer.json()["detail"][0],
        json!({
            "loc": ["body", "filters", "1", "value"],
            "msg": "\"Note\" has values that are not numbers, such as \"007\"; compare it with a text",
            "type": "custom_kind",
            "input": 5,
            "ctx": {"expected": "text", "example": "\"007\""},
        })
    );
    assert_eq!(answer.locations()[1], ["body", "filters", "2", "value"]);
    let counted = json!({"filters": [filter("Note", json!(5))], "facets": [{"field": "company"}]});
    let answer = service.call("POST", "/api/leads/facets", counted).await;
    assert_eq!(answer.locations(), [["body", "filters", "0", "value"]]);
    let exported = json!({"filters": [filter("Note", json!(5))]});
    let answer = service.call("POST", "/export/leads", exported).await;
    assert_eq!(answer.locations(), [["body", "filters", "0", "value"]]);
}

#[tokio::test]
async fn facets_count_the_values_of_a_view() {
    let service = imported().await;
    let facets = json!([
        {"field": "custom_data.Segment"},
        {"field": "custom_data.Deal size", "selected": ["50000"]},
        {"field": "custom_data.Note", "q": "0"},
        {"field": "custom_data.Unknown"},
    ]);
    let hot = json!({"field": "custom_data.Hot", "operator": "is_not_set"});
    let values = |facet: &Value| -> Vec<Value> {
        let items = facet["items"].as_array().unwrap().iter();
        items
            .map(|item| json!([item["value"], item["label"], item["count"]]))
            .collect()
    };
    let all = service
        .call(
            "POST",
            "/api/leads/facets",
            json!({"facets": facets.clone()}),
        )
        .await
        .json();
    let all = &all["facets"];
    assert_eq!(all[0]["field"], "custom_data.Segment");
    // Within the selected values of the other facet. A value is shown as the first lead has it.
    assert_eq!(values(&all[0]), [json!(["Retail", "Retail", 1])]);
    assert_eq!(
        values(&all[1]),
        [
            json!(["50000", "50000", 2]),
            json!(["-1.5", "-1.5", 1]),
            json!(["1200000", "1200000", 1]),
        ]
    );
    assert_eq!(values(&all[2]), [Value::Null; 0]);
    assert_eq!(values(&all[3]), [Value::Null; 0]);
    let view = json!({"facets": facets, "filters": [hot]});
    let counts = service.call("POST", "/api/leads/facets", view).await.json();
    assert_eq!(
        values(&counts["facets"][1]),
        [
            json!(["50000", "50000", 1]),
            json!(["1200000", "1200000", 1])
        ]
    );
    assert_eq!(values(&counts["facets"][2]), [Value::Null; 0]);
    let path = "/api/leads/facets/search?field=custom_data.Segment&q=RET&selected=food";
    let found = service.get(path).await.json();
    assert_eq!(
        values(&found),
        [json!(["Food", "Food", 1]), json!(["Retail", "Retail", 2])]
    );
}

#[tokio::test]
async fn the_fields_of_a_workspace_follow_its_leads() {
    let service = imported().await;
    let mut expected = json!([
        field("Deal size", "number", 4, 3),
        field("Hot", "boolean", 3, 2),
        field("Note", "text", 4, 4),
        field("Renewal", "date", 4, 4),
        field("Segment", "text", 4, 3),
    ]);
    assert_eq!(fields(&service).await, expected);

    // An update and a new field.
    import(
        &service,
        "leads.csv",
        "Name,Deal size,Zip\nAna,unknown,01067\n",
    )
    .await;
    expected[0] = field("Deal size", "text", 4, 4);
    let zip = field("Zip", "text", 1, 1);
    expected.as_array_mut().unwrap().push(zip);
    assert_eq!(fields(&service).await, expected);
    assert_eq!(
        found(&service, "Zip", "starts_with", json!("010")).await,
        "Ana"
    );
    assert_eq!(
        found(&service, "Deal size", "eq", json!("Unknown")).await,
        "Ana"
    );

    // A deletion. The other leads have numbers again.
    let ana = json!({"search": "Ana"});
    let id = query(&service, ana).await.json()["data"][0]["lead_id"].clone();
    let path = format!("/api/leads/{}", id.as_str().unwrap());
    service.call("DELETE", &path, Value::Null).await;
    let left = fields(&service).await;
    assert_eq!(left[0], field("Deal size", "number", 3, 3));
    assert_eq!(left.as_array().unwrap().len(), 5);
    assert_eq!(
        found(&service, "Deal size", "gte", json!(50_000)).await,
        "CyEd"
    );

    // A decision changes none of it.
    let all = json!({"lead_ids": ["nobody"], "approval_status": "approved"});
    service.call("PATCH", "/api/leads", all).await;
    assert_eq!(fields(&service).await, left);
}

#[tokio::test]
async fn members_of_any_kind_are_kept_and_those_that_compare_are_queried() {
    let service = Service::empty().await;
    let leads = [
        json!({"name": "Ana", "Topics": ["a"], "Pieces": 7, "Big": 12_345_678_901_234_567_i64}),
        json!({"name": "Bo", "Topics": [{"b": 1}], "Pieces": "7.0", "Big": "12345678901234567"}),
    ];
    let lines = leads.map(|lead| lead.to_string()).join("\n");
    import(&service, "leads.jsonl", &lines).await;
    let listed = fields(&service).await;
    assert_eq!(
        listed,
        json!([
            field("Big", "text", 2, 1),
            field("Pieces", "number", 2, 1),
            field("Topics", "other", 2, 0)
        ])
    );
    assert_eq!(found(&service, "Topics", "is_set", Value::Null).await, "");
    assert_eq!(found(&service, "Pieces", "eq", json!(7)).await, "AnaBo");
    assert_eq!(
        found(&service, "Big", "eq", json!("12345678901234567")).await,
        "AnaBo"
    );
}
