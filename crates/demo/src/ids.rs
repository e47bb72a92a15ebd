//! Identifiers: the same for the same seed, in the format of the ones that the service makes.

use jiff::Timestamp;
use uuid::Builder;

use crate::random::{Kind, Random};

/// Returns `prefix_` and a time-ordered UUID, as a pure function of the arguments.
pub fn id(seed: u64, prefix: &str, number: u64, created_at: Timestamp) -> String {
    let noun = prefix
        .bytes()
        .fold(0_u64, |sum, b| sum.wrapping_mul(257) + u64::from(b));
    let mut random = Random::new(seed ^ noun, Kind::Id, number);
    let mut tail = [0; 10];
    tail[..8].copy_from_slice(&random.next().to_le_bytes());
    tail[8..].copy_from_slice(&random.next().to_le_bytes()[..2]);
    let millis = u64::try_from(created_at.as_millisecond()).unwrap_or_default();
    let uuid = Builder::from_unix_timestamp_millis(millis, &tail).into_uuid();
    format!("{prefix}_{}", uuid.simple())
}
