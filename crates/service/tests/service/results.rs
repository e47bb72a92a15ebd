//! Whole query results, for the tests that compare them with the oracle.

use std::collections::HashSet;

use lead_workspace_api::{FieldKind, Operator};
use serde_json::{Value, json};

use crate::common::Service;
use crate::oracle::{self, Row};

/// Creates demo leads and a few edge cases: no known values, unusual letters, ties.
pub async fn service(leads: u64) -> Service {
    let service = Service::demo(leads).await;
    let mut odd = String::new();
    for (number, name) in [
        (1, None),
        (2, None),
        (3, Some("Zoë Ærø")),
        (4, Some("zoe aero")),
        (5, Some("李 小龍")),
    ] {
        let text = name.map_or("NULL".into(), |name| format!("'{name}'"));
        let key = name.map_or("NULL".into(), |name| {
            format!("'{}'", lead_workspace_service::fold(name))
        });
        odd.push_str(&format!(
            "INSERT INTO leads (tenant, lead_id, created_at, name, name_folded, headline, headline_folded)
             VALUES (1, 'odd-{number}', '2026-01-01T00:00:00.000Z', {text}, {key}, 'Ein % für_alle \"', 'ein % fur_alle \"');"
        ));
    }
    // Leads of another workspace must never be visible.
    odd.push_str(
        "INSERT INTO tenants (tenant, tenant_id, name, created_at) VALUES (2, 'other', '', '');
         INSERT INTO accounts (tenant, account_id, name, created_at) VALUES (2, 'secret', 'Secret', '');
         INSERT INTO leads (tenant, lead_id, name, approval_status, created_at)
           VALUES (2, 'secret', 'Secret', 'approved', '');",
    );
    service.sql(&odd).await;
    service
}

/// Returns the ids of a whole result, page by page.
pub async fn ids(service: &Service, noun: &str, mut query: Value) -> Vec<String> {
    let id = if noun == "leads" { "lead_id" } else { "id" };
    let mut all = Vec::new();
    for page in 1.. {
        query["page"] = page.into();
        let answer = service
            .call("POST", &format!("/api/{noun}/query"), query.clone())
            .await;
        assert_eq!(answer.status, 200, "{query}: {}", answer.text);
        let body = answer.json();
        let rows = body["data"].as_array().unwrap();
        all.extend(rows.iter().map(|row| row[id].as_str().unwrap().to_owned()));
        if body["has_more"] == false {
            assert_eq!(body["total"], all.len(), "{query}");
            let distinct: HashSet<_> = all.iter().collect();
            assert_eq!(distinct.len(), all.len(), "{query}: a row is on two pages");
            return all;
        }
        assert_eq!(
            rows.len(),
            query["page_size"].as_u64().unwrap_or(50) as usize
        );
    }
    unreachable!()
}

pub fn of_tenant(rows: Vec<Row>) -> Vec<Row> {
    rows.into_iter().filter(|row| row.id != "secret").collect()
}

/// Returns operands for an operator on a field, from values that occur.
pub fn operands(rows: &[Row], field: &str, kind: FieldKind, operator: Operator) -> Vec<Value> {
    let mut known: Vec<Value> = Vec::new();
    for value in rows.iter().flat_map(|row| row.values(field)) {
        let value = oracle::operand(kind, value);
        if !known.contains(&value) {
            known.push(value);
        }
    }
    if known.is_empty() {
        let nothing = match kind {
            FieldKind::Number => json!(1),
            FieldKind::Flag => json!(true),
            FieldKind::Time => json!("2026-01-01T00:00:00.000Z"),
            FieldKind::Text | FieldKind::Token => json!("1-10 nobody"),
        };
        known.push(nothing);
    }
    let (first, last) = (known[0].clone(), known[known.len() - 1].clone());
    let middle = known[known.len() / 2].clone();
    match operator {
        Operator::IsSet | Operator::IsNotSet => vec![Value::Null],
        Operator::In | Operator::NotIn => {
            let many: Vec<Value> = known.iter().cycle().take(60).cloned().collect();
            vec![json!([]), json!([first, middle]), json!(many)]
        }
        Operator::Between => vec![json!([first, last]), json!([last, first])],
        Operator::Contains | Operator::NotContains | Operator::StartsWith => {
            let text = middle
                .as_str()
                .map_or_else(|| middle.to_string(), str::to_owned);
            let part: String = text.chars().take(4).collect();
            vec![
                json!(text.to_uppercase()),
                json!(part),
                json!("no such thing"),
                json!(""),
            ]
        }
        _ => vec![first, middle],
    }
}
