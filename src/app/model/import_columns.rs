//! What the import page says about a file before one is chosen: known columns, a sample, past imports.

use lead_workspace_api::Raw;
use lead_workspace_api::csv_cell;
use lead_workspace_api::import::ImportFields;
use lead_workspace_api::shapes::FacetOption;

/// How many other names of a column are shown.
const OTHER_NAMES: usize = 3;

/// How many past imports are shown.
const PAST_IMPORTS: usize = 5;

/// Columns that most files have: field, header in the sample, and its values.
const USUAL: [(&str, &str, [&str; 2]); 8] = [
    ("name", "Name", ["Ingrid Vasquez", "Tomas Okafor"]),
    (
        "company",
        "Company",
        ["Halvorsen Marine", "Quarry Lane Foods"],
    ),
    (
        "title",
        "Job title",
        ["VP Operations", "Head of Procurement"],
    ),
    (
        "profile_url",
        "Profile URL",
        [
            "https://network.example/in/ingrid-vasquez",
            "https://network.example/in/tomas-okafor",
        ],
    ),
    (
        "email",
        "Email",
        ["ingrid@halvorsen.example", "tomas@quarrylane.example"],
    ),
    ("location", "Location", ["Bergen, Norway", "Cork, Ireland"]),
    ("company_size", "Company size", ["201-500", "51-200"]),
    (
        "industry",
        "Industry",
        ["Maritime logistics", "Food production"],
    ),
];

/// A column that the service recognizes by its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownColumn {
    pub header: &'static str,
    /// Other headers that mean the same; empty if the service does not say.
    pub others: String,
    pub example: &'static str,
    /// Whether it tells leads from each other. A file needs one such column.
    pub identifies: bool,
}

/// Returns the usual ones of the columns that the service knows.
pub fn known_columns(fields: &ImportFields) -> Vec<KnownColumn> {
    let is_known = |field: &str| fields.fields.iter().any(|known| known == field);
    let usual = USUAL.iter().filter(|(field, ..)| is_known(field));
    let column = |(field, header, values): &(&'static str, &'static str, [&'static str; 2])| {
        let of_field = fields.headers.iter().find(|known| known.field == *field);
        let own = header.to_ascii_lowercase();
        let others = of_field.map_or(&[][..], |known| &known.headers);
        let others = others.iter().filter(|other| **other != own);
        let others: Vec<&str> = others.take(OTHER_NAMES).map(String::as_str).collect();
        KnownColumn {
            header,
            others: others.join(", "),
            example: values[0],
            identifies: matches!(*field, "name" | "profile_url" | "email"),
        }
    };
    usual.map(column).collect()
}

/// Returns a file with the usual columns and two leads, as CSV.
pub fn sample() -> String {
    let mut text = String::from("\u{feff}");
    csv_cell::line(&mut text, &USUAL.map(|(_, header, _)| header));
    for lead in 0..2 {
        csv_cell::line(&mut text, &USUAL.map(|(_, _, values)| values[lead]));
    }
    text
}

/// An earlier import of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastImport {
    pub id: String,
    pub file: String,
    /// Number of its leads, if known.
    pub leads: Option<u64>,
    /// ISO 8601.
    pub when: Option<String>,
}

/// Reads the last imports from the facet of imports, which is sorted by time.
pub fn past_imports(facet: Option<Vec<Raw>>) -> Vec<PastImport> {
    let imports = facet.iter().flatten().filter_map(|raw| {
        let FacetOption {
            value,
            label,
            count,
        } = FacetOption::read(raw)?;
        let when = raw.value().get("created_at").cloned();
        Some(PastImport {
            id: value,
            file: label,
            leads: count,
            when: when.and_then(|when| when.as_str().map(str::to_owned)),
        })
    });
    imports.take(PAST_IMPORTS).collect()
}
