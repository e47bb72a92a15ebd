//! The tables on several servers.

use lead_workspace_test_postgres::{Cluster, Server};

use super::{Target, opened};
use crate::store::postgres::{Distributed, distribute};

fn target(url: &str) -> Target {
    Target::of_url(url).unwrap()
}

async fn distributed(url: &str) -> Result<Distributed, String> {
    let target = target(url);
    let done = tokio::task::spawn_blocking(move || distribute(&target)).await;
    done.unwrap().map_err(|error| error.to_string())
}

#[tokio::test]
async fn a_database_without_the_extension_is_refused() {
    let database = Server::shared().empty_database();
    let error = distributed(&database.url()).await.map(drop).unwrap_err();
    assert!(
        error.contains("does not have the extension citus")
            && error.contains("Nothing was changed"),
        "{error}"
    );
    assert_eq!(database.sql("SELECT to_regclass('leads') IS NULL"), "t");
}

/// How each table is kept: by the hash of the workspace (h), or on each server (n).
const TABLES: &str =
    "SELECT string_agg(concat_ws(' ', logicalrelid, partmethod), ', ' ORDER BY logicalrelid::text)
                      FROM pg_dist_partition WHERE repmodel = 't' OR partmethod = 'h'";

/// The references between tables, which are not those of shards.
const REFERENCES: &str = "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND conrelid::regclass::text !~ '[0-9]'";

#[tokio::test]
#[ignore = "needs Citus: cargo xtask test --only citus"]
async fn a_database_is_distributed_once_and_keeps_its_rows() {
    let database = Cluster::shared().empty_database();
    let url = database.url();
    drop(opened(&url).await.unwrap());
    database.sql(
        "INSERT INTO tenants (tenant_id, name, created_at) VALUES ('other', 'other', '');
         INSERT INTO signals (tenant, signal_id, name) SELECT tenant, 'kept', '' FROM tenants",
    );
    let references = database.sql(REFERENCES);
    let service = opened(&url).await.unwrap();
    let error = distributed(&url).await.map(drop).unwrap_err();
    assert!(error.contains("in use"), "{error}");
    drop(service);
    let done = distributed(&url).await.unwrap();
    assert_eq!((done.servers.len(), done.tables), (2, 26));
    assert_eq!(database.sql(REFERENCES), references);
    assert_eq!(database.sql("SELECT count(*) FROM signals"), "2");
    // Also while a service uses it.
    let service = opened(&url).await.unwrap();
    assert_eq!(distributed(&url).await.unwrap().tables, 0);
    drop(service);
}

#[tokio::test]
#[ignore = "needs Citus: cargo xtask test --only citus"]
async fn servers_must_be_known() {
    let database = Cluster::shared().empty_database();
    database
        .sql("SELECT citus_remove_node(nodename, nodeport) FROM pg_dist_node WHERE groupid <> 0");
    let error = distributed(&database.url()).await.map(drop).unwrap_err();
    assert!(error.contains("citus_add_node"), "{error}");
    database.sql("SELECT citus_remove_node(nodename, nodeport) FROM pg_dist_node");
    let error = distributed(&database.url()).await.map(drop).unwrap_err();
    assert!(error.contains("citus_set_coordinator_host"), "{error}");
}

/// As one that was distributed by hand with an earlier version.
#[tokio::test]
#[ignore = "needs Citus: cargo xtask test --only citus"]
async fn an_older_database_is_migrated_and_stays_distributed() {
    let newest = Cluster::shared().empty_database();
    distributed(&newest.url()).await.unwrap();
    let database = Cluster::shared().empty_database();
    let url = database.url();
    distributed(&url).await.unwrap();
    for statement in [
        "ALTER TABLE leads RESET (autovacuum_vacuum_scale_factor)",
        "DROP TABLE changes",
        "DROP TABLE saved_columns",
        "DROP TABLE custom_keys",
        "ALTER TABLE accounts ADD lead_count bigint",
        "CREATE TABLE status_counts (tenant bigint)",
        "SELECT create_distributed_table('status_counts', 'tenant', colocate_with => 'versions')",
        "CREATE INDEX leads_by_name ON leads (tenant, name_key, id)",
        "CREATE INDEX leads_by_name_desc ON leads (tenant, name_key DESC, id)",
        "INSERT INTO leads (tenant, lead_id, name, custom_data, created_at)
         SELECT tenant, 'lead', U&'An\\200Bna  Other', '{\"Deal\": \"a\"}', '' FROM tenants",
        "UPDATE schema_version SET version = 1",
    ] {
        database.sql(statement);
    }
    drop(opened(&url).await.unwrap());
    assert_eq!(database.sql("SELECT name_key FROM leads"), "anna other");
    assert_eq!(database.sql("SELECT key FROM custom_keys"), "Deal");
    assert_eq!(database.sql(TABLES), newest.sql(TABLES));
    assert_eq!(database.sql(REFERENCES), newest.sql(REFERENCES));
}

/// Citus marks an index as invalid that `CREATE INDEX IF NOT EXISTS` finds.
#[tokio::test]
#[ignore = "needs Citus: cargo xtask test --only citus"]
async fn a_start_builds_no_index_again() {
    let database = Cluster::shared().empty_database();
    distributed(&database.url()).await.unwrap();
    let indexes = "SELECT string_agg(indexrelid::text || indisvalid, ',' ORDER BY indexrelid) FROM pg_index
                   JOIN pg_class c ON c.oid = indexrelid WHERE relnamespace = 'public'::regnamespace";
    let before = database.sql(indexes);
    for _ in 0..2 {
        drop(opened(&database.url()).await.unwrap());
        assert_eq!(database.sql(indexes), before);
    }
}
