//! The index of a workspace: which leads and accounts match a query, in which order, and how many have each value.
//!
//! It consists of [columns](Column): for a field, its distinct values in order, and for each row the place of its
//! value. It reads no database and has no clock and no threads. Its host gives it columns of one state of the
//! workspace ([`ColumnBuilder`], [`Column::change`]), and gets row numbers and counts: of a [`Query`], and of the
//! values of a field ([`CountedValues`]). `lead_workspace_logic` says what filters and a search find.

mod builder;
mod bytes;
mod change_kind;
mod changed_rows;
mod codes;
mod column;
mod column_id;
mod columns;
mod counted_values;
mod custom_keys;
mod dictionary;
mod facet_context;
mod facet_values;
mod facets_of_view;
mod filters;
mod query;
mod row_set;
mod touched;
mod value_ref;

pub use builder::ColumnBuilder;
pub use bytes::Damaged;
pub use change_kind::ChangeKind;
pub use changed_rows::ChangedRows;
pub use column::Column;
pub use column_id::{ColumnId, Table};
pub use columns::Columns;
pub use counted_values::{CountedValues, MatchingValues};
pub use custom_keys::CustomKeys;
pub use facet_context::FacetContext;
pub use facet_values::{ShownValue, ShownValues, ValueNames};
pub use facets_of_view::{CountedFacet, FacetsOfAccounts, FacetsOfView};
pub use filters::{Filter, Filters};
pub use query::{Page, Part, Query, Sort};
pub use row_set::RowSet;
pub use touched::TouchedRows;
pub use value_ref::ValueRef;
