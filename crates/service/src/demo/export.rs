//! Writes demo leads to a file like the exports of sales tools, to try an import with.

use std::io::Write;

use lead_workspace_demo::{Catalog, EXAMPLE_NOW, Lead};
use serde_json::{Map, Value};

use super::ScoredDemo;
use crate::scoring::Score;

const HEADERS: [&str; 18] = [
    "First Name",
    "Last Name",
    "Headline",
    "Title",
    "Company",
    "Company Website",
    "Company Profile URL",
    "# Employees",
    "Industry",
    "Company Location",
    "Location",
    "Profile URL",
    "Email",
    "Connections",
    "Tags",
    "Lead Source",
    "Phone",
    "Notes",
];

/// Writes leads as CSV. No column depends on the time. Some values contain commas, quotes and newlines.
///
/// # Errors
/// Those of the writer.
pub fn write_csv(leads: u64, seed: u64, to: impl Write) -> csv::Result<()> {
    let demo = ScoredDemo::new(seed, leads, EXAMPLE_NOW);
    let mut csv = csv::Writer::from_writer(to);
    csv.write_record(HEADERS)?;
    for number in 0..leads {
        csv.write_record(cells(&demo.records.catalog, &demo.lead(number)))?;
    }
    Ok(csv.flush()?)
}

/// Writes leads as JSONL, without empty members.
///
/// # Errors
/// Those of the writer.
pub fn write_jsonl(leads: u64, seed: u64, mut to: impl Write) -> std::io::Result<()> {
    let demo = ScoredDemo::new(seed, leads, EXAMPLE_NOW);
    for number in 0..leads {
        let cells = HEADERS
            .into_iter()
            .zip(cells(&demo.records.catalog, &demo.lead(number)));
        let members = cells.filter(|(_, cell)| !cell.is_empty());
        let object: Map<String, Value> = members
            .map(|(header, cell)| (header.to_owned(), Value::from(cell)))
            .collect();
        serde_json::to_writer(&mut to, &object)?;
        to.write_all(b"\n")?;
    }
    to.flush()
}

fn cells(catalog: &Catalog, lead: &Lead<Score>) -> [String; 18] {
    let company = &lead.company;
    let name = &lead.name;
    let (first, last) = name.split_once(' ').unwrap_or((name, ""));
    let lists = lead.lists.iter();
    let tags: Vec<_> = lists
        .map(|(item, _)| &*catalog.lists[item.list].name)
        .collect();
    let number = lead.number;
    let source = &*catalog.imports[(number % 4) as usize].name;
    let notes = match number % 10 {
        3 => "Said \"call me after the fair\", then left.".into(),
        6 => format!("First call: {name}\nSecond call: no answer"),
        8 => "Budget, timing and team are known; price is not.".into(),
        _ => String::new(),
    };
    [
        first.to_owned(),
        last.to_owned(),
        lead.headline.clone(),
        lead.title.clone(),
        company.name.clone(),
        format!("https://www.{}/", company.domain()),
        company.network_url(),
        company.size.to_owned(),
        company.industry().to_owned(),
        company.location(),
        lead.location.clone(),
        lead.profile_url.clone(),
        lead.email.clone().unwrap_or_default(),
        lead.connections_count.to_string(),
        tags.join("; "),
        source.to_owned(),
        // Phone numbers reserved for fiction.
        format!("+1 555 01{:02}", number % 100),
        notes,
    ]
}
