//! Lines of one batch, which are written together, do the same as lines that are written one by one.

use lead_workspace_service::import::ImportOptions;
use lead_workspace_service::store::audit::Actor;

use super::common::Service;
use super::import::{counts, options};

const HEADER: &str = "Name,Profile URL,Email,Title,Company,Company Website,Company Profile URL,Industry,# Employees,Lists,Campaign,Status";

/// Each of the lines after the first is about something that a line before it may have added.
const LINES: &[&str] = &[
    "Ada,https://p.example/in/ada,ada@a.example,CEO,Acme,https://acme.example,,,,Spring;Spring;Autumn,Early,",
    // The same lead: by its profile, with another spelling, then by its e-mail.
    "Ada,http://www.p.example/in/ada/,,CTO,Acme,,,,,Winter,Late,",
    ",,ADA@a.example,CFO,,,,,,,,",
    // The same company: by its domain, by its name, and with what was missing.
    "Bo,https://p.example/in/bo,,,Acme Inc,acme.example,,,,,,approved",
    "Cy,https://p.example/in/cy,,,Acme,,,Software,,,,",
    "Di,https://p.example/in/di,,,Acme,acme.example,https://c.example/company/acme,,11-50,Spring,,rejected",
    // Another company of that name.
    "Ed,https://p.example/in/ed,,,Acme,,https://c.example/company/acme-two,,,,,",
    "Flo,https://p.example/in/flo,,,Acme,acme.example,https://c.example/company/acme-two,,,,,",
    // A decision of a file applies to a pending lead, once.
    "Ada,https://p.example/in/ada,,,,,,,,,,approved",
    "Ada,https://p.example/in/ada,,,,,,,,,,rejected",
    // A known lead goes to a company that is new.
    "Bo,https://p.example/in/bo,,,Zeta,zeta.example,,,,,Early,",
    // No profile and no e-mail: name and company.
    "Gus,,,,Omega,,,,,Autumn,,",
    "GUS,,,Clerk,omega,,,,,,,",
    ",,,,Nameless,,,,,,,",
    "Hal,,info@shared.example,,,,,,,,,",
    "Ida,https://p.example/in/ida,info@shared.example,,,,,,,,,",
    "Jo,,info@shared.example,,,,,,,,,",
];

async fn imported(files: &[String]) -> ([u64; 4], Vec<String>) {
    let service = Service::empty().await;
    let mut sum = [0; 4];
    for file in files {
        let options = ImportOptions {
            actor: Some(Actor::command()),
            ..options("leads.csv")
        };
        let report = service.import(file.clone(), options).await.unwrap();
        for (sum, count) in sum.iter_mut().zip(counts(&report)) {
            *sum += count;
        }
    }
    let mut rows = Vec::new();
    for sql in [
        "SELECT l.id, l.name, l.identity, l.profile_url, l.email, l.title, l.approval_status, l.campaign_lead_status,
           l.custom_data, l.profile_data, l.account, l.company, l.company_key, l.industry, l.company_size
         FROM leads l ORDER BY l.id",
        "SELECT i.lead, n.name FROM list_items i JOIN lists n USING (tenant, list_id) ORDER BY 1, 2",
        "SELECT c.lead, n.name FROM campaign_leads c JOIN campaigns n USING (tenant, campaign_id) ORDER BY 1, 2",
        "SELECT id, name, name_key, domain, identity, industry, staff_count_range, network_username, is_promoted,
           (SELECT count(*) FROM leads WHERE leads.tenant = accounts.tenant AND leads.account = accounts.id) FROM accounts ORDER BY id",
        "SELECT from_status, to_status, l.name FROM audit_log JOIN leads l USING (tenant, lead_id) ORDER BY 1, 2, 3",
    ] {
        rows.extend(service.rows(sql).await);
    }
    (sum, rows)
}

#[tokio::test]
async fn lines_of_a_batch_do_what_they_do_one_by_one() {
    let file = |lines: &[&str]| format!("{HEADER}\n{}\n", lines.join("\n"));
    let one_by_one: Vec<String> = LINES.iter().map(|line| file(&[line])).collect();
    let (expected, rows) = imported(&one_by_one).await;
    assert_eq!(expected, [8, 7, 1, 1]);
    // In any order, and with any line first.
    for first in 0..LINES.len() {
        let mut lines = LINES.to_vec();
        lines.rotate_left(first);
        let (expected, rows) = if first == 0 {
            (expected, rows.clone())
        } else {
            let one_by_one: Vec<String> = lines.iter().map(|line| file(&[line])).collect();
            imported(&one_by_one).await
        };
        let (counts, together) = imported(&[file(&lines)]).await;
        assert_eq!(counts, expected, "{lines:?}");
        assert_eq!(together, rows, "{lines:?}");
    }
}
