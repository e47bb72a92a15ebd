//! Response parsing by Rust's `Decode` and by `src/js/shapes.js`, on valid and corrupted bodies: both must accept the
//! same bodies and rows, and return the same values.
//!
//! They differ only where JSON.parse changes a text: duplicate members of a page, lone surrogates, integers written
//! with a point or an exponent, and numbers that a double cannot hold. The bodies here contain none of these.

use lead_workspace::api::{
    Account, AccountDetail, AccountPulse, Changes, Decode, FacetSearchResult, Facets, Job,
    JobState, LeadDetail, LeadListItem, LeadUpdated, LeadsUpdated, Page, Problem, ScoringStarted,
    Wire, for_each_endpoint, for_each_extension,
};
use serde_json::{Value, json};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::random::Random;

#[wasm_bindgen(module = "/src/js/shapes.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = read)]
    fn by_javascript(operation: &str, body: &[u8]) -> Result<JsValue, JsValue>;
}

/// Number of random bodies per operation.
const ROUNDS: u32 = 300;

/// A response in the form that JavaScript sees.
trait Seen: Decode + Wire {
    fn seen(self) -> Value;
}

macro_rules! seen_as_written {
    ($($model:ty)*) => {$(
        impl Seen for $model {
            fn seen(self) -> Value {
                serde_json::to_value(self).unwrap()
            }
        }
    )*};
}

seen_as_written! {
    LeadDetail LeadUpdated LeadsUpdated FacetSearchResult AccountDetail AccountPulse
    ScoringStarted Changes
}

macro_rules! seen_row_by_row {
    ($($row:ty)*) => {$(
        impl Seen for Page<$row> {
            fn seen(self) -> Value {
                let odd = self.row_errors.iter();
                let odd: Vec<Value> = odd
                    .map(|odd| json!({"index": odd.index, "raw": odd.raw.value(), "kept": odd.kept}))
                    .collect();
                let problems = places(&self.problems);
                let mut page = serde_json::to_value(self).unwrap();
                page["rowErrors"] = odd.into();
                page["problems"] = problems;
                page
            }
        }
    )*};
}

seen_row_by_row!(LeadListItem Account);

/// Returns the paths of the problems. Their texts may differ.
fn places(problems: &[Problem]) -> Value {
    problems.iter().map(|problem| problem.at.clone()).collect()
}

impl Seen for Facets {
    fn seen(self) -> Value {
        let problems = places(&self.problems);
        let mut facets = serde_json::to_value(self).unwrap();
        facets["problems"] = problems;
        facets
    }
}

impl Seen for Job {
    fn seen(self) -> Value {
        let state = match self.state() {
            JobState::Running => "running",
            JobState::Succeeded => "succeeded",
            JobState::Failed => "failed",
            JobState::Cancelled => "cancelled",
        };
        let word = self.status.as_ref().or(self.state.as_ref());
        let (word, progress) = (json!(word), json!(self.fraction()));
        let mut job = serde_json::to_value(self).unwrap();
        job["status"] = word;
        job["state"] = state.into();
        job["progress"] = progress;
        job
    }
}

impl Seen for () {
    fn seen(self) -> Value {
        Value::Null
    }
}

/// Parses a body on both sides. Returns whether it was accepted.
fn compare<T: Seen>(operation: &str, body: &[u8]) -> bool {
    let shown = || String::from_utf8_lossy(body).into_owned();
    let rust = T::decode(body);
    let javascript = by_javascript(operation, body);
    match (rust, javascript) {
        (Ok(rust), Ok(javascript)) => {
            let javascript = values(&javascript);
            let rust = rust.seen();
            assert!(
                same(&rust, &javascript),
                "{operation}: {}\n  Rust       {rust}\n  JavaScript {javascript}",
                shown()
            );
            true
        }
        (Err(_), Err(problem)) => {
            let message = String::from(js_sys::Error::from(problem).message());
            assert!(!message.is_empty() && message.len() < 200, "{message}");
            false
        }
        (rust, javascript) => panic!(
            "{operation}: only one side accepted it: {}\n  Rust       {:?}\n  JavaScript {javascript:?}",
            shown(),
            rust.err(),
        ),
    }
}

