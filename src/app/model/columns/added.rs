//! Columns beyond those that every list has: of the user's own data, and of the page that embeds the review.

use std::borrow::Cow;
use std::cell::RefCell;

use super::spec::{ColumnSource, ColumnSpec};
use super::{ArrangedColumn, Columns};
use crate::app::model::custom_fields::CustomField;
use crate::app::model::escapes::{self, unescaped};
use crate::app::model::filters::CustomName;

const CUSTOM: &str = "custom:";
const HOST: &str = "host:";

/// Minimum width of an added column in pixels, unless the host page says another one.
const WIDTH: u32 = 132;

/// Characters with a meaning in the text of an arrangement.
const SEPARATORS: &str = ".-*";

thread_local! {
    /// All added columns that were ever shown. They are kept while the page lives, like those of the program: a column is
    /// compared, copied and passed on for every row.
    static KNOWN: RefCell<Vec<&'static ColumnSpec>> = const { RefCell::new(Vec::new()) };
}

/// Describes an added column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedSpec {
    pub source: ColumnSource,
    /// The key of the user's own data, or the id that the host page gave.
    pub key: String,
    pub label: String,
    /// Minimum width in pixels; `None` for the default.
    pub width: Option<u32>,
    /// Whether its values are right-aligned.
    pub number: bool,
    /// Whether the list can be sorted by it.
    pub is_sorted: bool,
}

impl AddedSpec {
    /// Describes the column of a key of the user's own data.
    pub fn custom(field: &CustomField) -> Self {
        Self {
            number: field.number,
            is_sorted: field.is_queried,
            ..Self::of_key(&field.key)
        }
    }

    /// Describes the column of a key when only the key is known.
    fn of_key(key: &str) -> Self {
        Self {
            source: ColumnSource::Custom,
            key: key.to_owned(),
            label: key.to_owned(),
            width: None,
            number: false,
            is_sorted: false,
        }
    }

    /// Reads the id of a column in the text of an arrangement. What else there is to know is added
    /// [later](Columns::with_added).
    pub(super) fn from_text(word: &str) -> Option<Self> {
        let source = match word {
            word if word.starts_with(CUSTOM) => ColumnSource::Custom,
            word if word.starts_with(HOST) => ColumnSource::Host,
            _ => return None,
        };
        let id = unescaped(word);
        let (_, key) = id.split_once(':').filter(|(_, key)| !key.is_empty())?;
        Some(Self {
            source,
            ..Self::of_key(key)
        })
    }

    /// Returns the column.
    pub fn spec(&self) -> &'static ColumnSpec {
        let prefix = match self.source {
            ColumnSource::Host => HOST,
            _ => CUSTOM,
        };
        let min_width = self.width.unwrap_or(WIDTH);
        let sort = CustomName::of_key(&self.key).filter(|_| self.is_sorted);
        let sort = sort.map(CustomName::as_str);
        let is_it = |spec: &&&'static ColumnSpec| {
            spec.id.strip_prefix(prefix) == Some(&*self.key)
                && spec.label == self.label
                && (spec.min_width, spec.number, spec.sort) == (min_width, self.number, sort)
        };
        KNOWN.with_borrow_mut(|known| {
            if let Some(spec) = known.iter().find(is_it) {
                return *spec;
            }
            let id = [prefix, &self.key].concat();
            let flex = if self.width.is_some() { 0 } else { 100 };
            let spec = ColumnSpec::new(
                Box::leak(id.into_boxed_str()),
                Box::leak(self.label.clone().into_boxed_str()),
                min_width,
                flex,
            );
            let spec: &ColumnSpec = Box::leak(Box::new(ColumnSpec {
                source: self.source,
                number: self.number,
                sort,
                ..spec
            }));
            known.push(spec);
            spec
        })
    }
}

impl ColumnSpec {
    /// Returns the key of the user's own data, or the id that the host page gave; `None` for other columns.
    pub fn added_key(&self) -> Option<&'static str> {
        match self.source {
            ColumnSource::Record => None,
            ColumnSource::Custom => self.id.strip_prefix(CUSTOM),
            ColumnSource::Host => self.id.strip_prefix(HOST),
        }
    }

    /// Returns the name of the column in an export; `None` for a column of the host page, which only that page knows.
    pub fn export_name(&'static self) -> Option<&'static str> {
        match self.source {
            ColumnSource::Record => Some(self.id),
            ColumnSource::Custom => self.added_key(),
            ColumnSource::Host => None,
        }
    }
}

/// Returns the id of a column as it is in the text of an arrangement.
pub(super) fn escaped(id: &'static str) -> Cow<'static, str> {
    match id.contains(':') {
        true => escapes::escaped(id, SEPARATORS).into(),
        false => id.into(),
    }
}

/// What is known of the added columns of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddedColumns {
    /// All columns of the host page.
    pub host: Vec<&'static ColumnSpec>,
    /// Columns of the user's own data, as far as there is more to know than their key.
    pub custom: Vec<&'static ColumnSpec>,
}

impl Columns {
    /// Returns the columns with what is known of the added ones. Those of the host page are all there; others that look
    /// like them are left out.
    #[must_use]
    pub fn with_added(mut self, added: &AddedColumns) -> Self {
        for column in &mut self.all {
            let same = |spec: &&&'static ColumnSpec| spec.id == column.spec.id;
            if let Some(spec) = added.custom.iter().find(same) {
                column.spec = spec;
            }
        }
        self.with_host(&added.host)
    }

    pub(super) fn with_host(mut self, host: &[&'static ColumnSpec]) -> Self {
        self.all.retain_mut(|column| {
            let here = host.iter().find(|spec| spec.id == column.spec.id);
            column.spec = here.unwrap_or(&column.spec);
            here.is_some() || column.spec.source != ColumnSource::Host
        });
        for spec in host {
            self.insert(spec);
        }
        self.host = host.to_vec();
        self.normalized()
    }

    /// Adds the column of a key of the user's own data, unless it is there.
    pub(super) fn add(&mut self, id: &str) {
        if let Some(key) = id.strip_prefix(CUSTOM).filter(|_| self.set.has_added) {
            self.insert(AddedSpec::of_key(key).spec());
        }
    }

    /// Inserts a column, unless it is there. The status, if it is at the end, stays there.
    fn insert(&mut self, spec: &'static ColumnSpec) {
        if self.at(spec.id).is_none() {
            let (set, mut all) = (self.set, self.all.iter());
            let before = all.rposition(|column| !set.swaps(column.spec.id));
            let at = before.map_or(0, |before| before + 1);
            self.all.insert(at, ArrangedColumn::new(spec));
        }
    }

    /// Returns the added columns that are shown, in order.
    pub fn added(&self) -> Vec<&'static ColumnSpec> {
        let added = self.visible().map(|column| column.spec);
        added
            .filter(|spec| spec.source != ColumnSource::Record)
            .collect()
    }
}
