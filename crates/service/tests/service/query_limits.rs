//! Queries with very many conditions: refused as the contract specifies, or answered.

use serde_json::{Value, json};

use crate::common::Service;

const QUERIES: [&str; 2] = ["/api/leads/query", "/api/accounts/query"];

#[tokio::test]
async fn too_many_filters_are_rejected_with_their_location() {
    let service = Service::demo(5).await;
    for path in QUERIES {
        let filter = json!({"field": "name", "operator": "neq", "value": "x"});
        let most = service
            .call("POST", path, json!({"filters": vec![&filter; 100]}))
            .await;
        assert_eq!(most.status, 200, "{path}: {}", most.text);
        let over = service
            .call("POST", path, json!({"filters": vec![&filter; 101]}))
            .await;
        assert_eq!(over.status, 422, "{path}: {}", over.text);
        assert_eq!(over.locations(), [["body", "filters"]]);
        let entry = over.json()["detail"][0].clone();
        assert_eq!(entry["type"], "too_long");
        assert_eq!(
            entry["ctx"],
            json!({"max_length": 100, "actual_length": 101})
        );
    }
}

/// The widest filters, as often as allowed.
#[tokio::test]
async fn the_maximum_number_of_filters_is_accepted() {
    let service = Service::demo(30).await;
    let words: Vec<String> = (0..50).map(|word| format!("w{word}")).collect();
    let days: Vec<String> = (1..=28).map(|day| format!("2026-01-{day:02}")).collect();
    for filter in [
        json!({"field": "list_id", "operator": "not_in", "value": words}),
        json!({"field": "title", "operator": "not_in", "value": words}),
        json!({"field": "created_at", "operator": "not_in", "value": days}),
        json!({"field": "account_id", "operator": "neq", "value": "x"}),
    ] {
        let query = json!({"filters": vec![&filter; 100], "page_size": 1});
        let answer = service.call("POST", "/api/leads/query", query).await;
        assert_eq!(answer.status, 200, "{filter}: {}", answer.text);
        assert_eq!(answer.json()["total"], 30, "{filter}");
    }
}

#[tokio::test]
async fn hundreds_of_dates_are_accepted() {
    let service = Service::demo(40).await;
    let all: Vec<String> = {
        let query = json!({"page_size": 100});
        let answer = service.call("POST", "/api/leads/query", query).await.json();
        let rows = answer["data"].as_array().unwrap();
        let times = rows.iter().map(|row| row["created_at"].as_str().unwrap());
        times.map(str::to_owned).collect()
    };
    let total = async |operator: &str, values: &[String]| {
        let filter = json!({"field": "created_at", "operator": operator, "value": values});
        let mut totals = Vec::new();
        // Alone, and after another filter.
        for filters in [
            vec![filter.clone()],
            vec![json!({"field": "name", "operator": "is_set"}), filter],
        ] {
            let query = json!({"filters": filters, "page_size": 1});
            let answer = service.call("POST", "/api/leads/query", query).await;
            assert_eq!(answer.status, 200, "{}", answer.text);
            totals.push(answer.json()["total"].as_u64().unwrap());
        }
        assert_eq!(totals[0], totals[1]);
        totals[0]
    };
    let old = (0..900).map(|number| format!("{}-01-01", 1000 + number));
    let old: Vec<String> = old.collect();
    assert_eq!(total("in", &old).await, 0);
    assert_eq!(total("not_in", &old).await, 40);
    // The days of half of the leads, and their exact times.
    let half: Vec<&String> = all.iter().step_by(2).collect();
    let days: Vec<&str> = half.iter().map(|time| &time[..10]).collect();
    let on_days = all.iter().filter(|time| days.contains(&&time[..10]));
    let at_moments = all.iter().filter(|time| half.contains(time));
    for (values, expected) in [
        (
            days.iter().map(|day| (*day).to_owned()).collect::<Vec<_>>(),
            on_days.count() as u64,
        ),
        (
            half.iter().map(|time| (*time).clone()).collect(),
            at_moments.count() as u64,
        ),
    ] {
        let few = total("in", &values).await;
        let many = total("in", &[values.clone(), old.clone()].concat()).await;
        assert_eq!((few, many), (expected, expected));
        let without = total("not_in", &[values, old.clone()].concat()).await;
        assert_eq!(without, 40 - expected);
    }
    // Accounts have times as well.
    let filter = json!({"field": "created_at", "operator": "not_in", "value": old});
    let query = json!({"filters": [filter], "page_size": 1});
    let answer = service.call("POST", "/api/accounts/query", query).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert!(answer.json()["total"].as_u64().unwrap() > 0);
}

