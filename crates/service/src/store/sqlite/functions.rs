//! Application-defined SQL functions.

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;

use lead_workspace_logic::fold;

/// Registers `fold(text)`, the folding of the `*_key` columns, and `search_terms`, which a migration of old folders calls.
pub(in crate::store) fn add(connection: &Connection) -> rusqlite::Result<()> {
    // INNOCUOUS: triggers may call them even on connections with trusted_schema off.
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("fold", 1, flags, |context| {
        let text: Option<String> = context.get(0)?;
        Ok(text.map(|text| fold(&text)))
    })?;
    // The step to version 2 filled a search index, which a later step drops.
    connection.create_scalar_function("search_terms", 2, flags, |_| Ok(""))
}
