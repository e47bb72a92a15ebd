//! Shapes that the contract leaves open. `tests/js/readers.test.mjs` reads the same cases with the readers of the npm
//! package.

use lead_workspace_api::shapes::{FacetOption, ListScore, Shape};
use lead_workspace_api::{LeadListItem, Raw};
use serde_json::{Value, json};

fn cases(of: &str) -> Vec<Value> {
    let all = include_str!("../../../../tests/fixtures/shapes.json");
    let all: Value = serde_json::from_str(all).unwrap();
    all[of].as_array().unwrap().clone()
}

#[test]
fn scores_are_read_as_in_javascript() {
    for case in cases("scores") {
        let lead = json!({"lead_id": "a", "list_scores": case["list_scores"]});
        let lead: LeadListItem = serde_json::from_value(lead).unwrap();
        let scores = ListScore::read_all(lead.list_scores.as_deref().unwrap_or_default());
        let scores: Vec<Value> = scores.iter().map(|score| score.to_raw().value()).collect();
        assert!(same(&json!(scores), &case["scores"]), "{case}\n{scores:?}");

        let best = lead.best_score().map(|score| score.to_raw().value());
        let expected = case["best"]
            .as_u64()
            .map(|best| &case["scores"][best as usize]);
        assert!(
            same(&json!(best), expected.unwrap_or(&Value::Null)),
            "{case}\n{best:?}"
        );
    }
}

#[test]
fn custom_fields_are_read_as_in_javascript() {
    for case in cases("custom") {
        let lead = json!({"lead_id": "a", "custom_data": case["custom_data"]});
        let lead: LeadListItem = serde_json::from_value(lead).unwrap();
        let value = lead.custom(case["key"].as_str().unwrap());
        assert_eq!(value.unwrap_or_default(), case["value"], "{case}");
    }
}

#[test]
fn facet_options_are_read_as_in_javascript() {
    for case in cases("facets") {
        let facet = case["facet"].as_array().unwrap();
        let facet: Vec<Raw> = facet.iter().cloned().map(Raw::from).collect();
        let options = FacetOption::read_all(&facet).into_iter().map(
            |FacetOption {
                 value,
                 label,
                 count,
             }| json!({"value": value, "label": label, "count": count}),
        );
        assert_eq!(Value::from_iter(options), case["options"], "{case}");
    }
}

/// Returns whether two values are equal in JavaScript, which has a single number type.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let found = |(name, a): (&String, &Value)| b.get(name).is_some_and(|b| same(a, b));
            a.len() == b.len() && a.iter().all(found)
        }
        (a, b) => a == b,
    }
}
