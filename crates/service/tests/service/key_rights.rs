//! What a key may do, until when, and when it was last used.

use http::StatusCode;
use serde_json::{Value, json};

use crate::common::{Answer, Service, done, eventually, failed, with_key};

/// Creates a key with the program.
pub fn new_key(service: &Service, arguments: &[&str]) -> String {
    let made = service.program(&[&["keys", "create"], arguments].concat());
    done(&made).trim().to_owned()
}

async fn call(service: &Service, key: &str, method: &str, path: &str, body: &str) -> Answer {
    let request = service.request(method, path, body.to_owned());
    service.send(with_key(request, key)).await
}

/// Every operation and the import, with the lowest scope that may call it.
#[tokio::test]
async fn a_key_may_do_what_its_scope_says() {
    let service = Service::demo(5).await;
    let lead: String = service.value("SELECT lead_id FROM leads LIMIT 1").await;
    let account: String = service
        .value("SELECT account_id FROM accounts LIMIT 1")
        .await;
    let decision = r#"{"approval_status":"rejected"}"#;
    let bulk = json!({"lead_ids": [lead], "approval_status": "approved"}).to_string();
    let operations = [
        ("read", "POST", "/api/leads/query".to_owned(), "{}"),
        ("read", "GET", "/api/leads/facets".into(), ""),
        (
            "read",
            "POST",
            "/api/leads/facets".into(),
            r#"{"facets":[]}"#,
        ),
        (
            "read",
            "GET",
            "/api/leads/facets/search?field=company".into(),
            "",
        ),
        ("read", "GET", format!("/api/leads/{lead}"), ""),
        ("read", "POST", "/api/accounts/query".into(), "{}"),
        ("read", "POST", "/api/accounts/facets".into(), "{}"),
        (
            "read",
            "GET",
            format!("/api/accounts/{account}?include_unpromoted=true"),
            "",
        ),
        ("read", "GET", format!("/api/accounts/{account}/pulse"), ""),
        ("read", "GET", "/api/jobs/unknown".into(), ""),
        ("read", "GET", "/import/fields".into(), ""),
        ("decide", "PATCH", format!("/api/leads/{lead}"), decision),
        ("decide", "PATCH", "/api/leads".into(), &bulk),
        ("admin", "POST", "/api/leads/score".into(), "{}"),
        ("admin", "POST", "/api/accounts/score".into(), "{}"),
        (
            "admin",
            "POST",
            "/import/preview?format=csv".into(),
            "name\nAda\n",
        ),
        ("admin", "POST", "/import?format=csv".into(), "name\nAda\n"),
        ("admin", "DELETE", format!("/api/leads/{lead}"), ""),
    ];
    let scopes = ["read", "decide", "admin"];
    for (rank, scope) in scopes.into_iter().enumerate() {
        let key = new_key(&service, &["--scope", scope]);
        for (needed, method, path, body) in &operations {
            let answer = call(&service, &key, method, path, body).await;
            let may = scopes.iter().position(|scope| scope == needed).unwrap() <= rank;
            if may {
                assert_ne!(answer.status, 401, "{scope} {method} {path}");
                assert_ne!(answer.status, 403, "{scope} {method} {path}");
                continue;
            }
            assert_eq!(
                answer.status,
                StatusCode::FORBIDDEN,
                "{scope} {method} {path}"
            );
            let detail = answer.detail();
            assert!(
                detail.contains(scope)
                    && detail.contains(needed)
                    && detail.contains("Nothing was changed"),
                "{detail}"
            );
        }
    }
    // The keys that could not decide have not.
    let log = "SELECT count(*) FROM audit_log JOIN api_keys USING (key_id) WHERE scope = 'read'";
    assert_eq!(service.value::<i64>(log).await, 0);
}

#[tokio::test]
async fn a_key_without_a_scope_can_do_everything() {
    let service = Service::demo(1).await;
    let lead: String = service.value("SELECT lead_id FROM leads").await;
    let key = new_key(&service, &[]);
    let deleted = call(&service, &key, "DELETE", &format!("/api/leads/{lead}"), "").await;
    assert_eq!(deleted.status, 204);
}

#[tokio::test]
async fn an_expired_key_is_refused_and_says_so() {
    let service = Service::empty().await;
    let key = new_key(&service, &["--expires", "90d", "--name", "visitor"]);
    assert_eq!(
        call(&service, &key, "POST", "/api/leads/query", "{}")
            .await
            .status,
        200
    );
    service
        .sql("UPDATE api_keys SET expires_at = '2026-01-31T00:00:00.000Z' WHERE name = 'visitor'")
        .await;
    let refused = async || {
        let answer = call(&service, &key, "POST", "/api/leads/query", "{}").await;
        (answer.status != 200).then_some(answer)
    };
    let refused = eventually(refused).await;
    assert_eq!(refused.status, 401);
    let detail = refused.detail();
    assert!(detail.contains("expired at 2026-01-31"), "{detail}");
    // Only who has the secret hears of the expiry.
    let guessed = format!(
        "{}{}",
        &key[..key.len() - 1],
        if key.ends_with('0') { '1' } else { '0' }
    );
    let refused = call(&service, &guessed, "POST", "/api/leads/query", "{}").await;
    assert_eq!(
        refused.json()["detail"],
        Value::from("the API key is not valid")
    );
    let listed = done(&service.program(&["keys", "list"]));
    let line = listed
        .lines()
        .find(|line| line.ends_with("visitor"))
        .unwrap();
    assert!(
        line.contains("expired") && line.contains("2026-01-31"),
        "{line}"
    );

    for (when, problem) in [
        ("2020-01-01", "has passed"),
        ("soon", "is not a time"),
        ("0d", "has passed"),
    ] {
        let text = failed(&service.program(&["keys", "create", "--expires", when]));
        assert!(
            text.contains(problem) && text.contains("No key was created"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn the_last_use_of_a_key_is_written_later_and_once() {
    let service = Service::empty().await;
    let used = "SELECT count(*) FROM api_keys WHERE last_used_at IS NOT NULL";
    let version = service.store.version();
    for _ in 0..5 {
        service.get("/api/leads/facets").await;
    }
    assert_eq!(service.store.version(), version, "a read was a write");
    assert_eq!(service.value::<i64>(used).await, 0);
    service.store.save_key_uses().await.unwrap();
    assert_eq!(service.value::<i64>(used).await, 1);
    assert_eq!(service.store.version(), version + 1);
    service.store.save_key_uses().await.unwrap();
    assert_eq!(
        service.store.version(),
        version + 1,
        "nothing was used since"
    );
    let listed = done(&service.program(&["keys", "list"]));
    assert!(
        listed.lines().any(|line| line.matches('T').count() >= 2),
        "{listed}"
    );
}
