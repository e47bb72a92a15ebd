//! One odd row never hides the others.

use lead_workspace_api::shapes::{
    AccountLead, CampaignRef, FacetOption, ListScore, ProfileData, PulseCampaign, PulseChat, Shape,
};
use lead_workspace_api::{Account, Decode, LeadListItem, Model, Page, Raw, Row};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::models::{any_json, fitting_model};

fn decode<T: Row>(page: &Value) -> Page<T>
where
    Page<T>: Decode,
{
    Page::decode(page.to_string().as_bytes()).expect("the envelope is sound")
}

/// Puts `value` into one field of one of three rows.
fn one_odd_row<T: Row + Model>(field: usize, value: Value)
where
    Page<T>: Decode,
{
    let fields = T::fields();
    let name = fields[field % fields.len()].name;
    let id = fields[0].name;
    let mut rows: Vec<Value> = (0..3)
        .map(|n| json!({id: format!("row-{n}"), "name": "Ada"}))
        .collect();
    rows[1][name] = value.clone();
    let page = decode::<T>(
        &json!({"data": rows, "total": 3, "has_more": false, "page": 1, "page_size": 50}),
    );

    assert_eq!(
        page.data.len() + page.row_errors.len(),
        3,
        "{name} = {value}"
    );
    assert!(page.row_errors.len() <= 1, "{name} = {value}");
    assert_eq!(page.data[0].row_id(), Some("row-0"));
    assert_eq!(page.data.last().and_then(Row::row_id), Some("row-2"));
    for problem in &page.row_errors {
        assert_eq!(problem.index, 1);
        assert!(!problem.reason.is_empty());
        assert_eq!(problem.raw.value(), rows[1]);
    }
}

proptest! {
    #[test]
    fn any_value_in_any_field_of_a_lead(field in any::<usize>(), value in any_json()) {
        one_odd_row::<LeadListItem>(field, value);
    }

    #[test]
    fn any_value_in_any_field_of_an_account(field in any::<usize>(), value in any_json()) {
        one_odd_row::<Account>(field, value);
    }

    #[test]
    fn any_value_as_a_row(value in any_json()) {
        let page = decode::<LeadListItem>(&json!({"data": [value, {"lead_id": "a"}]}));
        prop_assert_eq!(page.data.last().and_then(Row::row_id), Some("a"));
    }

    #[test]
    fn any_bytes_decode_or_are_refused(body in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Page::<LeadListItem>::decode(&body);
    }

    #[test]
    fn any_json_decodes_or_is_refused(body in any_json()) {
        let _ = Page::<Account>::decode(body.to_string().as_bytes());
    }

    #[test]
    fn a_whole_page_round_trips(rows in prop::collection::vec(fitting_model::<LeadListItem>(), 0..3)) {
        let page = decode::<LeadListItem>(&json!({"data": rows, "total": 2, "has_more": true, "page": 4, "page_size": 3}));
        prop_assert!(page.row_errors.is_empty());
        let text = serde_json::to_string(&page).unwrap();
        prop_assert_eq!(Page::decode(text.as_bytes()).unwrap(), page);
    }

    #[test]
    fn readers_of_open_shapes_take_anything(value in any_json()) {
        let raw = Raw::from(value);
        let _ = (ListScore::read(&raw), ProfileData::read(&raw), CampaignRef::read(&raw));
        let _ = (PulseCampaign::read(&raw), PulseChat::read(&raw), AccountLead::read(&raw));
        let _ = FacetOption::read(&raw);
    }
}

#[test]
fn absent_and_null_read_alike() {
    let page = decode::<LeadListItem>(&json!({"data": null, "total": null}));
    assert_eq!(page, Page::default());
    assert_eq!(decode::<LeadListItem>(&json!({})), Page::default());
}

#[test]
fn an_envelope_that_is_no_envelope_is_refused() {
    for body in [
        "",
        "[]x",
        "42",
        "[[], 0, false, 1, 50]",
        r#"{"data": 7}"#,
        r#"{"total": -1}"#,
    ] {
        assert!(
            Page::<LeadListItem>::decode(body.as_bytes()).is_err(),
            "{body}"
        );
    }
}

#[test]
fn facet_options_in_each_shape() {
    let read = |value: Value| {
        FacetOption::read(&value.into()).map(|option| (option.value, option.label, option.count))
    };
    let option =
        |value: &str, label: &str, count| Some((value.to_owned(), label.to_owned(), count));
    assert_eq!(read(json!("A")), option("A", "A", None));
    assert_eq!(
        read(json!({"value": "a", "label": "Alpha", "count": 3})),
        option("a", "Alpha", Some(3))
    );
    assert_eq!(
        read(json!({"id": "a", "name": "Alpha"})),
        option("a", "Alpha", None)
    );
    assert_eq!(
        read(json!({"signal_id": "s", "signal_name": "Hiring"})),
        option("s", "Hiring", None)
    );
    assert_eq!(read(json!(7)), option("7", "7", None));
    assert_eq!(read(json!({"label": "nothing to filter by"})), None);
    assert_eq!(read(json!(null)), None);
}

#[test]
fn the_best_score_of_a_lead() {
    let lead: LeadListItem = serde_json::from_value(json!({"list_scores": [
        {"icp_score": 12.5, "icp_tier": "D"}, "odd", {"icp_score": 81, "icp_tier": "A"}, {"icp_tier": "B"},
    ]}))
    .unwrap();
    assert_eq!(
        lead.best_score()
            .and_then(|score| score.icp_tier)
            .as_deref(),
        Some("A")
    );
}
