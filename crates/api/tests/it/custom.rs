//! Custom fields in requests.

use lead_workspace_api::{LeadOrder, LeadQuery, LeadSort, Request, custom_field, filter};
use serde_json::json;

#[test]
fn leads_are_sorted_by_a_column_or_a_custom_field() {
    let order = |text: &str| {
        let query = LeadQuery::from_wire(&json!({"sort_by": text}), "body");
        query.map(|query| query.sort_by).ok()
    };
    assert_eq!(order("name"), Some(LeadSort::Name.into()));
    let custom = LeadOrder::Custom("Deal size".into());
    assert_eq!(order("custom_data.Deal size").as_ref(), Some(&custom));
    let longest = "ü".repeat(200);
    assert_eq!(
        order(&format!("custom_data.{longest}")),
        Some(LeadOrder::Custom(longest.clone()))
    );
    for refused in [
        "custom_data.",
        "custom_data",
        "Deal size",
        &format!("custom_data.{longest}x"),
    ] {
        assert_eq!(order(refused), None, "{refused}");
    }
    let query = LeadQuery {
        filters: vec![filter(custom_field("Deal size")).gte(50_000)],
        sort_by: custom,
        ..LeadQuery::default()
    };
    let sent = serde_json::to_value(&query).unwrap();
    let condition = json!({"field": "custom_data.Deal size", "operator": "gte", "value": 50_000});
    assert_eq!(sent["filters"], json!([condition]));
    assert_eq!(sent["sort_by"], "custom_data.Deal size");
    assert_eq!(LeadQuery::from_wire(&sent, "body"), Ok(query));
}
