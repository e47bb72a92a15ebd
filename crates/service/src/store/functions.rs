//! Application-defined SQL functions.

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;

use crate::fold;

/// Registers `fold(text)`, the folding of the `*_key` columns, `has_bit(bits, number)`, membership in a
/// set of numbers, and `search_terms`, which a migration of old folders calls.
pub(super) fn add(connection: &Connection) -> rusqlite::Result<()> {
    // INNOCUOUS: triggers may call them even on connections with trusted_schema off.
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("fold", 1, flags, |context| {
        let text: Option<String> = context.get(0)?;
        Ok(text.map(|text| fold(&text)))
    })?;
    // The step to version 2 filled a search index, which a later step drops.
    connection.create_scalar_function("search_terms", 2, flags, |_| Ok(""))?;
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
