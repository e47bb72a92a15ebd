//! Leads queries against the oracle: sorts, filters, search.

use lead_workspace_api::{LeadField, LeadSort, Operator, SortDir};
use serde_json::json;

use crate::oracle::{self, Row};
use crate::results::{ids, of_tenant, operands, service};

#[tokio::test]
async fn leads_are_sorted_by_every_column() {
    let service = service(90).await;
    let rows = of_tenant(oracle::leads(&service).await);
    for &by in LeadSort::ALL {
        for dir in [SortDir::Asc, SortDir::Desc] {
            let expected = oracle::sorted(&rows, by.as_str(), dir == SortDir::Desc);
            // A list without conditions never needs the columns in memory.
            let all = json!([{"field": "created_at", "operator": "is_set"}]);
            for filters in [json!([]), all] {
                let query = json!({
                    "filters": filters, "sort_by": by, "sort_dir": dir, "page_size": 17,
                });
                assert_eq!(ids(&service, "leads", query).await, expected, "{by} {dir}");
            }
        }
    }
}

#[tokio::test]
async fn every_operator_works_on_every_field_of_leads() {
    let service = service(70).await;
    let rows = of_tenant(oracle::leads(&service).await);
    let mut narrowed = 0;
    for &field in LeadField::ALL {
        for &operator in Operator::ALL {
            for value in operands(&rows, field.as_str(), field.kind(), operator) {
                let filter = json!({"field": field, "operator": operator, "value": value});
                let query = json!({"filters": [filter], "sort_by": "name", "page_size": 100});
                let holds = |row: &&Row| row.holds(field.as_str(), field.kind(), operator, &value);
                let expected: Vec<Row> = rows.iter().filter(holds).cloned().collect();
                let expected = oracle::sorted(&expected, "name", true);
                assert_eq!(ids(&service, "leads", query).await, expected, "{filter}");
                narrowed += usize::from(!expected.is_empty() && expected.len() < rows.len());
            }
        }
    }
    assert!(
        narrowed > 300,
        "only {narrowed} filters selected some of the leads"
    );
}

#[tokio::test]
async fn search_finds_words_at_any_position() {
    let service = service(200).await;
    let rows = of_tenant(oracle::leads(&service).await);
    let mut texts: Vec<String> = [
        "ZOE",
        "zoë aero",
        "ærø",
        "a",
        "an",
        "小",
        "李 小龍",
        "%",
        "_alle",
        "\"",
        "fur_alle \"",
        "' OR 1",
        "nothing of that kind",
        "  ",
        "e\u{301}in",
        "*",
        "zoe AND ein",
        "-ein",
        "\0ein",
        "Zo\u{200b}e\u{301}",
    ]
    .map(str::to_owned)
    .to_vec();
    for row in rows.iter().step_by(23) {
        texts.extend(row.searched.iter().cloned());
        // Words of several fields, up to the maximum number.
        let words = row.searched.join(" ");
        let words: Vec<&str> = words.split_whitespace().take(16).collect();
        texts.push(words.join(" "));
        texts.extend(
            row.searched
                .iter()
                .map(|text| text.chars().skip(1).take(5).collect()),
        );
    }
    for text in texts {
        let found = |row: &&Row| row.is_found_by(&text.replace('\0', " "));
        let expected: Vec<Row> = rows.iter().filter(found).cloned().collect();
        let expected = oracle::sorted(&expected, "title", false);
        let query = json!({"search": text, "sort_by": "title", "sort_dir": "asc"});
        assert_eq!(ids(&service, "leads", query).await, expected, "{text:?}");
    }
}
