//! Error messages: each one says what happened, what was saved and what to do.

use std::time::Duration;

use lead_workspace::api::{CustomKind, Detail, LeadId, LeadQuery, LeadUpdate, NewApprovalStatus};
use lead_workspace::client::{
    CallFailure, CallOptions, Client, Error, ErrorKind, HttpResponse, TransportError,
};

use crate::support::{KEY, Wire, json, now};

/// Returns a client without retries.
fn once(wire: &std::sync::Arc<Wire>) -> Client {
    wire.client().with_options(CallOptions {
        retries: Some(0),
        ..CallOptions::default()
    })
}

fn read(answer: Result<HttpResponse, TransportError>) -> Error {
    let wire = Wire::answering([answer]);
    now(once(&wire).query_leads(&LeadQuery::default())).unwrap_err()
}

fn write(answer: Result<HttpResponse, TransportError>) -> Error {
    let update = LeadUpdate {
        approval_status: NewApprovalStatus::Approved,
    };
    let wire = Wire::answering([answer]);
    now(once(&wire).update_lead(&LeadId::new("l1"), &update)).unwrap_err()
}

#[test]
fn statuses_map_to_error_kinds() {
    assert_eq!(read(json(401, "{}")).kind, ErrorKind::KeyRefused);
    assert_eq!(read(json(403, "{}")).kind, ErrorKind::Forbidden);
    assert_eq!(read(json(404, "{}")).kind, ErrorKind::NotFound);
    assert_eq!(read(json(429, "{}")).kind, ErrorKind::RateLimited);
    assert_eq!(read(json(302, "")).kind, ErrorKind::Redirected);
    assert_eq!(read(json(500, "")).kind, ErrorKind::Status);
    assert!(read(json(500, "")).is_transient());
    assert!(!read(json(409, "{}")).is_transient());
}

#[test]
fn only_a_failure_that_may_pass_asks_for_another_try() {
    let later = "Try again in a moment.";
    assert!(read(json(503, "{}")).to_string().ends_with(later));
    assert!(!read(json(409, "{}")).to_string().contains(later));
}

