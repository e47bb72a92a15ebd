//! Application-defined SQL functions.

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;

use super::search_terms::search_terms;
use crate::fold::fold;

/// Registers `fold(text)`, the folding of the `*_key` columns, and `search_terms(tenant, text)`,
/// the terms of a text in the search index.
pub(super) fn add(connection: &Connection) -> rusqlite::Result<()> {
    // INNOCUOUS: triggers may call them even on connections with trusted_schema off.
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("fold", 1, flags, |context| {
        let text: Option<String> = context.get(0)?;
        Ok(text.map(|text| fold(&text)))
    })?;
    connection.create_scalar_function("search_terms", 2, flags, |context| {
        let text: String = context.get(1)?;
        Ok(search_terms(context.get(0)?, &text))
    })
}
