//! Turns one line into a draft of a lead and its company. No access to the store.

use lead_workspace_logic::rows::{AccountRow, LeadRow};
use lead_workspace_logic::{clean, fold, staff_count_range};
use serde_json::{Map, Value};

use super::field::Field;
use super::mapping::{ColumnUse, Mapping};
use super::{file_limits, normalize};

/// The data of one line. Absent values never erase stored ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// Number of the line, from 1.
    pub line: u64,
    /// The columns that the line has. Ids and the JSON columns are not among them.
    pub lead: LeadRow,
    pub status: Option<&'static str>,
    pub lists: Vec<String>,
    pub campaign: Option<String>,
    pub profile_data: Map<String, Value>,
    pub custom_data: Map<String, Value>,
    pub company: Option<AccountRow>,
}

/// The values of a line, by column.
pub(super) type Values = [Option<Value>];

/// Turns a line into a draft.
///
/// # Errors
/// The reason why it cannot become a lead.
pub(super) fn draft(line: u64, mapping: &Mapping, values: &Values) -> Result<Draft, String> {
    let mut cells = Cells {
        mapping,
        values,
        used: vec![false; mapping.headers.len()],
    };
    let lead = LeadRow {
        headline: cells.text(Field::Headline),
        title: cells.text(Field::Title),
        location: cells.place(Field::Location, [Field::City, Field::State, Field::Country]),
        provider_id: cells.text(Field::ProviderId),
        email: cells.read(Field::Email, normalize::email),
        profile_picture_url: cells.read(Field::Picture, url),
        background_image_url: cells.read(Field::Background, url),
        is_premium: cells.read(Field::Premium, normalize::flag),
        connections_count: cells.read(Field::Connections, normalize::count),
        follower_count: cells.read(Field::Followers, normalize::count),
        resolved_timezone: cells.text(Field::Timezone),
        created_at: cells
            .read_at(Field::CreatedAt, |text, column| {
                let order = mapping.date_orders.get(&column);
                normalize::date_time(text, order.copied())
            })
            .unwrap_or_default(),
        ..LeadRow::default()
    };
    let mut draft = Draft {
        line,
        lead,
        status: cells.read(Field::Status, normalize::status),
        lists: cells.names(Field::Lists),
        campaign: cells.text(Field::Campaign),
        ..Draft::default()
    };
    draft.lead.timezone_label = draft.lead.resolved_timezone.clone();
    names_within_limits(&draft)?;
    if let Some(address) = cells.read(Field::ProfileUrl, normalize::address) {
        draft.lead.profile_url = Some(address.url);
        draft.lead.identity = Some(address.identity);
    }
    name(&mut cells, &mut draft);
    draft.company = company(&mut cells);
    profile_data(&mut cells, &mut draft);
    // The lead itself has no visible field for the address, and no place for the parts of a location.
    cells.keep(&[Field::Email, Field::City, Field::State, Field::Country]);
    draft.custom_data = cells.rest();
    keys_within_limits(&draft)?;
    if draft.lead.name.is_none() && draft.lead.identity.is_none() && draft.lead.email.is_none() {
        return Err("no name, profile URL or e-mail address".into());
    }
    Ok(draft)
}

/// Limits the names of lists and campaigns, because each unknown name creates one.
fn names_within_limits(draft: &Draft) -> Result<(), String> {
    if draft.lists.len() > file_limits::LISTS {
        let (count, most) = (draft.lists.len(), file_limits::LISTS);
        return Err(format!("the line has {count} lists; the limit is {most}"));
    }
    let names = draft.lists.iter().map(|list| ("list", list));
    let names = names.chain(draft.campaign.iter().map(|campaign| ("campaign", campaign)));
    for (what, name) in names {
        if let Some(shown) = file_limits::too_long(name) {
            return Err(format!(
                "the name of the {what} {shown:?} is longer than {} characters",
                file_limits::NAME
            ));
        }
    }
    Ok(())
}

