//! The table of endpoints: every operation of the API, declared once.
//!
//! [`for_each_endpoint!`](crate::for_each_endpoint) passes the table to a macro. The table generates the
//! [`Endpoint`] impls here, the client's methods, the service's routes, its OpenAPI document and the tests
//! that cover every operation.

use crate::path::{self, BadPathId};
use crate::request::Request;
use crate::wire::{Decode, Wire};

/// An HTTP method of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// `GET`
    Get,
    /// `POST`
    Post,
    /// `PATCH`
    Patch,
    /// `DELETE`
    Delete,
}

impl Method {
    /// Returns the method as written in a request.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// Whether an operation may be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Retry {
    /// Only reads: may always be sent again.
    Read,
    /// Writes the same state every time: may always be sent again.
    Idempotent,
    /// Deletes: may always be sent again. "Not found" after an attempt of unknown outcome counts as success.
    Delete,
    /// Starts something: may be sent again only if it is certain that nothing was started.
    Start,
}

/// Where an operation takes its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// In a JSON body.
    Body,
    /// In the query string.
    Query,
    /// No parameters.
    Nothing,
}

/// One operation of the API.
pub trait Endpoint {
    /// The name, as `verb_noun`.
    const NAME: &'static str;
    /// The name of the method in JavaScript.
    const JS_NAME: &'static str;
    /// What it does, in one sentence.
    const SUMMARY: &'static str;
    /// The HTTP method.
    const METHOD: Method;
    /// The path, with its ids in braces.
    const PATH: &'static str;
    /// The names of the ids in the path.
    const PATH_IDS: &'static [&'static str];
    /// Where the parameters go.
    const INPUT: Input;
    /// Whether it may be sent again.
    const RETRY: Retry;
    /// The status of a success. The contract does not show it: our service returns this one, our client
    /// accepts any 2xx.
    const STATUS: u16;
    /// The parameters.
    type Params: Request + Wire;
    /// The response.
    type Response: Decode + Wire;

    /// Returns the path with the ids filled in.
    ///
    /// # Errors
    /// If an id cannot be used in a path.
    fn path(ids: &[&str]) -> Result<String, BadPathId> {
        path::fill(Self::PATH, ids)
    }
}

crate::request::request! {
    /// No parameters.
    NoParams {}
}

/// Passes the rows of the contract's table to `$callback`, each as
/// `#[doc] name jsName Type: METHOD "path" [id: Type]; input Params => status Response; retry;`.
#[macro_export]
macro_rules! for_each_endpoint {
    ($callback:ident) => {
        $callback! {
            #[doc = "Search and filter leads."]
            query_leads queryLeads QueryLeads: Post "/api/leads/query" [];
                Body $crate::LeadQuery => 200 $crate::Page<$crate::LeadListItem>; Read;

            #[doc = "Read all facet values for leads."]
            get_lead_facets getLeadFacets GetLeadFacets: Get "/api/leads/facets" [];
                Query $crate::FacetContext => 200 $crate::Facets; Read;

            #[doc = "Search or preview the values of one facet."]
            search_lead_facet searchLeadFacet SearchLeadFacet: Get "/api/leads/facets/search" [];
                Query $crate::FacetSearch => 200 $crate::FacetSearchResult; Read;

            #[doc = "Read one lead in full."]
            get_lead getLead GetLead: Get "/api/leads/{lead_id}" [lead_id: $crate::LeadId];
                Nothing $crate::endpoints::NoParams => 200 $crate::LeadDetail; Read;

            #[doc = "Set the approval status of one lead."]
            update_lead updateLead UpdateLead: Patch "/api/leads/{lead_id}" [lead_id: $crate::LeadId];
                Body $crate::LeadUpdate => 200 $crate::LeadUpdated; Idempotent;

            #[doc = "Set the approval status of many leads."]
            update_leads updateLeads UpdateLeads: Patch "/api/leads" [];
                Body $crate::LeadsUpdate => 200 $crate::LeadsUpdated; Idempotent;

            #[doc = "Permanently delete a lead and all data associated with it."]
            delete_lead deleteLead DeleteLead: Delete "/api/leads/{lead_id}" [lead_id: $crate::LeadId];
                Nothing $crate::endpoints::NoParams => 204 (); Delete;

            #[doc = "Start a durable workflow that scores leads."]
            score_leads scoreLeads ScoreLeads: Post "/api/leads/score" [];
                Body $crate::LeadScoring => 202 $crate::ScoringStarted; Start;

            #[doc = "Search and filter accounts."]
            query_accounts queryAccounts QueryAccounts: Post "/api/accounts/query" [];
                Body $crate::AccountQuery => 200 $crate::Page<$crate::Account>; Read;

            #[doc = "Read one account in full."]
            get_account getAccount GetAccount: Get "/api/accounts/{account_id}" [account_id: $crate::AccountId];
                Query $crate::AccountDetailQuery => 200 $crate::AccountDetail; Read;

            #[doc = "Read the outreach status of an account."]
            get_account_pulse getAccountPulse GetAccountPulse: Get "/api/accounts/{account_id}/pulse" [account_id: $crate::AccountId];
                Nothing $crate::endpoints::NoParams => 200 $crate::AccountPulse; Read;

            #[doc = "Start a durable workflow that scores accounts."]
            score_accounts scoreAccounts ScoreAccounts: Post "/api/accounts/score" [];
                Body $crate::AccountScoring => 202 $crate::ScoringStarted; Start;
        }
    };
}

