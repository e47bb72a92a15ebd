//! The tables on several servers, with the extension Citus.
//!
//! The rows of a workspace are together on one of them. What all workspaces need is small, and is on each. The rate limits,
//! the version of the tables, and the tokens of saved files are on the server that is asked, the coordinator.

use crate::store::db::{Db, Fixed, List, Row, Session, params};
use crate::store::error::StoreError;
use crate::store::health::Check;
use crate::store::tables::{OF_ALL, OF_WORKSPACES};
use crate::store::tenant::Tenant;

/// The table in which Citus lists those that are distributed.
pub(super) const TABLES: &str = "pg_catalog.pg_dist_partition";

/// The table that is distributed first. Rows of others are where its rows of the same workspace are.
const FIRST: &str = OF_WORKSPACES[0];

/// For each connection. A server that is gone must not hold requests back.
const SETTINGS: &str = "SET citus.node_connection_timeout = 1000";

/// A server with rows of workspaces.
pub(in crate::store) struct Node {
    /// Its address, with the port.
    name: String,
    is_reachable: bool,
}

impl Node {
    /// Returns whether it can be reached, for probes. The service works for other workspaces without it.
    pub fn check(self) -> Check {
        Check {
            name: format!("server {}", self.name).into(),
            ok: self.is_reachable,
            is_vital: false,
            reason: (!self.is_reachable)
                .then_some("this server cannot be reached; workspaces on others go on"),
        }
    }
}

/// Returns the servers with rows of workspaces, if there are several.
pub(in crate::store) fn nodes(db: Db<'_>) -> Result<Vec<Node>, StoreError> {
    if !is_distributed(db)? {
        return Ok(Vec::new());
    }
    let sql = "SELECT nodename || ':' || nodeport, citus_check_connection_to_node(nodename, nodeport)
               FROM pg_dist_node WHERE noderole = 'primary' AND isactive AND shouldhaveshards ORDER BY 1";
    db.rows(sql, &[], |row| {
        Ok(Node {
            name: row.get(0)?,
            is_reachable: row.get(1)?,
        })
    })
}

/// Returns the workspaces whose server can be reached.
pub(in crate::store) fn reachable(db: Db<'_>) -> Result<Vec<Tenant>, StoreError> {
    let nodes = nodes(db)?.into_iter().filter(|node| node.is_reachable);
    let sql = "SELECT t.tenant FROM tenants t
               JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('versions', t.tenant)
               JOIN pg_dist_node n ON n.groupid = p.groupid
               WHERE t.deleted_at IS NULL AND n.noderole = 'primary'
                 AND n.nodename || ':' || n.nodeport IN (SELECT value FROM json_each(?1))";
    let names = List::texts(nodes.map(|node| node.name));
    db.rows(sql, params![names], |row| row.get(0).map(Tenant))
}

/// Returns host and port of the worker with the rows of a workspace; `None` if the coordinator has them, or the worker
/// cannot plan statements itself.
pub(super) fn worker_of(db: Db<'_>, tenant: Tenant) -> Result<Option<(String, u16)>, StoreError> {
    if !is_distributed(db)? {
        return Ok(None);
    }
    let sql = "SELECT n.nodename, n.nodeport FROM pg_dist_placement p JOIN pg_dist_node n ON n.groupid = p.groupid
               WHERE p.shardid = get_shard_id_for_distribution_column('versions', ?1)
                 AND n.noderole = 'primary' AND n.groupid <> 0 AND n.hasmetadata AND n.metadatasynced";
    db.row(sql, params![tenant.0], |row| {
        let port: u32 = row.get(1)?;
        Ok((row.get(0)?, u16::try_from(port).unwrap_or_default()))
    })
}

/// Sets up a new connection. Behind a pooler no setting is kept.
pub(super) fn set_up(session: &Session) -> Result<(), StoreError> {
    match session.has_citus() && !session.is_pooled() {
        true => session.batch(SETTINGS),
        false => Ok(()),
    }
}

