//! The command that distributes the tables of a database over the servers of Citus.

use super::distribution::{complete, is_complete};
use super::{Exclusive, Target, schema};
use crate::store::db::{Db, Row};
use crate::store::error::StoreError;

/// What [`distribute`] has found and done.
pub struct Distributed {
    /// The servers that rows of workspaces may be on, with their ports.
    pub servers: Vec<String>,
    /// Tables that were not distributed before.
    pub tables: usize,
}

/// Distributes the tables of a database, which are made first if it has none. Does nothing if they are distributed.
/// Blocks.
///
/// # Errors
/// When the database has no extension or no servers, or when a service uses it and it is not distributed yet.
pub fn distribute(target: &Target) -> Result<Distributed, StoreError> {
    let session = target.connect()?;
    let db = Db::from(&session);
    if !session.has_citus() {
        return Err(refused(
            "the database does not have the extension citus",
            "Install it on each server, add citus to shared_preload_libraries there, and run CREATE EXTENSION citus \
             in this database on each server",
        ));
    }
    let servers = servers(db)?;
    if schema::exists(db)? && is_complete(db)? {
        let pool = super::Pool::open(target.clone());
        return pool.map(|_| Distributed { servers, tables: 0 });
    }
    drop(session);
    let tables = Exclusive::open(target)?.write(complete)?;
    Ok(Distributed { servers, tables })
}

/// Returns the servers for rows of workspaces.
fn servers(db: Db<'_>) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT nodename || ':' || nodeport, groupid = 0, shouldhaveshards FROM pg_dist_node
               WHERE noderole = 'primary' AND isactive ORDER BY 1";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let nodes: Vec<(String, bool, bool)> = db.rows(sql, &[], read)?;
    if !nodes.iter().any(|(_, is_coordinator, _)| *is_coordinator) {
        return Err(refused(
            "Citus does not know the address of this server, which all others connect to",
            "Run SELECT citus_set_coordinator_host('HOST', PORT) in this database, with the address by which the \
             other servers reach it",
        ));
    }
    let with_rows = nodes.into_iter().filter(|(.., has_rows)| *has_rows);
    let servers: Vec<String> = with_rows.map(|(name, ..)| name).collect();
    if servers.is_empty() {
        return Err(refused(
            "Citus knows no server for the rows of workspaces",
            "Run SELECT citus_add_node('HOST', PORT) in this database for each of them",
        ));
    }
    Ok(servers)
}

fn refused(what: &str, advice: &str) -> StoreError {
    StoreError::Refused(format!(
        "{what}. Nothing was changed. {advice}, and try again"
    ))
}
