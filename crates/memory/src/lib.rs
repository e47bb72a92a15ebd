//! A workspace in memory, with the behavior of the service: for the unit tests of those who use the client, without a
//! service. It is filled with the same demo leads.
//!
//! It keeps records, and makes responses from them. Everything else is shared with the service: the rules
//! (`lead-workspace-logic`), and which records a query finds (`lead-workspace-index`). A test of the service sends both
//! the same requests and compares the responses.

mod accounts;
mod changes;
mod columns;
mod custom_fields;
mod error;
mod facet_values;
mod facets;
mod fields;
mod import;
mod jobs;
mod leads;
mod pulse;
mod records;
mod request;
mod router;
mod scoring;
mod seed;
#[cfg(test)]
mod test_workspace;
mod wasm;

pub use changes::StreamPart;
pub use request::{Options, Request, Response};

use std::collections::HashMap;
use std::sync::Arc;

use lead_workspace_demo::{Catalog, Demo};
use lead_workspace_index::{Column, ColumnId, CustomKeys};
use lead_workspace_logic::scoring::Scorer;

use changes::Feed;
use jobs::Job;
use records::{Account, Lead};

/// The leads, accounts and jobs of a workspace.
pub struct Workspace {
    options: Options,
    demo: Demo,
    /// In the order in which they were added.
    leads: Vec<Lead>,
    accounts: Vec<Account>,
    /// Those that queries have needed so far.
    columns: HashMap<ColumnId, Arc<Column>>,
    /// The custom fields that can be queried.
    custom_keys: CustomKeys,
    jobs: Vec<Job>,
    scorer: Scorer,
    feed: Feed,
    /// Number of requests so far; their ids are made from it.
    requests: u64,
    /// Number of ids that imports have made so far.
    imported_ids: u64,
}

impl Workspace {
    fn catalog(&self) -> &Catalog {
        &self.demo.catalog
    }
}
