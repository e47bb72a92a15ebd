//! Decisions on leads: what was decided, sent, confirmed, failed or is uncertain, and what can be undone. Pure.

pub mod bulk_run;
pub mod history;
pub mod outbox;
pub mod selection;
