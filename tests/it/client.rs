//! Requests that are sent, and requests that are rejected before sending.

use lead_workspace::api::{
    AccountId, AccountScoring, ApprovalStatus, FacetSearch, JobId, LeadField, LeadId, LeadQuery,
    LeadScoring, LeadUpdate, LeadsUpdate, Method, NewApprovalStatus, Nullable, TenantId, filter,
};
use lead_workspace::client::{Config, Credentials, ErrorKind, HttpResponse};

use crate::support::{KEY, Wire, json, now};

#[test]
fn a_query_sends_key_and_body() {
    let wire = Wire::answering([json(
        200,
        r#"{"data":[{"lead_id":"l1"},{"lead_id":7}],"total":2}"#,
    )]);
    let query = LeadQuery {
        filters: vec![filter(LeadField::IcpTier).is_in(["A"])],
        search: Some("ada".into()),
        ..LeadQuery::default()
    };
    let page = now(wire.client().query_leads(&query)).unwrap();
    assert_eq!(page.data.len(), 1);
    assert_eq!(page.row_errors.len(), 1, "the invalid row is reported");

    let sent = &wire.sent()[0];
    assert_eq!(sent.method, Method::Post);
    assert_eq!(sent.url, "https://workspace.example/api/leads/query");
    assert!(sent.query.is_empty());
    let key = ("authorization", format!("Bearer {KEY}"));
    assert!(sent.headers.contains(&key));
    assert!(!sent.headers.iter().any(|(name, _)| *name == "x-tenant-id"));
    let body: serde_json::Value = serde_json::from_str(sent.body.as_ref().unwrap()).unwrap();
    assert_eq!(body["search"], "ada");
    assert_eq!(body["filters"][0]["operator"], "in");
}

