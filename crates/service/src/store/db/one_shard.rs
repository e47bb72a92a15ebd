//! The check of debug builds that a statement of one workspace runs on one shard, if Citus has distributed the tables.

use std::collections::HashSet;
use std::sync::Mutex;

use postgres::fallible_iterator::FallibleIterator;
use postgres::types::{BorrowToSql, Type};
use postgres::{Client, Error};

use super::text::Text;
use crate::lock::lock;

/// What Citus writes before the number of shards that a part of a statement runs on.
const COUNT: &str = "Task Count: ";

/// Statements that were checked. Their plans differ in the values only.
static CHECKED: Mutex<Option<HashSet<String>>> = Mutex::new(None);

/// Fails if a statement would run on several shards: with these values, or with any if its plan may be kept. Its plan tells,
/// so each text is checked once.
pub(super) fn check<P: BorrowToSql>(
    client: &mut Client,
    sql: &str,
    text: &Text<'_>,
    params: impl Iterator<Item = (P, Type)> + Clone,
) -> Result<(), Error> {
    let mut checked = lock(&CHECKED);
    if checked.get_or_insert_default().contains(sql) {
        return Ok(());
    }
    drop(checked);
    // The plan of a worker may fail where the statement does not. The transaction goes on after it.
    if client.batch_execute("SAVEPOINT explained").is_err() {
        // There is no transaction. It is checked the next time.
        return Ok(());
    }
    let kinds = params.clone().map(|(_, kind)| kind);
    let any = text.key().map(|key| any_plan(client, key, kinds));
    let plan = match any.transpose() {
        Ok(Some(plan)) => Ok(plan),
        Ok(None) => explain(client, &text.translated(), params),
        // Citus has no plan for any values, so it plans each time.
        Err(_) => {
            client.batch_execute("ROLLBACK TO explained; DEALLOCATE one_shard")?;
            explain(client, &text.translated(), params)
        }
    };
    client.batch_execute("ROLLBACK TO explained; RELEASE explained")?;
    let plan = plan?;
    let counts = plan
        .iter()
        .filter_map(|line| line.trim().strip_prefix(COUNT));
    let is_of_one = counts.into_iter().all(|count| count == "1");
    assert!(
        is_of_one,
        "a statement runs on several shards: {sql}\n{}",
        plan.join("\n")
    );
    let mut checked = lock(&CHECKED);
    checked.get_or_insert_default().insert(sql.to_owned());
    Ok(())
}

/// Returns the plan of a statement for any values.
fn any_plan(
    client: &mut Client,
    sql: &str,
    kinds: impl Iterator<Item = Type>,
) -> Result<Vec<String>, Error> {
    let kinds: Vec<String> = kinds.map(|kind| kind.name().to_owned()).collect();
    let values = vec!["NULL"; kinds.len()].join(", ");
    let kinds = kinds.join(", ");
    client.batch_execute(&format!(
        "SET LOCAL plan_cache_mode = force_generic_plan; PREPARE one_shard ({kinds}) AS {sql}"
    ))?;
    let none: [(&str, Type); 0] = [];
    let plan = explain(client, &format!("EXECUTE one_shard ({values})"), none)?;
    client.batch_execute("ROLLBACK TO explained; DEALLOCATE one_shard")?;
    Ok(plan)
}

fn explain<P: BorrowToSql>(
    client: &mut Client,
    sql: &str,
    params: impl IntoIterator<Item = (P, Type)>,
) -> Result<Vec<String>, Error> {
    let rows = client.query_typed_raw(&format!("EXPLAIN {sql}"), params)?;
    rows.map(|row| row.try_get(0)).collect()
}
