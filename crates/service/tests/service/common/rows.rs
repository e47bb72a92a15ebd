//! What is in the database of a service.

use std::collections::BTreeMap;

use lead_workspace_service::StoreError;
use lead_workspace_service::store::{AcrossWorkspaces, Db, Row};
use rusqlite::types::Value as Sql;
use serde_json::{Value, json};

use super::{Service, is_on};

impl Service {
    /// Has changes fail from now on, such as `UPDATE OF title ON leads`.
    pub async fn refuse(&self, change: &str) {
        let fail = if self.database.is_some() {
            "RAISE 'no'"
        } else {
            "SELECT raise(ABORT, 'no')"
        };
        self.trigger(&format!("BEFORE {change}"), "true", fail)
            .await;
    }

    /// Runs a statement for each row that is changed.
    pub async fn trigger(&self, change: &str, condition: &str, statement: &str) {
        let event = format!("CREATE TRIGGER triggered {change} FOR EACH ROW WHEN ({condition})");
        let statements = if self.database.is_some() {
            vec![
                format!(
                    "CREATE FUNCTION triggered() RETURNS trigger LANGUAGE plpgsql AS
                       $$ BEGIN {statement}; RETURN NULL; END $$"
                ),
                format!("{event} EXECUTE FUNCTION triggered()"),
            ]
        } else {
            vec![format!("{event} BEGIN {statement}; END")]
        };
        self.run(statements).await;
    }

    async fn run(&self, statements: Vec<String>) {
        let change = move |db: Db<'_>| statements.iter().try_for_each(|sql| db.batch(sql));
        self.store.write(change).await.unwrap();
    }

    /// Checks the references and the pages of the database. PostgreSQL does not commit a broken reference, and has no
    /// check of pages.
    pub async fn check_integrity(&self) {
        if self.database.is_none() {
            let broken: Vec<String> = self
                .texts("SELECT \"table\" FROM pragma_foreign_key_check")
                .await;
            assert!(broken.is_empty(), "broken references in {broken:?}");
            assert_eq!(self.texts("PRAGMA integrity_check").await, ["ok"]);
        }
    }

    /// Returns the names of the tables.
    pub async fn tables(&self) -> Vec<String> {
        let sql = if self.database.is_some() {
            "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1"
        } else {
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'leads_search%' ORDER BY 1"
        };
        self.texts(sql).await
    }

    /// Returns the rows of a query as text, with the names of the columns.
    pub async fn rows(&self, sql: &str) -> Vec<String> {
        let sql = sql.to_owned();
        let read = |row: &Row<'_>| {
            let names = row.names().into_iter();
            let values = names.map(|name| Ok((name, row.get::<Sql>(name)?)));
            Ok(format!(
                "{:?}",
                values.collect::<Result<BTreeMap<_, _>, StoreError>>()?
            ))
        };
        let rows = move |db: Db<'_>| db.rows(AcrossWorkspaces(&sql), &[], read);
        self.store.read(rows).await.unwrap()
    }

    /// Changes rows.
    pub async fn sql(&self, sql: &str) {
        let mut statements = vec![sql.to_owned()];
        if is_on("citus") {
            // The transaction goes on after a change of a table.
            statements.insert(
                0,
                "SET LOCAL citus.multi_shard_modify_mode = 'sequential'".into(),
            );
        }
        self.run(statements).await;
    }

    /// Returns the first column of a query, whose values are texts.
    pub async fn texts(&self, sql: &str) -> Vec<String> {
        let sql = sql.to_owned();
        self.store
            .read(move |db| db.rows(AcrossWorkspaces(&sql), &[], |row| row.get(0)))
            .await
            .unwrap()
    }

    /// Returns the first row of a query, as an object of texts and nulls.
    pub async fn record(&self, sql: &str) -> Value {
        let sql = sql.to_owned();
        let read = |row: &Row<'_>| {
            let names = row.names().into_iter();
            let values = names.map(|name| Ok((name.to_owned(), row.get::<Option<String>>(name)?)));
            let values = values.collect::<Result<BTreeMap<_, _>, StoreError>>()?;
            Ok(json!(values))
        };
        let row = move |db: Db<'_>| db.one(AcrossWorkspaces(&sql), &[], read);
        self.store.read(row).await.unwrap()
    }

    /// Returns the first value of a query.
    pub async fn value<T: rusqlite::types::FromSql + Send + 'static>(&self, sql: &str) -> T {
        let sql = sql.to_owned();
        self.store
            .read(move |db| db.value(AcrossWorkspaces(&sql), &[]))
            .await
            .unwrap()
    }
}