/// Returns JavaScript's result. Problems are reduced to their paths, because the texts may differ.
fn values(javascript: &JsValue) -> Value {
    if javascript.is_undefined() {
        return Value::Null;
    }
    let text = js_sys::JSON::stringify(javascript).unwrap();
    let mut value: Value = serde_json::from_str(&String::from(text)).unwrap();
    let odd = value.get_mut("rowErrors").and_then(Value::as_array_mut);
    for odd in odd.into_iter().flatten() {
        let reason = odd.as_object_mut().and_then(|odd| odd.remove("reason"));
        let explanation = reason.as_ref().and_then(Value::as_str).unwrap_or_default();
        assert!(explanation.contains("expected "), "{explanation}");
    }
    let problems = value.get_mut("problems").and_then(Value::as_array_mut);
    for problem in problems.into_iter().flatten() {
        let place = problem
            .as_str()
            .and_then(|explanation| explanation.split(": ").next());
        *problem = place.unwrap_or_default().into();
    }
    value
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
            // JavaScript also keeps the fields that the models do not know.
            a.iter().all(found)
        }
        (a, b) => a == b,
    }
}

fn agree<T: Seen>(operation: &str) {
    let mut random = Random::new(operation);
    let (mut taken, mut refused) = (0, 0);
    for _ in 0..ROUNDS {
        let good = random.fitting(&T::schema());
        assert!(
            compare::<T>(operation, good.to_string().as_bytes()),
            "{good}"
        );
        let mut spoiled = good;
        random.spoil(&mut spoiled);
        let mut body = spoiled.to_string().into_bytes();
        if random.below(8) == 0 {
            random.spoil_bytes(&mut body);
        }
        if compare::<T>(operation, &body) {
            taken += 1;
        } else {
            refused += 1;
        }
    }
    let nothing_to_read = T::schema().is_null();
    assert!(taken > 0, "every modified body was rejected");
    assert!(
        refused > 0 || nothing_to_read,
        "no modified body was rejected"
    );
}

macro_rules! agree_on_all {
    ($(
        #[doc = $summary:literal]
        $name:ident $js:ident $type:ident: $method:ident $path:literal [$($id:ident: $id_type:ty)?];
            $input:ident $params:ty => $status:literal $response:ty; $retry:ident;
    )*) => {$(
        #[wasm_bindgen_test]
        fn $name() {
            agree::<$response>(stringify!($name));
        }
    )*};
}

// `$crate` in the endpoint table is the contract's crate, which the client re-exports under another name.
for_each_endpoint!(agree_on_all);
for_each_extension!(agree_on_all);

#[wasm_bindgen_test]
fn stream_changes() {
    agree::<Changes>("stream_changes");
}

#[wasm_bindgen_test]
fn fields_are_in_contract_order_and_unknown_ones_follow() {
    let body = br#"{"lists": [], "name": "Ada", "lead_id": "l", "more": 1}"#;
    let page = [br#"{"data":["#, &body[..], b"]}"].concat();
    let read = by_javascript("query_leads", &page).unwrap();
    let row = js_sys::Reflect::get(&read, &"data".into()).unwrap();
    let row = js_sys::Array::from(&row).get(0);
    let names = js_sys::Object::keys(&row.into());
    let names: Vec<String> = names.iter().filter_map(|name| name.as_string()).collect();
    let fields = <LeadListItem as lead_workspace::api::Model>::fields();
    let fields = fields.iter().map(|field| field.name);
    let fields: Vec<&str> = fields.chain(["more"]).collect();
    assert_eq!(names, fields);
}

#[wasm_bindgen_test]
fn problems_are_reported_with_location_and_without_long_values() {
    let explanation = |operation: &str, body: &str| {
        let problem = by_javascript(operation, body.as_bytes()).unwrap_err();
        String::from(js_sys::Error::from(problem).message())
    };
    let of_a_row = |row: &str| {
        let page = format!(r#"{{"data": [{row}]}}"#);
        let page = by_javascript("query_leads", page.as_bytes()).unwrap();
        let text = String::from(js_sys::JSON::stringify(&page).unwrap());
        let page: Value = serde_json::from_str(&text).unwrap();
        page["rowErrors"][0]["reason"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        of_a_row(r#"{"lead_id": "l", "current_account": {"founded_year": "1999"}}"#),
        "current_account.founded_year: expected an integer, got a string"
    );
    assert_eq!(
        of_a_row(r#"{"lead_id": "l", "lists": [{}, {"list_id": 7}]}"#),
        "lists[1].list_id: expected a string, got 7"
    );
    let long = format!(r#"{{"lead_id": "l", "name": ["{}"]}}"#, "x".repeat(10_000));
    assert_eq!(of_a_row(&long), "name: expected a string, got an array");
    assert_eq!(
        of_a_row(r#"{"name": 7}"#),
        "lead_id: expected a string, got null; name: expected a string, got 7"
    );
    assert_eq!(
        explanation("get_lead", "[]"),
        "expected an object, got an array"
    );
    assert!(explanation("get_lead", "<html>secret</html>").starts_with("the body is not JSON"));
    assert!(!explanation("get_lead", "<html>secret</html>").contains("secret"));
}
