//! The rows of a folder and of a database, for comparing them.

use std::collections::BTreeMap;
use std::path::Path;

use lead_workspace_service::store::DATABASE_FILE;
use lead_workspace_test_postgres::Database;
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::{Map, Value, json};

/// All rows by table, with the columns that are computed.
pub type Content = BTreeMap<String, Vec<String>>;

fn sorted(rows: impl Iterator<Item = Value>) -> Vec<String> {
    let mut rows: Vec<String> = rows.map(|row| row.to_string()).collect();
    rows.sort_unstable();
    rows
}

fn tables(folder: &Connection) -> Vec<String> {
    // A move leaves out the tokens of the folder's own file.
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table'
               AND name NOT LIKE 'sqlite_%' AND name <> 'saved_columns'";
    let mut select = folder.prepare(sql).unwrap();
    let rows = select.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

pub fn content_of_folder(dir: &Path) -> Content {
    let folder = Connection::open(dir.join(DATABASE_FILE)).unwrap();
    let rows = |table: String| {
        let mut select = folder.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let names: Vec<String> = select.column_names().map(Into::into).collect();
        let rows = select.query_map([], |row| {
            let mut columns = Map::new();
            for (place, name) in names.iter().enumerate() {
                let value = match row.get_ref(place)? {
                    ValueRef::Null => Value::Null,
                    ValueRef::Integer(number) => number.into(),
                    ValueRef::Real(number) => json!({ "real": number }),
                    ValueRef::Text(text) => std::str::from_utf8(text).unwrap().into(),
                    ValueRef::Blob(bytes) => {
                        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                        format!("\\x{hex}").into()
                    }
                };
                columns.insert(name.clone(), value);
            }
            Ok(Value::Object(columns))
        });
        let rows = sorted(rows.unwrap().map(Result::unwrap));
        (table, rows)
    };
    tables(&folder).into_iter().map(rows).collect()
}

pub fn content_of_database(database: &Database, tables: impl Iterator<Item = String>) -> Content {
    let rows = |table: String| {
        let lines = database.sql(&format!("SELECT row_to_json({table}) FROM {table}"));
        let rows = lines.lines().map(|line| {
            let mut row: Map<String, Value> = serde_json::from_str(line).unwrap();
            if let Some(score) = row.get_mut("icp_score").filter(|score| !score.is_null()) {
                *score = json!({"real": score.as_f64().unwrap()});
            }
            Value::Object(row)
        });
        let rows = sorted(rows);
        (table, rows)
    };
    tables.map(rows).collect()
}

#[track_caller]
pub fn same(one: &Content, other: &Content) {
    for ((table, rows), (_, others)) in one.iter().zip(other) {
        let pairs = rows.iter().zip(others);
        for (row, other) in pairs {
            assert_eq!(row, other, "{table}");
        }
        assert_eq!(rows.len(), others.len(), "{table}");
    }
    assert!(one.keys().eq(other.keys()));
}
