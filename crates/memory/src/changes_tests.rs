use jiff::Timestamp;
use serde_json::{Value, json};

use crate::test_workspace::{request, send, workspace};
use crate::{Request, Response, StreamPart, Workspace};

fn follow(workspace: &mut Workspace, query: &str, last_event_id: Option<&str>) -> Response {
    let request = Request {
        query,
        last_event_id,
        ..request("GET", "/api/leads/changes")
    };
    workspace.handle(&request, Timestamp::UNIX_EPOCH)
}

fn lead_ids(workspace: &Workspace) -> Vec<String> {
    let leads = workspace.leads.iter();
    leads.map(|lead| lead.row.lead_id.clone()).collect()
}

/// Returns the changes after a version, by kind: those of the only event.
fn told(workspace: &Workspace, since: i64) -> Vec<Value> {
    let StreamPart { text, version } = workspace.part_after(since);
    let start = format!("event: change\nid: {version}\ndata: ");
    let data = text
        .strip_prefix(&start)
        .unwrap_or_else(|| panic!("{text}"));
    let data: Value = serde_json::from_str(data.strip_suffix("\n\n").unwrap()).unwrap();
    assert_eq!(data["version"], version);
    assert_eq!(data["changed_at"], "1970-01-01T00:00:00.000Z");
    data["changes"].as_array().unwrap().clone()
}

fn status(status: &str, ids: &[String]) -> Value {
    json!({"kind": "status", "approval_status": status, "count": ids.len(), "ids": ids})
}

fn of_kind(kind: &str, ids: &[String]) -> Value {
    json!({"kind": kind, "approval_status": null, "count": ids.len(), "ids": ids})
}

#[test]
fn a_stream_begins_with_the_present_version() {
    let mut workspace = workspace(40);
    let response = follow(&mut workspace, "", None);
    assert_eq!((response.status, response.stream), (200, Some(0)));
    let kind = ("content-type", "text/event-stream".to_owned());
    assert!(response.headers.contains(&kind));
    assert_eq!(
        response.body,
        "event: open\nid: 0\ndata: {\"version\":0}\n\n"
    );
}

#[test]
fn decisions_are_told_by_the_status_that_leads_have_now() {
    let mut workspace = workspace(40);
    let ids = lead_ids(&workspace);
    let all = json!({"lead_ids": ids, "approval_status": "pending_approval"});
    send(&mut workspace, "PATCH", "/api/leads", &all);
    let since = workspace.version();
    for (number, to) in [
        (0, "approved"),
        (1, "rejected"),
        (2, "approved"),
        (0, "filtered"),
    ] {
        let path = format!("/api/leads/{}", ids[number]);
        send(
            &mut workspace,
            "PATCH",
            &path,
            &json!({"approval_status": to}),
        );
    }
    assert_eq!(workspace.version(), since + 4);
    let expected = [
        status("approved", &ids[2..3]),
        status("filtered", &ids[..1]),
        status("rejected", &ids[1..2]),
    ];
    assert_eq!(told(&workspace, since), expected);
    assert_eq!(told(&workspace, since + 3), expected[1..2]);
}

#[test]
fn a_decision_that_a_lead_has_already_is_no_change() {
    let mut workspace = workspace(40);
    let path = format!("/api/leads/{}", lead_ids(&workspace)[0]);
    send(
        &mut workspace,
        "PATCH",
        &path,
        &json!({"approval_status": "approved"}),
    );
    let version = workspace.version();
    send(
        &mut workspace,
        "PATCH",
        &path,
        &json!({"approval_status": "approved"}),
    );
    assert_eq!(workspace.version(), version);
    let nothing = StreamPart {
        text: String::new(),
        version,
    };
    assert_eq!(workspace.part_after(version), nothing);
}

#[test]
fn a_deleted_lead_is_told_with_its_account() {
    let mut workspace = workspace(40);
    let account = workspace.leads[3].account.unwrap();
    let account = workspace.account(account).unwrap().row.account_id.clone();
    let id = lead_ids(&workspace)[3].clone();
    let path = format!("/api/leads/{id}");
    send(
        &mut workspace,
        "PATCH",
        &path,
        &json!({"approval_status": "rejected"}),
    );
    send(&mut workspace, "DELETE", &path, &json!({}));
    let expected = [of_kind("deleted", &[id]), of_kind("accounts", &[account])];
    assert_eq!(told(&workspace, 0), expected);
}

