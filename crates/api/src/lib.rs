//! The wire contract of the lead and account workspace, declared once.
//!
//! Everything that crosses the wire is defined here: the [`endpoints`] table, one model per resource, the
//! [id newtypes](ids), [filters](mod@filter), row-tolerant [pages](Page) and the
//! [validation error](ErrorBody). The crate has no I/O, no clock and no runtime. The browser client and the
//! workspace service both depend on it, and not on each other.
//!
//! - Every field of a response model is optional, because the contract does not show which fields may be
//!   null. An absent field reads the same as null. Only the id of a row of a page is always set.
//! - Request types carry the contract's defaults and limits. [`Request::check`] applies them before anything
//!   is sent; the service reads bodies with the same code.
//! - Free-form objects stay [`Raw`] JSON: stored verbatim and parsed on access.

#![warn(missing_docs)]

mod account;
mod changes;
mod choice;
mod counts;
pub mod csv_cell;
mod custom;
pub mod endpoints;
mod error;
pub mod export;
mod facet;
pub mod filter;
pub mod first_messages;
pub mod ids;
pub mod import;
mod job;
pub mod json;
mod kind;
mod lead;
pub mod limits;
mod model;
mod page;
pub mod path;
mod query;
mod quoted;
mod raw;
mod reasoning;
mod repair;
pub mod request;
pub mod shapes;
mod wire;

pub use account::{Account, AccountDetail, AccountPulse, BestSignal, STAFF_COUNT_RANGES};
pub use changes::{
    CHANGES_PATH, Change, Changes, ChangesQuery, LAST_EVENT_ID_HEADER, MAX_CHANGED_IDS,
    StreamChanges, change_event, version_event,
};
pub use choice::{AccountSort, ApprovalStatus, LeadSort, NewApprovalStatus, NotOneOf, SortDir};
pub use counts::Counts;
pub use custom::{
    CustomField, CustomKind, LeadFields, custom_field, custom_field_key, is_plain_number,
    plain_number,
};
pub use endpoints::{Endpoint, Input, Method, Retry};
pub use error::{Detail, ErrorBody, ErrorEntry};
pub use facet::{
    AccountFacet, AccountFacetField, AccountFacetQuery, FacetContext, FacetCounts, FacetItem,
    FacetQuery, FacetSearch, FacetSearchResult, Facets, LeadFacetQuery,
};
pub use filter::{
    AccountField, FieldKind, Filter, FilterField, FilterSpec, LeadField, Operator, filter,
};
pub use ids::{
    AccountId, CampaignId, ChatId, ImportJobId, JobId, LeadId, LeadListId, SignalId, SignalRunId,
    TenantId, WorkflowId,
};
pub use job::{ENDED, Job, JobState, ScoringStarted};
pub use kind::Kind;
pub use lead::{
    CampaignMembership, CurrentAccount, Intent, LeadDetail, LeadListItem, LeadListMembership,
    LeadUpdated, LeadsUpdated, ListRef, Nurture,
};
pub use model::{FieldSpec, Model};
pub use page::{Page, Row, RowError};
pub use query::{
    AccountDetailQuery, AccountQuery, AccountScoring, ExportQuery, LeadOrder, LeadQuery,
    LeadScoring, LeadUpdate, LeadsUpdate,
};
pub use quoted::Quoted;
pub use raw::Raw;
pub use reasoning::ScorePart;
pub use repair::Problem;
pub use request::{Nullable, ParamKind, ParamSpec, Request};
pub use wire::{Decode, DecodeError, Timestamp, Wire, plain_doc, without_mark};

/// The response header in which our service sends the name of the workspace that people see, if it has one. It is UTF-8,
/// percent-encoded. Other servers do not send it.
pub const WORKSPACE_NAME_HEADER: &str = "x-workspace-name";
