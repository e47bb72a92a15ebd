//! What the review screen reads.

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::process::Service;
use super::read::Read;

/// Every lead sort of the list's columns, besides the default.
const SORTS: [&str; 10] = [
    "name",
    "headline",
    "title",
    "company",
    "company_size",
    "location",
    "industry",
    "icp_tier",
    "approval_status",
    "connections_count",
];

/// The facets that the sidebar counts.
const FACETS: [&str; 10] = [
    "approval_status",
    "icp_tier",
    "company_size",
    "intent_type",
    "list_id",
    "campaign_id",
    "signal_id",
    "import_job_id",
    "company",
    "title",
];

/// Returns all reads. Ids and values that a lead has are looked up in the service.
pub fn reads(service: &mut Service) -> Result<Vec<Read>> {
    let mut reads = Vec::new();
    let mut list = |name: &str, body: Value| {
        reads.push(post(format!("list, {name}"), "/api/leads/query", &body));
    };
    let is = |field: &str, value: &str| json!({"field": field, "operator": "eq", "value": value});
    list("default", json!({}));
    for tier in ["A", "B", "C", "D"] {
        let filters = json!([is("icp_tier", tier)]);
        list(
            &format!("tier {tier} by score"),
            json!({"filters": filters, "sort_by": "icp_score"}),
        );
    }
    let pending = is("approval_status", "pending_approval");
    let manager = json!({"field": "title", "operator": "contains", "value": "manager"});
    let size = json!({"field": "company_size", "operator": "in", "value": ["51-200", "201-500"]});
    let vp = json!({"field": "title", "operator": "contains", "value": "vp"});
    for (name, filters) in [
        ("pending", json!([pending])),
        ("rejected", json!([is("approval_status", "rejected")])),
        ("seniority", json!([vp])),
        ("two filters", json!([pending, is("icp_tier", "C")])),
        ("three filters", json!([pending, is("icp_tier", "D"), size])),
        ("title and size", json!([manager, size])),
        (
            "score range",
            json!([{"field": "icp_score", "operator": "lt", "value": 40}]),
        ),
        (
            "without an intent",
            json!([{"field": "intent_type", "operator": "is_not_set"}]),
        ),
    ] {
        list(name, json!({"filters": filters, "sort_by": "icp_score"}));
    }
    for sort in SORTS {
        list(
            &format!("by {sort}"),
            json!({"sort_by": sort, "sort_dir": "asc"}),
        );
    }
    list(
        "pending by company",
        json!({"filters": [pending], "sort_by": "company", "sort_dir": "asc"}),
    );
    for page in [5_000, 20_000] {
        list(&format!("page {page}"), json!({"page": page}));
        list(
            &format!("pending, page {}", page / 2),
            json!({"filters": [pending], "sort_by": "name", "page": page / 2}),
        );
    }
    for (name, text) in [
        ("frequent word", "manager"),
        ("very frequent word", "sales"),
        ("rare word", "zwickau"),
        ("two words", "sales anna"),
        ("one letter", "q"),
        ("two letters", "an"),
    ] {
        list(&format!("search for a {name}"), json!({"search": text}));
    }
    list(
        "search and two filters",
        json!({"search": "manager", "filters": [pending, is("icp_tier", "C")], "sort_by": "icp_score"}),
    );
    let email = json!({"field": "custom_data.email", "operator": "contains", "value": "anna"});
    let from = json!({"field": "custom_data.email", "operator": "gte", "value": "m"});
    for (name, query) in [
        ("part of a custom field", json!({"filters": [email]})),
        (
            "custom field from a bound",
            json!({"filters": [pending, from]}),
        ),
        (
            "by a custom field",
            json!({"sort_by": "custom_data.email", "sort_dir": "asc"}),
        ),
    ] {
        list(name, query);
    }
    reads.extend(facet_reads(&pending, &size));
    reads.extend(account_reads(service)?);
    Ok(reads)
}

fn facet_reads(pending: &Value, size: &Value) -> Vec<Read> {
    let facets = |selected: &str| -> Vec<Value> {
        let each = FACETS.iter().map(|field| {
            let selected = if *field == "icp_tier" && !selected.is_empty() {
                json!([selected])
            } else {
                json!([])
            };
            json!({"field": field, "selected": selected})
        });
        each.collect()
    };
    let counts =
        |name: &str, body: Value| post(format!("facets, {name}"), "/api/leads/facets", &body);
    let search = |name: &str, query: &str| {
        get(
            format!("facets, search {name}"),
            format!("/api/leads/facets/search?{query}"),
        )
    };
    vec![
        get("facets, panel".into(), "/api/leads/facets".into()),
        counts("counts", json!({"facets": facets("")})),
        counts(
            "counts within two filters",
            json!({"filters": [pending, size], "facets": facets("")}),
        ),
        counts(
            "counts with a selected tier",
            json!({"filters": [pending], "facets": facets("C")}),
        ),
        counts(
            "counts within a search",
            json!({"search": "manager", "facets": facets("")}),
        ),
        counts(
            "counts of a custom field",
            json!({"filters": [pending], "facets": [{"field": "custom_data.source"}]}),
        ),
        get("custom fields".into(), "/api/leads/fields".into()),
        search("company values", "field=company"),
        search("titles with a text", "field=title&q=man"),
        search("names", "field=name"),
    ]
}

fn account_reads(service: &mut Service) -> Result<Vec<Read>> {
    let query = json!({"page_size": 1});
    let lead = service.call("POST", "/api/leads/query", &query, "default")?;
    let account = service.call("POST", "/api/accounts/query", &query, "default")?;
    let lead = id(&lead, "lead_id")?;
    let account = id(&account, "id")?;
    let accounts =
        |name: &str, body: Value| post(format!("accounts, {name}"), "/api/accounts/query", &body);
    Ok(vec![
        get("lead detail".into(), format!("/api/leads/{lead}")),
        accounts("default", json!({})),
        accounts("by leads", json!({"sort_by": "lead_count"})),
        accounts("search", json!({"search": "data"})),
        accounts("page 500", json!({"page": 500})),
        accounts("with unpromoted", json!({"include_unpromoted": true})),
        get("account detail".into(), format!("/api/accounts/{account}")),
        get(
            "account pulse".into(),
            format!("/api/accounts/{account}/pulse"),
        ),
    ])
}

fn id(page: &Value, name: &str) -> Result<String> {
    let id = page["data"][0][name].as_str();
    Ok(id.context("the workspace is empty")?.to_owned())
}

fn post(name: String, path: &str, body: &Value) -> Read {
    Read {
        name,
        method: "POST",
        path: path.into(),
        body: body.to_string(),
    }
}

fn get(name: String, path: String) -> Read {
    Read {
        name,
        method: "GET",
        path,
        body: String::new(),
    }
}
