//! Profile data and custom data of demo leads.

use serde_json::{Map, Value, json};

use crate::company::Company;
use crate::person::Title;
use crate::random::Random;
use crate::text::capital;
use crate::vocabulary::words;

pub(super) fn connections(random: &mut Random) -> i64 {
    match random.below(100) {
        0..=11 => random.between(8, 150),
        12..=44 => random.between(150, 700),
        45..=84 => random.between(500, 3_000),
        85..=97 => random.between(3_000, 12_000),
        _ => random.between(12_000, 30_000),
    }
}

pub(super) fn headline(random: &mut Random, title: &Title, company: &Company) -> String {
    let topic = random.pick(company.industry.topics);
    let (title, name) = (&title.text, &company.name);
    match random.below(10) {
        0..=3 => format!("{title} at {name}"),
        4..=5 => format!("{title} @ {name} | {}", capital(topic)),
        6 => {
            let audience = random.pick(company.industry.audiences);
            format!("Helping {audience} {}", random.pick(words::AIMS))
        }
        7 => format!(
            "{title} | {} | {}",
            capital(topic),
            random.pick(words::EXTRAS)
        ),
        8 => format!("{} · {title}", capital(topic)),
        _ => format!("{title}, {name} – {}", company.tagline),
    }
}

pub(super) fn profile_data(
    random: &mut Random,
    year: i64,
    title: &Title,
    company: &Company,
    location: &str,
    [connections, followers]: [i64; 2],
) -> String {
    let since = random.between((year - 12).max(company.founded).min(year - 1), year - 1);
    let skills = title.department.skills;
    let first = random.index(skills.len());
    let skills: Vec<_> = (0..3)
        .map(|nth| skills[(first + nth) % skills.len()])
        .collect();
    let education = format!(
        "{} {}, {}",
        random.pick(words::DEGREES),
        random.pick(words::FIELDS_OF_STUDY),
        random.pick(words::SCHOOLS),
    );
    json!({
        "title": title.text,
        "location": location,
        "connections_count": connections,
        "follower_count": followers,
        "experience": [{"title": title.text, "company": company.name, "since": since}],
        "skills": skills,
        "education": education,
    })
    .to_string()
}

pub(super) fn custom_data(random: &mut Random, email: Option<&str>, imported: bool) -> String {
    let mut data = Map::new();
    if let Some(email) = email {
        data.insert("email".into(), Value::from(email));
    }
    if imported {
        data.insert(
            "source".into(),
            Value::from(random.pick(words::LEAD_SOURCES)),
        );
    }
    if random.percent(12) {
        data.insert("notes".into(), Value::from(random.pick(words::NOTES)));
    }
    Value::Object(data).to_string()
}
