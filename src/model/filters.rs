//! What is chosen in the rail: to the query string and back, and to the filters of a query.

use form_urlencoded::Serializer;
use lead_workspace_api::FilterSpec;

/// The filters of a view, beside its tab.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {}

impl Filters {
    /// Reads a query string. What it does not understand it passes over.
    pub fn from_query(_query: &str) -> Self {
        Self::default()
    }

    /// Adds what is chosen to a query string.
    pub fn put(&self, _query: &mut Serializer<'_, String>) {}

    /// The filters on the wire.
    pub fn specs(&self) -> Vec<FilterSpec> {
        Vec::new()
    }
}
