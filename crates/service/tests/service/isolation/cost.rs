//! What a read costs must not tell what other workspaces contain. It is counted in steps of SQLite's virtual
//! machine, which no clock disturbs.
//!
//! A search by three or more letters is not here: its index is one for all workspaces, so its cost tells how frequent the
//! letters are in all of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use lead_workspace_service::Tenant;
use lead_workspace_service::store::keys;
use serde_json::{Value, json};

use crate::common::{Service, fill, with_key};

/// A service whose workspace `default` has 20 leads, beside another with as many demo leads as given.
struct Counted {
    service: Service,
    reads: Arc<AtomicU64>,
}

impl Counted {
    async fn new(others: u64) -> Self {
        let service = Service::empty().await;
        let lines: String = (0..20)
            .map(|number| format!("Ana {number},Acme {},{number}\n", number % 3))
            .collect();
        let file = format!("Name,Company,Followers\n{lines}");
        let sent = service.request("POST", "/import?file_name=a.csv&score=false", file);
        assert_eq!(service.send(sent).await.status, 200);
        let north = service
            .store
            .write(|db| Tenant::ensure(db, "north"))
            .await
            .unwrap();
        fill(&service.store, north, others, 9).await;
        let reads = service.store.count_steps();
        Self { service, reads }
    }

    /// Returns the status of a request and the steps that its reads took.
    async fn cost(&self, method: &str, path: &str, body: Value) -> (u16, u64) {
        self.reads.store(0, Ordering::Relaxed);
        let status = self.service.call(method, path, body).await.status.as_u16();
        (status, self.reads.load(Ordering::Relaxed))
    }
}

#[tokio::test]
async fn an_id_of_another_workspace_costs_as_much_as_an_unknown_one() {
    let counted = Counted::new(300).await;
    let key = counted
        .service
        .store
        .write(|db| keys::create(db, "north", &["north"]))
        .await
        .unwrap();
    let score = counted.service.request("POST", "/api/leads/score", "{}");
    let score = with_key(score, &key.text);
    assert_eq!(counted.service.send(score).await.status, 202);
    for (path, table, id) in [
        ("/api/leads/{}", "leads", "lead_id"),
        ("/api/accounts/{}", "accounts", "account_id"),
        ("/api/accounts/{}/pulse", "accounts", "account_id"),
        ("/api/jobs/{}", "jobs", "job_id"),
        (
            "/api/leads/facets?campaign_id={}",
            "campaigns",
            "campaign_id",
        ),
        ("/api/leads/facets?signal_id={}", "signals", "signal_id"),
    ] {
        let sql = format!(
            "SELECT {id} FROM {table} WHERE tenant = (SELECT tenant FROM tenants WHERE tenant_id = 'north')"
        );
        let theirs: String = counted.service.value(&sql).await;
        let nobodys = "0".repeat(theirs.len());
        let cost = async |id: &str| {
            counted
                .cost("GET", &path.replace("{}", id), Value::Null)
                .await
        };
        // The first call prepares the statements.
        cost("first").await;
        let unknown = cost(&nobodys).await;
        assert_eq!(cost(&theirs).await, unknown, "{path}");
        assert!(unknown.1 > 0, "{path} was not counted");
    }
}

#[tokio::test]
async fn reads_cost_the_same_however_much_other_workspaces_contain() {
    // With nothing after its own rows in an index, a scan takes one step less; so the quiet one has a neighbor, too.
    let (alone, beside) = (Counted::new(20).await, Counted::new(300).await);
    let filter = |field, operator, value: Value| json!({"filters": [{"field": field, "operator": operator, "value": value}]});
    for (method, path, body) in [
        ("POST", "/api/leads/query", json!({})),
        (
            "POST",
            "/api/leads/query",
            json!({"sort_by": "name", "page": 2, "page_size": 5}),
        ),
        (
            "POST",
            "/api/leads/query",
            filter("company", "eq", json!("acme 1")),
        ),
        (
            "POST",
            "/api/leads/query",
            filter("icp_tier", "in", json!(["A", "B"])),
        ),
        (
            "POST",
            "/api/leads/query",
            filter("list_id", "is_set", Value::Null),
        ),
        (
            "POST",
            "/api/accounts/query",
            json!({"include_unpromoted": true}),
        ),
        ("GET", "/api/leads/facets", Value::Null),
        ("GET", "/api/leads/facets/search?field=company", Value::Null),
        (
            "GET",
            "/api/leads/facets/search?field=title&q=e",
            Value::Null,
        ),
        (
            "POST",
            "/api/leads/facets",
            json!({"facets": [{"field": "company"}, {"field": "icp_tier"}]}),
        ),
    ] {
        let quiet = alone.cost(method, path, body.clone()).await;
        let busy = beside.cost(method, path, body.clone()).await;
        assert_eq!(busy, quiet, "{method} {path} {body}");
        assert_eq!(busy.0, 200, "{method} {path} {body}");
    }
}
