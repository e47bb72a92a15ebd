//! Queries, facets and the list of custom fields.

use lead_workspace_api::{Operator, SortDir};
use serde_json::{Value, json};

use super::both::Both;
use crate::walk::query_string;

/// Numbers, dates, true and false, texts, several kinds, and no values.
const CUSTOM: &str = "\
Full name,Deal size,Renewal,Hot,Segment,Note
Ana Diaz,50000,2026-01-31,TRUE,Retail,7
Bo Lind,-1.5,2026-01-31T12:00:00Z,false,retail,n/a
Cy Pell,1200000,2026-02-01,,Food,007
Di Marsh,,,true,Société,
";

#[tokio::test]
async fn custom_fields_are_the_same() {
    let mut both = Both::new(20).await;
    both.get("/api/leads/fields").await;
    both.import(CUSTOM).await;
    both.finish_jobs().await;
    both.get("/api/leads/fields").await;
    let keys = [
        "Deal size",
        "Renewal",
        "Hot",
        "Segment",
        "Note",
        "email",
        "notes",
        "Unknown",
    ];
    let values = [
        json!(50_000),
        json!("2026-01-31"),
        json!(true),
        json!("Retail"),
        json!("n"),
        json!(""),
    ];
    for key in keys {
        let field = format!("custom_data.{key}");
        for dir in SortDir::ALL {
            both.post(
                "/api/leads/query",
                json!({"sort_by": field, "sort_dir": dir}),
            )
            .await;
        }
        for operator in Operator::ALL {
            for value in &values {
                let value = match operator {
                    Operator::In | Operator::NotIn | Operator::Between => json!([value, value]),
                    Operator::IsSet | Operator::IsNotSet => Value::Null,
                    _ => value.clone(),
                };
                let filter = json!({"field": field, "operator": operator, "value": value});
                both.post(
                    "/api/leads/query",
                    json!({"filters": [filter], "sort_by": "name"}),
                )
                .await;
            }
        }
        for q in ["", "ret", "5", "a"] {
            let selected = json!(["50000", "RETAIL", "not there"]);
            let facets = json!([
                {"field": field, "q": q, "selected": selected},
                {"field": "custom_data.Segment"},
                {"field": "approval_status"},
            ]);
            both.post("/api/leads/facets", json!({"facets": facets}))
                .await;
            let search = json!({"field": field, "q": q, "selected": selected.to_string()});
            both.get(&format!(
                "/api/leads/facets/search?{}",
                query_string(&search)
            ))
            .await;
        }
    }
}
