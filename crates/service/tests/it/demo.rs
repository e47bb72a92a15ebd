//! Demo data in a store.

use std::path::Path;
use std::process::Command;

use lead_workspace_service::store::{AcrossWorkspaces, Db, Row};
use lead_workspace_service::{StoreError, demo};
use rusqlite::types::Value as Sql;
use sha2::{Digest, Sha256};

use super::common::Service;

async fn fill(service: &Service, leads: u64) {
    demo::fill(&service.store, service.tenant, leads, 11, |_, _, _| {})
        .await
        .unwrap();
}

/// Returns all written data as text, without row numbers.
async fn contents(service: &Service) -> Vec<String> {
    let dump = |db: Db<'_>| {
        let mut lines = Vec::new();
        for sql in [
            "SELECT lead_id, name, headline, title, profile_data, custom_data, approval_status,
                    company, icp_score, title_key, created_at FROM leads ORDER BY lead_id",
            "SELECT account_id, name, description, lead_count FROM accounts ORDER BY account_id",
            "SELECT account_id, list_id, s.icp_score, icp_reasoning FROM account_scores s
               JOIN accounts ON accounts.id = account ORDER BY 1, 2",
            "SELECT lead_id, list_id, s.icp_score, icp_reasoning FROM lead_scores s
               JOIN leads ON leads.id = lead ORDER BY 1, 2",
            "SELECT intent_id, event_data, created_at FROM intents ORDER BY 1",
            "SELECT chat_id, classification, label FROM chats ORDER BY 1",
            "SELECT campaign_lead_id, campaign_id, lead_status FROM campaign_leads ORDER BY 1",
            "SELECT import_job_id, inserted FROM import_jobs ORDER BY 1",
            "SELECT list_id, name, is_discovery FROM lists ORDER BY 1",
        ] {
            let read = |row: &Row<'_>| {
                let columns = 0..row.names().len();
                let values = columns.map(|at| Ok(format!("{:?}", row.get::<Sql>(at)?)));
                Ok(values.collect::<Result<Vec<_>, StoreError>>()?.join(" "))
            };
            let rows: Vec<String> = db.rows(AcrossWorkspaces(sql), &[], read)?;
            lines.extend(rows);
        }
        Ok(lines)
    };
    service.store.read(dump).await.unwrap()
}

#[tokio::test]
async fn a_seed_is_reproducible_and_a_second_fill_adds_nothing() {
    let (one, two) = (Service::empty().await, Service::empty().await);
    fill(&one, 300).await;
    fill(&two, 300).await;
    let before = contents(&one).await;
    assert!(before == contents(&two).await, "two fills differ");
    fill(&one, 300).await;
    assert!(
        before == contents(&one).await,
        "a second fill changed something"
    );
    assert_eq!(one.value::<i64>("SELECT count(*) FROM leads").await, 300);
}

#[tokio::test]
async fn an_interrupted_fill_resumes_where_it_stopped() {
    let (whole, cut) = (Service::empty().await, Service::empty().await);
    fill(&whole, 700).await;
    fill(&cut, 150).await;
    fill(&cut, 700).await;
    assert!(
        contents(&whole).await == contents(&cut).await,
        "the rest differs"
    );
}

#[tokio::test]
async fn copies_counts_and_references_are_consistent() {
    let service = Service::empty().await;
    fill(&service, 600).await;
    for (what, sql) in [
        (
            "leads whose copy of the company is not the account's",
            "SELECT count(*) FROM leads JOIN accounts ON accounts.id = leads.account
             WHERE company IS DISTINCT FROM accounts.name OR leads.industry IS DISTINCT FROM accounts.industry
                OR company_size IS DISTINCT FROM staff_count_range OR company_founded_year IS DISTINCT FROM founded_year",
        ),
        (
            "accounts whose count of leads is wrong",
            "SELECT count(*) FROM accounts WHERE lead_count IS DISTINCT FROM
               (SELECT count(*) FROM leads WHERE leads.account = accounts.id)",
        ),
        (
            "leads whose best score is not theirs",
            "SELECT count(*) FROM leads WHERE icp_score IS DISTINCT FROM
               (SELECT max(icp_score) FROM lead_scores WHERE lead = leads.id)",
        ),
        (
            "leads whose latest intent is another",
            "SELECT count(*) FROM leads WHERE intent_type IS DISTINCT FROM
               (SELECT event_type FROM intents WHERE lead = leads.id ORDER BY created_at DESC LIMIT 1)",
        ),
        (
            "leads without a conversation that they name",
            "SELECT count(*) FROM leads WHERE chat_id IS NOT NULL AND chat_id NOT IN (SELECT chat_id FROM chats)",
        ),
        (
            "scores for lists that the lead is not on",
            "SELECT count(*) FROM lead_scores WHERE list_id <> '' AND NOT EXISTS
               (SELECT 1 FROM list_items i WHERE i.lead = lead_scores.lead AND i.list_id = lead_scores.list_id)",
        ),
        ("accounts without a score", "SELECT count(*) FROM accounts WHERE icp_score IS NULL"),
    ] {
        assert_eq!(service.value::<i64>(sql).await, 0, "{what}");
    }
    service.check_integrity().await;
}

/// The fixtures of other tests are written by this program:
/// `lead-workspace demo --leads 500 --seed 20260501 --to tests/fixtures/leads-500.csv`, and
/// `--leads 12 … --to tests/fixtures/leads.jsonl`.
#[test]
fn fixtures_match_the_export() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let dir = tempfile::tempdir().unwrap();
    for (leads, name) in [("500", "leads-500.csv"), ("12", "leads.jsonl")] {
        let path = dir.path().join(name);
        let output = Command::new(env!("CARGO_BIN_EXE_lead-workspace"))
            .args(["demo", "--leads", leads, "--seed", "20260501", "--to"])
            .arg(&path)
            .output()
            .unwrap();
        assert!(output.status.success());
        let made = std::fs::read_to_string(&path).unwrap();
        let stored = std::fs::read_to_string(fixtures.join(name)).unwrap();
        assert!(made == stored, "{name} is out of date");
    }
}

/// A digest of every table that the demo data fills.
#[tokio::test]
async fn demo_data_of_a_seed_is_stable() {
    let service = Service::demo(300).await;
    let mut digest = Sha256::new();
    for table in [
        "accounts",
        "leads",
        "lists",
        "list_items",
        "account_list_items",
        "lead_scores",
        "account_scores",
        "campaigns",
        "campaign_leads",
        "chats",
        "intents",
        "nurtures",
        "signals",
        "signal_runs",
        "feed_posts",
        "network_accounts",
        "import_jobs",
    ] {
        let mut rows = service.rows(&format!("SELECT * FROM {table}")).await;
        rows.sort();
        let rows = rows.join("\n");
        digest.update(rows);
    }
    let digest: String = digest
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(
        digest,
        "70f0d6340444a7db3d71ef5a511aefc56de64c49c101fe8bc8a02a3f21adcbd6"
    );
}
