//! Who decided on the demo leads, and when.

use jiff::Timestamp;

use crate::Demo;
use crate::clock::days;
use crate::random::{Kind, Random};

/// The name of a workspace with demo leads.
pub const WORKSPACE_NAME: &str = "Northwind outbound";

/// An API key that decided on leads.
pub struct Reviewer {
    /// In the form of the ids that the service makes.
    pub key_id: &'static str,
    pub name: &'static str,
    /// The share of the decisions, in percent.
    share: u32,
}

/// The keys of people. What a rule filtered is the last one's, which is a program's.
pub const REVIEWERS: &[Reviewer] = &[
    Reviewer {
        key_id: "de0000000001",
        name: "Ines Larkwood",
        share: 45,
    },
    Reviewer {
        key_id: "de0000000002",
        name: "Tobias Fennwick",
        share: 35,
    },
    Reviewer {
        key_id: "de0000000003",
        name: "Priya Venkateran",
        share: 20,
    },
    Reviewer {
        key_id: "de0000000004",
        name: "CRM sync",
        share: 0,
    },
];

/// Days within which the team has reviewed. What was contacted earlier was decided earlier.
const REVIEW_DAYS: i64 = 42;

/// A decision on a lead.
#[derive(Debug, PartialEq)]
pub struct Decision {
    /// Index into `REVIEWERS`.
    pub by: usize,
    pub at: Timestamp,
}

impl Demo {
    /// Returns who decided on a lead, and when: after it was created, and before it was contacted.
    pub fn decision(
        &self,
        lead_id: &str,
        status: &str,
        created: Timestamp,
        contacted: Option<Timestamp>,
    ) -> Decision {
        let number = lead_id.bytes().fold(0_u64, |sum, byte| {
            sum.wrapping_mul(257).wrapping_add(u64::from(byte))
        });
        let mut random = Random::new(self.seed, Kind::Decision, number);
        let by = match status {
            "filtered" => REVIEWERS.len() - 1,
            _ => random.weighted(REVIEWERS.iter().map(|reviewer| reviewer.share)),
        };
        let (from, latest) = match contacted {
            Some(contacted) => (created, contacted.max(created)),
            None => (created.max(self.end() - days(REVIEW_DAYS)), self.end()),
        };
        Decision {
            by,
            at: from + random.up_to(latest.duration_since(from)),
        }
    }
}
