//! The log of when the user decided. It stays in this browser; a host page has none.

use js_sys::Date;
use wasm_bindgen::JsValue;

use super::session::Session;
use crate::app::model::decision_pace::{DAYS, DecisionPace};
use crate::platform::storage;

/// Prefix of the names of all slots, of every workspace.
pub const SLOTS: &str = "lead-workspace.pace ";

fn slot(session: Session) -> String {
    [SLOTS, &session.storage_scope()].concat()
}

/// Reads the log of the workspace. `None` in a host page, and without storage.
pub fn read(session: Session) -> Option<DecisionPace> {
    let storage = storage::local().filter(|_| !session.is_embedded())?;
    let text = storage.get_item(&slot(session)).ok().flatten();
    Some(DecisionPace::parse(&text.unwrap_or_default()))
}

/// Records a decision on a number of leads, or takes it back. Reads the log first, because other tabs write to it, too.
pub fn record(session: Session, leads: usize, is_taken_back: bool) {
    let (Some(mut pace), Some(storage)) = (read(session), storage::local()) else {
        return;
    };
    match is_taken_back {
        true => pace.take_back(leads as u64),
        false => pace.record(leads as u64, Date::now() as u64),
    }
    // If the storage is full, this decision is not counted.
    let _ = storage.set_item(&slot(session), &pace.to_text());
}

/// Returns the number of leads that were decided today.
pub fn today(session: Session) -> Option<u64> {
    Some(read(session)?.days(Date::now() as u64, &offset)[DAYS - 1])
}

/// Returns how far local time is ahead of UTC, in milliseconds.
pub fn offset(at: u64) -> i64 {
    let minutes = Date::new(&JsValue::from_f64(at as f64)).get_timezone_offset();
    (minutes * -60_000.0) as i64
}
