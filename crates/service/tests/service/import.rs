//! Imports into a store.

use std::fmt::Write as _;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use lead_workspace_api::import::{ImportEvent, ImportReport};
use lead_workspace_service::import::{self, Format, ImportError, ImportOptions};
use lead_workspace_service::{Store, Tenant};
use serde_json::json;

use super::common::Service;

pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures")
        .join(name)
}

pub fn options(name: &str) -> ImportOptions {
    ImportOptions {
        file_name: name.into(),
        format: Format::of_file(name),
        ..ImportOptions::default()
    }
}

/// Imports a file.
pub async fn import(
    store: &Store,
    tenant: Tenant,
    text: impl Into<Vec<u8>>,
    options: ImportOptions,
) -> Result<ImportReport, ImportError> {
    import::run(store, tenant, Cursor::new(text.into()), options, |_| {}).await
}

impl Service {
    /// Imports a file into the workspace.
    pub async fn import(
        &self,
        text: impl Into<Vec<u8>>,
        options: ImportOptions,
    ) -> Result<ImportReport, ImportError> {
        import(&self.store, self.tenant, text, options).await
    }

    /// Imports a CSV file that can be read.
    pub async fn import_csv(&self, text: impl Into<Vec<u8>>) -> ImportReport {
        self.import(text, options("leads.csv")).await.unwrap()
    }
}

/// Returns the numbers of new, updated, unchanged and failed lines.
pub fn counts(report: &ImportReport) -> [u64; 4] {
    let counts = report.counts;
    [
        counts.inserted,
        counts.updated,
        counts.unchanged,
        counts.failed,
    ]
}

#[tokio::test]
async fn a_typical_export_is_imported_completely_and_once() {
    let service = Service::empty().await;
    let text = std::fs::read(fixture("leads-500.csv")).unwrap();
    let report = service.import_csv(text.clone()).await;
    assert_eq!(counts(&report), [500, 0, 0, 0]);
    let again = service.import_csv(text.clone()).await;
    assert_eq!(counts(&again), [0, 0, 500, 0]);
    assert_eq!(again.import_job_id, None);
    assert!(import::summary(&again).contains("already exist; nothing was changed"));

    // Nothing of the file is lost: columns without a field are stored under their header.
    let mut csv = csv::Reader::from_reader(text.as_slice());
    for record in csv.deserialize::<std::collections::BTreeMap<String, String>>() {
        let line = record.unwrap();
        let url = &line["Profile URL"];
        let sql = format!(
            "SELECT name, title, company, location, company_size AS size, industry, headline,
               approval_status AS status, custom_data AS custom, import_job_id AS import
             FROM leads WHERE profile_url = '{url}'"
        );
        let mut lead = service.record(&sql).await;
        lead["custom"] = serde_json::from_str(lead["custom"].as_str().unwrap()).unwrap();
        let name = format!("{} {}", line["First Name"], line["Last Name"]);
        assert_eq!(lead["name"], name.trim(), "{url}");
        for (member, header) in [
            ("title", "Title"),
            ("company", "Company"),
            ("location", "Location"),
            ("size", "# Employees"),
            ("industry", "Industry"),
            ("headline", "Headline"),
        ] {
            assert_eq!(lead[member], line[header], "{url} {header}");
        }
        for header in ["Email", "Lead Source", "Phone", "Notes"] {
            let stored = lead["custom"][header].as_str().unwrap_or_default();
            assert_eq!(stored, line[header], "{url} {header}");
        }
        assert_eq!(lead["status"], "pending_approval");
        assert_eq!(lead["import"], json!(report.import_job_id));
    }
    let on_lists: i64 = service.value("SELECT count(*) FROM list_items").await;
    assert!(on_lists > 100, "{on_lists}");
    for (what, sql) in [
        (
            "accounts that stand twice",
            "SELECT count(*) - count(DISTINCT domain) FROM accounts WHERE domain IS NOT NULL",
        ),
        (
            "imports without an end",
            "SELECT count(*) FROM import_jobs WHERE finished_at IS NULL",
        ),
    ] {
        assert_eq!(service.value::<i64>(sql).await, 0, "{what}");
    }
    service.check_integrity().await;
    let search = json!({"search": "nobrega", "page_size": 5});
    let found = service
        .call("POST", "/api/leads/query", search)
        .await
        .json();
    assert!(found["total"].as_u64().unwrap() > 0);
}

#[tokio::test]
async fn jsonl_is_imported() {
    let service = Service::empty().await;
    let text = std::fs::read(fixture("leads.jsonl")).unwrap();
    let report = service
        .import(text.clone(), options("leads.jsonl"))
        .await
        .unwrap();
    assert_eq!(counts(&report), [12, 0, 0, 0]);
    let again = service.import(text, options("leads.jsonl")).await.unwrap();
    assert_eq!(counts(&again), [0, 0, 12, 0]);
    // The same leads in a CSV file are matched by their profiles.
    let csv = std::fs::read_to_string(fixture("leads-500.csv")).unwrap();
    let report = service.import_csv(csv).await;
    assert_eq!(report.counts.inserted, 488);
}

