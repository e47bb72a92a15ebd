//! What is shown again: pages, and leads as list elements.

pub(super) mod lead_cache;
pub(super) mod pages;
mod sized_cache;
