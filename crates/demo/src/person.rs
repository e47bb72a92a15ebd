//! Invented people: a name that fits the place, and a title that fits the company.

use crate::company::Company;
use crate::random::Random;
use crate::text::slug;
use crate::vocabulary::names::{self, CULTURES, Culture};
use crate::vocabulary::places::Place;
use crate::vocabulary::titles::{
    DEPARTMENTS, Department, FOUNDERS, FOUNDERS_GERMAN, FOUNDERS_GERMAN_WOMEN, REGIONS, Seniority,
};

/// A name as shown on the profile, and in Latin letters.
pub(crate) struct Name {
    pub shown: String,
    /// Given and family name in ASCII, joined by a hyphen.
    pub slug: String,
    pub woman: bool,
}

/// A title and its department.
pub(crate) struct Title {
    pub text: String,
    pub department: &'static Department,
}

/// Picks a word from a table. Returns its index and the word.
fn word(table: &'static str, random: &mut Random) -> (usize, &'static str) {
    let at = random.index(table.split_whitespace().count());
    (at, nth(table, at))
}

fn nth(table: &'static str, at: usize) -> &'static str {
    table.split_whitespace().nth(at).unwrap_or_default()
}

impl Name {
    pub(crate) fn new(random: &mut Random, place: &Place) -> Self {
        // Cities are mixed: four of five names are local.
        let culture: &Culture = if random.percent(80) {
            &CULTURES[place.culture]
        } else {
            &CULTURES[random.index(CULTURES.len())]
        };
        let woman = random.percent(46);
        let given = if woman { culture.women } else { culture.men };
        let (given_at, given) = word(given, random);
        let (family_at, mut family) = word(culture.family, random);
        if woman && !culture.family_women.is_empty() {
            family = nth(culture.family_women, family_at);
        }
        let mut shown = format!("{given} {family}");
        let slug = slug(&shown);
        match (&culture.native, random.below(100)) {
            (Some(native), 0..=34) => {
                let given = nth(if woman { native.women } else { native.men }, given_at);
                let family = match native.family_women {
                    table if woman && !table.is_empty() => nth(table, family_at),
                    _ => nth(native.family, family_at),
                };
                shown = if native.family_first {
                    format!("{family}{given}")
                } else {
                    format!("{given} {family}")
                };
            }
            (_, 90..=93) => {
                let (_, second) = word(culture.family, random);
                if culture.family_women.is_empty() && second != family {
                    shown = format!("{given} {family}-{second}");
                }
            }
            (_, 94..=97) => {
                let initial = char::from(b'A' + u8::try_from(random.below(23)).unwrap_or(0));
                shown = format!("{given} {initial}. {family}");
            }
            (_, 98) => shown = format!("Dr. {shown}"),
            _ => {}
        }
        Self { shown, slug, woman }
    }
}

impl Title {
    pub(crate) fn new(random: &mut Random, company: &Company, woman: bool) -> Self {
        let seniority = Seniority::ALL[random.weighted(Seniority::weights(company.heads))];
        let department = &DEPARTMENTS[random.weighted(DEPARTMENTS.iter().map(|d| d.weight))];
        let local = random.percent(30);
        let culture = company.place.culture;
        let german = local && culture == names::GERMAN;
        let french = local && culture == names::FRENCH;
        let name = random.pick(department.names);
        let role = random.pick(department.roles);
        let text = match seniority {
            Seniority::Founder if german && woman => random.pick(FOUNDERS_GERMAN_WOMEN).to_owned(),
            Seniority::Founder if german => random.pick(FOUNDERS_GERMAN).to_owned(),
            Seniority::Founder if french && woman => "Directrice générale".to_owned(),
            Seniority::Founder if french => "Directeur général".to_owned(),
            Seniority::Founder => random.pick(FOUNDERS).to_owned(),
            Seniority::Chief => random.pick(department.chief).to_owned(),
            Seniority::VicePresident => match random.below(4) {
                0 => format!("Vice President, {name}"),
                1 => format!("SVP {name}"),
                2 => format!("VP of {name}"),
                _ => format!("VP {name}"),
            },
            Seniority::Director if german => department.german.0.to_owned(),
            Seniority::Director if french => department.french.0.to_owned(),
            Seniority::Director => match random.below(4) {
                0 => format!("Director of {name}"),
                1 => format!("{name} Director"),
                2 => format!("Senior Director, {name}"),
                _ => format!("Head of {name}"),
            },
            Seniority::Manager => match random.below(4) {
                0 => format!("Senior {name} Manager"),
                1 => format!("Team Lead {name}"),
                _ => format!("{name} Manager"),
            },
            Seniority::Senior => format!("Senior {role}"),
            Seniority::Specialist if german => department.german.1.to_owned(),
            Seniority::Specialist if french => department.french.1.to_owned(),
            Seniority::Specialist => role.to_owned(),
            Seniority::Junior => match random.below(3) {
                0 => format!("Junior {role}"),
                1 => format!("{name} Assistant"),
                _ => format!("{name} Intern"),
            },
        };
        let leads_a_region = company.heads > 200
            && (Seniority::VicePresident..=Seniority::Manager).contains(&seniority);
        let text = if leads_a_region && random.percent(16) {
            format!("{text}, {}", random.pick(REGIONS))
        } else {
            text
        };
        Self { text, department }
    }
}