/// Limits what leads and companies are found by: a database indexes texts up to some length only.
fn keys_within_limits(draft: &Draft) -> Result<(), String> {
    let (lead, company) = (&draft.lead, draft.company.as_ref());
    let of_company =
        |of: fn(&AccountRow) -> &Option<String>| company.and_then(|row| of(row).as_ref());
    for (what, text, most) in [
        ("name", lead.name.as_ref(), file_limits::KEY / 2),
        ("e-mail address", lead.email.as_ref(), file_limits::KEY),
        ("profile URL", lead.identity.as_ref(), file_limits::KEY),
        (
            "company's name",
            of_company(|row| &row.name),
            file_limits::KEY / 2,
        ),
        (
            "company's URL",
            of_company(|row| &row.identity),
            file_limits::KEY,
        ),
        (
            "company's website",
            of_company(|row| &row.domain),
            file_limits::KEY,
        ),
    ] {
        // Folding makes no text longer than eleven times.
        if text.is_some_and(|text| text.len() > most / 11 && fold(text).len() > most) {
            return Err(format!("the {what} is longer than {most} bytes"));
        }
    }
    Ok(())
}

fn url(text: &str) -> Option<String> {
    normalize::address(text).map(|address| address.url)
}

fn name(cells: &mut Cells<'_>, draft: &mut Draft) {
    let full = cells.text(Field::Name);
    let first = cells.text(Field::FirstName);
    let last = cells.text(Field::LastName);
    for (key, part) in [("first_name", &first), ("last_name", &last)] {
        if let Some(part) = part {
            draft.profile_data.insert(key.into(), part.as_str().into());
        }
    }
    let joined = |parts: [&Option<String>; 2]| {
        let parts: Vec<_> = parts.into_iter().flatten().map(String::as_str).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    };
    draft.lead.name = match (&full, &first, &last) {
        // A column "Name" next to a given name alone holds the family name.
        (Some(name), Some(first), None) if !name.contains(first.as_str()) => {
            joined([&Some(first.clone()), &full])
        }
        (Some(_), _, _) => full,
        _ => joined([&first, &last]),
    };
}

fn company(cells: &mut Cells<'_>) -> Option<AccountRow> {
    let address = cells.read(Field::CompanyUrl, normalize::address);
    let website = cells.read(Field::CompanyWebsite, normalize::domain);
    let size = cells.text(Field::CompanySize);
    let range = size.as_deref().map(staff_count_range);
    if range != size {
        cells.keep(&[Field::CompanySize]);
    }
    let company = AccountRow {
        name: cells.text(Field::Company),
        industry: cells.text(Field::CompanyIndustry),
        staff_count_range: range,
        location: cells.place(
            Field::CompanyLocation,
            [
                Field::CompanyCity,
                Field::CompanyState,
                Field::CompanyCountry,
            ],
        ),
        tagline: cells.text(Field::CompanyTagline),
        description: cells.lines(Field::CompanyDescription),
        founded_year: cells.read(Field::CompanyFounded, normalize::year),
        logo_url: cells.read(Field::CompanyLogo, url),
        domain: website,
        identity: address.as_ref().map(|address| address.identity.clone()),
        network_url: address.map(|address| address.url),
        ..AccountRow::default()
    };
    cells.keep(&[
        Field::CompanyCity,
        Field::CompanyState,
        Field::CompanyCountry,
    ]);
    // A company needs something to be matched by.
    if company.name.is_some() || company.identity.is_some() || company.domain.is_some() {
        return Some(company);
    }
    cells.keep(&COMPANY_FIELDS);
    None
}

const COMPANY_FIELDS: [Field; 7] = [
    Field::CompanyIndustry,
    Field::CompanySize,
    Field::CompanyLocation,
    Field::CompanyTagline,
    Field::CompanyDescription,
    Field::CompanyFounded,
    Field::CompanyLogo,
];

