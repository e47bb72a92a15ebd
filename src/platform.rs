//! What browsers offer besides the network: storage, locks, idle time and events. Each works in pages and workers, and
//! reports where the platform lacks it.

pub mod event_listener;
pub mod idle;
pub mod storage;
pub mod web_lock;
