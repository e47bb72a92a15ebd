//! SQL functions of ours.

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;

use super::search_terms::search_terms;
use crate::fold::fold;

/// Adds `fold(text)`, the same folding that fills the `*_key` columns, and
/// `search_terms(tenant, text)`, what the search index holds of a text.
pub(super) fn add(connection: &Connection) -> rusqlite::Result<()> {
    // INNOCUOUS: triggers may call them whatever a connection trusts.
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