/// Passes the operations that the contract names but does not show to `$callback`, in the same form.
#[macro_export]
macro_rules! for_each_extension {
    ($callback:ident) => {
        $callback! {
            #[doc = "Read the status of a job."]
            get_job getJob GetJob: Get "/api/jobs/{job_id}" [job_id: $crate::JobId];
                Nothing $crate::endpoints::NoParams => 200 $crate::Job; Read;
        }
    };
}

/// Passes the operations that only our service has to `$callback`, in the same form. JavaScript has a method for
/// `get_lead_fields`, and reaches the others by `request`.
#[macro_export]
macro_rules! for_each_own_operation {
    ($callback:ident) => {
        $callback! {
            #[doc = "Count the leads of a view by the values of facets."]
            query_lead_facets queryLeadFacets QueryLeadFacets: Post "/api/leads/facets" [];
                Body $crate::LeadFacetQuery => 200 $crate::FacetCounts; Read;

            #[doc = "Count the accounts of a view by the values of facets."]
            query_account_facets queryAccountFacets QueryAccountFacets: Post "/api/accounts/facets" [];
                Body $crate::AccountFacetQuery => 200 $crate::FacetCounts; Read;

            #[doc = "List the custom fields of the leads."]
            get_lead_fields getLeadFields GetLeadFields: Get "/api/leads/fields" [];
                Nothing $crate::endpoints::NoParams => 200 $crate::LeadFields; Read;
        }
    };
}

macro_rules! declare {
    ($(
        #[doc = $summary:literal]
        $name:ident $js:ident $type:ident: $method:ident $path:literal [$($id:ident: $id_type:ty)?];
            $input:ident $params:ty => $status:literal $response:ty; $retry:ident;
    )*) => {$(
        #[doc = $summary]
        #[derive(Clone, Copy, Debug)]
        pub struct $type;

        impl Endpoint for $type {
            const NAME: &'static str = stringify!($name);
            const JS_NAME: &'static str = stringify!($js);
            const SUMMARY: &'static str = $summary;
            const METHOD: Method = Method::$method;
            const PATH: &'static str = $path;
            const PATH_IDS: &'static [&'static str] = &[$(stringify!($id))?];
            const INPUT: Input = Input::$input;
            const RETRY: Retry = Retry::$retry;
            const STATUS: u16 = $status;
            type Params = $params;
            type Response = $response;
        }
    )*};
}

for_each_endpoint!(declare);
for_each_extension!(declare);
for_each_own_operation!(declare);
