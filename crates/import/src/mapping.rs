//! Maps headers to fields.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use lead_workspace_api::export::{LEAD_COLUMNS, custom_key, is_export};
use lead_workspace_api::import::{CUSTOM, SKIP};
use lead_workspace_api::limits::CUSTOM_KEY_CHARACTERS;
use lead_workspace_api::{custom_field, custom_field_key};
use lead_workspace_logic::fold;

use super::dates::DateOrder;
use super::field::Field;
use super::{FileError, file_limits};

/// Use of one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnUse {
    Field(Field),
    /// Stored in `custom_data`.
    Custom,
    /// Left out at the user's request.
    Skip,
}

impl ColumnUse {
    /// Returns the name that `--map` accepts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Field(field) => field.name(),
            Self::Custom => CUSTOM,
            Self::Skip => SKIP,
        }
    }
}

/// Use of one header, set by the user: `Header=field`, or `Header=custom_data.Key` for a custom field with another name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// The header as written in the file.
    pub header: String,
    pub to: ColumnUse,
    /// The key of the custom field; `None` for the header.
    pub key: Option<String>,
}

impl fmt::Display for Override {
    /// Writes the text that [`from_str`](std::str::FromStr) reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { header, to, key } = self;
        match key {
            Some(key) => write!(f, "{header}={}", custom_field(key)),
            None => write!(f, "{header}={}", to.name()),
        }
    }
}

impl std::str::FromStr for Override {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // The name of a custom field may contain the sign, too.
        let renamed = text.rfind(&["=", &custom_field("")].concat());
        let renamed = renamed.map(|at| text.split_at(at));
        let (header, to) = renamed
            .map(|(header, to)| (header, &to["=".len()..]))
            .or_else(|| text.rsplit_once('='))
            .ok_or_else(|| format!("{text:?} is not of the form \"Header=field\""))?;
        let (header, to) = (header.trim(), to.trim());
        if let Some(shown) = file_limits::too_long(header) {
            return Err(format!(
                "the column name {shown:?} is longer than {} characters",
                file_limits::NAME
            ));
        }
        let key = match custom_field_key(to) {
            None if renamed.is_some() => {
                return Err(format!(
                    "the name of a custom field has 1 to {CUSTOM_KEY_CHARACTERS} characters; {to:?} has not"
                ));
            }
            key => key.map(str::to_owned),
        };
        let to = match to {
            CUSTOM => ColumnUse::Custom,
            _ if key.is_some() => ColumnUse::Custom,
            SKIP => ColumnUse::Skip,
            name => ColumnUse::Field(Field::find(name).ok_or_else(|| {
                let names: Vec<_> = Field::ALL.iter().map(|field| field.name()).collect();
                format!(
                    "{name:?} is not a field. Use one of {}, custom (keep as custom data), custom_data.NAME (keep under \
                     another name) or skip (ignore)",
                    names.join(", ")
                )
            })?),
        };
        Ok(Self {
            header: header.to_owned(),
            to,
            key,
        })
    }
}

/// The columns of a file, and their uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// Headers, made unique: a second `Tag` is `Tag (2)`.
    pub headers: Vec<String>,
    pub uses: Vec<ColumnUse>,
    /// The keys under which columns are stored in `custom_data`, if they are.
    pub keys: Vec<String>,
    /// Whether the file is an export of this program, whose columns are not guessed.
    pub(super) is_export: bool,
    /// Columns of each field, most likely first: the first one with a value counts.
    columns: BTreeMap<Field, Vec<usize>>,
    /// Columns with dates such as `31/12/2025`, once their order is known.
    pub(super) date_orders: BTreeMap<usize, DateOrder>,
}

impl Mapping {
    /// Guesses the use of each column. Overrides take precedence.
    ///
    /// # Errors
    /// If an override names a header that the file does not have, if there are too many columns or
    /// overrides, or if a name is too long.
    pub fn new(headers: &[String], overrides: &[Override]) -> Result<Self, FileError> {
        let is_export = is_export(headers.iter().map(String::as_str));
        let most = match is_export {
            true => file_limits::EXPORTED_COLUMNS,
            false => file_limits::COLUMNS,
        };
        if headers.len() > most {
            return Err(FileError::TooManyColumns(headers.len(), most));
        }
        if overrides.len() > file_limits::OVERRIDES {
            return Err(FileError::TooManyOverrides(overrides.len()));
        }
        for (at, header) in headers.iter().enumerate() {
            if let Some(shown) = file_limits::too_long(header) {
                return Err(FileError::LongColumn(at + 1, shown));
            }
        }
        let headers = unique(headers);
        let keys: Vec<String> = headers
            .iter()
            .map(|header| normalize_header(header))
            .collect();
        let known: HashSet<&str> = keys.iter().map(String::as_str).collect();
        let mut uses = vec![ColumnUse::Custom; headers.len()];
        let mut ranked: BTreeMap<Field, Vec<(usize, usize)>> = BTreeMap::new();
        // If two overrides name the same column, the last one counts.
        let mut overridden = HashMap::new();
        for one in overrides {
            let key = normalize_header(&one.header);
            if !known.contains(key.as_str()) {
                return Err(FileError::Mapping(format!(
                    "the file has no column {:?}. Its columns are {}",
                    one.header,
                    file_limits::named(&headers)
                )));
            }
            overridden.insert(key, one);
        }
        let mut names = headers.clone();
        for (at, key) in keys.iter().enumerate() {
            let (to, rank) = match overridden.get(key) {
                Some(one) => (one.to, 0),
                None if is_export => exported(&headers[at], key),
                None => match guess(key) {
                    Some((field, rank)) => (ColumnUse::Field(field), rank + 1),
                    None => (ColumnUse::Custom, 0),
                },
            };
            uses[at] = to;
            if let ColumnUse::Field(field) = to {
                ranked.entry(field).or_default().push((rank, at));
            }
        }
        let mut renamed = HashSet::new();
        for ((name, to), key) in names.iter_mut().zip(&uses).zip(&keys) {
            let chosen = overridden.get(key).and_then(|one| one.key.as_deref());
            match chosen {
                Some(chosen) => {
                    chosen.clone_into(name);
                    renamed.insert(chosen);
                }
                None if is_export && *to == ColumnUse::Custom => {
                    *name = custom_key(name).to_owned();
                }
                None => {}
            }
        }
        if let Some(twice) = twice(&names, &uses, &renamed) {
            return Err(FileError::Mapping(format!(
                "two columns would be kept as {twice:?}. Choose another name for one of them, or skip it"
            )));
        }
        let columns = ranked.into_iter().map(|(field, mut columns)| {
            columns.sort_unstable();
            (field, columns.into_iter().map(|(_, at)| at).collect())
        });
        Ok(Self {
            columns: columns.collect(),
            headers,
            uses,
            keys: names,
            is_export,
            date_orders: BTreeMap::new(),
        })
    }

