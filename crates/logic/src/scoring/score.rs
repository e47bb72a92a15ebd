//! The scoring function: attributes in, points and reasons out. Uses no clock and no store.

use jiff::civil::Date;
use lead_workspace_api::ScorePart;

use super::phrases::Phrases;
use super::rules::{Group, Matching, Rules};
use crate::size::size_rank;

/// The known attributes of a lead or an account.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attributes<'a> {
    pub industry: Option<&'a str>,
    /// Size of the company as a range, e.g. `51-200`.
    pub size: Option<&'a str>,
    /// The title of the lead; for an account, the titles of its leads.
    pub titles: &'a [&'a str],
    /// The location of the lead; for an account, of the company.
    pub location: Option<&'a str>,
    /// The location of the company, used if the lead's is unknown.
    pub company_location: Option<&'a str>,
    pub intents: &'a [IntentSignal<'a>],
}

/// An intent signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntentSignal<'a> {
    pub event_type: &'a str,
    pub age_days: i64,
    /// When it was found. The reason has it instead of the age, which would be wrong a day later.
    pub day: Date,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// 0 to 100: the sum of the parts.
    pub points: u32,
    /// `A` to `D`.
    pub tier: &'static str,
    /// Industry, size, title, location, intent.
    pub parts: Vec<ScorePart>,
}

impl Score {
    /// Formats the parts as text; see [`ScorePart`].
    pub fn reasoning(&self) -> String {
        ScorePart::write_all(&self.parts)
    }
}

/// Compiled rules, for scoring many leads.
#[derive(Debug)]
pub struct Scorer {
    rules: Rules,
    industries: Phrases,
    locations: Phrases,
    levels: Phrases,
    departments: Phrases,
}

/// A share of a part's points, and the reason.
type Share = (f64, String);

impl Scorer {
    /// Compiles rules, which must be valid.
    pub fn new(rules: Rules) -> Self {
        let groups = |groups: &[Group]| Phrases::new(groups.iter().map(|g| g.words.as_slice()));
        Self {
            industries: groups(&rules.industry.groups),
            locations: groups(&rules.location.groups),
            levels: Phrases::new(rules.title.levels.iter().map(|l| l.words.as_slice())),
            departments: groups(&rules.title.departments),
            rules,
        }
    }

    pub fn score(&self, attributes: &Attributes<'_>) -> Score {
        let weights = &self.rules.weights;
        let place = attributes.location.or(attributes.company_location);
        let parts = vec![
            part(
                "Industry",
                weights.industry,
                self.industry(attributes.industry),
            ),
            part("Size", weights.size, self.size(attributes.size)),
            part("Title", weights.title, self.best_title(attributes.titles)),
            part("Location", weights.location, self.location(place)),
            part("Intent", weights.intent, self.intent(attributes.intents)),
        ];
        let points = parts.iter().map(|part| part.points).sum();
        Score {
            points,
            tier: self.tier(points),
            parts,
        }
    }

