//! Decisions on leads: what was decided, sent, confirmed, failed or is uncertain, and what can be undone. Pure, but
//! for the outbox sender and the bulk update, which send requests, and the engine, which does all of it.

pub mod bulk_run;
pub mod bulk_update;
pub mod engine;
pub mod history;
pub mod outbox;
pub mod outbox_sender;
#[cfg(feature = "ui")]
pub mod selection;
pub mod sorted_ids;
