//! A lead with its related records, as a pure function of seed and number.

use jiff::Timestamp;

use crate::Demo;
use crate::catalog::{self, DAYS, FIRST_DISCOVERY, IMPORT_DURATION};
use crate::clock::{self, YEAR};
use crate::company::{Company, company_of};
use crate::ids::id;
use crate::intent::Intent;
use crate::list_item::ListItem;
use crate::outreach::{Outreach, decision};
use crate::person::{Name, Title};
use crate::profile::{connections, custom_data, headline, profile_data};
use crate::random::{Kind, Random};
use crate::vocabulary::places::{PLACES, Place};

/// What a lead is scored by.
pub struct ScoreInput<'a> {
    pub industry: &'static str,
    /// Headcount range of the company.
    pub size: &'static str,
    pub title: &'a str,
    pub location: &'a str,
    pub intents: Vec<&'a Intent>,
}

/// What decisions and lists depend on.
pub trait LeadScore: Clone {
    /// 0 to 100.
    fn points(&self) -> u32;
    /// `A` to `D`.
    fn tier(&self) -> &str;
}

#[derive(Debug, PartialEq)]
pub struct Lead<S> {
    pub number: u64,
    pub lead_id: String,
    pub provider_id: String,
    pub name: String,
    pub headline: String,
    pub title: String,
    pub location: String,
    pub profile_url: String,
    pub is_premium: bool,
    pub connections_count: i64,
    pub follower_count: i64,
    /// A JSON object.
    pub profile_data: String,
    /// A JSON object.
    pub custom_data: String,
    pub timezone: &'static str,
    pub timezone_label: &'static str,
    pub email: Option<String>,
    pub import_job_id: Option<String>,
    pub company: Company,
    /// Approval status.
    pub status: &'static str,
    /// The best of its scores.
    pub best: S,
    /// The lists that it is on, with the score for each.
    pub lists: Vec<(ListItem, S)>,
    /// Score outside any list, for a lead that is on no list.
    pub score: Option<S>,
    /// Latest first.
    pub intents: Vec<Intent>,
    pub outreach: Outreach,
    pub created_at: Timestamp,
}

impl Demo {
    /// Returns a lead by its number.
    pub fn lead<S: LeadScore>(&self, number: u64, score: impl Fn(&ScoreInput<'_>) -> S) -> Lead<S> {
        let mut random = Random::new(self.seed, Kind::Lead, number);
        let company = self.company(company_of(self.seed, number));
        let place = home(&mut random, company.place);
        let name = Name::new(&mut random, place);
        let title = Title::new(&mut random, &company, name.woman);
        let import = catalog::any_import(&mut random);
        let created = match import {
            Some(import) => catalog::import_time(import) + random.up_to(IMPORT_DURATION),
            None => clock::within(&mut random, DAYS.unsigned_abs()),
        };
        let import = import.map(|import| &self.catalog.imports[import]);
        let intents = self.intents(&mut random, number, &company, &title.text);
        let location = place.text();

        let mut lists = self.lists(&mut random, &company, &title.text, place, &intents);
        let score = |list: Option<usize>| {
            // A signal that was found for one list does not count for another.
            let counts = |intent: &&Intent| intent.list.is_none() || intent.list == list;
            score(&ScoreInput {
                industry: company.industry(),
                size: company.size,
                title: &title.text,
                location: &location,
                intents: intents.iter().filter(counts).collect(),
            })
        };
        let without_list = score(None);
        if without_list.points() >= 88 && random.percent(30) {
            lists.push(FIRST_DISCOVERY + 3);
        }
        let item = |list: usize| ListItem {
            list,
            item_id: id(self.seed, "item", number * 32 + list as u64, created),
        };
        let lists: Vec<_> = lists
            .into_iter()
            .map(|list| (item(list), score(Some(list))))
            .collect();
        let scores = lists.iter().map(|(_, score)| score);
        let best = scores.max_by_key(|score| score.points());
        let best = best.unwrap_or(&without_list).clone();

        let mut random = Random::new(self.seed, Kind::Outreach, number);
        let status = decision(&mut random, best.tier());
        let outreach = self.outreach(&mut random, number, status, created);
        let email = random
            .percent(72)
            .then(|| format!("{}@{}", name.slug.replacen('-', ".", 1), company.domain()));
        // Multiplying by an odd factor permutes the numbers below a power of two, so the tail is
        // unique.
        let tail = number.wrapping_mul(0x9E37_79B1).wrapping_add(self.seed) & 0xFFFF_FFFF;
        let connections = connections(&mut random);
        let followers = connections + random.between(0, connections) * random.between(0, 3) / 2;
        Lead {
            number,
            lead_id: id(self.seed, "lead", number, created),
            provider_id: id(self.seed, "profile", number, created),
            headline: headline(&mut random, &title, &company),
            profile_url: format!("https://profiles.example/in/{}-{tail:x}", name.slug),
            is_premium: random.percent(18),
            profile_data: profile_data(
                &mut random,
                YEAR,
                &title,
                &company,
                &location,
                [connections, followers],
            ),
            custom_data: custom_data(&mut random, email.as_deref(), import.is_some()),
            name: name.shown,
            title: title.text.clone(),
            location: location.clone(),
            connections_count: connections,
            follower_count: followers,
            timezone: place.timezone,
            timezone_label: place.timezone_label,
            email,
            import_job_id: import.map(|import| import.id.clone()),
            status,
            best,
            score: lists.is_empty().then_some(without_list),
            lists,
            outreach,
            created_at: self.clock.moved(created),
            company,
            intents,
        }
    }
}

/// Picks where a lead lives: most live where the company is, some elsewhere in the country, a few
/// anywhere.
fn home(random: &mut Random, office: &'static Place) -> &'static Place {
    match random.below(100) {
        0..=81 => office,
        82..=93 => {
            let near: Vec<_> = PLACES
                .iter()
                .filter(|p| p.country == office.country)
                .collect();
            random.pick(&near)
        }
        _ => &PLACES[random.weighted(PLACES.iter().map(|place| place.weight))],
    }
}
