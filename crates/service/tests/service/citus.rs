//! The rows of workspaces on several servers, and what happens when one of them is gone.
//!
//! `cargo xtask test --only citus` runs these tests, and all others that run on PostgreSQL, with the extension Citus.

use std::collections::HashMap;
use std::fs::{self, File};
use std::thread;
use std::time::{Duration, Instant};

use lead_workspace_service::http::ServiceOptions;
use lead_workspace_service::store::{AcrossWorkspaces, Db, Row, keys};
use lead_workspace_service::{StoreError, Tenant};
use lead_workspace_test_postgres::Cluster;
use serde_json::{Value, json};

use crate::common::{Answer, Service, body_of, done, eventually, on_several, with};
use crate::import::{import, options};
use crate::program::{on_database, program, try_start};
use crate::scoring::worker;

/// A service with a workspace on each of two servers.
struct Spread {
    service: Service,
    cluster: &'static Cluster,
    /// In the order of the servers.
    workspaces: Vec<(Tenant, String)>,
}

impl Spread {
    async fn start() -> Self {
        let cluster = Cluster::start_with(&[]).unwrap();
        let cluster: &'static Cluster = Box::leak(Box::new(cluster));
        let database = cluster.database(on_several);
        let mut service = Service::on(Some(database), &ServiceOptions::default()).await;
        // So many that each server has some.
        let key = service.store.write(|db| {
            let names: Vec<String> = (1..=20).map(|at| format!("team-{at}")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            for name in &names {
                Tenant::ensure(db, name)?;
            }
            keys::create(db, "all", &names)
        });
        service.key = key.await.unwrap().text;
        let places = |db: Db<'_>| {
            let sql = "SELECT n.nodename, t.tenant_id FROM tenants t
                       JOIN pg_dist_placement p
                         ON p.shardid = get_shard_id_for_distribution_column('leads', t.tenant)
                       JOIN pg_dist_node n ON n.groupid = p.groupid WHERE t.tenant_id LIKE 'team-%'";
            let read = |row: &Row<'_>| {
                let id: String = row.get(1)?;
                Ok((row.get(0)?, (Tenant::find(db, &id)?.unwrap(), id)))
            };
            db.rows(AcrossWorkspaces(sql), &[], read)
        };
        let mut places: HashMap<String, (Tenant, String)> =
            service.store.read(places).await.unwrap();
        let workers = cluster.workers().into_iter();
        let dirs = workers.map(|server| server.dir().display().to_string());
        let workspaces = dirs.map(|dir| places.remove(&dir).unwrap()).collect();
        Self {
            service,
            cluster,
            workspaces,
        }
    }

    async fn call(&self, at: usize, method: &str, path: &str, body: Value) -> Answer {
        let request = self.service.request(method, path, body_of(&body));
        let request = with(request, "x-tenant-id", &self.workspaces[at].1);
        self.service.send(request).await
    }

    async fn import(&self, at: usize, name: &str) -> bool {
        let text = format!("Name,Company\n{name},Acme\n");
        let (store, tenant) = (&self.service.store, self.workspaces[at].0);
        import(store, tenant, text, options("leads.csv"))
            .await
            .is_ok()
    }

    async fn list(&self, at: usize) -> Answer {
        self.call(at, "POST", "/api/leads/query", json!({})).await
    }

    async fn decide(&self, at: usize, lead: &str, status: &str) -> Answer {
        let body = json!({"approval_status": status});
        self.call(at, "PATCH", &format!("/api/leads/{lead}"), body)
            .await
    }

    /// Scores all leads. Returns whether the job has succeeded, or was refused.
    async fn score(&self, at: usize) -> bool {
        let started = self.call(at, "POST", "/api/leads/score", json!({})).await;
        if started.status != 202 {
            return false;
        }
        let job = started.json()["job_id"].as_str().unwrap().to_owned();
        let path = format!("/api/jobs/{job}");
        eventually(async || {
            let job = self.call(at, "GET", &path, Value::Null).await;
            (job.status == 200 && job.json()["status"] == "succeeded").then_some(())
        })
        .await;
        true
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Citus: cargo xtask test --only citus"]
async fn workspaces_on_other_servers_go_on_while_one_is_gone() {
    let spread = Spread::start().await;
    let _worker = worker(&spread.service);
    let mut leads = Vec::new();
    for at in [0, 1] {
        assert!(spread.import(at, "Ana").await);
        let list = spread.list(at).await.json();
        leads.push(list["data"][0]["lead_id"].as_str().unwrap().to_owned());
        assert_eq!(spread.decide(at, &leads[at], "approved").await.status, 200);
    }
    let ready = spread.service.get("/readyz").await;
    assert_eq!(ready.json()["status"], "ready", "{}", ready.text);

    let lost = spread.cluster.workers()[0];
    lost.stop();
    let began = Instant::now();
    for refused in [
        spread.decide(0, &leads[0], "rejected").await,
        // Others changed nothing since, so the index could answer; but it cannot know that.
        spread.list(0).await,
        spread
            .call(0, "GET", &format!("/api/leads/{}", leads[0]), Value::Null)
            .await,
    ] {
        assert_eq!(refused.status, 503, "{}", refused.text);
        assert!(refused.headers.contains_key("retry-after"));
        let is_told = refused
            .text
            .contains("a server of the database cannot be reached");
        // Its address is for the operator.
        let hides = !refused.text.contains("lead-workspace-postgres");
        assert!(is_told && hides, "{}", refused.text);
    }
    assert!(
        began.elapsed() < Duration::from_secs(10),
        "no answer for long"
    );
    assert!(!spread.import(0, "Bo").await);
    assert_eq!(
        spread.list(1).await.json()["data"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(spread.decide(1, &leads[1], "rejected").await.status, 200);
    assert!(spread.import(1, "Bo").await);
    assert!(spread.score(1).await);
    // A load balancer keeps the process, and a person sees which server it is.
    let ready = eventually(async || {
        let ready = spread.service.get("/readyz").await;
        (ready.json()["status"] == "ready in part").then_some(ready)
    })
    .await;
    assert_eq!(ready.status, 200);
    let checks = ready.json()["checks"].clone();
    let failed: Vec<&Value> = checks
        .as_array()
        .unwrap()
        .iter()
        .filter(|check| check["ok"] == false)
        .collect();
    let name = failed[0]["name"].as_str().unwrap();
    assert_eq!(failed.len(), 1, "{checks}");
    assert!(name.contains(&*lost.dir().to_string_lossy()), "{name}");

    lost.restart();
    eventually(async || (spread.list(0).await.status == 200).then_some(())).await;
    let list = spread.list(0).await.json();
    assert_eq!(list["data"].as_array().unwrap().len(), 1);
    assert_eq!(list["data"][0]["approval_status"], "approved");
    assert!(spread.import(0, "Bo").await && spread.score(0).await);
    assert_eq!(
        spread.list(0).await.json()["data"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[test]
#[ignore = "needs Citus: cargo xtask test --only citus"]
fn the_log_has_at_most_one_line_a_second_while_a_server_is_gone() {
    let cluster = Cluster::start_with(&[]).unwrap();
    let cluster: &'static Cluster = Box::leak(Box::new(cluster));
    let database = cluster.database(on_several);
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    let mut serve = on_database(&database.url());
    serve.stderr(File::create(&log).unwrap());
    let program = try_start(serve).unwrap();
    let list = || program.call("POST", "/api/leads/query", &json!({})).0;
    assert_eq!(list(), 200);
    for worker in cluster.workers() {
        worker.stop();
    }
    // When each line was written. Many requests are refused meanwhile.
    let (mut refused, mut times) = (0, Vec::new());
    while times.len() < 4 {
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert_eq!(list(), 503));
            }
        });
        refused += 4;
        let text = fs::read_to_string(&log).unwrap();
        let lines = text
            .split_inclusive('\n')
            .filter(|line| line.ends_with('\n'));
        // After those about the demo leads.
        times = lines
            .filter(|line| line.contains(" ERROR "))
            .map(|line| line.split(' ').next().unwrap().parse().unwrap())
            .collect::<Vec<jiff::Timestamp>>();
    }
    for pair in times.windows(2) {
        // The clock of the log is not the one that the service waits by.
        let between = pair[0].duration_until(pair[1]);
        assert!(
            between >= jiff::SignedDuration::from_millis(950),
            "{times:?}"
        );
    }
    assert!(refused > times.len());
    for worker in cluster.workers() {
        worker.restart();
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Citus: cargo xtask test --only citus"]
async fn workspaces_move_to_a_server_that_is_added_while_they_are_used() {
    // It ends with the program.
    let spread: &'static Spread = Box::leak(Box::new(Spread::start().await));
    let database = spread.service.database.as_ref().unwrap();
    let mut leads = Vec::new();
    for at in [0, 1] {
        assert!(spread.import(at, "Ana").await);
        let list = spread.list(at).await.json();
        leads.push(list["data"][0]["lead_id"].as_str().unwrap().to_owned());
    }
    let moved = tokio::task::spawn_blocking(move || {
        let (_, name) = spread.cluster.add_worker(database);
        database.sql("SELECT rebalance_table_shards(shard_transfer_mode => 'force_logical')");
        let shards =
            "SELECT count(*) FROM citus_shards WHERE table_name = 'leads'::regclass AND nodename";
        database.sql(&format!("{shards} = '{name}'"))
    });
    let mut decided = ["pending_approval"; 2];
    let mut acknowledged = 0;
    while !moved.is_finished() {
        for at in [0, 1] {
            let status = if decided[at] == "approved" {
                "rejected"
            } else {
                "approved"
            };
            let answer = spread.decide(at, &leads[at], status).await;
            assert!(
                matches!(answer.status.as_u16(), 200 | 503),
                "{}",
                answer.text
            );
            if answer.status == 200 {
                decided[at] = status;
                acknowledged += 1;
            }
            let list = spread.list(at).await.json();
            assert_eq!(list["data"][0]["approval_status"], decided[at]);
        }
    }
    assert_ne!(moved.await.unwrap(), "0");
    assert!(acknowledged > 0);
}

#[test]
#[ignore = "needs Citus: cargo xtask test --only citus"]
fn a_folder_moves_to_several_servers_and_back() {
    let database = Cluster::shared().empty_database();
    on_several(&database.url());
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let run = |arguments: &[&str]| done(&program(arguments).output().unwrap());
    run(&["demo", "--leads", "300", "--data", &path("one")]);
    // Counts and digests of each table are compared by the command.
    let there = run(&["move", "--from", &path("one"), "--to", &database.url()]);
    let back = run(&["move", "--from", &database.url(), "--to", &path("other")]);
    let rows = |text: &str| {
        text.lines()
            .filter(|line| !line.contains(" rows "))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert!(rows(&there).len() > 10, "{there}");
    assert_eq!(rows(&there), rows(&back));
    let shards =
        "SELECT count(DISTINCT get_shard_id_for_distribution_column('leads', tenant)) FROM tenants";
    assert_eq!(database.sql(shards), "1");
}

/// In debug builds, each statement of the tests is checked for this.
#[tokio::test]
#[ignore = "needs Citus: cargo xtask test --only citus"]
async fn a_statement_of_one_workspace_that_runs_on_several_shards_is_found() {
    let database = Cluster::shared().database(on_several);
    let service = Service::on(Some(database), &ServiceOptions::default()).await;
    let read = |sql: &'static str| {
        service
            .store
            .read(move |db| db.rows::<String, Vec<_>>(sql, &[&1_i64], |row| row.get(0)))
    };
    let one = read("SELECT lead_id FROM leads WHERE tenant = ?1").await;
    assert_eq!(one.unwrap(), Vec::<String>::new());
    // It compares the workspace, but Citus does not find out that there is one only.
    let several = read("SELECT lead_id FROM leads WHERE tenant = ?1 OR tenant + 0 = 1").await;
    assert!(matches!(several, Err(StoreError::Panicked)), "{several:?}");
}
