//! The rules of a score: what a workspace may configure, as JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::defaults;

/// How leads and accounts are scored. A section that is left out has its default; a name that is
/// not known is an error, so that a slip of the pen does not silently change nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// The most points that each part can give. They add up to 100.
    pub weights: Weights,
    /// The fewest points of each tier.
    pub tiers: Tiers,
    /// How well an industry fits.
    pub industry: Matching,
    /// How well the size of a company fits.
    pub size: Sizes,
    /// How well a title fits.
    pub title: Titles,
    /// How well a place fits: the lead's, else the company's.
    pub location: Matching,
    /// What signs of intent are worth.
    pub intent: Intents,
}

/// The most points of each part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Weights {
    /// Industry of the company.
    pub industry: u32,
    /// Size of the company.
    pub size: u32,
    /// Seniority and department of the title.
    pub title: u32,
    /// Place of the lead, else of the company.
    pub location: u32,
    /// Signs of intent.
    pub intent: u32,
}

impl Weights {
    /// The weights with their names, in the order of a reasoning.
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

/// The fewest points of each tier; whatever has fewer than `c` is tier D.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tiers {
    /// Tier A.
    pub a: u32,
    /// Tier B.
    pub b: u32,
    /// Tier C.
    pub c: u32,
}

/// Values by the group they belong to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matching {
    /// The first group that matches counts.
    pub groups: Vec<Group>,
    /// The share of the points for a value in no group, 0 to 1.
    #[serde(default = "defaults::other")]
    pub other: f64,
    /// The share for no value, 0 to 1.
    #[serde(default = "defaults::unknown")]
    pub unknown: f64,
}

/// A group of values that are worth the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// How the reasoning names it; it reads on after "is", e.g. `a target industry`.
    pub name: String,
    /// The share of the points, 0 to 1.
    pub share: f64,
    /// Words or phrases of the value; case, accents and punctuation do not matter.
    pub words: Vec<String>,
}

/// Sizes of companies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    /// In ascending order, without overlap.
    pub bands: Vec<Band>,
    /// The share for a size in no band, 0 to 1.
    #[serde(default = "defaults::other")]
    pub other: f64,
    /// The share for no size, 0 to 1.
    #[serde(default = "defaults::unknown")]
    pub unknown: f64,
}

/// A band of sizes. A company belongs to the band of the lower bound of its `staff_count_range`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Band {
    /// Heads, the least.
    pub from: u32,
    /// Heads, the most; left out: any number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<u32>,
    /// The share of the points, 0 to 1.
    pub share: f64,
}

/// Titles: a level and a department.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Titles {
    /// How much of the points the level gives, 0 to 1; the department gives the rest.
    #[serde(default = "defaults::level_share")]
    pub level_share: f64,
    /// The first level that matches counts. At each word of a title the longest phrase of all
    /// levels is taken, so "vice president" is not also "president".
    pub levels: Vec<Level>,
    /// The share for a title of no level, 0 to 1.
    #[serde(default = "defaults::other")]
    pub other_level: f64,
    /// The first department that matches counts.
    pub departments: Vec<Group>,
    /// The share for a title of no department, 0 to 1.
    #[serde(default = "defaults::other")]
    pub other_department: f64,
    /// The share of all points for no title, 0 to 1.
    #[serde(default = "defaults::unknown")]
    pub unknown: f64,
}

/// A level of seniority.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// How the reasoning names it, e.g. `director level`.
    pub name: String,
    /// The share of the points, 0 to 1.
    pub share: f64,
    /// Words or phrases of the title.
    pub words: Vec<String>,
    /// A title of this level without a department stands for all of them, e.g. `CEO`.
    #[serde(default)]
    pub whole_company: bool,
}

/// Signs of intent. The best counts, and each further one adds a little.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Intents {
    /// The share of the points by `event_type`, 0 to 1.
    pub events: BTreeMap<String, f64>,
    /// The share for another type, 0 to 1.
    pub other: f64,
    /// What each further sign adds, 0 to 1; the sum never exceeds 1.
    pub each_more: f64,
    /// Up to this age in days a sign counts in full.
    pub fresh_days: u32,
    /// Up to this age in days it counts half; older signs count a fifth.
    pub stale_days: u32,
}