#[test]
fn an_import_is_one_version() {
    let mut workspace = workspace(40);
    let file =
        "Full name,Company,Email\nAna Diaz,Acme,ana@acme.example\nBo Lind,Acme,bo@acme.example\n";
    workspace
        .import("leads.csv", file, Timestamp::UNIX_EPOCH)
        .unwrap();
    assert_eq!(workspace.version(), 1);
    let ids = lead_ids(&workspace);
    let acme = workspace.accounts.last().unwrap().row.account_id.clone();
    let expected = [of_kind("added", &ids[40..]), of_kind("accounts", &[acme])];
    assert_eq!(told(&workspace, 0), expected);

    // What is imported again, and is the same, is no change.
    workspace
        .import("leads.csv", file, Timestamp::UNIX_EPOCH)
        .unwrap();
    assert_eq!(workspace.version(), 1);
    let more = "Full name,Title,Email,Tags,Status\nAna Diaz,CEO,ana@acme.example,Fair,approved\n";
    workspace
        .import("more.csv", more, Timestamp::UNIX_EPOCH)
        .unwrap();
    let told = told(&workspace, 1);
    let kinds: Vec<&str> = told
        .iter()
        .map(|change| change["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["status", "score", "fields", "lists", "accounts"]);
    assert_eq!(told[0], status("approved", &ids[40..41]));
}

#[test]
fn scores_are_told_step_by_step() {
    let mut workspace = workspace(40);
    let ids = lead_ids(&workspace);
    let scoring = json!({"lead_ids": [ids[4], ids[2]]});
    send(&mut workspace, "POST", "/api/leads/score", &scoring);
    assert_eq!(workspace.version(), 0);
    while workspace.run_step(Timestamp::UNIX_EPOCH) {}
    let expected = [of_kind("score", &[ids[2].clone(), ids[4].clone()])];
    assert_eq!(told(&workspace, 0), expected);
}

#[test]
fn more_than_a_thousand_ids_are_only_counted() {
    let mut workspace = workspace(40);
    let lines: String = (0..1001).map(|line| format!("Lead {line}\n")).collect();
    let file = format!("Full name\n{lines}");
    workspace
        .import("leads.csv", &file, Timestamp::UNIX_EPOCH)
        .unwrap();
    let added = &told(&workspace, 0)[0];
    assert_eq!(
        (&added["count"], &added["ids"]),
        (&json!(1001), &Value::Null)
    );
}

#[test]
fn a_stream_resumes_and_the_header_wins() {
    let mut workspace = workspace(40);
    let ids = lead_ids(&workspace);
    for id in &ids[..3] {
        let path = format!("/api/leads/{id}");
        send(&mut workspace, "DELETE", &path, &json!({}));
    }
    let response = follow(&mut workspace, "since=0", Some("2"));
    assert_eq!(response.stream, Some(3));
    let (open, rest) = response.body.split_once("\n\n").unwrap();
    assert_eq!(open, "event: open\nid: 2\ndata: {\"version\":2}");
    assert!(rest.contains(&ids[2]) && !rest.contains(&ids[1]), "{rest}");
}

#[test]
fn versions_of_another_workspace_are_a_reset() {
    let mut workspace = workspace(40);
    workspace.begin_with(10);
    let reset = |since| {
        let part = workspace.part_after(since);
        assert_eq!(
            part.text,
            "event: reset\nid: 10\ndata: {\"version\":10}\n\n"
        );
        assert_eq!(part.version, 10);
    };
    reset(9);
    reset(11);
    assert_eq!(workspace.part_after(10).text, "");
}

#[test]
fn a_stream_needs_a_key_and_a_version() {
    let mut workspace = workspace(40);
    for query in ["since=x", "since=-1", "since=1.5"] {
        assert_eq!(follow(&mut workspace, query, None).status, 422, "{query}");
    }
    assert_eq!(follow(&mut workspace, "", Some("x")).status, 422);
    let request = Request {
        authorization: Some("Bearer other"),
        ..request("GET", "/api/leads/changes")
    };
    let response = workspace.handle(&request, Timestamp::UNIX_EPOCH);
    assert_eq!((response.status, response.stream), (401, None));
}
