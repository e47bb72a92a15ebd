//! The rules of a score, which a workspace can configure as JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The rules for scoring leads and accounts.
///
/// A missing section has its default. An unknown name is an error, so that a typo is not silently
/// ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// Maximum points of each part. They add up to 100.
    pub weights: Weights,
    /// Minimum points of each tier.
    pub tiers: Tiers,
    pub industry: Matching,
    pub size: Sizes,
    pub title: Titles,
    /// The location of the lead, or else of the company.
    pub location: Matching,
    pub intent: Intents,
}

/// Maximum points of each part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Weights {
    pub industry: u32,
    pub size: u32,
    /// Seniority and department of the title.
    pub title: u32,
    /// Location of the lead, or else of the company.
    pub location: u32,
    pub intent: u32,
}

impl Weights {
    /// Returns the weights with their names, in the order of the reasoning.
    pub fn all(&self) -> [(&'static str, u32); 5] {
        [
            ("industry", self.industry),
            ("size", self.size),
            ("title", self.title),
            ("location", self.location),
            ("intent", self.intent),
        ]
    }
}

/// Minimum points of each tier; less than `c` is tier D.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tiers {
    pub a: u32,
    pub b: u32,
    pub c: u32,
}

/// Shares of values by group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matching {
    /// The first group that matches counts.
    pub groups: Vec<Group>,
    /// The share of the points for a value in no group, 0 to 1.
    #[serde(default = "other")]
    pub other: f64,
    /// The share for a missing value, 0 to 1.
    #[serde(default = "unknown")]
    pub unknown: f64,
}

/// Values with the same share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The name in the reasoning, as a phrase after "is", e.g. `a target industry`.
    pub name: String,
    /// The share of the points, 0 to 1.
    pub share: f64,
    /// Words or phrases to find in the value; case, accents and punctuation do not matter.
    pub words: Vec<String>,
}

/// Shares of company sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    /// In ascending order, without overlap.
    pub bands: Vec<Band>,
    /// The share for a size in no band, 0 to 1.
    #[serde(default = "other")]
    pub other: f64,
    /// The share for a missing size, 0 to 1.
    #[serde(default = "unknown")]
    pub unknown: f64,
}

/// A range of head counts. A company belongs to the band with the lower bound of its
/// `staff_count_range`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Band {
    /// Minimum head count.
    pub from: u32,
    /// Maximum head count; unlimited if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<u32>,
    /// The share of the points, 0 to 1.
    pub share: f64,
}

/// Shares of titles: each has a level and a department.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Titles {
    /// The part of the points that depends on the level, 0 to 1; the rest depends on the
    /// department.
    #[serde(default = "level_share")]
    pub level_share: f64,
    /// The first level that matches counts. At each word of a title the longest phrase of all
    /// levels is used, so "vice president" is not also "president".
    pub levels: Vec<Level>,
    /// The share for a title without a known level, 0 to 1.
    #[serde(default = "other")]
    pub other_level: f64,
    /// The first department that matches counts.
    pub departments: Vec<Group>,
    /// The share for a title without a known department, 0 to 1.
    #[serde(default = "other")]
    pub other_department: f64,
    /// The share of all title points for a missing title, 0 to 1.
    #[serde(default = "unknown")]
    pub unknown: f64,
}

/// A level of seniority.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// The name in the reasoning, e.g. `director level`.
    pub name: String,
    /// The share of the points, 0 to 1.
    pub share: f64,
    /// Words or phrases to find in the title.
    pub words: Vec<String>,
    /// Whether a title of this level without a department covers all departments, e.g. `CEO`.
    #[serde(default)]
    pub whole_company: bool,
}

/// Shares of intent signals. The best one counts, and each further one adds `each_more`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Intents {
    /// The share of the points by `event_type`, 0 to 1.
    pub events: BTreeMap<String, f64>,
    /// The share for any other type, 0 to 1.
    pub other: f64,
    /// The share that each further signal adds, 0 to 1; the sum is capped at 1.
    pub each_more: f64,
    /// Maximum age in days at which a signal counts in full.
    pub fresh_days: u32,
    /// Maximum age in days at which a signal counts half; older signals count one fifth.
    pub stale_days: u32,
}

pub(super) const fn other() -> f64 {
    0.3
}

/// Returns the share for a missing value.
///
/// A share as low as that of a bad value would hide leads that are merely incomplete; a high one
/// would rank them above leads with known values.
pub(super) const fn unknown() -> f64 {
    0.2
}

/// Returns the part of a title's points that depends on its level.
pub(super) const fn level_share() -> f64 {
    0.6
}
