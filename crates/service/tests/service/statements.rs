//! How many statements requests need on PostgreSQL, and on which servers they run with Citus.

use std::collections::BTreeMap;

use lead_workspace_api::{LeadId, LeadQuery};
use lead_workspace_service::demo;
use lead_workspace_service::http::ServiceOptions;
use lead_workspace_test_postgres::{Cluster, Database, Server};

use crate::common::{Service, on_several};

/// Of each server, after the options of its own.
const PRELOADED: [&str; 2] = ["-c", "shared_preload_libraries=pg_stat_statements"];
const PRELOADED_WITH_CITUS: [&str; 2] = ["-c", "shared_preload_libraries=citus,pg_stat_statements"];

/// What a connection runs once.
const SETTING_UP: &str = "query ~ '^SET|pg_try_advisory|current_setting'";

struct Counted {
    service: Service,
    servers: Vec<&'static Server>,
    database: String,
}

impl Counted {
    async fn on(database: Database, servers: Vec<&'static Server>) -> Self {
        let name = database.name().to_owned();
        let service = Service::on(Some(database), &ServiceOptions::default()).await;
        let (store, now) = (&service.store, demo::EXAMPLE_NOW);
        let filled = demo::fill(store, service.tenant, 60, 3, now, |_, _, _| {});
        filled.await.unwrap();
        // Citus creates it on the others, too.
        servers[0].sql(&name, "CREATE EXTENSION pg_stat_statements");
        Self {
            service,
            servers,
            database: name,
        }
    }

    /// Returns the statements of each server since the last time.
    fn statements(&self) -> Vec<BTreeMap<String, u64>> {
        let sql = format!(
            "SELECT calls || ' ' || regexp_replace(query, '\\s+', ' ', 'g') FROM pg_stat_statements
             WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND toplevel
               AND query NOT LIKE '%pg_stat_statements%' AND NOT ({SETTING_UP})"
        );
        let of_server = |server: &&Server| {
            let rows = server.sql(&self.database, &sql);
            server.sql(&self.database, "SELECT pg_stat_statements_reset()");
            let rows = rows.lines().filter_map(|row| row.split_once(' '));
            rows.map(|(calls, query)| (query.to_owned(), calls.parse().unwrap()))
                .collect()
        };
        self.servers.iter().map(of_server).collect()
    }

    async fn list(&self) -> String {
        let query = LeadQuery {
            page_size: 20,
            ..LeadQuery::default()
        };
        let list = self.service.store.query_leads(self.service.tenant, query);
        String::from_utf8(list.await.unwrap().into_text()).unwrap()
    }

    async fn detail(&self, id: &str) {
        let id = LeadId::from(id.to_owned());
        let lead = self.service.store.lead(self.service.tenant, id).await;
        assert!(lead.unwrap().is_some());
    }

    /// Returns the server that statements of a request run on, by its place, and the statements. What the service does besides,
    /// such as announcing changes, may come in between, so it is tried until they are as expected.
    async fn of(
        &self,
        request: impl AsyncFn(),
        is_expected: impl Fn(&BTreeMap<String, u64>) -> bool,
    ) -> usize {
        let mut seen = Vec::new();
        for _ in 0..100 {
            self.statements();
            request().await;
            seen = self.statements();
            let ran = seen.iter().filter(|statements| !statements.is_empty());
            if ran.count() == 1 {
                let place = seen.iter().position(|statements| !statements.is_empty());
                if let Some(place) = place.filter(|place| is_expected(&seen[*place])) {
                    return place;
                }
            }
        }
        panic!("{seen:#?}");
    }

    /// Checks the statements of lists and details, which run on one server, and returns its place.
    async fn check(&self) -> usize {
        let list: serde_json::Value = serde_json::from_str(&self.list().await).unwrap();
        let id = list["data"][0]["lead_id"].as_str().unwrap();
        let count = |statements: &BTreeMap<String, u64>| statements.values().sum::<u64>();

        let known = |statements: &BTreeMap<String, u64>| {
            let version = "SELECT version FROM versions";
            count(statements) == 1 && statements.keys().all(|text| text.starts_with(version))
        };
        let place = self.of(async || drop(self.list().await), known).await;

        // With the start and the end of the transaction; one of campaigns, if the lead is in some.
        let of_detail = |statements: &BTreeMap<String, u64>| {
            let joins = statements.keys().any(|text| text.contains("JOIN"));
            (10..=11).contains(&count(statements)) && !joins
        };
        assert_eq!(
            self.of(async || self.detail(id).await, of_detail).await,
            place
        );

        let decided = async || {
            for status in ["rejected", "filtered"] {
                self.service.decide(id, status).await;
            }
            self.statements();
            assert!(self.list().await.contains("\"filtered\""));
        };
        let of_decided = |statements: &BTreeMap<String, u64>| {
            let leads = statements.keys().any(|text| text.contains("FROM leads"));
            leads && count(statements) <= 14
        };
        assert_eq!(self.of(decided, of_decided).await, place);
        place
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_is_known_takes_one_statement() {
    let server: &'static Server = Box::leak(Box::new(Server::start_with(&PRELOADED).unwrap()));
    let counted = Counted::on(server.empty_database(), vec![server]).await;
    counted.check().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Citus: cargo xtask test --only citus"]
async fn a_workspace_is_read_at_the_server_that_has_it() {
    let cluster = Cluster::start_with(&PRELOADED_WITH_CITUS).unwrap();
    let cluster: &'static Cluster = Box::leak(Box::new(cluster));
    let mut servers = vec![cluster.coordinator()];
    servers.extend(cluster.workers());
    let counted = Counted::on(cluster.database(on_several), servers).await;
    assert_ne!(counted.check().await, 0, "the coordinator");
}
