//! Decisions on leads: what was decided, sent, confirmed, failed or is uncertain, and what can be undone. Pure, but
//! for the driver and the bulk update, which send requests.

#[cfg(feature = "ui")]
pub mod bulk_run;
pub mod bulk_update;
pub mod driver;
#[cfg(feature = "ui")]
pub mod history;
pub mod outbox;
#[cfg(feature = "ui")]
pub mod selection;
#[cfg(feature = "ui")]
pub mod sorted_ids;
