//! Responses to requests that match no operation, are malformed, or break the contract.

use serde_json::json;

use crate::common::Service;

#[tokio::test]
async fn unknown_paths_and_methods_get_a_json_error() {
    let service = Service::empty().await;
    for path in [
        "/api",
        "/api/",
        "/api/nothing",
        "/api/leads/a/b",
        "/nothing",
        "/API/leads",
    ] {
        let answer = service.get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.json()["detail"].is_string(), "{path}");
    }
    for (method, path, allow) in [
        ("GET", "/api/leads/query", "POST"),
        ("PUT", "/api/leads/x", "DELETE,GET,HEAD,PATCH"),
        ("PATCH", "/api/leads/facets", "GET,HEAD,POST"),
        ("DELETE", "/api/accounts/x/pulse", "GET,HEAD"),
    ] {
        let answer = service.call(method, path, json!({})).await;
        assert_eq!(answer.status, 405, "{method} {path}");
        let detail = answer.detail();
        assert!(detail.contains(method) && detail.contains(path), "{detail}");
        let mut allowed: Vec<&str> = answer.headers["allow"]
            .to_str()
            .unwrap()
            .split(',')
            .collect();
        allowed.sort_unstable();
        assert_eq!(allowed.join(","), allow, "{method} {path}");
    }
}

#[tokio::test]
async fn invalid_json_is_reported_with_its_position() {
    let service = Service::empty().await;
    for (body, kind, line, column) in [
        ("{\n  \"page\": }", "json_invalid", 2, 11),
        ("{} {}", "json_invalid", 1, 4),
        ("\u{feff}\u{feff}{}", "json_invalid", 1, 1),
    ] {
        let answer = service
            .send(service.request("POST", "/api/leads/query", body))
            .await;
        assert_eq!(answer.status, 422, "{body}");
        let entry = answer.json()["detail"][0].clone();
        assert_eq!(
            (&entry["loc"], &entry["type"]),
            (&json!(["body"]), &json!(kind))
        );
        assert_eq!(entry["ctx"]["line"], line, "{body}: {entry}");
        assert_eq!(entry["ctx"]["column"], column, "{body}: {entry}");
    }
    let answer = service
        .send(service.request("POST", "/api/leads/query", ""))
        .await;
    assert_eq!(answer.json()["detail"][0]["type"], "missing");
    let deep = "[".repeat(100_000);
    let answer = service
        .send(service.request("POST", "/api/leads/query", deep))
        .await;
    assert_eq!(answer.status, 422);
    let answer = service
        .send(service.request("POST", "/api/leads/query", vec![0xff, 0xfe]))
        .await;
    assert_eq!(answer.locations(), [["body"]]);
}

#[tokio::test]
async fn a_body_with_too_many_values_is_rejected_before_parsing() {
    let service = Service::empty().await;
    for part in ["0,", "[],", "{},", "\"\","] {
        let body = format!("{{\"filters\":[{}0]}}", part.repeat(50_000));
        let answer = service
            .send(service.request("POST", "/api/leads/query", body))
            .await;
        assert_eq!(answer.status, 422, "{part}");
        let entry = answer.json()["detail"][0].clone();
        assert_eq!(entry["type"], "too_many_values", "{entry}");
        assert!(entry["msg"].as_str().unwrap().contains("50000"), "{entry}");
    }
}

#[tokio::test]
async fn filter_values_must_match_their_fields() {
    let service = Service::empty().await;
    for (filter, place) in [
        (
            json!({"field": "shoe_size", "operator": "eq", "value": 1}),
            vec!["field"],
        ),
        (
            json!({"field": "icp_score", "operator": "gt", "value": "high"}),
            vec!["value"],
        ),
        (
            json!({"field": "icp_score", "operator": "in", "value": [1, "x"]}),
            vec!["value", "1"],
        ),
        (
            json!({"field": "is_premium", "operator": "eq", "value": "true"}),
            vec!["value"],
        ),
        (
            json!({"field": "name", "operator": "eq", "value": 5}),
            vec!["value"],
        ),
        (
            json!({"field": "created_at", "operator": "gte", "value": "soon"}),
            vec!["value"],
        ),
        (
            json!({"field": "created_at", "operator": "between", "value": ["2026-01-01", "x"]}),
            vec!["value", "1"],
        ),
        (
            json!({"field": "company_size", "operator": "gt", "value": "large"}),
            vec!["value"],
        ),
        (
            json!({"field": "name", "operator": "is_set", "value": 1}),
            vec!["value"],
        ),
        (
            json!({"field": "name", "operator": "contains", "value": ["a"]}),
            vec!["value"],
        ),
        (json!("name = x"), vec![]),
    ] {
        let answer = service
            .call("POST", "/api/leads/query", json!({"filters": [filter]}))
            .await;
        assert_eq!(answer.status, 422, "{filter}: {}", answer.text);
        let mut expected = vec!["body", "filters", "0"];
        expected.extend(place);
        assert_eq!(answer.locations(), [expected], "{filter}");
    }
    let unknown = json!({"filters": [{"field": "shoe_size", "operator": "eq", "value": 1}]});
    for (path, allowed) in [
        ("/api/leads/query", "icp_score"),
        ("/api/accounts/query", "lead_count"),
    ] {
        let answer = service.call("POST", path, unknown.clone()).await;
        let entry = answer.json()["detail"][0].clone();
        assert!(entry["msg"].as_str().unwrap().contains(allowed), "{entry}");
    }
}

#[tokio::test]
async fn query_strings_are_read_leniently_but_validated() {
    let service = Service::demo(20).await;
    for fine in [
        "field=company&limit=1&limit=1",
        "field=company&signal_id=",
        "field=company&unknown=1",
        "field=company&q=%C3%A9+x",
        "field=company&selected=a&selected=b",
    ] {
        let answer = service
            .get(&format!("/api/leads/facets/search?{fine}"))
            .await;
        assert_eq!(answer.status, 200, "{fine}: {}", answer.text);
    }
    for (wrong, name) in [
        ("field=company&limit=1&limit=2", "limit"),
        ("field=", "field"),
        ("field=icp_score", "field"),
        ("field=company&limit=", "limit"),
        ("field=company&limit=1e1", "limit"),
    ] {
        let answer = service
            .get(&format!("/api/leads/facets/search?{wrong}"))
            .await;
        assert_eq!(answer.status, 422, "{wrong}");
        assert_eq!(answer.locations(), [["query", name]], "{wrong}");
    }
}

#[tokio::test]
async fn every_problem_of_facets_is_reported_with_its_location() {
    let service = Service::demo(5).await;
    let body = json!({
        "filters": [{"field": "nope", "operator": "eq", "value": 1}],
        "facets": [{"field": "company"}, {"field": "icp_score"}, {"field": "shoe_size"}],
    });
    let answer = service.call("POST", "/api/leads/facets", body).await;
    assert_eq!(answer.status, 422);
    assert_eq!(
        answer.locations(),
        [
            vec!["body", "filters", "0", "field"],
            vec!["body", "facets", "1", "field"],
            vec!["body", "facets", "2", "field"],
        ]
    );
    let body = json!({"facets": [{"field": "company", "limit": 0}, {}]});
    let answer = service.call("POST", "/api/leads/facets", body).await;
    assert_eq!(
        answer.locations(),
        [
            ["body", "facets", "0", "limit"],
            ["body", "facets", "1", "field"]
        ]
    );
    let none = service.call("POST", "/api/leads/facets", json!({})).await;
    assert_eq!(none.json()["facets"], json!([]));
}