fn profile_data(cells: &mut Cells<'_>, draft: &mut Draft) {
    let summary = cells.lines(Field::Summary);
    let texts = [
        ("title", draft.lead.title.clone()),
        ("location", draft.lead.location.clone()),
        ("summary", summary),
    ];
    for (key, text) in texts {
        if let Some(text) = text {
            draft.profile_data.insert(key.into(), text.into());
        }
    }
    let counts = [
        ("connections_count", draft.lead.connections_count),
        ("follower_count", draft.lead.follower_count),
    ];
    for (key, count) in counts {
        if let Some(count) = count {
            draft.profile_data.insert(key.into(), count.into());
        }
    }
}

/// Cells of a line, and which of them were used. Unused cells end up in `custom_data`.
struct Cells<'a> {
    mapping: &'a Mapping,
    values: &'a Values,
    used: Vec<bool>,
}

impl Cells<'_> {
    /// Returns the first value of a field that can be read, and marks its cell as used.
    fn read<T>(&mut self, field: Field, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        self.read_at(field, |text, _| read(text))
    }

    /// Like [`read`](Self::read), for values that depend on their column.
    fn read_at<T>(&mut self, field: Field, read: impl Fn(&str, usize) -> Option<T>) -> Option<T> {
        for &column in self.mapping.columns(field) {
            let Some(text) = self.values.get(column).and_then(text_of) else {
                continue;
            };
            if let Some(value) = read(&text, column) {
                self.used[column] = true;
                return Some(value);
            }
        }
        None
    }

    /// Returns a text of one line, such as a name.
    fn text(&mut self, field: Field) -> Option<String> {
        self.read(field, |text| {
            Some(clean(text)).filter(|text| !text.is_empty())
        })
    }

    /// Returns a text as it is, because it may have paragraphs.
    fn lines(&mut self, field: Field) -> Option<String> {
        self.read(field, |text| Some(text.to_owned()))
    }

    /// Returns several names: the elements of an array, or the parts of a text.
    fn names(&mut self, field: Field) -> Vec<String> {
        for &column in self.mapping.columns(field) {
            let value = self.values.get(column);
            let Some(text) = value.and_then(text_of) else {
                continue;
            };
            self.used[column] = true;
            return match value {
                Some(Some(Value::Array(items))) => {
                    let names = items.iter().filter_map(Value::as_str).map(clean);
                    names.filter(|name| !name.is_empty()).collect()
                }
                _ => normalize::names(&text),
            };
        }
        Vec::new()
    }

    /// Returns a location: from its own column, else joined from its parts.
    fn place(&mut self, whole: Field, parts: [Field; 3]) -> Option<String> {
        if let Some(place) = self.text(whole) {
            return Some(place);
        }
        let mut parts: Vec<_> = parts
            .into_iter()
            .filter_map(|part| self.text(part))
            .collect();
        parts.dedup();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// Keeps the cells of these fields in `custom_data`, as typed.
    fn keep(&mut self, fields: &[Field]) {
        for field in fields {
            for &column in self.mapping.columns(*field) {
                self.used[column] = false;
            }
        }
    }

    /// Returns the unused values by key, without skipped columns.
    fn rest(&self) -> Map<String, Value> {
        let mut rest = Map::new();
        for (column, value) in self.values.iter().enumerate() {
            let skipped = self.mapping.uses.get(column) == Some(&ColumnUse::Skip);
            let key = self.mapping.keys.get(column);
            if let (Some(value), Some(key)) = (value, key)
                && !skipped
                && !self.used[column]
            {
                rest.insert(key.clone(), value.clone());
            }
        }
        rest
    }
}

/// Returns a value as the text of a cell. `None` for empty values, objects, and arrays of anything
/// but strings.
pub(super) fn text_of(value: &Option<Value>) -> Option<String> {
    let text = match value.as_ref()? {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Array(items) => {
            let items = items.iter().map(|item| item.as_str());
            items.collect::<Option<Vec<_>>>()?.join("\n")
        }
        Value::Null | Value::Object(_) => return None,
    };
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
#[path = "draft_tests.rs"]
mod tests;
