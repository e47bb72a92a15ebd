//! One malformed row does not hide the others.

use lead_workspace_api::shapes::{
    AccountLead, CampaignRef, FacetOption, ListScore, ProfileData, PulseCampaign, PulseChat, Shape,
};
use lead_workspace_api::{
    Account, Decode, FacetSearchResult, Facets, LeadDetail, LeadListItem, Model, Page, Raw, Row,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::models::{any_json, fitting_model};

fn decode<T: Row>(page: &Value) -> Page<T>
where
    Page<T>: Decode,
{
    Page::decode(page.to_string().as_bytes()).expect("the envelope is invalid")
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

    assert_eq!(page.data.len() + page.lost(), 3, "{name} = {value}");
    assert_eq!(page.lost() > 0, name == id && !value.is_string());
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
    fn a_lead_accepts_any_value_in_any_field(field in any::<usize>(), value in any_json()) {
        one_odd_row::<LeadListItem>(field, value);
    }

    #[test]
    fn an_account_accepts_any_value_in_any_field(field in any::<usize>(), value in any_json()) {
        one_odd_row::<Account>(field, value);
    }

    #[test]
    fn any_value_is_accepted_as_a_row(value in any_json()) {
        let page = decode::<LeadListItem>(&json!({"data": [value, {"lead_id": "a"}]}));
        prop_assert_eq!(page.data.last().and_then(Row::row_id), Some("a"));
    }

    #[test]
    fn any_bytes_decode_or_return_an_error(body in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Page::<LeadListItem>::decode(&body);
    }

    #[test]
    fn any_json_decodes_or_returns_an_error(body in any_json()) {
        let _ = Page::<Account>::decode(body.to_string().as_bytes());
    }

    #[test]
    fn a_whole_page_round_trips(mut rows in prop::collection::vec(fitting_model::<LeadListItem>(), 0..3)) {
        for row in &mut rows {
            row["lead_id"] = "a".into();
        }
        let page = decode::<LeadListItem>(&json!({"data": rows, "total": 2, "has_more": true, "page": 4, "page_size": 3}));
        prop_assert!(page.row_errors.is_empty());
        let text = serde_json::to_string(&page).unwrap();
        prop_assert_eq!(Page::decode(text.as_bytes()).unwrap(), page);
    }

    #[test]
    fn open_shapes_accept_any_json(value in any_json()) {
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
fn an_invalid_envelope_is_rejected() {
    for body in ["", "[]x", "42", "[[], 0, false, 1, 50]", r#"{"data": 7}"#] {
        assert!(
            Page::<LeadListItem>::decode(body.as_bytes()).is_err(),
            "{body}"
        );
    }
}

#[test]
fn a_row_keeps_valid_fields_and_reports_invalid_ones() {
    let row = json!({
        "lead_id": "a",
        "name": 7,
        "current_account": {"name": "Acme", "founded_year": "1999"},
        "intent": "odd",
        "lists": [null, {"list_id": "l", "list_name": []}, 5],
    });
    let page = decode::<LeadListItem>(&json!({"data": [row, {"lead_id": 7}], "total": 2}));
    let [lead] = &page.data[..] else {
        panic!("{:?}", page.data);
    };
    let company = lead.current_account.as_ref().unwrap();
    assert_eq!((lead.row_id(), lead.name.as_deref()), (Some("a"), None));
    assert_eq!(
        (company.name.as_deref(), company.founded_year),
        (Some("Acme"), None)
    );
    assert!(lead.intent.is_none());
    let lists = lead.lists.as_ref().unwrap();
    assert_eq!(lists.len(), 1);
    assert_eq!(lists[0].list_id.as_ref().map(AsRef::as_ref), Some("l"));
    assert_eq!(
        page.row_errors[0].reason,
        "name: expected a string, got 7; \
         current_account.founded_year: expected an integer, got a string; \
         intent: expected an object, got a string; \
         lists[1].list_name: expected a string, got an array; \
         lists[2]: expected an object, got 5"
    );
    let kept: Vec<bool> = page.row_errors.iter().map(|odd| odd.kept).collect();
    assert_eq!(kept, [true, false], "a row needs its id");
}

#[test]
fn a_row_without_an_id_is_reported_and_left_out() {
    let rows = json!([{"lead_id": "a"}, {"name": "Ada"}, {"lead_id": null, "name": 7}]);
    let page = decode::<LeadListItem>(&json!({"data": rows, "total": 3}));
    assert_eq!((page.data.len(), page.lost(), page.total), (1, 2, Some(3)));
    let reasons: Vec<&str> = page.row_errors.iter().map(|row| &row.reason[..]).collect();
    assert_eq!(
        reasons,
        [
            "lead_id: expected a string, got null",
            "lead_id: expected a string, got null; name: expected a string, got 7"
        ]
    );
    let accounts = decode::<Account>(&json!({"data": [{"name": "Acme"}]}));
    assert_eq!(
        accounts.row_errors[0].reason,
        "id: expected a string, got null"
    );
}

#[test]
fn nulls_in_a_list_are_not_reported() {
    let page = decode::<LeadListItem>(&json!({"data": [{"lead_id": "a", "lists": [null]}]}));
    assert_eq!(page.data[0].lists.as_deref(), Some(&[][..]));
    assert!(page.row_errors.is_empty());
}

#[test]
fn a_page_with_an_unusual_envelope_keeps_its_rows() {
    for (envelope, problem) in [
        (
            json!({"total": -1}),
            "total: expected an integer from 0, got -1",
        ),
        (
            json!({"total": "many"}),
            "total: expected an integer from 0, got a string",
        ),
        (
            json!({"total": 1}),
            "total: expected no fewer rows than are on this page, got 1",
        ),
        (
            json!({"has_more": 1}),
            "has_more: expected true or false, got 1",
        ),
        (
            json!({"page_size": 2.5}),
            "page_size: expected an integer from 0, got 2.5",
        ),
    ] {
        let mut body = envelope;
        body["data"] = json!([{"lead_id": "a"}, {"lead_id": "b"}]);
        let page = decode::<LeadListItem>(&body);
        assert_eq!((page.data.len(), page.total), (2, None), "{problem}");
        let shown: Vec<String> = page.problems.iter().map(ToString::to_string).collect();
        assert_eq!(shown, [problem]);
    }
}

#[test]
fn an_invalid_facet_does_not_affect_others() {
    let body = json!({
        "icp_tiers": ["A", null, 7],
        "signals": "not a list",
        "lists": [null, {"list_id": "l"}],
        "intent_types": ["job_change"],
    });
    let facets = Facets::decode(body.to_string().as_bytes()).unwrap();
    assert_eq!(facets.icp_tiers, Some(vec!["A".to_owned()]));
    assert_eq!(facets.intent_types, Some(vec!["job_change".to_owned()]));
    assert!(facets.signals.is_none());
    assert_eq!(facets.lists.map(|lists| lists.len()), Some(1));
    let places: Vec<&str> = facets.problems.iter().map(|it| &*it.at).collect();
    assert_eq!(places, ["icp_tiers[2]", "signals"]);
}

#[test]
fn an_invalid_member_does_not_hide_the_rest_of_a_detail_or_search() {
    let lead = json!({"name": "Ada", "nurture": {"like_mode": "all", "is_active": "yes"}});
    let lead = LeadDetail::decode(lead.to_string().as_bytes()).unwrap();
    let nurture = lead.nurture.unwrap();
    assert_eq!(
        (nurture.like_mode.as_deref(), nurture.is_active),
        (Some("all"), None)
    );

    let found = json!({"items": [{"value": "a", "count": 2.5}, {"value": "b", "count": 2}]});
    let found = FacetSearchResult::decode(found.to_string().as_bytes()).unwrap();
    let counts: Vec<_> = found
        .items
        .unwrap()
        .into_iter()
        .map(|item| item.count)
        .collect();
    assert_eq!(counts, [None, Some(2)]);

    let account = Account::decode(br#"{"lead_count": "3", "linkedin_id": "acme"}"#).unwrap();
    assert_eq!(account.network_id.as_deref(), Some("acme"));
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let page = Page::<LeadListItem>::decode("\u{feff}{\"data\":[{\"lead_id\":\"a\"}]}".as_bytes())
        .unwrap();
    assert_eq!(page.data.len(), 1);
    assert!(LeadDetail::decode("\u{feff}{}".as_bytes()).is_ok());
}