#[test]
fn a_validation_error_names_the_field() {
    let body = r#"{"detail":[{"loc":["body","filters",0,"field"],"msg":"no such field","type":"enum","input":"x","ctx":null}]}"#;
    let error = read(json(422, body));
    assert!(
        matches!(&error.kind, ErrorKind::Validation(Detail::Entries(entries)) if entries.len() == 1)
    );
    assert!(
        error.to_string().contains("filters.0.field: no such field"),
        "{error}"
    );
    let error = read(json(422, "not json"));
    assert!(error.to_string().contains("without a reason"), "{error}");
    let error = read(json(422, r#"{"detail":"too long"}"#));
    assert!(error.to_string().contains("too long"), "{error}");
}

/// `/api/leads/fields` is the path of a lead there.
#[test]
fn a_server_without_custom_fields_is_told_from_a_failure() {
    fn read(status: u16, body: &str) -> Error {
        let wire = Wire::answering([json(status, body)]);
        now(once(&wire).get_lead_fields()).unwrap_err()
    }
    for (status, words) in [(404, "no lead"), (405, ""), (422, "no valid id"), (501, "")] {
        let body = match words {
            "" => "{}".to_owned(),
            words => format!(r#"{{"detail":"{words}"}}"#),
        };
        let error = read(status, &body);
        assert!(error.is_not_offered(), "{error}");
        let text = error.to_string();
        assert!(
            text.starts_with("This server does not list custom fields"),
            "{text}"
        );
        assert!(text.contains(words), "{text}");
        assert!(
            text.contains("Read them from custom_data of the leads."),
            "{text}"
        );
    }
    for (status, body) in [(500, "{}"), (403, "{}"), (429, "{}")] {
        assert!(!read(status, body).is_not_offered(), "{status}");
    }
    let wire = Wire::answering([json(
        200,
        r#"{"fields":[{"key":"Deal size","kind":"number","leads":2,"values":1}]}"#,
    )]);
    let fields = now(wire.client().get_lead_fields())
        .unwrap()
        .fields
        .unwrap();
    assert_eq!(fields[0].known_kind(), Some(CustomKind::Number));
}

#[test]
fn ten_thousand_messages_make_a_short_error_that_keeps_them_all() {
    let entry =
        |index| format!(r#"{{"loc":["body","lead_ids",{index}],"msg":"unknown","type":"x"}}"#);
    let entries: Vec<String> = (0..10_000).map(entry).collect();
    for status in [422, 404, 500] {
        let error = read(json(
            status,
            &format!(r#"{{"detail":[{}]}}"#, entries.join(",")),
        ));
        let text = error.to_string();
        assert!(
            text.contains("lead_ids.0: unknown; lead_ids.1: unknown"),
            "{text}"
        );
        assert!(
            text.contains("lead_ids.4: unknown, and 9,995 more"),
            "{text}"
        );
        assert!(text.len() < 400, "{text}");
        assert!(
            matches!(error.detail(), Some(Detail::Entries(entries)) if entries.len() == 10_000)
        );
    }
}

#[test]
fn retry_after_and_request_ids_are_kept() {
    let error = read(Ok(HttpResponse {
        status: 429,
        request_id: Some("req-7".into()),
        retry_after: Some(Duration::from_millis(3_200)),
        ..HttpResponse::default()
    }));
    assert_eq!(error.retry_after, Some(Duration::from_millis(3_200)));
    let text = error.to_string();
    assert!(text.contains("4 s") && text.contains("req-7"), "{text}");
}

#[test]
fn only_writes_can_be_ambiguous() {
    let network = || Err(TransportError::Network("Failed to fetch".into()));
    assert!(write(network()).ambiguous);
    assert!(!read(network()).ambiguous);
    assert!(write(Err(TransportError::Timeout)).ambiguous);
    for status in [408, 500, 502, 503, 504] {
        assert!(write(json(status, "")).ambiguous, "{status}");
    }
    assert!(
        write(json(200, "{")).ambiguous,
        "done, but the response was lost"
    );
    for status in [401, 403, 404, 409, 422, 429] {
        assert!(!write(json(status, "{}")).ambiguous, "{status}");
    }
    assert!(!write(Err(TransportError::Redirected)).ambiguous);
}

#[test]
fn an_html_page_is_not_a_valid_response() {
    let page = "<!doctype html><title>Sign in</title>";
    let declared = Ok(HttpResponse {
        status: 200,
        content_type: Some("text/html; charset=utf-8".into()),
        body: page.into(),
        ..HttpResponse::default()
    });
    for answer in [declared, json(200, page)] {
        let error = read(answer);
        assert!(matches!(error.kind, ErrorKind::Decode(_)), "{error}");
        assert!(error.to_string().contains("web page"), "{error}");
    }
    let error = read(json(502, page));
    assert!(!error.to_string().contains("doctype"), "{error}");
}

#[test]
fn bodies_must_be_utf_8() {
    let error = read(Ok(HttpResponse {
        status: 200,
        body: b"{\"data\":[{\"name\":\"\xff\"}]}".to_vec(),
        ..HttpResponse::default()
    }));
    assert!(error.to_string().contains("UTF-8"), "{error}");
}

#[test]
fn an_echoed_key_is_redacted() {
    let echo = format!(r#"{{"detail":"bad key {KEY}"}}"#);
    for status in [400, 409, 422, 500] {
        let error = read(json(status, &echo));
        assert!(!format!("{error} {error:?}").contains(KEY), "{error:?}");
    }
}

#[test]
fn the_headline_is_plain_and_the_servers_words_are_separate() {
    let error = read(json(500, r#"{"detail":"database is locked."}"#));
    assert_eq!(error.headline(), "The service failed");
    assert_eq!(error.server_words(), "500: database is locked");
    assert_eq!(
        error.summary(),
        "The service failed (500: database is locked)"
    );
    let error = read(json(403, r#"{"detail":"not yours"}"#));
    assert_eq!(error.headline(), "This key doesn't have access");
    assert_eq!(error.summary(), "This key doesn't have access: not yours");
    let error = read(json(200, "<html>"));
    assert_eq!(error.headline(), "The server sent an unexpected response");
    assert!(error.server_words().len() > 3);
}

#[test]
fn every_message_says_what_was_saved_and_what_to_do() {
    let troubles = [
        TransportError::Timeout,
        TransportError::Redirected,
        TransportError::TooLarge,
    ];
    let statuses = [400, 401, 403, 404, 409, 418, 422, 429, 500, 502, 503];
    let answers = troubles.into_iter().map(Err);
    let answers = answers.chain(statuses.map(|status| json(status, "{}")));
    for answer in answers.chain([json(200, "[]"), Err(TransportError::Network("".into()))]) {
        let error = write(answer);
        let text = error.to_string();
        assert!(
            text.contains(error.side_effect()) && !error.side_effect().is_empty(),
            "{text}"
        );
        assert!(
            text.contains(&error.remedy()) && !error.remedy().is_empty(),
            "{text}"
        );
        assert!(!text.contains(".."), "{text}");
    }
}

#[test]
fn times_and_sizes_are_human_readable() {
    let what = |kind| {
        let failure = CallFailure {
            kind,
            operation: "get_lead",
            writes: false,
            status: None,
            request_id: None,
            retry_after: None,
            ambiguous: false,
            attempts: 1,
        };
        Error::from(failure).summary()
    };
    for (milliseconds, text) in [
        (1, "1 ms"),
        (999, "999 ms"),
        (10_000, "10 s"),
        (9_573, "9.6 s"),
    ] {
        let what = what(ErrorKind::Timeout(Duration::from_millis(milliseconds)));
        assert_eq!(what, format!("The server did not respond within {text}"));
    }
    for (bytes, text) in [
        (100, "100 bytes"),
        (500_000, "488.2 KiB"),
        (32 << 20, "32 MiB"),
    ] {
        let what = what(ErrorKind::TooLarge(bytes));
        assert_eq!(what, format!("The response is larger than {text}"));
    }
}
