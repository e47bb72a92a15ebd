//! A lead with its related rows, as a pure function of seed and number.

use super::Demo;
use super::catalog::{self, FIRST_DISCOVERY};
use super::clock;
use super::company::{Company, company_of};
use super::ids::id;
use super::intent::Intent;
use super::outreach::{Story, decision};
use super::person::{Name, Title};
use super::profile::{connections, custom_data, headline, profile_data};
use super::random::{Kind, Random};
use super::vocabulary::places::{PLACES, Place};
use crate::scoring::{Facts, Score, Sign};
use crate::store::insert::{AccountRow, LeadRow};

pub(crate) struct DemoLead {
    pub number: u64,
    pub row: LeadRow,
    pub status: &'static str,
    /// The best of its scores.
    pub best: Score,
    pub account: AccountRow,
    /// Indexes of its lists, with the score for each.
    pub lists: Vec<(usize, Score)>,
    /// Score outside any list, for a lead that is on no list.
    pub score: Option<Score>,
    pub intents: Vec<Intent>,
    pub story: Story,
    /// Milliseconds since 1970.
    pub created: i64,
}

impl Demo {
    pub(crate) fn company(&self, number: u64) -> Company {
        Company::new(self.seed, number, self.clock.year)
    }

    /// Returns the row of a company.
    pub(crate) fn account_row(&self, number: u64, company: &Company) -> AccountRow {
        let mut random = Random::new(self.seed, Kind::Catalog, number + 1);
        let created = self.clock.within(&mut random, 120);
        let network_url = company.network_url();
        AccountRow {
            account_id: id(self.seed, "acc", number, created),
            network_id: Some((10_000_000 + random.below(80_000_000)).to_string()),
            name: Some(company.name.clone()),
            network_username: Some(company.slug.clone()),
            identity: network_url.strip_prefix("https://").map(str::to_owned),
            network_url: Some(network_url),
            logo_url: None,
            industry: Some(company.industry.name.to_owned()),
            staff_count_range: Some(company.range.to_owned()),
            location: Some(company.place.text()),
            tagline: Some(company.tagline.clone()),
            description: Some(company.description.clone()),
            founded_year: Some(company.founded),
            domain: Some(company.domain()),
            is_promoted: company.promoted,
            created_at: clock::text(created),
        }
    }

    pub(crate) fn lead(&self, number: u64) -> DemoLead {
        let mut random = Random::new(self.seed, Kind::Lead, number);
        let of = company_of(self.seed, number);
        let company = self.company(of);
        let account = self.account_row(of, &company);
        let place = home(&mut random, company.place);
        let name = Name::new(&mut random, place);
        let title = Title::new(&mut random, &company, name.woman);
        let import = catalog::any_import(&mut random).map(|import| &self.catalog.imports[import]);
        let created = match import {
            // The leads of one file are created within minutes.
            Some(import) => import.created_at + random.between(0, 300_000),
            None => self.clock.within(&mut random, 120),
        };
        let intents = self.intents(&mut random, number, &company, &title.text);
        let location = place.text();

        let facts = LeadFacts {
            industry: company.industry.name,
            size: company.range,
            title: &title.text,
            location: &location,
        };
        let mut lists = self.lists(&mut random, &facts, &company, place, &intents);
        let score = |list: Option<usize>| {
            // A signal that was found for one list does not count for another.
            let signs = intents
                .iter()
                .filter(|i| i.list.is_none() || i.list == list);
            let signs: Vec<_> = signs.map(Intent::sign).collect();
            self.scorer.score(&facts.with(&signs))
        };
        let alone = score(None);
        if alone.points >= 88 && random.percent(30) {
            lists.push(FIRST_DISCOVERY + 3);
        }
        let lists: Vec<_> = lists
            .into_iter()
            .map(|list| (list, score(Some(list))))
            .collect();
        let best = lists
            .iter()
            .map(|(_, score)| score)
            .max_by_key(|score| score.points);
        let best = best.unwrap_or(&alone).clone();

        let mut random = Random::new(self.seed, Kind::Story, number);
        let status = decision(&mut random, best.tier);
        let story = self.story(&mut random, number, status, created);
        let email = random
            .percent(72)
            .then(|| format!("{}@{}", name.slug.replacen('-', ".", 1), company.domain()));
        // Multiplying by an odd factor permutes the numbers below a power of two, so the tail is
        // unique.
        let tail = number.wrapping_mul(0x9E37_79B1).wrapping_add(self.seed) & 0xFFFF_FFFF;
        let profile = format!("profiles.example/in/{}-{tail:x}", name.slug);
        let connections = connections(&mut random);
        let followers = connections + random.between(0, connections) * random.between(0, 3) / 2;
        let row = LeadRow {
            lead_id: id(self.seed, "lead", number, created),
            provider_id: Some(id(self.seed, "profile", number, created)),
            headline: Some(headline(&mut random, &title, &company)),
            profile_url: Some(format!("https://{profile}")),
            is_premium: Some(random.percent(18)),
            profile_data: Some(profile_data(
                &mut random,
                self.clock.year,
                &title,
                &company,
                &location,
                [connections, followers],
            )),
            custom_data: Some(custom_data(&mut random, email.as_deref(), import.is_some())),
            name: Some(name.shown),
            title: Some(title.text.clone()),
            location: Some(location.clone()),
            connections_count: Some(connections),
            follower_count: Some(followers),
            resolved_timezone: Some(place.timezone.to_owned()),
            timezone_label: Some(place.timezone_label.to_owned()),
            import_job_id: import.map(|import| import.id.clone()),
            created_at: clock::text(created),
            identity: Some(profile),
            email,
            ..LeadRow::default()
        };
        DemoLead {
            number,
            row,
            status,
            best,
            account,
            score: lists.is_empty().then_some(alone),
            lists,
            intents,
            story,
            created,
        }
    }
}

/// Facts by which a lead is scored and put on lists.
pub(super) struct LeadFacts<'a> {
    pub industry: &'a str,
    size: &'a str,
    pub title: &'a str,
    location: &'a str,
}

impl<'a> LeadFacts<'a> {
    fn with(&'a self, intents: &'a [Sign<'a>]) -> Facts<'a> {
        Facts {
            industry: Some(self.industry),
            size: Some(self.size),
            titles: std::slice::from_ref(&self.title),
            location: Some(self.location),
            company_location: None,
            intents,
        }
    }
}

impl Intent {
    fn sign(&self) -> Sign<'_> {
        Sign {
            event_type: self.event_type,
            age_days: self.age_days,
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