#[tokio::test]
async fn a_reimport_updates_leads_and_keeps_decisions() {
    let service = Service::empty().await;
    let head = "Full Name,Profile URL,Title,Company,Status,Team\n";
    let first = format!(
        "{head}Ana Diaz,https://p.example/in/ana,Manager,Acme,,Red\n\
         Bo Li,https://p.example/in/bo,Clerk,Acme,,\n\
         Cy Roe,https://p.example/in/cy,Chef,Bistro,approved,\n"
    );
    assert_eq!(counts(&service.import_csv(first).await), [3, 0, 0, 0]);
    let status = |name: &str| format!("SELECT approval_status FROM leads WHERE name = '{name}'");
    assert_eq!(service.value::<String>(&status("Cy Roe")).await, "approved");
    service
        .sql("UPDATE leads SET approval_status = 'rejected' WHERE name = 'Ana Diaz'")
        .await;

    // Title and company change; an empty cell erases nothing; a user's decision remains.
    let second = format!(
        "{head}Ana Diaz,http://www.P.example/in/ana/?ref=1,Director,Bistro,approved,\n\
         Bo Li,p.example/in/bo,,Acme,approved,\n\
         Cy Roe,https://p.example/in/cy,Chef,Bistro,rejected,\n"
    );
    let report = service.import_csv(second).await;
    assert_eq!(counts(&report), [0, 2, 1, 0]);
    assert_eq!(
        service.value::<String>(&status("Ana Diaz")).await,
        "rejected"
    );
    assert_eq!(service.value::<String>(&status("Bo Li")).await, "approved");
    assert_eq!(service.value::<String>(&status("Cy Roe")).await, "approved");
    let ana: String = service
        .value(
            "SELECT title || '|' || company || '|' || profile_url || '|' || custom_data || '|' || title_key
             FROM leads WHERE name = 'Ana Diaz'",
        )
        .await;
    assert_eq!(
        ana,
        "Director|Bistro|https://p.example/in/ana|{\"Team\":\"Red\"}|director"
    );
    let counts: String = service
        .texts("SELECT name || (SELECT count(*) FROM leads WHERE leads.tenant = accounts.tenant AND leads.account = accounts.id) FROM accounts ORDER BY name")
        .await
        .join(",");
    assert_eq!(counts, "Acme1,Bistro2");
    let found = service
        .call("POST", "/api/leads/query", json!({"search": "director"}))
        .await
        .json();
    assert_eq!(found["total"], 1);
}

#[tokio::test]
async fn leads_match_by_profile_then_email_then_name_and_company() {
    let service = Service::empty().await;
    let head = "Name,Profile URL,Email,Company,City\n";
    let lines = [
        (
            "Ana,https://p.example/in/ana,info@acme.example,Acme,Rome\n",
            [1, 0, 0, 0],
        ),
        // A shared address does not make two profiles one person.
        (
            "Bo,https://p.example/in/bo,info@acme.example,Acme,Rome\n",
            [1, 0, 0, 0],
        ),
        ("Cy,,cy@acme.example,Acme,Rome\n", [1, 0, 0, 0]),
        ("Cy,,CY@acme.example,Acme,Rome\n", [0, 1, 0, 0]),
        // Adds the profile of a lead that was known by e-mail only.
        (
            "Cy,https://p.example/in/cy,cy@acme.example,Acme,Rome\n",
            [0, 1, 0, 0],
        ),
        ("Cy,https://p.example/in/cy,,Acme,Rome\n", [0, 0, 1, 0]),
        ("Di,,,Acme,Rome\n", [1, 0, 0, 0]),
        ("DI,,,ACME,Rome\n", [0, 1, 0, 0]),
        ("Di,,,Bistro,Rome\n", [1, 0, 0, 0]),
    ];
    for (line, expected) in lines {
        let report = service.import_csv(format!("{head}{line}")).await;
        assert_eq!(counts(&report), expected, "{line}");
    }
}