    fn tier(&self, points: u32) -> &'static str {
        let tiers = &self.rules.tiers;
        match points {
            points if points >= tiers.a => "A",
            points if points >= tiers.b => "B",
            points if points >= tiers.c => "C",
            _ => "D",
        }
    }

    fn industry(&self, industry: Option<&str>) -> Share {
        let rules = &self.rules.industry;
        matching(
            rules,
            &self.industries,
            industry,
            "industry",
            "outside the target industries",
        )
    }

    fn location(&self, place: Option<&str>) -> Share {
        let rules = &self.rules.location;
        matching(
            rules,
            &self.locations,
            place,
            "location",
            "outside the markets",
        )
    }

    fn size(&self, size: Option<&str>) -> Share {
        let rules = &self.rules.size;
        let Some((size, heads)) = size.and_then(|size| Some((size, size_rank(size)?))) else {
            return (rules.unknown, "the size is not known".into());
        };
        let band = rules.bands.iter().find(|band| {
            heads >= i64::from(band.from) && band.to.is_none_or(|to| heads <= i64::from(to))
        });
        let share = band.map_or(rules.other, |band| band.share);
        let fit = match share {
            share if share >= 0.95 => "the size that fits best",
            share if share >= 0.65 => "a size that fits well",
            share if share >= 0.35 => "a size that fits in part",
            _ => "a size that hardly fits",
        };
        let people = if size.trim() == "1" {
            "person"
        } else {
            "people"
        };
        (share, format!("{} {people}, {fit}", short(size)))
    }

    /// Scores the best title: a lead has one, an account those of its leads.
    fn best_title(&self, titles: &[&str]) -> Share {
        let mut best: Option<Share> = None;
        for title in titles {
            let share = self.title(title);
            if best.as_ref().is_none_or(|best| share.0 > best.0) {
                best = Some(share);
            }
        }
        let unknown = || (self.rules.title.unknown, "the title is not known".into());
        match (best, titles.len()) {
            (None, _) => unknown(),
            (Some(best), 1) => best,
            (Some((share, text)), leads) => (share, format!("best of {leads} leads, {text}")),
        }
    }

    fn title(&self, title: &str) -> Share {
        let rules = &self.rules.title;
        let level = self.levels.find(title).map(|at| &rules.levels[at]);
        let department = self
            .departments
            .find(title)
            .map(|at| &rules.departments[at]);
        let (in_department, department) = match (department, level) {
            (Some(department), _) => (department.share, format!("in {}", department.name)),
            (None, Some(level)) if level.whole_company => (1.0, "for the whole company".into()),
            (None, _) => (rules.other_department, "in another department".into()),
        };
        let at_level = level.map_or(rules.other_level, |level| level.share);
        let level = level.map_or("specialist level", |level| &level.name);
        let share = rules.level_share * at_level + (1.0 - rules.level_share) * in_department;
        (share, format!("{} is {level} {department}", short(title)))
    }

    fn intent(&self, signals: &[IntentSignal<'_>]) -> Share {
        let rules = &self.rules.intent;
        let worth = |signal: &IntentSignal<'_>| {
            let share = rules.events.get(signal.event_type).unwrap_or(&rules.other);
            let age = match signal.age_days {
                days if days <= i64::from(rules.fresh_days) => 1.0,
                days if days <= i64::from(rules.stale_days) => 0.5,
                _ => 0.2,
            };
            share * age
        };
        let best = signals.iter().max_by(|a, b| worth(a).total_cmp(&worth(b)));
        let Some(best) = best else {
            return (0.0, "no sign of intent".into());
        };
        let more = signals.len() - 1;
        #[expect(clippy::cast_precision_loss, reason = "a count of signals is small")]
        let share = rules.each_more.mul_add(more as f64, worth(best)).min(1.0);
        let what = short(best.event_type).replace('_', " ");
        let day = best.day;
        let more = match more {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        (share, format!("{what} on {day}{more}"))
    }
}

fn matching(
    rules: &Matching,
    phrases: &Phrases,
    value: Option<&str>,
    noun: &str,
    outside: &str,
) -> Share {
    let Some(value) = value.filter(|value| !value.trim().is_empty()) else {
        return (rules.unknown, format!("the {noun} is not known"));
    };
    let group = phrases.find(value).map(|at| &rules.groups[at]);
    let (share, name) = group.map_or((rules.other, outside), |group| (group.share, &group.name));
    (share, format!("{} is {name}", short(value)))
}

fn part(name: &str, max: u32, (share, text): Share) -> ScorePart {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a valid share is 0 to 1, so the product is 0 to the weight"
    )]
    let points = (f64::from(max) * share).round() as u32;
    ScorePart {
        name: name.to_owned(),
        points,
        max,
        text,
    }
}

/// Truncates a value to 60 characters, so that the reason stays readable.
fn short(value: &str) -> String {
    let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
    match value.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value,
    }
}

#[cfg(test)]
#[path = "score_tests.rs"]
mod tests;
