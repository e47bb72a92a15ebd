//! The check of debug builds that a statement of one workspace asks one shard, if Citus has distributed the tables.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use postgres::fallible_iterator::FallibleIterator;
use postgres::types::{BorrowToSql, Type};
use postgres::{Client, Error};

/// What Citus writes before the number of shards that a part of a statement asks.
const COUNT: &str = "Task Count: ";

/// Statements that were checked. Their plans differ in the values only.
static CHECKED: Mutex<Option<HashSet<String>>> = Mutex::new(None);

/// Fails if a statement would ask several shards. Its plan tells, so each text is checked once.
pub(super) fn check<P: BorrowToSql>(
    client: &mut Client,
    sql: &str,
    params: impl IntoIterator<Item = (P, Type)>,
) -> Result<(), Error> {
    let mut checked = CHECKED.lock().unwrap_or_else(PoisonError::into_inner);
    if checked.get_or_insert_default().contains(sql) {
        return Ok(());
    }
    drop(checked);
    // The plan of a worker may fail where the statement does not. The transaction goes on after it.
    client.batch_execute("SAVEPOINT explained")?;
    let rows = client.query_typed_raw(&format!("EXPLAIN {sql}"), params);
    let plan = rows.and_then(|rows| rows.map(|row| row.try_get(0)).collect());
    client.batch_execute("ROLLBACK TO explained; RELEASE explained")?;
    let plan: Vec<String> = plan?;
    let counts = plan
        .iter()
        .filter_map(|line| line.trim().strip_prefix(COUNT));
    let is_of_one = counts.into_iter().all(|count| count == "1");
    assert!(
        is_of_one,
        "a statement asks several shards: {sql}\n{}",
        plan.join("\n")
    );
    let mut checked = CHECKED.lock().unwrap_or_else(PoisonError::into_inner);
    checked.get_or_insert_default().insert(sql.to_owned());
    Ok(())
}
