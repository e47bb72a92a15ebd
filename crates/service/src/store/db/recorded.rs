//! Writes the statements of a test run to a file, for the test that prepares them on PostgreSQL.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::sync::{Mutex, OnceLock, PoisonError};

use serde_json::json;

use super::{Bound, Kind, Params, Sql, Values};

/// The environment variable that names the file.
pub const FILE: &str = "LEAD_WORKSPACE_STATEMENTS";

struct Recorded {
    file: File,
    known: BTreeSet<String>,
}

/// Notes a statement with the types of its parameters, once.
pub fn note<S: Sql>(sql: &S, params: Params<'_>) {
    static RECORDED: OnceLock<Option<Mutex<Recorded>>> = OnceLock::new();
    let recorded = RECORDED.get_or_init(|| {
        let file = File::create(std::env::var_os(FILE)?).unwrap();
        let known = BTreeSet::new();
        Some(Mutex::new(Recorded { file, known }))
    });
    let Some(recorded) = recorded else { return };
    let kinds = params.iter().map(|param| name(&param.bound()));
    let kinds: Vec<&str> = kinds.collect();
    let line = json!([S::IS_CACHED, sql.text(), kinds]).to_string();
    let mut recorded = recorded.lock().unwrap_or_else(PoisonError::into_inner);
    if recorded.known.insert(line.clone()) {
        writeln!(recorded.file, "{line}").unwrap();
    }
}

/// The name of the type in PostgreSQL.
fn name(value: &Bound<'_>) -> &'static str {
    match value {
        Bound::Null(Kind::Unknown) => "unknown",
        Bound::Null(Kind::Integer) | Bound::Integer(_) => "int8",
        Bound::Null(Kind::Real) | Bound::Real(_) => "float8",
        Bound::Null(Kind::Text) | Bound::Text(_) => "text",
        Bound::Null(Kind::Blob) | Bound::Blob(_) => "bytea",
        Bound::List(list) => match list.values() {
            Values::Integers(_) => "_int8",
            Values::Reals(_) => "_float8",
            Values::Texts(_) => "_text",
        },
    }
}
