//! How many fields, values and columns in memory there can be, and what an import does about its columns.

use http::StatusCode;
use serde_json::{Value, json};

use super::{FILE, field, fields, found, import, imported, query};
use crate::common::Service;

#[tokio::test]
async fn at_most_500_fields_are_queried() {
    let service = Service::empty().await;
    let (mut headers, mut values) = ("Name".to_owned(), "Ana".to_owned());
    for number in 0..510 {
        headers += &format!(",Key {number:03}");
        values += &format!(",{number}");
    }
    import(&service, "leads.csv", &format!("{headers}\n{values}\n")).await;
    assert_eq!(fields(&service).await.as_array().unwrap().len(), 500);
    assert_eq!(found(&service, "Key 499", "eq", json!(499)).await, "Ana");
    let beyond = json!({"field": "custom_data.Key 500", "operator": "is_set"});
    let answer = query(&service, json!({"filters": [beyond]})).await;
    assert_eq!(answer.locations(), [["body", "filters", "0", "field"]]);
    let all = query(&service, json!({})).await.json();
    assert_eq!(all["data"][0]["custom_data"]["Key 509"], "509");
}

#[tokio::test]
async fn a_field_with_more_than_1000_values_has_no_facet() {
    let service = Service::empty().await;
    let lines: String = (0..1_001)
        .map(|number| format!("Lead {number},{number},x\n"))
        .collect();
    import(&service, "leads.csv", &format!("Name,Number,Same\n{lines}")).await;
    assert_eq!(
        fields(&service).await,
        json!([
            field("Number", "number", 1_001, 1_001),
            field("Same", "text", 1_001, 1)
        ])
    );
    let facets =
        json!({"facets": [{"field": "custom_data.Same"}, {"field": "custom_data.Number"}]});
    let answer = service.call("POST", "/api/leads/facets", facets).await;
    assert_eq!(answer.locations(), [["body", "facets", "1", "field"]]);
    assert_eq!(answer.json()["detail"][0]["type"], "too_many_values");
    let answer = service
        .get("/api/leads/facets/search?field=custom_data.Number")
        .await;
    assert_eq!(answer.locations(), [["query", "field"]]);
    let answer = service
        .get("/api/leads/facets/search?field=custom_data.Same")
        .await;
    assert_eq!(answer.json()["items"][0]["count"], 1_001);
}

#[tokio::test]
async fn columns_of_custom_fields_fit_into_the_memory_of_the_index() {
    let service = imported().await;
    service.store.limit_index(1);
    for _ in 0..2 {
        for (key, expected) in [
            ("Deal size", "AnaBoCyEd"),
            ("Note", "AnaBoCyEd"),
            ("Hot", "AnaBoDi"),
        ] {
            assert_eq!(found(&service, key, "is_set", Value::Null).await, expected);
        }
    }
}

#[tokio::test]
async fn an_import_renames_and_leaves_out_columns() {
    let service = Service::empty().await;
    let map = "map=deal+size%3Dcustom_data.Value&map=Note%3Dskip";
    let path = format!("/import/preview?file_name=leads.csv&{map}");
    let preview = service
        .send(service.request("POST", &path, FILE))
        .await
        .json();
    let columns = preview["columns"].as_array().unwrap().iter();
    let columns = columns.map(|column| json!([column["header"], column["use"], column["key"]]));
    assert_eq!(
        Value::from_iter(columns),
        json!([
            ["Name", "name", null],
            ["Deal size", "custom", "Value"],
            ["Renewal", "custom", "Renewal"],
            ["Hot", "custom", "Hot"],
            ["Segment", "custom", "Segment"],
            ["Note", "skip", null],
        ])
    );
    assert_eq!(preview["leads"][0]["custom_data"]["Value"], "50000");
    let path = format!("/import?file_name=leads.csv&{map}");
    let answer = service.send(service.request("POST", &path, FILE)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let listed = fields(&service).await;
    let keys: Vec<&Value> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|field| &field["key"])
        .collect();
    assert_eq!(keys, ["Hot", "Renewal", "Segment", "Value"]);
}

#[tokio::test]
async fn a_preview_says_which_columns_cannot_be_queried() {
    let service = Service::empty().await;
    let preview = async |query: &str, text: String| {
        let request = service.request("POST", &format!("/import/preview?{query}"), text);
        service.send(request).await.json()["notes"].clone()
    };
    let lead = |topics: Value| json!({"name": "Ana", "Topics": topics}).to_string();
    assert_eq!(
        preview("format=jsonl", lead(json!(["a"]))).await,
        json!([
            "\"Topics\" are kept and shown with the leads, but leads cannot be filtered or sorted by them: a workspace has \
                at most 500 such columns, with names of at most 200 characters and values that are no lists or objects"
        ])
    );
    assert_eq!(preview("format=jsonl", lead(json!("a"))).await, json!([]));
    let headers: String = (0..503).map(|number| format!(",Key {number:03}")).collect();
    let notes = preview("format=csv", format!("Name{headers}\nAna\n")).await;
    assert!(
        notes[0]
            .as_str()
            .unwrap()
            .starts_with("\"Key 500\" and 2 more are kept"),
        "{notes}"
    );
}