#[tokio::test]
async fn variants_of_a_company_name_are_one_account() {
    let service = Service::empty().await;
    let text = "Name,Company,Website,Company Profile URL,Industry,Company Size\n\
        A,Acme GmbH,,https://n.example/company/acme,,\n\
        B,ACME,acme.example,http://www.n.example/company/acme/,Software,\n\
        C,Acme Inc,https://www.acme.example/about,,,137\n\
        D,acme gmbh,,,,\n\
        E,Acme GmbH,other.example,,Bakery,\n\
        F,,,,Mining,\n";
    assert_eq!(counts(&service.import_csv(text).await), [6, 0, 0, 0]);
    let accounts: String = service
        .texts(
            "SELECT concat_ws('/', name, domain, industry, staff_count_range, (SELECT count(*) FROM leads WHERE leads.tenant = accounts.tenant AND leads.account = accounts.id)) FROM accounts ORDER BY id",
        )
        .await
        .join(" ");
    assert_eq!(
        accounts,
        "Acme GmbH/acme.example/Software/51-200/4 Acme GmbH/other.example/Bakery/1"
    );
    // Company values learned later are copied to the existing leads.
    let copies: String = service
        .value("SELECT company || company_size || industry FROM leads WHERE name = 'A'")
        .await;
    assert_eq!(copies, "Acme GmbH51-200Software");
    let stored: String = service
        .value("SELECT custom_data FROM leads WHERE name = 'F'")
        .await;
    assert_eq!(stored, "{\"Industry\":\"Mining\"}");
}

#[tokio::test]
async fn bad_lines_are_reported_by_number_and_the_rest_is_imported() {
    let service = Service::empty().await;
    let mut text = String::from("Name,Title\n\"two\nlines\",CEO\n");
    for number in 0..30 {
        let _ = writeln!(text, ",nobody {number}");
        let _ = writeln!(text, "Lead {number},fine");
    }
    text.push_str("x,y,z,\n");
    let mut errors = Vec::new();
    let source = Cursor::new(text.into_bytes());
    let report = import::run(
        &service.store,
        service.tenant,
        source,
        options("a.csv"),
        |event| {
            if let ImportEvent::Failed(error) = event {
                errors.push((error.line, error.reason));
            }
        },
    );
    let report = report.await.unwrap();
    assert_eq!(counts(&report), [31, 0, 0, 31]);
    assert_eq!(report.first_errors.len(), 10);
    assert_eq!(errors.len(), 31);
    assert_eq!(
        errors[0],
        (4, "no name, profile URL or e-mail address".into())
    );
    assert_eq!(errors[1].0, 6);
    assert_eq!(errors[30].0, 64);
    let job: String = service
        .value("SELECT inserted || ' ' || failed || ' ' || file_name FROM import_jobs")
        .await;
    assert_eq!(job, "31 31 a.csv");
}

#[tokio::test]
async fn lists_campaigns_and_times_are_imported() {
    let service = Service::empty().await;
    let text = "Name,Tags,Campaign,Created At,Timezone\n\
        Ana,Été; Spring,Nordics,2026-01-31,Europe/Paris\nBo,ete,nordics,soon,\n";
    let with_list = ImportOptions {
        list: Some("Trade fair".into()),
        ..options("a.csv")
    };
    let report = service.import(text, with_list.clone()).await.unwrap();
    assert_eq!(counts(&report), [2, 0, 0, 0]);
    assert_eq!(
        counts(&service.import(text, with_list).await.unwrap()),
        [0, 0, 2, 0]
    );
    let lists: String = service
        .texts(
            "SELECT name || (SELECT count(*) FROM list_items i WHERE i.tenant = lists.tenant AND i.list_id = lists.list_id)
             FROM lists ORDER BY name",
        )
        .await
        .join(",");
    assert_eq!(lists, "Spring1,Trade fair2,Été2");
    let campaign: String = service
        .value("SELECT name || (SELECT count(*) FROM campaign_leads m WHERE m.tenant = campaigns.tenant) FROM campaigns")
        .await;
    assert_eq!(campaign, "Nordics2");
    let ana: String = service
        .value("SELECT created_at || ' ' || resolved_timezone FROM leads WHERE name = 'Ana'")
        .await;
    assert_eq!(ana, "2026-01-31T00:00:00.000Z Europe/Paris");
    let bo: String = service
        .value("SELECT custom_data FROM leads WHERE name = 'Bo'")
        .await;
    assert_eq!(bo, "{\"Created At\":\"soon\"}");
}

#[tokio::test]
async fn unusable_files_get_a_clear_message() {
    let service = Service::empty().await;
    let report = service.import_csv("Name,Email\n").await;
    assert_eq!(counts(&report), [0; 4]);
    assert!(import::summary(&report).contains("a header but no lines"));
    for (text, expected) in [
        ("", "the file is empty"),
        ("PK\u{3}\u{4}..", "a damaged ZIP archive"),
        ("A,B\n1,2\n", "--map"),
    ] {
        let result = service.import(text, options("a.csv")).await;
        let error = result.unwrap_err().to_string();
        assert!(
            error.contains(expected) && error.contains("Nothing was imported"),
            "{error}"
        );
    }
    assert_eq!(
        service
            .value::<i64>("SELECT count(*) FROM import_jobs")
            .await,
        0
    );
}