    /// Returns the columns of a field, most likely first.
    pub fn columns(&self, field: Field) -> &[usize] {
        self.columns.get(&field).map_or(&[], Vec::as_slice)
    }

    /// Returns whether a line can name or identify a lead at all.
    pub fn can_identify(&self) -> bool {
        [
            Field::Name,
            Field::FirstName,
            Field::LastName,
            Field::ProfileUrl,
            Field::Email,
        ]
        .iter()
        .any(|field| self.columns.contains_key(field))
    }

    /// Counts the columns that match a field: how much a line looks like a header.
    pub(super) fn count_known_headers(headers: &[String]) -> usize {
        headers
            .iter()
            .take(file_limits::COLUMNS)
            .filter(|header| guess(&normalize_header(header)).is_some())
            .count()
    }
}

/// Returns the use of a column of an export, and its rank. What an import cannot set is skipped: ids, decisions and scores
/// belong to the workspace that wrote them. An e-mail address is read as well as kept.
fn exported(header: &str, key: &str) -> (ColumnUse, usize) {
    if LEAD_COLUMNS.iter().any(|column| column.header == header) {
        return (
            Field::find(header).map_or(ColumnUse::Skip, ColumnUse::Field),
            0,
        );
    }
    match guess(key) {
        Some((Field::Email, rank)) => (ColumnUse::Field(Field::Email), rank),
        _ => (ColumnUse::Custom, 0),
    }
}

/// Returns the field with this header, and the rank of the header; lower is more likely.
fn guess(key: &str) -> Option<(Field, usize)> {
    Field::ALL.iter().find_map(|field| {
        let rank = field.headers().iter().position(|header| *header == key)?;
        Some((*field, rank))
    })
}

/// Normalizes a header: no case, accents and punctuation; `firstName` and `FIRST_NAME` are `first
/// name`.
fn normalize_header(header: &str) -> String {
    let mut spaced = String::with_capacity(header.len() + 4);
    let mut before = ' ';
    for letter in header.chars() {
        if letter.is_uppercase() && before.is_lowercase() {
            spaced.push(' ');
        }
        spaced.push(letter);
        before = letter;
    }
    let folded = fold(&spaced);
    let words = folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    // "LinkedIn" has a capital inside, but is one word.
    words
        .collect::<Vec<_>>()
        .join(" ")
        .replace("linked in", "linkedin")
}

/// Returns a key of two columns that are both kept. Values of a field that cannot be read are kept under its header, so no
/// other column can be renamed to that.
fn twice<'a>(
    keys: &'a [String],
    uses: &[ColumnUse],
    renamed: &HashSet<&str>,
) -> Option<&'a String> {
    let mut seen = HashSet::new();
    let mut kept = keys.iter().zip(uses).filter(|(key, to)| match to {
        ColumnUse::Custom => true,
        ColumnUse::Field(_) => renamed.contains(key.as_str()),
        ColumnUse::Skip => false,
    });
    kept.find(|(key, _)| !seen.insert(*key)).map(|(key, _)| key)
}

fn unique(headers: &[String]) -> Vec<String> {
    let mut unique: Vec<String> = Vec::with_capacity(headers.len());
    let mut used_names = HashSet::new();
    let mut copies: HashMap<String, usize> = HashMap::new();
    for (at, header) in headers.iter().enumerate() {
        let plain = match header.trim() {
            "" => format!("Column {}", at + 1),
            header => header.to_owned(),
        };
        let mut name = plain.clone();
        while !used_names.insert(name.clone()) {
            let copy = copies.entry(plain.clone()).or_insert(1);
            *copy += 1;
            name = format!("{plain} ({copy})");
        }
        unique.push(name);
    }
    unique
}

/// Returns the place of the header among the first lines: the first one with two known headers.
pub(super) fn find_header(start: &[Vec<String>]) -> Option<usize> {
    let is_header = |values: &Vec<String>| Mapping::count_known_headers(values) >= 2;
    start.iter().position(is_header)
}

#[cfg(test)]
#[path = "mapping_tests.rs"]
mod tests;
