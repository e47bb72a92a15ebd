//! Behind PgBouncer in transaction mode, whose three connections to the server are shared by all clients.

use std::sync::Arc;

use lead_workspace_test_postgres::{Pooler, Server};

use super::{add_signal, database, opened, opening, signals};
use crate::store::db::params;
use crate::store::error::StoreError;
use crate::store::postgres::{Exclusive, Target};

/// Many reads and changes at the same time by one process. Prepared statements have the same names in each process.
async fn reads(url: &str, process: &'static str) -> Result<(), StoreError> {
    let postgres = Arc::new(opened(url).await?);
    for round in 0..3 {
        let reads = (0..12_i64).map(|number| {
            let postgres = Arc::clone(&postgres);
            tokio::spawn(async move {
                let read = move |db: crate::store::db::Db<'_>| {
                    let same: i64 = db.value("SELECT ?1 + 1", params![number])?;
                    let text: String =
                        db.value("SELECT CAST(?1 AS text) || ?2", params![same, "x"])?;
                    Ok(text)
                };
                let text = postgres.read(None, read).await?;
                assert_eq!(text, format!("{}x", number + 1));
                let id = format!("{process}-{round}-{number}");
                postgres.write(None, move |db| add_signal(db, &id)).await
            })
        });
        for read in reads.collect::<Vec<_>>() {
            read.await.unwrap()?;
        }
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_share_the_connections_of_a_pooler() {
    let database = database();
    let pooler = Pooler::start(&database);
    let url = pooler.url(&database);
    let (one, other) = tokio::join!(reads(&url, "one"), reads(&url, "other"));
    one.unwrap();
    other.unwrap();
    assert_eq!(database.sql("SELECT count(*) FROM signals"), "72");
    // Nothing is left on the connections.
    let locks = "SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
                 WHERE l.locktype = 'advisory' AND d.datname = current_database()";
    assert_eq!(database.sql(locks), "0");
}

#[tokio::test]
async fn a_move_and_a_service_exclude_each_other_behind_a_pooler() {
    let database = Server::shared().empty_database();
    let pooler = Pooler::start(&database);
    for url in [pooler.url(&database), database.url()] {
        let target = Target::of_url(&url).unwrap();
        let (sender, claimed) = tokio::sync::oneshot::channel();
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let moving = std::thread::spawn(move || {
            let exclusive = Exclusive::open(&target).unwrap();
            exclusive.write(|_| Ok(())).unwrap();
            sender.send(()).unwrap();
            ended.recv().unwrap();
            exclusive.read(signals).unwrap()
        });
        claimed.await.unwrap();
        let refused = opening(&pooler.url(&database)).await;
        assert!(refused.contains("being moved"), "{refused}");
        end.send(()).unwrap();
        assert_eq!(moving.join().unwrap(), 0);
    }
    // A transaction of a service that runs.
    let service = Arc::new(opened(&pooler.url(&database)).await.unwrap());
    let target = Target::of_url(&pooler.url(&database)).unwrap();
    let read = service.read(None, move |_| {
        let opening = std::thread::spawn(move || Exclusive::open(&target).map(drop));
        Ok(opening.join().unwrap().unwrap_err().to_string())
    });
    let refused = read.await.unwrap();
    assert!(refused.contains("in use"), "{refused}");
}

#[tokio::test]
async fn a_pooler_is_recognized_with_and_without_its_parameter() {
    let database = database();
    let pooler = Pooler::start(&database);
    let is_pooled = |url: String| {
        let connect = move || Target::of_url(&url).unwrap().connect().unwrap().is_pooled();
        std::thread::spawn(connect).join().unwrap()
    };
    assert!(is_pooled(pooler.url(&database)));
    assert!(is_pooled(format!(
        "{}?pgbouncer=true",
        pooler.url(&database)
    )));
    assert!(is_pooled(format!(
        "{}?sslmode=disable&pgbouncer=true&connect_timeout=5",
        pooler.url(&database)
    )));
    assert!(!is_pooled(database.url()));
    assert!(!is_pooled(format!("{}?pgbouncer=true", database.url())));
}
