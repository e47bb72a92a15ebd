//! A workspace in memory, with the behavior of the service: for the unit tests of those who use the client, without a
//! service. It is filled with the same demo leads.
//!
//! What the service does in SQL is done here row by row. Everything else is shared (`lead-workspace-logic`), and a
//! test of the service sends both the same requests and compares the responses.

mod accounts;
mod error;
mod facet_values;
mod facets;
mod fields;
mod import;
mod jobs;
mod leads;
mod page;
mod pulse;
mod records;
mod request;
mod router;
mod scoring;
mod seed;
mod wasm;

pub use request::{Options, Request, Response};

use lead_workspace_demo::{Catalog, Demo};
use lead_workspace_logic::scoring::Scorer;

use jobs::Job;
use records::{Account, Lead};

/// The leads, accounts and jobs of a workspace.
pub struct Workspace {
    options: Options,
    demo: Demo,
    /// In the order in which they were added.
    leads: Vec<Lead>,
    accounts: Vec<Account>,
    jobs: Vec<Job>,
    scorer: Scorer,
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
