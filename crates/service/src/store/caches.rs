//! What is shown again: pages, leads as list elements, and the custom fields of workspaces.

pub(super) mod lead_cache;
pub(super) mod lead_fields;
pub(super) mod pages;
mod sized_cache;
