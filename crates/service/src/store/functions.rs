//! Application-defined SQL functions.

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;

use super::search_terms::search_terms;
use crate::fold;

/// Registers `fold(text)`, the folding of the `*_key` columns, `search_terms(tenant, text)`, the
/// terms of a text in the search index, and `has_bit(bits, number)`, membership in a set of numbers.
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
    })?;
    connection.create_scalar_function("has_bit", 2, flags, |context| {
        let bits = context.get_raw(0).as_blob()?;
        Ok(has_bit(bits, context.get_raw(1).as_i64()?))
    })
}

/// Returns whether the number is in a set of bits; see `facets::lead_set`.
fn has_bit(bits: &[u8], number: i64) -> bool {
    let byte = usize::try_from(number >> 3).ok();
    let byte = byte.and_then(|byte| bits.get(byte));
    byte.is_some_and(|byte| byte & (1 << (number & 7)) != 0)
}
