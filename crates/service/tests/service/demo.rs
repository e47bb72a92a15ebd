//! Demo data in a store.

use std::collections::BTreeSet;
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use lead_workspace_service::store::{AcrossWorkspaces, Db, Row};
use lead_workspace_service::{Store, StoreError, demo};
use rusqlite::types::Value as Sql;
use sha2::{Digest, Sha256};

use super::common::{Service, done, failed, fill};
use super::program::{program, run};

/// Returns all written data as text, without row numbers.
async fn contents(service: &Service) -> Vec<String> {
    let dump = |db: Db<'_>| {
        let mut lines = Vec::new();
        for sql in [
            "SELECT lead_id, name, headline, title, profile_data, custom_data, approval_status,
                    company, icp_score, title_key, created_at FROM leads ORDER BY lead_id",
            "SELECT account_id, name, description FROM accounts ORDER BY account_id",
            "SELECT account_id, list_id, s.icp_score, icp_reasoning FROM account_scores s
               JOIN accounts ON accounts.tenant = s.tenant AND accounts.id = account ORDER BY 1, 2",
            "SELECT lead_id, list_id, s.icp_score, icp_reasoning FROM lead_scores s
               JOIN leads ON leads.tenant = s.tenant AND leads.id = lead ORDER BY 1, 2",
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
    fill(&one.store, one.tenant, 300, 11).await;
    fill(&two.store, two.tenant, 300, 11).await;
    let before = contents(&one).await;
    assert!(before == contents(&two).await, "two fills differ");
    fill(&one.store, one.tenant, 300, 11).await;
    assert!(
        before == contents(&one).await,
        "a second fill changed something"
    );
    assert_eq!(one.value::<i64>("SELECT count(*) FROM leads").await, 300);
}

#[tokio::test]
async fn an_interrupted_fill_resumes_where_it_stopped() {
    let (whole, cut) = (Service::empty().await, Service::empty().await);
    fill(&whole.store, whole.tenant, 700, 11).await;
    fill(&cut.store, cut.tenant, 150, 11).await;
    fill(&cut.store, cut.tenant, 700, 11).await;
    assert!(
        contents(&whole).await == contents(&cut).await,
        "the rest differs"
    );
}

#[tokio::test]
async fn copies_counts_and_references_are_consistent() {
    let service = Service::empty().await;
    fill(&service.store, service.tenant, 600, 11).await;
    for (what, sql) in [
        (
            "leads whose copy of the company is not the account's",
            "SELECT count(*) FROM leads JOIN accounts ON accounts.tenant = leads.tenant AND accounts.id = leads.account
             WHERE company IS DISTINCT FROM accounts.name OR leads.industry IS DISTINCT FROM accounts.industry
                OR company_size IS DISTINCT FROM staff_count_range OR company_founded_year IS DISTINCT FROM founded_year",
        ),
        (
            "leads whose best score is not theirs",
            "SELECT count(*) FROM leads WHERE icp_score IS DISTINCT FROM
               (SELECT max(s.icp_score) FROM lead_scores s WHERE s.tenant = leads.tenant AND lead = leads.id)",
        ),
        (
            "leads whose latest intent is another",
            "SELECT count(*) FROM leads WHERE intent_type IS DISTINCT FROM
               (SELECT event_type FROM intents i WHERE i.tenant = leads.tenant AND lead = leads.id
                ORDER BY i.created_at DESC LIMIT 1)",
        ),
        (
            "leads without a conversation that they name",
            "SELECT count(*) FROM leads l WHERE chat_id IS NOT NULL AND NOT EXISTS
               (SELECT 1 FROM chats h WHERE h.tenant = l.tenant AND h.chat_id = l.chat_id)",
        ),
        (
            "scores for lists that the lead is not on",
            "SELECT count(*) FROM lead_scores WHERE list_id <> '' AND NOT EXISTS
               (SELECT 1 FROM list_items i WHERE i.tenant = lead_scores.tenant AND i.lead = lead_scores.lead AND i.list_id = lead_scores.list_id)",
        ),
        ("accounts without a score", "SELECT count(*) FROM accounts WHERE icp_score IS NULL"),
    ] {
        assert_eq!(service.value::<i64>(sql).await, 0, "{what}");
    }
    service.check_integrity().await;
}

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// Returns the decisions in the audit log, in its order.
async fn decisions(service: &Service) -> Vec<[String; 4]> {
    let sql = "SELECT a.at, k.name, a.lead_id, a.to_status FROM audit_log a JOIN api_keys k USING (key_id)
               WHERE a.action = 'decide' AND a.from_status = 'pending_approval' ORDER BY a.id";
    let read = |row: &Row<'_>| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]);
    let rows = move |db: Db<'_>| db.rows(AcrossWorkspaces(sql), &[], read);
    service.store.read(rows).await.unwrap()
}

#[tokio::test]
async fn decisions_are_of_several_keys_in_the_weeks_before() {
    let service = Service::demo(300).await;
    let (store, tenant, now) = (&service.store, service.tenant, demo::EXAMPLE_NOW);
    demo::add_decisions(store, tenant, 7, now).await.unwrap();
    let decided = decisions(&service).await;
    let sql = "SELECT count(*) FROM leads WHERE approval_status <> 'pending_approval'";
    assert_eq!(decided.len() as i64, service.value::<i64>(sql).await);
    assert!(decided.is_sorted_by(|one, next| one[0] <= next[0]));
    let keys: BTreeSet<_> = decided.iter().map(|one| &one[1]).collect();
    assert_eq!(keys.len(), 4, "{keys:?}");
    for [at, _, lead, status] in &decided {
        let lead = service
            .record(&format!(
                "SELECT created_at, approval_status,
                   (SELECT min(created_at) FROM campaign_leads c
                    WHERE c.tenant = l.tenant AND c.lead = l.id) AS contacted
                 FROM leads l WHERE lead_id = '{lead}'"
            ))
            .await;
        assert_eq!(lead["approval_status"], status.as_str());
        let contacted = lead["contacted"].as_str().map_or(now, time);
        let decided = time(lead["created_at"].as_str().unwrap())..=contacted;
        assert!(decided.contains(&time(at)), "{at} {lead}");
    }
    let month = now - SignedDuration::from_hours(24 * 30);
    let recent = decided.iter().filter(|one| time(&one[0]) > month);
    assert!(recent.count() * 3 > decided.len());
    // These keys have no secret.
    let open = "SELECT count(*) FROM api_keys WHERE length(secret_hash) <> 32";
    assert_eq!(service.value::<i64>(open).await, 0);

    // A second time, only what is not in the log is added: neither known decisions, nor those on leads of others.
    let file = "email,name,approval_status\na@x.example,Anna,approved\n";
    service.send(service.request("POST", "/import", file)).await;
    service
        .sql("DELETE FROM audit_log WHERE job_id IS NOT NULL")
        .await;
    demo::add_decisions(store, tenant, 7, now).await.unwrap();
    assert_eq!(decisions(&service).await, decided);
}

#[tokio::test]
async fn a_workspace_that_has_a_name_keeps_it() {
    let service = Service::empty().await;
    let (store, tenant) = (&service.store, service.tenant);
    demo::add_name(store, tenant).await.unwrap();
    let names = "SELECT name FROM tenants";
    assert_eq!(service.texts(names).await, ["Northwind outbound"]);
    service.sql("UPDATE tenants SET name = 'Ours'").await;
    demo::add_name(store, tenant).await.unwrap();
    assert_eq!(service.texts(names).await, ["Ours"]);
}

/// The program fills up to now, with a name and decisions.
#[tokio::test]
async fn the_program_writes_times_up_to_now() {
    let dir = tempfile::tempdir().unwrap();
    done(&run(&["demo", "--leads", "300"], dir.path()));
    let now = Timestamp::now();
    let store = Store::open(dir.path()).unwrap();
    let texts = async |sql: String| -> Vec<String> {
        let read = move |db: Db<'_>| db.rows(AcrossWorkspaces(&sql), &[], |row| row.get(0));
        store.read(read).await.unwrap()
    };
    for (table, column) in [
        ("leads", "created_at"),
        ("accounts", "created_at"),
        ("intents", "created_at"),
        ("chats", "last_message_at"),
        ("lead_scores", "scored_at"),
        ("account_scores", "scored_at"),
        ("audit_log", "at"),
    ] {
        let latest = texts(format!("SELECT max({column}) FROM {table}")).await;
        let latest = time(&latest[0]);
        let days = SignedDuration::from_hours(7 * 24);
        assert!(latest <= now, "{table}: {latest}");
        assert!(latest > demo::EXAMPLE_NOW + days, "{table}: {latest}");
    }
    let names = texts("SELECT name FROM tenants".into()).await;
    assert_eq!(names, ["Northwind outbound"]);
    // No reason is true on one day only.
    let reasons = texts(
        "SELECT icp_reasoning FROM lead_scores UNION ALL SELECT icp_reasoning FROM account_scores"
            .into(),
    )
    .await;
    for reason in &reasons {
        let mut relative = [" ago", " today", " yesterday"].into_iter();
        assert!(!relative.any(|word| reason.contains(word)), "{reason}");
    }
    let with_day = reasons.iter().filter(|reason| reason.contains(" on 20"));
    assert!(with_day.count() > 50);
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
        let mut demo = program(&["demo", "--leads", leads, "--seed", "20260501", "--to"]);
        done(&demo.arg(&path).output().unwrap());
        let made = std::fs::read_to_string(&path).unwrap();
        let stored = std::fs::read_to_string(fixtures.join(name)).unwrap();
        assert!(made == stored, "{name} is out of date");
    }
}

#[test]
fn demo_leads_do_not_replace_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("leads.csv");
    std::fs::write(&path, "Name\nAna\n").unwrap();
    let mut demo = program(&["demo", "--leads", "5", "--to"]);
    let message = failed(&demo.arg(&path).output().unwrap());
    assert!(message.contains("exists, and is unchanged"), "{message}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "Name\nAna\n");
}

#[test]
fn both_commands_have_the_same_limit() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    for arguments in [
        ["demo", "--leads", "1000001"],
        ["serve", "--demo", "1000001"],
    ] {
        let message = failed(&run(&arguments, &data));
        assert!(message.contains("1..=1000000"), "{message}");
        assert!(!data.exists());
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
        "bb2ee2024c6995a2ff8c71cd4b1186c74188a4c3ba9727073d0e724338b4db7b"
    );
}
