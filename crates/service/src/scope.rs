//! What a key may do, and which operation needs what.

use std::fmt;
use std::str::FromStr;

use lead_workspace_api::StreamChanges;
use lead_workspace_api::endpoints::{self, Endpoint};

/// The rights of a key. Each includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Reads leads, accounts, facets and jobs.
    Read,
    /// Also sets the approval status of leads.
    Decide,
    /// Also deletes leads, imports, and starts scoring.
    Admin,
}

impl Scope {
    pub const ALL: [Self; 3] = [Self::Read, Self::Decide, Self::Admin];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Decide => "decide",
            Self::Admin => "admin",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Scope {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|scope| scope.as_str() == text);
        found.ok_or_else(|| format!("{text:?} is no scope; use read, decide or admin"))
    }
}

/// Scope of `GET /import/fields`, which shows whether a service offers import.
pub const IMPORT_FIELDS: Scope = Scope::Read;

/// Scope of `POST /import` and of its preview.
pub const IMPORT: Scope = Scope::Admin;

/// The scope that an operation needs.
pub trait NeedsScope: Endpoint {
    const SCOPE: Scope;
}

macro_rules! scopes {
    ($($operation:ident: $scope:ident,)*) => {$(
        impl NeedsScope for endpoints::$operation {
            const SCOPE: Scope = Scope::$scope;
        }
    )*};
}

// An operation without a row does not compile.
scopes! {
    QueryLeads: Read,
    GetLeadFacets: Read,
    SearchLeadFacet: Read,
    QueryLeadFacets: Read,
    GetLeadFields: Read,
    GetLead: Read,
    UpdateLead: Decide,
    UpdateLeads: Decide,
    DeleteLead: Admin,
    ScoreLeads: Admin,
    QueryAccounts: Read,
    QueryAccountFacets: Read,
    GetAccount: Read,
    GetAccountPulse: Read,
    ScoreAccounts: Admin,
    GetJob: Read,
}

impl NeedsScope for StreamChanges {
    const SCOPE: Scope = Scope::Read;
}
