//! Companies, lists and campaigns that must be merged, and those that must not.

use std::io::{Cursor, Read};
use std::sync::mpsc;

use lead_workspace_service::import;
use serde_json::json;

use crate::common::Service;
use crate::import::options;

#[tokio::test]
async fn companies_on_a_shared_host_stay_separate() {
    let service = Service::empty().await;
    let text = "Name,Company,Website,Industry\n\
        A,Acme,https://www.facebook.com/acme,Software\n\
        B,Bistro,https://www.facebook.com/bistro,\n\
        C,,https://linktr.ee/cafe,\n\
        D,Depot,https://linktr.ee/depot,\n\
        E,Acme,acme.example,\n";
    assert_eq!(service.import_csv(text).await.counts.inserted, 5);
    let accounts: String = service
        .texts(
            "SELECT concat_ws('/', name, domain, industry, (SELECT count(*) FROM leads WHERE leads.tenant = accounts.tenant AND leads.account = accounts.id)) FROM accounts ORDER BY id",
        )
        .await
        .join(" ");
    assert_eq!(accounts, "Acme/acme.example/Software/2 Bistro/1 Depot/1");
    let stored: String = service
        .value("SELECT custom_data FROM leads WHERE name = 'C'")
        .await;
    assert_eq!(
        stored, "{\"Website\":\"https://linktr.ee/cafe\"}",
        "the page is lost"
    );
}

#[tokio::test]
async fn invisible_characters_in_names_are_removed_and_not_searched() {
    let service = Service::empty().await;
    let run = async |text: &str| service.import_csv(text).await.counts;
    let text = "Name,Title,Company,Lists,Note\n\
        An\u{200b}a  D\u{ad}iaz,\"Head\u{a0}of\n Sales\u{200e}\",Ac\u{200b}me  Ltd,Au\u{2060}tumn,a\u{200b}  b\n";
    assert_eq!(run(text).await.inserted, 1);
    let plain = "Name,Title,Company\nAna Diaz,Head of Sales,Acme Ltd\n";
    assert_eq!(run(plain).await.unchanged, 1);
    let stored = "SELECT concat_ws('|', name, title, company) FROM leads
        UNION ALL SELECT name FROM accounts UNION ALL SELECT name FROM lists";
    assert_eq!(
        service.texts(stored).await,
        ["Ana Diaz|Head of Sales|Acme Ltd", "Acme Ltd", "Autumn"]
    );
    let custom: String = service.value("SELECT custom_data FROM leads").await;
    assert_eq!(
        custom, "{\"Note\":\"a\u{200b}  b\"}",
        "other columns stay as they are"
    );

    for search in [
        "ana diaz",
        "\u{feff}an\u{200d}a",
        "head  \u{200b} of",
        "acme",
    ] {
        let query = json!({"search": search});
        let body = service.call("POST", "/api/leads/query", query).await.json();
        assert_eq!(body["total"], 1, "{search:?}");
        let path = format!("/api/leads/facets/search?field=title&q={}", encoded(search));
        let body = service.get(&path).await.json();
        assert_eq!(
            body["total_distinct"] == 1,
            search.contains("head"),
            "{body}"
        );
    }
}

fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// A file that arrives in pieces, as the test sends them.
struct Pieces(mpsc::Receiver<Vec<u8>>, Cursor<Vec<u8>>);

impl Read for Pieces {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        loop {
            let length = self.1.read(out)?;
            if length > 0 {
                return Ok(length);
            }
            match self.0.recv() {
                Ok(piece) => self.1 = Cursor::new(piece),
                Err(_) => return Ok(0),
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_imports_create_a_list_and_a_campaign_once() {
    let service = Service::empty().await;
    let (send, pieces) = mpsc::channel();
    let (written, mut first_batch) = tokio::sync::mpsc::unbounded_channel();
    let slow = import::run(
        &service.store,
        service.tenant,
        Pieces(pieces, Cursor::default()),
        options("a.csv"),
        move |event| {
            if let lead_workspace_api::import::ImportEvent::Progress { .. } = event {
                let _ = written.send(());
            }
        },
    );
    let quick = async {
        // Longer than the start of the file used for detection, so that the first import has
        // written a batch and read the lists before the second one starts.
        let note = "x".repeat(300);
        let mut text = String::from("Name,Email,Lists,Campaign,Note\n");
        (0..400).for_each(|n| text.push_str(&format!("A{n},a{n}@a.example,Spring,Early,{note}\n")));
        send.send(text.into_bytes()).unwrap();
        first_batch.recv().await.unwrap();
        let text = b"Name,Email,Lists,Campaign\nBo,bo@b.example,Autumn,Late\n".to_vec();
        service.import_csv(text).await;
        send.send(b"Cy,cy@c.example,AUTUMN,late\n".to_vec())
            .unwrap();
        drop(send);
    };
    let (slow, ()) = tokio::join!(slow, quick);
    assert_eq!(slow.unwrap().counts.inserted, 401);
    for (table, names) in [("lists", "Autumn,Spring"), ("campaigns", "Early,Late")] {
        let sql = format!("SELECT name FROM {table} ORDER BY name");
        assert_eq!(service.texts(&sql).await.join(","), names);
    }
    let on_list: i64 = service
        .value("SELECT count(*) FROM list_items JOIN lists USING (tenant, list_id) WHERE name = 'Autumn'")
        .await;
    assert_eq!(on_list, 2);
}
