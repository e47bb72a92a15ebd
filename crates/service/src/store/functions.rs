//! SQL functions of ours.

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;

use crate::fold::fold;

/// Adds `fold(text)`, the same folding that fills the `*_key` columns.
pub(super) fn add(connection: &Connection) -> rusqlite::Result<()> {
    connection.create_scalar_function(
        "fold",
        1,
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC,
        |context| {
            let text: Option<String> = context.get(0)?;
            Ok(text.map(|text| fold(&text)))
        },
    )
}
