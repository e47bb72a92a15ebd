//! Writes demo leads to a file like the exports of sales tools, to try an import with.

use std::io::Write;

use serde_json::{Map, Value};

use super::Demo;
use super::catalog::LISTS;
use super::lead::DemoLead;

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

/// Writes leads as CSV. Some values contain commas, quotes and newlines.
///
/// # Errors
/// Those of the writer.
pub fn write_csv(leads: u64, seed: u64, to: impl Write) -> csv::Result<()> {
    let demo = Demo::new(seed, leads);
    let mut csv = csv::Writer::from_writer(to);
    csv.write_record(HEADERS)?;
    for number in 0..leads {
        csv.write_record(cells(&demo, &demo.lead(number)))?;
    }
    Ok(csv.flush()?)
}

/// Writes leads as JSONL, without empty members.
///
/// # Errors
/// Those of the writer.
pub fn write_jsonl(leads: u64, seed: u64, mut to: impl Write) -> std::io::Result<()> {
    let demo = Demo::new(seed, leads);
    for number in 0..leads {
        let cells = HEADERS.into_iter().zip(cells(&demo, &demo.lead(number)));
        let members = cells.filter(|(_, cell)| !cell.is_empty());
        let object: Map<String, Value> = members
            .map(|(header, cell)| (header.to_owned(), Value::from(cell)))
            .collect();
        serde_json::to_writer(&mut to, &object)?;
        to.write_all(b"\n")?;
    }
    to.flush()
}

fn cells(demo: &Demo, lead: &DemoLead) -> [String; 18] {
    let (row, account) = (&lead.row, &lead.account);
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let name = text(&row.name);
    let (first, last) = name.split_once(' ').unwrap_or((&name, ""));
    let tags: Vec<_> = lead.lists.iter().map(|(list, _)| LISTS[*list]).collect();
    let number = lead.number;
    let source = demo.catalog.imports[(number % 4) as usize].name;
    let notes = match number % 10 {
        3 => "Said \"call me after the fair\", then left.".into(),
        6 => format!("First call: {name}\nSecond call: no answer"),
        8 => "Budget, timing and team are known; price is not.".into(),
        _ => String::new(),
    };
    [
        first.to_owned(),
        last.to_owned(),
        text(&row.headline),
        text(&row.title),
        text(&account.name),
        account
            .domain
            .as_ref()
            .map(|domain| format!("https://www.{domain}/"))
            .unwrap_or_default(),
        text(&account.network_url),
        text(&account.staff_count_range),
        text(&account.industry),
        text(&account.location),
        text(&row.location),
        text(&row.profile_url),
        text(&row.email),
        row.connections_count
            .map(|count| count.to_string())
            .unwrap_or_default(),
        tags.join("; "),
        source.to_owned(),
        // Phone numbers reserved for fiction.
        format!("+1 555 01{:02}", number % 100),
        notes,
    ]
}
