//! Attacks on the API and on connections.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;

use super::wire::{Answer, Target};

pub type Attack = (&'static str, fn(&Target));

pub const ALL: [Attack; 12] = [
    ("4,000,000 wrong ids", wrong_ids),
    ("as many wrong ids as fit", fewer_wrong_ids),
    ("200,000 ids", many_ids),
    ("a search of 8 MB", long_search),
    ("a search for one long word, and for many", wide_search),
    ("16,000 selected values", many_selected),
    ("a million nested arrays", nested),
    ("slow filters, many at once", slow_filters),
    ("large bodies, many at once", large_bodies),
    ("silent connections", silent),
    ("endless headers", endless_headers),
    ("bad keys", bad_keys),
];

/// Asserts that the request was refused with a short answer.
pub fn refused(answer: &Answer, status: u16) {
    assert_eq!(answer.status, status, "{:.500}", answer.body);
    let length = answer.body.len();
    assert!(length < 100_000, "{length} bytes were answered");
    println!("  {status} after {:.1?}, {length} bytes", answer.time);
}

fn wrong_ids(target: &Target) {
    let ids = "0,".repeat(4_000_000);
    let body = format!("{{\"approval_status\":\"approved\",\"lead_ids\":[{ids}0]}}");
    refused(&target.call("PATCH", "/api/leads", &body), 413);
}

fn fewer_wrong_ids(target: &Target) {
    for count in [500_000, 40_000, 9_999] {
        let ids = "0,".repeat(count);
        let body = format!("{{\"approval_status\":\"approved\",\"lead_ids\":[{ids}0]}}");
        refused(&target.call("PATCH", "/api/leads", &body), 422);
        // The error of a missing field has the body as its input; the response must stay short.
        refused(
            &target.call("PATCH", "/api/leads/x", &body.replace("approval", "other")),
            422,
        );
    }
}

fn many_ids(target: &Target) {
    for (count, status) in [(200_000, 413), (10_001, 422)] {
        let ids: Vec<String> = (0..count)
            .map(|number| format!("lead-{number:08}"))
            .collect();
        let body = json!({"approval_status": "approved", "lead_ids": ids}).to_string();
        refused(&target.call("PATCH", "/api/leads", &body), status);
        let body = json!({"lead_ids": ids}).to_string();
        refused(&target.call("POST", "/api/leads/score", &body), status);
    }
}

fn search(target: &Target, text: &str, status: u16) {
    let body = json!({"search": text}).to_string();
    refused(&target.call("POST", "/api/leads/query", &body), status);
    refused(&target.call("POST", "/api/accounts/query", &body), status);
}

fn long_search(target: &Target) {
    search(target, &"a ".repeat(4 << 20), 413);
}

fn wide_search(target: &Target) {
    search(target, &"ing".repeat(300_000), 422);
    let words: Vec<String> = (0..120_000).map(|number| format!("w{number}")).collect();
    search(target, &words.join(" "), 422);
    let filter = json!({"field": "name", "operator": "contains", "value": "ing".repeat(300_000)});
    let body = json!({"filters": [filter]}).to_string();
    refused(&target.call("POST", "/api/leads/query", &body), 422);
}

fn many_selected(target: &Target) {
    let search = |count| {
        format!(
            "/api/leads/facets/search?field=company&selected={}",
            "a,".repeat(count)
        )
    };
    refused(&target.call("GET", &search(16_000), ""), 422);
    refused(&target.call("GET", &search(40_000), ""), 431);
}

fn nested(target: &Target) {
    let deep = "[".repeat(1_000_000);
    refused(&target.call("POST", "/api/leads/query", &deep), 422);
    let wide = format!("{{\"filters\":[{}0]}}", "[0],".repeat(250_000));
    refused(&target.call("POST", "/api/leads/query", &wide), 422);
}

/// Runs an attack on many connections at once.
fn at_once(target: &Target, connections: usize, attack: impl Fn(&Target) + Copy + Send + Sync) {
    std::thread::scope(|scope| {
        for _ in 0..connections {
            scope.spawn(move || attack(target));
        }
    });
}

/// These requests respect every limit. Too many at once are refused with 503.
fn slow_filters(target: &Target) {
    let words: Vec<String> = (0..20).map(|number| format!("w{number}")).collect();
    for filter in [
        json!({"field": "title", "operator": "not_in", "value": words}),
        json!({"field": "title", "operator": "contains", "value": "a"}),
    ] {
        let body = json!({"filters": vec![filter; 100], "search": "a b c"}).to_string();
        at_once(target, 100, |target| {
            let answer = target.call("POST", "/api/leads/query", &body);
            assert!([200, 503].contains(&answer.status), "{}", answer.body);
        });
    }
}

fn large_bodies(target: &Target) {
    let ids = "[0],".repeat(20_000);
    let body = format!("{{\"lead_ids\":[{ids}0]}}");
    at_once(target, 80, |target| {
        let answer = target.call("PATCH", "/api/leads", &body);
        assert!([422, 503].contains(&answer.status), "{}", answer.body);
    });
}

/// The connections stay open until another request was answered.
fn silent(target: &Target) {
    let silent: Vec<TcpStream> = (0..400).map(|_| target.connect()).collect();
    let answer = target.call("POST", "/api/leads/query", "{}");
    assert_eq!(answer.status, 200, "{}", answer.body);
    drop(silent);
}

fn endless_headers(target: &Target) {
    at_once(target, 50, |target| {
        let mut stream = target.connect();
        let _ = stream.write_all(b"GET /api/leads/x HTTP/1.1\r\nx-long: ");
        let part = [b'x'; 16 << 10];
        // Until the connection is closed; a megabyte is far above the limit.
        let sent = (0..64)
            .take_while(|_| stream.write_all(&part).is_ok())
            .count();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        assert!(
            sent < 64 || answer.starts_with("HTTP/1.1 431"),
            "{answer:.100}"
        );
    });
}

fn bad_keys(target: &Target) {
    at_once(target, 20, |target| {
        for key in [
            "",
            "lwk_000000000000_0",
            "lwk_000000000000_000000000000000000000000000000000000000000000000",
        ] {
            for _ in 0..20 {
                let bad = Target {
                    address: target.address.clone(),
                    key: key.into(),
                };
                let answer = bad.call("POST", "/api/leads/query", "{}");
                assert_eq!(answer.status, 401, "{}", answer.body);
            }
        }
    });
}