/// Returns whether the tables are distributed, those of earlier versions at least.
pub(super) fn is_distributed(db: Db<'_>) -> Result<bool, StoreError> {
    Ok(db.has_citus() && !missing(db, &[FIRST], "h")?.contains(&FIRST))
}

/// Returns whether all tables are distributed.
pub(super) fn is_complete(db: Db<'_>) -> Result<bool, StoreError> {
    Ok(missing(db, &OF_ALL, "n")?.is_empty() && missing(db, &OF_WORKSPACES, "h")?.is_empty())
}

/// Has the transaction, which changes tables, use one connection to each server: others would not see what it has made.
pub(super) fn on_one_connection(db: Db<'_>) -> Result<(), StoreError> {
    match db.has_citus() {
        true => db.batch("SET LOCAL citus.multi_shard_modify_mode = 'sequential'"),
        false => Ok(()),
    }
}

/// Distributes the tables that are not yet, and returns their number. References to them and from them are dropped
/// meanwhile, because one between tables that are distributed and not is refused.
pub(super) fn complete(db: Db<'_>) -> Result<usize, StoreError> {
    let of_all = missing(db, &OF_ALL, "n")?;
    let of_workspaces = missing(db, &OF_WORKSPACES, "h")?;
    let tables: Vec<&str> = of_all.iter().chain(&of_workspaces).copied().collect();
    if tables.is_empty() {
        return Ok(0);
    }
    let references = references(db, &tables)?;
    for (table, name, _) in &references {
        db.batch(&format!("ALTER TABLE {table} DROP CONSTRAINT {name}"))?;
    }
    for table in of_all {
        db.batch(&format!("SELECT create_reference_table('{table}')"))?;
    }
    for table in of_workspaces {
        let place = if table == FIRST { "none" } else { FIRST };
        db.batch(&format!(
            "SELECT create_distributed_table('{table}', 'tenant', colocate_with => '{place}')"
        ))?;
    }
    for (table, name, definition) in &references {
        db.batch(&format!(
            "ALTER TABLE {table} ADD CONSTRAINT {name} {definition}"
        ))?;
    }
    Ok(tables.len())
}

/// Returns those of some tables that are not distributed in this way: by the hash of the workspace (h), or as a copy on each
/// server (n).
fn missing(
    db: Db<'_>,
    tables: &[&'static str],
    method: &str,
) -> Result<Vec<&'static str>, StoreError> {
    let sql = format!(
        "SELECT c.relname::text FROM {TABLES} p JOIN pg_class c ON c.oid = p.logicalrelid
         WHERE c.relnamespace = current_schema()::regnamespace AND p.partmethod::text = ?1
           AND (p.partmethod = 'h' OR p.repmodel = 't')"
    );
    let found: Vec<String> = db.rows(&Fixed(sql), params![method], |row| row.get(0))?;
    let is_missing = |table: &&str| !found.iter().any(|found| found == table);
    Ok(tables.iter().copied().filter(is_missing).collect())
}

/// Returns the references from and to tables: where they are, their names and their definitions.
fn references(db: Db<'_>, tables: &[&str]) -> Result<Vec<(String, String, String)>, StoreError> {
    let sql = "SELECT c.relname::text, quote_ident(k.conname), pg_get_constraintdef(k.oid), o.relname::text
               FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class o ON o.oid = k.confrelid
               WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace ORDER BY 1, 2";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
    let all: Vec<(String, String, String, String)> = db.rows(sql, &[], read)?;
    let concerned = all.into_iter().filter(|(from, _, _, to)| {
        let of_them = |name: &String| tables.contains(&&**name);
        // Tables of shards have others' names.
        of_them(from) || of_them(to)
    });
    Ok(concerned
        .map(|(from, name, definition, _)| (from, name, definition))
        .collect())
}