#[test]
fn an_id_is_one_path_segment() {
    let answer = r#"{"lead_id":"a/b?c","approval_status":"approved"}"#;
    let wire = Wire::answering([json(200, answer)]);
    let update = LeadUpdate {
        approval_status: NewApprovalStatus::Approved,
    };
    let updated = now(wire.client().update_lead(&LeadId::new("a/b?c"), &update)).unwrap();
    assert_eq!(updated.approval_status, Some(ApprovalStatus::APPROVED));
    let sent = &wire.sent()[0];
    assert_eq!(sent.url, "https://workspace.example/api/leads/a%2Fb%3Fc");
    assert_eq!(
        sent.body.as_deref(),
        Some(r#"{"approval_status":"approved"}"#)
    );
}

#[test]
fn an_update_with_an_empty_response_succeeds() {
    let nothing = || {
        Ok(HttpResponse {
            status: 204,
            ..HttpResponse::default()
        })
    };
    let wire = Wire::answering([nothing(), nothing(), json(200, "")]);
    let client = wire.client();
    let lead = LeadId::new("a\"b");
    let update = LeadUpdate {
        approval_status: NewApprovalStatus::Approved,
    };
    let updated = now(client.update_lead(&lead, &update)).unwrap();
    assert_eq!(updated.lead_id.as_ref(), Some(&lead));
    assert_eq!(updated.approval_status, Some(ApprovalStatus::APPROVED));
    let many = LeadsUpdate {
        lead_ids: vec![lead.clone()],
        approval_status: Nullable::Set(NewApprovalStatus::Approved),
    };
    assert_eq!(now(client.update_leads(&many)).unwrap().updated, None);
    let error = now(client.update_lead(&lead, &update)).unwrap_err();
    assert!(
        matches!(error.kind, ErrorKind::Decode(_)),
        "a 200 response needs a body"
    );
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let marked = |status, body: &str| json(status, &["\u{feff}", body].concat());
    let wire = Wire::answering([
        marked(200, r#"{"name":"Ada"}"#),
        marked(200, r#"{"any":1}"#),
        marked(422, r#"{"detail":"no"}"#),
    ]);
    let client = wire.client();
    let lead = now(client.get_lead(&LeadId::new("a"))).unwrap();
    assert_eq!(lead.name.as_deref(), Some("Ada"));
    let any = now(client.request(Method::Get, "/api/any", None)).unwrap();
    assert_eq!(any.unwrap().text(), r#"{"any":1}"#);
    let refused = now(client.get_lead(&LeadId::new("a"))).unwrap_err();
    assert_eq!(refused.server_message(), "no");
}

#[test]
fn ids_that_change_the_path_are_rejected() {
    let wire = Wire::answering([]);
    let client = wire.client();
    for id in ["", ".", "..", "facets"] {
        let error = now(client.get_lead(&LeadId::new(id))).unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Argument(_)), "{id:?}");
        assert!(!error.ambiguous);
    }
    assert!(now(client.get_account(&AccountId::new(".."), &Default::default())).is_err());
    assert!(wire.sent().is_empty());
}

#[test]
fn limits_are_checked_before_sending() {
    let wire = Wire::answering([]);
    let query = LeadQuery {
        page_size: 101,
        ..LeadQuery::default()
    };
    let error = now(wire.client().query_leads(&query)).unwrap_err();
    assert!(error.to_string().contains("page_size"), "{error}");
    assert!(wire.sent().is_empty());
}

#[test]
fn unset_query_parameters_are_omitted() {
    let wire = Wire::answering([json(200, r#"{"items":[]}"#)]);
    let search = FacetSearch {
        field: "company".into(),
        q: "år & co".into(),
        limit: 5,
        selected: None,
        signal_run_id: None,
        signal_id: None,
        campaign_id: None,
    };
    now(wire.client().search_lead_facet(&search)).unwrap();
    let sent = &wire.sent()[0];
    let pairs: Vec<_> = sent
        .query
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    for pair in [("field", "company"), ("q", "år & co"), ("limit", "5")] {
        assert!(pairs.contains(&pair), "{pairs:?}");
    }
    assert_eq!(pairs.len(), 3);
    assert!(sent.body.is_none());
}

#[test]
fn requests_for_everything_need_an_opt_in() {
    let wire = Wire::answering([]);
    let client = wire.client();
    let statusless = LeadsUpdate {
        lead_ids: vec!["l1".into()],
        approval_status: Nullable::Null,
    };
    assert!(now(client.update_leads(&statusless)).is_err());
    assert!(now(client.score_leads(&LeadScoring::default())).is_err());
    let empty = LeadScoring {
        lead_ids: Some(Vec::new()),
        lead_list_ids: None,
    };
    assert!(now(client.score_leads(&empty)).is_err());
    assert!(now(client.score_accounts(&AccountScoring::default())).is_err());
    assert!(wire.sent().is_empty());

    let wire = Wire::answering([
        json(200, r#"{"updated":0}"#),
        json(202, r#"{"job_id":"j"}"#),
        json(202, r#"{"job_id":"j"}"#),
    ]);
    let mut config = Config::new("").unwrap();
    config.allow_update_without_status = true;
    config.allow_scoring_of_everything = true;
    let client = wire.client_of(config);
    now(client.update_leads(&statusless)).unwrap();
    now(client.score_leads(&LeadScoring::default())).unwrap();
    now(client.score_accounts(&AccountScoring::default())).unwrap();
    assert_eq!(wire.sent().len(), 3);
}

#[test]
fn tenant_and_key_headers_are_sent_only_if_set() {
    let wire = Wire::answering([json(200, r#"{"job_id":"j","status":"running"}"#)]);
    let credentials = Credentials::new(KEY)
        .and_then(|credentials| credentials.in_workspace(Some(TenantId::new("acme"))))
        .unwrap();
    let client = wire.client_of(Config::new("").unwrap().with(credentials));
    now(client.get_job(&JobId::new("j"))).unwrap();
    let sent = &wire.sent()[0];
    assert_eq!(sent.url, "/api/jobs/j");
    assert!(sent.headers.contains(&("x-tenant-id", "acme".into())));

    let wire = Wire::answering([json(401, "{}")]);
    let client = wire.client_of(Config::new("").unwrap());
    assert!(now(client.get_job(&JobId::new("j"))).is_err());
    let sent = &wire.sent()[0];
    assert!(
        !sent
            .headers
            .iter()
            .any(|(name, _)| *name == "authorization")
    );
}

#[test]
fn a_delete_accepts_an_empty_body() {
    let wire = Wire::answering([json(204, "")]);
    now(wire.client().delete_lead(&LeadId::new("l1"))).unwrap();
    assert_eq!(wire.sent()[0].method, Method::Delete);
}