#[tokio::test]
async fn the_word_limit_of_a_search_is_enforced() {
    let service = Service::demo(30).await;
    let found = |answer: &Value| answer["total"].as_u64().unwrap();
    for path in QUERIES {
        for word in ["a", "zq", "sales", "zzzz"] {
            let one = service.call("POST", path, json!({"search": word})).await;
            let words = vec![word; 16].join(" ");
            let many = service.call("POST", path, json!({"search": words})).await;
            assert_eq!(many.status, 200, "{path} {word}: {}", many.text);
            assert_eq!(found(&many.json()), found(&one.json()), "{path} {word}");
            let more = json!({"search": format!("{words} {word}")});
            let more = service.call("POST", path, more).await;
            assert_eq!(more.status, 422, "{path} {word}: {}", more.text);
            assert_eq!(more.json()["detail"][0]["type"], "too_many_words");
        }
        let long = service.call("POST", path, json!({"search": "ing".repeat(100)}));
        let long = long.await;
        assert_eq!(long.status, 422, "{path}: {}", long.text);
        assert_eq!(long.json()["detail"][0]["ctx"], json!({"max_length": 256}));
    }
    // Different short words that match every row: all conditions hold at once.
    let pairs = (0..16_u8).map(|pair| format!("{}{}", (97 + pair) as char, (98 + pair) as char));
    let pairs = pairs.collect::<Vec<_>>().join(" ");
    service
        .sql(&format!(
            "UPDATE leads SET name_folded = '{pairs}'; UPDATE accounts SET name_folded = '{pairs}'"
        ))
        .await;
    for path in QUERIES {
        let all = service.call("POST", path, json!({"search": pairs})).await;
        assert_eq!(all.status, 200, "{path}: {}", all.text);
        assert!(found(&all.json()) > 0, "{path}");
    }
}

#[tokio::test]
async fn too_many_selected_values_are_rejected() {
    let service = Service::demo(5).await;
    let search = async |selected: String| {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("field", "company")
            .append_pair("selected", &selected)
            .finish();
        let path = format!("/api/leads/facets/search?{query}");
        service.get(&path).await
    };
    for form in [
        |count: usize| json!(vec!["a"; count]).to_string(),
        |count: usize| vec!["a"; count].join(","),
    ] {
        assert_eq!(search(form(100)).await.status, 200);
        let refused = search(form(101)).await;
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert_eq!(refused.locations(), [["query", "selected"]]);
        assert!(refused.text.contains("at most 100"), "{}", refused.text);
    }
    let long = format!(
        "/api/leads/facets/search?field=company&q={}",
        "x".repeat(257)
    );
    assert_eq!(service.get(&long).await.status, 422);
}

#[tokio::test]
async fn too_many_ids_are_rejected_without_changes() {
    let service = Service::demo(5).await;
    let mut ids = vec![service.value::<String>("SELECT lead_id FROM leads").await];
    ids.resize(10_001, "x".to_owned());
    let update = |ids: &[String]| json!({"lead_ids": ids, "approval_status": "rejected"});
    let refused = service.call("PATCH", "/api/leads", update(&ids)).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(refused.text.contains("at most 10000"), "{}", refused.text);
    assert!(refused.text.len() < 2000, "{} bytes", refused.text.len());
    let done = service.call("PATCH", "/api/leads", update(&ids[..10_000]));
    assert_eq!(done.await.json()["updated"], 1);
}

/// The last representable day has no next day.
#[tokio::test]
async fn extreme_dates_can_be_compared() {
    let service = Service::demo(5).await;
    for (operator, value, total) in [
        ("lte", json!("9999-12-31"), 5),
        ("gt", json!("9999-12-31"), 0),
        ("eq", json!("9999-12-30"), 0),
        ("between", json!(["0001-01-01", "9999-12-31"]), 5),
    ] {
        let filter = json!({"field": "created_at", "operator": operator, "value": value});
        let query = json!({"filters": [filter]});
        let answer = service.call("POST", "/api/leads/query", query).await;
        assert_eq!(answer.status, 200, "{filter}: {}", answer.text);
        assert_eq!(answer.json()["total"], total, "{filter}");
    }
}
