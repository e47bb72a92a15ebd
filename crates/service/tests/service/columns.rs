//! Reads by columns in memory find what the oracle finds, after every kind of write.

use lead_workspace_api::{FieldKind, LeadField, LeadSort, Operator, SortDir};
use serde_json::{Value, json};

use crate::common::Service;
use crate::oracle::{self, Row};
use crate::results::ids;

/// Changes of every kind that a column can see, one after the other.
const WRITES: [&str; 12] = [
    "UPDATE leads SET approval_status = 'approved' WHERE id % 5 = 1",
    "UPDATE leads SET approval_status = 'unheard_of' WHERE id % 50 = 2",
    "UPDATE leads SET name = 'Aaa ' || CAST(id AS text), name_folded = NULL WHERE id % 7 = 3",
    "UPDATE leads SET name = NULL, name_folded = NULL, icp_score = NULL WHERE id % 11 = 4",
    "UPDATE leads SET icp_score = 12.5, icp_tier = 'D' WHERE id % 13 = 5",
    "DELETE FROM leads WHERE id % 17 = 6",
    "INSERT INTO leads (tenant, lead_id, created_at, name, icp_tier)
       SELECT 1, 'new-' || id, '2027-01-01T00:00:00.000Z', 'Zzz', 'E' FROM leads LIMIT 20",
    "DELETE FROM leads WHERE id > (SELECT max(id) - 3 FROM leads)",
    "DELETE FROM list_items WHERE lead % 3 = 1",
    "INSERT INTO lists (tenant, list_id, name, created_at) VALUES (1, 'Brand new', 'Brand new', '');
     INSERT INTO list_items (lead, tenant, list_id, item_id, added_at) SELECT id, tenant, 'Brand new', 'i' || CAST(id AS text), '' FROM leads WHERE id % 4 = 0",
    "UPDATE intents SET signal_id = NULL WHERE id % 2 = 0; DELETE FROM campaign_leads WHERE lead % 2 = 0",
    "UPDATE accounts SET is_promoted = id % 2, icp_score = id % 9, name = 'B' || CAST(id AS text), name_folded = NULL",
];

const CONDITIONS: [(LeadField, Operator, &str); 14] = [
    (LeadField::ApprovalStatus, Operator::Eq, "\"approved\""),
    (LeadField::ApprovalStatus, Operator::Neq, "\"unheard_of\""),
    (LeadField::Name, Operator::Contains, "\"an\""),
    (LeadField::Name, Operator::StartsWith, "\"AAA\""),
    (LeadField::Name, Operator::IsNotSet, "null"),
    (LeadField::IcpScore, Operator::Lt, "40"),
    (LeadField::IcpScore, Operator::Between, "[12.5, 80]"),
    (LeadField::IcpTier, Operator::NotIn, "[\"A\", \"E\"]"),
    (LeadField::CreatedAt, Operator::Gte, "\"2027-01-01\""),
    (LeadField::ListId, Operator::Eq, "\"Brand new\""),
    (LeadField::ListId, Operator::IsNotSet, "null"),
    (LeadField::SignalId, Operator::IsSet, "null"),
    (LeadField::CampaignId, Operator::IsSet, "null"),
    (LeadField::AccountId, Operator::IsSet, "null"),
];

async fn check(service: &Service) {
    let rows = oracle::leads(service).await;
    for (at, (field, operator, value)) in CONDITIONS.into_iter().enumerate() {
        let value: Value = serde_json::from_str(value).unwrap();
        let search = ["", "a", "aaa", "man"][at % 4];
        let by = LeadSort::ALL[at * 5 % LeadSort::ALL.len()];
        let dir = [SortDir::Asc, SortDir::Desc][at % 2];
        let holds = |row: &&Row| {
            row.holds(field.as_str(), field.kind(), operator, &value) && row.is_found_by(search)
        };
        let found: Vec<Row> = rows.iter().filter(holds).cloned().collect();
        let expected = oracle::sorted(&found, by.as_str(), dir == SortDir::Desc);
        let filter = json!({"field": field, "operator": operator, "value": value});
        let query = json!({
            "filters": [filter], "search": search, "sort_by": by, "sort_dir": dir, "page_size": 41,
        });
        assert_eq!(
            ids(service, "leads", query.clone()).await,
            expected,
            "{query}"
        );
    }
    let counted = |field: &'static str| {
        let rows = &rows;
        move |value: &str| {
            let is = |row: &&Row| row.holds(field, FieldKind::Token, Operator::Eq, &json!(value));
            rows.iter().filter(is).count()
        }
    };
    for (field, count) in [
        ("icp_tier", counted("icp_tier")),
        ("list_id", counted("list_id")),
    ] {
        let path = format!("/api/leads/facets/search?field={field}&limit=100");
        for item in service.get(&path).await.json()["items"].as_array().unwrap() {
            let value = item["value"].as_str().unwrap();
            assert_eq!(item["count"], count(value), "{field} {value}");
        }
    }
    let tiers = service.get("/api/leads/facets").await.json()["icp_tiers"].clone();
    for tier in tiers.as_array().unwrap() {
        assert!(counted("icp_tier")(tier.as_str().unwrap()) > 0, "{tier}");
    }
    let promoted = oracle::accounts(service).await;
    let is_promoted =
        |row: &&Row| row.values("is_promoted") == [rusqlite::types::Value::Integer(1)];
    let promoted: Vec<Row> = promoted.iter().filter(is_promoted).cloned().collect();
    for by in ["name", "icp_score", "lead_count"] {
        let expected = oracle::sorted(&promoted, by, true);
        let query = json!({"sort_by": by, "page_size": 100});
        assert_eq!(ids(service, "accounts", query).await, expected, "{by}");
    }
}

#[tokio::test]
async fn reads_follow_every_write() {
    let service = Service::demo(300).await;
    check(&service).await;
    for write in WRITES {
        service.sql(write).await;
        check(&service).await;
    }
}
