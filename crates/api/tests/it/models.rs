//! Models survive a round trip; absent and null read the same.

use lead_workspace_api::{
    Account, AccountDetail, AccountPulse, ApprovalStatus, CampaignMembership, CurrentAccount,
    Decode, FacetItem, FacetSearchResult, Facets, Intent, Job, JobState, LeadDetail, LeadListItem,
    LeadListMembership, LeadUpdated, LeadsUpdated, ListRef, Model, Nurture, Raw, ScoringStarted,
};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// Any JSON value, a few levels deep.
pub fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        short_number().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(".{0,6}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Numbers with few digits, like scores. serde_json reads those exactly; the last digit of a 17-digit number
/// may differ, and only the raw text keeps it.
fn short_number() -> impl Strategy<Value = f64> {
    any::<i32>().prop_map(|number| f64::from(number) / 64.0)
}

/// A value that fits a field's schema.
fn fitting(schema: &Value) -> BoxedStrategy<Value> {
    if let Some(choices) = schema["anyOf"].as_array() {
        return proptest::strategy::Union::new(choices.iter().map(fitting)).boxed();
    }
    match schema["type"].as_str() {
        Some("null") => Just(Value::Null).boxed(),
        Some("string") => ".{0,16}".prop_map(Value::from).boxed(),
        Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
        // 32 bits fit into every integer type.
        Some("integer") => any::<u32>().prop_map(Value::from).boxed(),
        Some("number") => short_number().prop_map(Value::from).boxed(),
        Some("array") => prop::collection::vec(fitting(&schema["items"]), 0..3)
            .prop_map(Value::from)
            .boxed(),
        Some("object") if schema["properties"].is_object() => {
            let members = schema["properties"].as_object().expect("properties");
            let names: Vec<String> = members.keys().cloned().collect();
            let values: Vec<_> = members
                .values()
                .map(|schema| prop::option::of(fitting(schema)))
                .collect();
            values
                .prop_map(move |values| {
                    let members = names.iter().cloned().zip(values);
                    members
                        .filter_map(|(name, value)| Some((name, value?)))
                        .collect::<Map<_, _>>()
                        .into()
                })
                .boxed()
        }
        Some("object") => {
            prop::collection::btree_map(".{0,6}", fitting(&schema["additionalProperties"]), 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect()))
                .boxed()
        }
        _ => any_json().boxed(),
    }
}

/// JSON that fits the model `T`.
pub fn fitting_model<T: lead_workspace_api::Wire>() -> BoxedStrategy<Value> {
    fitting(&T::schema())
}

fn round_trips<T>(json: &Value)
where
    T: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug + Model,
{
    let model: T = serde_json::from_value(json.clone())
        .unwrap_or_else(|error| panic!("{}: {error}\n{json}", T::NAME));
    let text = serde_json::to_string(&model).unwrap();
    let again: T = serde_json::from_str(&text).unwrap();
    assert_eq!(model, again, "{}", T::NAME);

    // Set values are unchanged, unset ones are null.
    let written: Value = serde_json::from_str(&text).unwrap();
    for field in T::fields() {
        let before = json.get(field.name).unwrap_or(&Value::Null);
        if !before.is_object() && !before.is_array() {
            assert_eq!(&written[field.name], before, "{}.{}", T::NAME, field.name);
        }
    }
    assert_eq!(written.as_object().map(Map::len), Some(T::fields().len()));
}

macro_rules! round_trip {
    ($($test:ident $model:ty;)*) => {$(
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(48))]
            #[test]
            fn $test(json in fitting_model::<$model>()) {
                round_trips::<$model>(&json);
            }
        }
    )*};
}

round_trip! {
    lead_list_item LeadListItem;
    list_ref ListRef;
    current_account CurrentAccount;
    intent Intent;
    lead_detail LeadDetail;
    lead_list_membership LeadListMembership;
    campaign_membership CampaignMembership;
    nurture Nurture;
    account Account;
    account_detail AccountDetail;
    account_pulse AccountPulse;
    facets Facets;
    facet_search_result FacetSearchResult;
    facet_item FacetItem;
    lead_updated LeadUpdated;
    leads_updated LeadsUpdated;
    scoring_started ScoringStarted;
    job Job;
}

proptest! {
    #[test]
    fn json_text_round_trips(value in any_json(), float in any::<f64>()) {
        let text = lead_workspace_api::json::text(&value);
        prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        // Null if the float is not finite.
        let value = json!(float);
        let text = lead_workspace_api::json::text(&value);
        if float.is_finite() {
            prop_assert_eq!(text.parse::<f64>().unwrap(), float);
            prop_assert!(serde_json::from_str::<Value>(&text).unwrap().is_f64());
        } else {
            prop_assert_eq!(text, "null");
        }
    }
}

#[test]
fn network_id_is_also_read_as_linkedin_id() {
    let read = |json: Value| serde_json::from_value::<Account>(json).unwrap().network_id;
    assert_eq!(read(json!({"linkedin_id": "b"})).as_deref(), Some("b"));
    assert_eq!(read(json!({"network_id": "a"})).as_deref(), Some("a"));
    assert_eq!(
        read(json!({"linkedin_id": "b", "network_id": "a"})).as_deref(),
        Some("a")
    );
    assert_eq!(
        read(json!({"linkedin_id": "b", "network_id": null})).as_deref(),
        Some("b")
    );
    let detail = serde_json::from_value::<AccountDetail>(json!({"linkedin_id": "b"})).unwrap();
    let written = serde_json::to_value(detail).unwrap();
    assert_eq!(written["network_id"], "b");
    assert!(written.get("linkedin_id").is_none());
}

