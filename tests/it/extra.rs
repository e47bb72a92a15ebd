//! What a call sends beyond the contract: headers, query parameters, members of the body.

use std::collections::BTreeMap;
use std::rc::Rc;

use lead_workspace::api::{
    FacetSearch, JobId, LeadId, LeadQuery, LeadUpdate, Method, NewApprovalStatus,
};
use lead_workspace::client::{
    CallOptions, ErrorKind, Extra, ExtraHeaders, HeaderError, HttpRequest,
};
use serde_json::{Value, json as value};

use crate::support::{Wire, config, json, now};

fn headers(pairs: &[(&str, &str)]) -> ExtraHeaders {
    let mut headers = ExtraHeaders::default();
    for (name, value) in pairs {
        headers.set(name, value).unwrap();
    }
    headers
}

fn sent_headers(request: &HttpRequest) -> BTreeMap<&str, &str> {
    let extra = request.extra_headers.iter();
    extra
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect()
}

fn options(query: &[(&str, &str)], body: &[(&str, Value)]) -> CallOptions {
    let text = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let mut extra = Extra {
        query: query.iter().map(text).collect(),
        ..Extra::default()
    };
    for (name, value) in body {
        extra.add_member(name, value);
    }
    with_extra(extra)
}

fn with_headers(pairs: &[(&str, &str)]) -> CallOptions {
    with_extra(Extra {
        headers: headers(pairs),
        ..Extra::default()
    })
}

fn with_extra(extra: Extra) -> CallOptions {
    CallOptions {
        extra: Rc::new(extra),
        ..CallOptions::default()
    }
}

#[test]
fn headers_of_a_call_replace_those_of_the_client() {
    let wire = Wire::answering([json(200, "{}"), json(200, "{}")]);
    let mut config = config();
    config.extra_headers = headers(&[("X-Team", "sales"), ("x-trace-id", "1")]);
    let client = wire.client_of(config);
    now(client.get_lead(&LeadId::new("l1"))).unwrap();
    let own = client.with_options(with_headers(&[("X-TRACE-ID", "2")]));
    now(own.get_lead(&LeadId::new("l1"))).unwrap();
    let sent = wire.sent();
    assert_eq!(
        sent_headers(&sent[0]),
        BTreeMap::from([("x-team", "sales"), ("x-trace-id", "1")])
    );
    assert_eq!(
        sent_headers(&sent[1]),
        BTreeMap::from([("x-team", "sales"), ("x-trace-id", "2")])
    );
}

#[test]
fn headers_that_are_not_valid_or_not_the_callers_are_refused() {
    let set = |name: &str, value: &str| ExtraHeaders::default().set(name, value);
    for name in ["", "x y", "x:y", "x\ny", "ü"] {
        assert_eq!(
            set(name, "1"),
            Err(HeaderError::Name(name.into())),
            "{name}"
        );
    }
    for name in ["Authorization", "x-tenant-id", "CONTENT-TYPE", "accept"] {
        let owned = HeaderError::Owned(name.to_ascii_lowercase());
        assert_eq!(set(name, "1"), Err(owned), "{name}");
    }
    for text in ["a\r\nx-other: b", "a\n", "a\0", "\u{fc}", " a", "a "] {
        let problem = set("x-a", text).unwrap_err();
        assert_eq!(problem, HeaderError::Value("x-a".into()), "{text:?}");
    }
    for text in ["", "a b", "~!\"{}"] {
        set("x-a", text).unwrap();
    }
}

#[test]
fn debug_output_shows_no_values_of_headers() {
    let options = with_headers(&[("x-proxy-token", "s3cret")]);
    let told = format!("{options:?}");
    assert!(
        told.contains("x-proxy-token") && !told.contains("s3cret"),
        "{told}"
    );
}

#[test]
fn extra_parameters_are_added_to_the_query_and_to_the_body() {
    let wire = Wire::answering([json(200, r#"{"data":[]}"#), json(200, "{}")]);
    let client = wire.client();
    let extra = options(&[("debug", "1")], &[("cursor", value!({"after": 7}))]);
    let query = LeadQuery::default();
    now(client.with_options(extra.clone()).query_leads(&query)).unwrap();
    let search = FacetSearch {
        field: "company".into(),
        q: "a".into(),
        limit: 5,
        selected: None,
        signal_run_id: None,
        signal_id: None,
        campaign_id: None,
    };
    let extra = options(&[("debug", "1")], &[]);
    now(client.with_options(extra).search_lead_facet(&search)).unwrap();
    let sent = wire.sent();
    assert_eq!(sent[0].query, [("debug".into(), "1".into())]);
    let body: Value = serde_json::from_str(sent[0].body.as_deref().unwrap()).unwrap();
    assert_eq!(body["cursor"]["after"], 7);
    assert_eq!(body["page"], 1, "the contract's members are still there");
    assert!(sent[1].query.contains(&("q".into(), "a".into())));
    assert!(sent[1].query.contains(&("debug".into(), "1".into())));
}

#[test]
fn names_of_the_contract_and_members_of_no_body_are_refused() {
    let wire = Wire::answering([]);
    let reason = |options: CallOptions| {
        let client = wire.client().with_options(options);
        let error = now(client.query_leads(&LeadQuery::default())).unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Argument(_)), "{error:?}");
        error.to_string()
    };
    let known = "is a parameter of the contract";
    assert!(reason(options(&[("page", "2")], &[])).contains(known));
    assert!(reason(options(&[], &[("filters", value!([]))])).contains(known));

    let client = wire.client();
    let extra = client.with_options(options(&[], &[("note", value!(1))]));
    let error = now(extra.get_lead(&LeadId::new("l1"))).unwrap_err();
    assert!(error.to_string().contains("has no body"), "{error}");
    let error = now(extra.request(Method::Post, "/api/x", None)).unwrap_err();
    assert!(error.to_string().contains("is an argument"), "{error}");
    let update = LeadUpdate {
        approval_status: NewApprovalStatus::Approved,
    };
    let extra = client.with_options(options(&[], &[("approval_status", value!("x"))]));
    assert!(now(extra.update_lead(&LeadId::new("l1"), &update)).is_err());
    assert!(wire.sent().is_empty());
}

#[test]
fn requests_outside_of_the_table_and_polls_of_jobs_have_them_too() {
    let wire = Wire::answering([
        json(200, "{}"),
        json(200, r#"{"job_id":"j","status":"completed"}"#),
    ]);
    let client = wire.client().with_options(with_extra(Extra {
        headers: headers(&[("x-trace-id", "2")]),
        query: vec![("debug".into(), "1".into())],
        ..Extra::default()
    }));
    now(client.request(Method::Get, "/api/x?y=1", None)).unwrap();
    now(client.wait_for_job(&JobId::new("j"), |_| ())).unwrap();
    for sent in wire.sent() {
        assert_eq!(sent.query, [("debug".into(), "1".into())]);
        assert_eq!(sent_headers(&sent), BTreeMap::from([("x-trace-id", "2")]));
    }
}
