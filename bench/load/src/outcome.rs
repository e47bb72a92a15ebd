//! What the clients measured.

use std::collections::BTreeMap;

use anyhow::Result;
use serde_json::{Value, json};

use crate::requests::Kind;

#[derive(Default)]
pub struct Outcome {
    /// Microseconds of each answered request, by the place of its kind in `Kind::ALL`.
    times: [Vec<u32>; Kind::ALL.len()],
    bytes: u64,
    errors: BTreeMap<String, u64>,
    /// Responses of slow clients that arrived in full, and connections that the service closed.
    slow_answered: u64,
    slow_closed: u64,
    /// Resident memory of the service, each second.
    pub memory: Vec<u64>,
}

impl Outcome {
    pub fn answered(&mut self, kind: Kind, micros: u128, bytes: usize) {
        let at = Kind::ALL
            .iter()
            .position(|known| *known == kind)
            .unwrap_or_default();
        self.times[at].push(u32::try_from(micros).unwrap_or(u32::MAX));
        self.bytes += bytes as u64;
    }

    pub fn failed(&mut self, error: String) {
        *self.errors.entry(error).or_default() += 1;
    }

    /// Counts a request of a slow client, and whether its response has arrived before the end.
    pub fn slow_ended(&mut self, answered: &Result<bool>) {
        match answered {
            Ok(true) => self.slow_answered += 1,
            Ok(false) => {}
            Err(_) => self.slow_closed += 1,
        }
    }

    pub fn figures(mut self, seconds: f64) -> Value {
        let mut all: Vec<u32> = self.times.concat();
        let mut kinds = json!({});
        for (kind, times) in Kind::ALL.iter().zip(&mut self.times) {
            if !times.is_empty() {
                kinds[kind.name()] = milliseconds(times);
            }
        }
        // The first seconds fill caches.
        let settled = self.memory.len() / 10;
        json!({
            "seconds": seconds,
            "requests": all.len(),
            "per_second": all.len() as f64 / seconds,
            "bytes": self.bytes,
            "all": milliseconds(&mut all),
            "kinds": kinds,
            "errors": self.errors,
            "slow_answered": self.slow_answered,
            "slow_closed": self.slow_closed,
            "memory_settled": self.memory.get(settled),
            "memory_end": self.memory.last(),
            "memory_most": self.memory.iter().max(),
        })
    }
}

pub fn milliseconds(times: &mut [u32]) -> Value {
    times.sort_unstable();
    let at = |share: f64| {
        let index = (times.len() as f64 * share) as usize;
        let micros = times.get(index.min(times.len().saturating_sub(1)));
        micros.map(|micros| f64::from(*micros) / 1000.0)
    };
    json!({"requests": times.len(), "p50": at(0.5), "p99": at(0.99), "p999": at(0.999), "most": at(1.0)})
}