#[test]
fn only_an_object_is_a_model() {
    for body in [
        "[]",
        "[null]",
        "[\"a\", \"b\", \"c\"]",
        "null",
        "\"a\"",
        "7",
    ] {
        assert!(ListRef::decode(body.as_bytes()).is_err(), "{body}");
        assert!(LeadsUpdated::decode(body.as_bytes()).is_err(), "{body}");
    }
}

#[test]
fn the_last_duplicate_member_wins() {
    let body = br#"{"updated": 1, "updated": 2}"#;
    assert_eq!(LeadsUpdated::decode(body).unwrap().updated, Some(2));
}

#[test]
fn an_unknown_status_is_kept() {
    let status: ApprovalStatus = serde_json::from_str(r#""on_hold""#).unwrap();
    assert_eq!(status, ApprovalStatus::Unknown("on_hold".into()));
    assert_eq!(serde_json::to_string(&status).unwrap(), r#""on_hold""#);
    assert_eq!(ApprovalStatus::from("rejected"), ApprovalStatus::REJECTED);
}

#[test]
fn free_objects_keep_digits_and_member_order() {
    let text = r#"{"z":1.10,"a":123456789012345678901234567890,"e":"\u00e9"}"#;
    let lead = LeadListItem::decode(format!(r#"{{"custom_data":{text}}}"#).as_bytes()).unwrap();
    assert_eq!(lead.custom_data.as_ref().map(Raw::text), Some(text));
    assert!(serde_json::to_string(&lead).unwrap().contains(text));
}

#[test]
fn a_non_utf8_body_is_rejected() {
    let error = LeadDetail::decode(b"{\"name\":\"\xff\"}").unwrap_err();
    assert!(error.reason.contains("UTF-8"), "{error}");
}

#[test]
fn job_statuses_have_synonyms() {
    let job = |json: Value| serde_json::from_value::<Job>(json).unwrap();
    assert_eq!(
        job(json!({"status": "COMPLETED"})).state(),
        JobState::Succeeded
    );
    assert_eq!(job(json!({"state": "failed"})).state(), JobState::Failed);
    assert_eq!(
        job(json!({"status": "canceled"})).state(),
        JobState::Cancelled
    );
    assert_eq!(
        job(json!({"status": "reticulating"})).state(),
        JobState::Running
    );
    assert_eq!(job(json!({})).state(), JobState::Running);
    assert_eq!(job(json!({"progress": 0.25})).fraction(), Some(0.25));
    assert_eq!(job(json!({"progress": 40})).fraction(), Some(0.4));
    assert_eq!(
        job(json!({"progress": {"done": 1, "total": 4}})).fraction(),
        Some(0.25)
    );
    assert_eq!(
        job(json!({"progress": {"done": 0, "total": 0}})).fraction(),
        Some(1.0)
    );
    assert_eq!(job(json!({"progress": "soon"})).fraction(), None);
    assert_eq!(job(json!({"progress": 900})).fraction(), Some(1.0));
    for (word, state) in [
        ("Completed-With-Errors", JobState::Failed),
        ("TIMED OUT", JobState::Failed),
        ("expired", JobState::Failed),
        ("rejected", JobState::Failed),
        ("stopped", JobState::Cancelled),
        ("ok", JobState::Succeeded),
    ] {
        assert_eq!(job(json!({"status": word})).state(), state, "{word}");
    }
}

#[test]
fn progress_of_1_is_complete_only_when_the_job_succeeded() {
    let fraction = |status: &str| {
        let job = json!({"status": status, "progress": 1});
        serde_json::from_value::<Job>(job).unwrap().fraction()
    };
    assert_eq!(fraction("running"), None, "it may be one percent");
    assert_eq!(fraction("done"), Some(1.0));
}

#[test]
fn invalid_counts_are_omitted() {
    let read = |counts: &str| {
        let body = format!(r#"{{"classification_counts":{counts}}}"#);
        AccountPulse::decode(body.as_bytes()).map(|pulse| pulse.classification_counts)
    };
    let text = r#"{"a":1,"b":null,"c":0.5,"d":3.0,"e":-1,"f":-0.0,"g":"1","h":[{}],"i":true,"a":18446744073709551615,"j":1e20,"k":{"a":1}}"#;
    let counts = read(text).unwrap().unwrap();
    let known: Vec<_> = counts
        .known
        .iter()
        .map(|(name, count)| (&**name, *count))
        .collect();
    assert_eq!(known, [("a", u64::MAX), ("d", 3)]);
    assert_eq!(counts.unreadable, 9);
    let written = serde_json::to_value(&counts).unwrap();
    assert_eq!(written, json!({"a": u64::MAX, "d": 3}));
    assert_eq!(read("null").unwrap(), None);
    for no_counts_at_all in ["[1]", "7"] {
        assert_eq!(read(no_counts_at_all).unwrap(), None);
    }
}
