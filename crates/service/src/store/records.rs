//! Leads and accounts: rows as list elements and details, decisions, facets, exports, and how rows are written.

pub(super) mod accounts;
pub mod audit;
pub mod changes;
mod custom_fields;
pub(super) mod encoded;
pub(crate) mod export;
mod facets;
pub(crate) mod insert;
pub(crate) mod lead_query;
pub(super) mod leads;
mod pulse;
