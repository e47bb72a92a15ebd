//! Pages that decode row by row: one malformed row does not hide the others.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::account::Account;
use crate::kind::Kind;
use crate::lead::LeadListItem;
use crate::model::{FieldSpec, Model};
use crate::raw::Raw;
use crate::repair::{self, Problem};
use crate::wire::{Decode, DecodeError, Wire, described, text};

/// A row of a page. A row without an id cannot be used: it is a [`RowError`], and not in `data`.
pub trait Row: DeserializeOwned + Serialize + Wire {
    /// The name of the id field, the first of the model.
    const ID: &'static str;

    /// Returns the id that identifies the row; `None` only for a row that was not read from a page.
    fn row_id(&self) -> Option<&str>;
}

impl Row for LeadListItem {
    const ID: &'static str = "lead_id";

    fn row_id(&self) -> Option<&str> {
        self.lead_id.as_ref().map(AsRef::as_ref)
    }
}

impl Row for Account {
    const ID: &'static str = "id";

    fn row_id(&self) -> Option<&str> {
        self.id.as_ref().map(AsRef::as_ref)
    }
}

/// A page of rows (spec: Paged envelope).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Page<T> {
    /// The rows that could be read, in order. Each has an id.
    pub data: Vec<T>,
    /// The total number of rows that match the query.
    pub total: Option<u64>,
    /// Whether another page follows.
    pub has_more: Option<bool>,
    /// The page number, from 1.
    pub page: Option<u32>,
    /// The number of rows per page.
    pub page_size: Option<u32>,
    /// The rows that could not be read, or only in part. Not on the wire.
    #[serde(skip)]
    pub row_errors: Vec<RowError>,
    /// The problems of the page's own fields, which are then `None`. Not on the wire.
    #[serde(skip)]
    pub problems: Vec<Problem>,
}

/// A row that could not be read, or only in part.
#[derive(Clone, Debug, PartialEq)]
pub struct RowError {
    /// The row's position on the page as received, from 0.
    pub index: usize,
    /// What could not be read.
    pub reason: String,
    /// The row as received.
    pub raw: Raw,
    /// Whether the row is in `data`, without its unreadable parts.
    pub kept: bool,
}

impl<T> Page<T> {
    /// Returns the number of received rows that are not in `data`.
    pub fn lost(&self) -> usize {
        self.row_errors.iter().filter(|row| !row.kept).count()
    }

    /// Drops a total that is smaller than the number of rows on this page, and records the problem.
    fn checked(mut self) -> Self {
        let here = (self.data.len() + self.lost()) as u64;
        if let Some(total) = self.total.filter(|total| *total < here) {
            let got = crate::json::text(&total.into());
            let wanted = "no fewer rows than are on this page";
            self.problems.push(Problem::new("total", wanted, &got));
            self.total = None;
        }
        self
    }
}

impl<T> Default for Page<T> {
    fn default() -> Self {
        Self {
            data: Vec::new(),
            total: None,
            has_more: None,
            page: None,
            page_size: None,
            row_errors: Vec::new(),
            problems: Vec::new(),
        }
    }
}

#[derive(Deserialize)]
struct Envelope<R> {
    data: Option<Vec<R>>,
    total: Option<u64>,
    has_more: Option<bool>,
    page: Option<u32>,
    page_size: Option<u32>,
}

impl Wire for Envelope<Raw> {
    const KIND: Kind = Kind::Object(&[
        ("data", Kind::List(&Kind::Any)),
        ("total", Kind::Count),
        ("has_more", Kind::Flag),
        ("page", Kind::SmallCount),
        ("page_size", Kind::SmallCount),
    ]);

    fn name() -> String {
        "page".into()
    }

    fn schema() -> Value {
        json!({})
    }
}

// Implemented per row type, not for every `Row`: generic code is compiled in the crate that uses it, at that
// crate's optimization level and with a second copy of the JSON reader.
impl Decode for Page<LeadListItem> {
    fn decode(body: &[u8]) -> Result<Self, DecodeError> {
        decode(body)
    }
}

impl Decode for Page<Account> {
    fn decode(body: &[u8]) -> Result<Self, DecodeError> {
        decode(body)
    }
}

fn decode<T: Row>(body: &[u8]) -> Result<Page<T>, DecodeError> {
    let text = text(body)?;
    // serde would also accept an array of the envelope's values.
    if !text.trim_start().starts_with('{') {
        return Err(DecodeError::new("a page must be an object"));
    }
    // Nearly every page is well-formed. Only a malformed one is read row by row.
    let page = match serde_json::from_str::<Envelope<T>>(text) {
        Ok(page) if page.data.iter().flatten().all(|row| row.row_id().is_some()) => Page {
            data: page.data.unwrap_or_default(),
            total: page.total,
            has_more: page.has_more,
            page: page.page,
            page_size: page.page_size,
            ..Page::default()
        },
        _ => by_row(text)?,
    };
    Ok(page.checked())
}

fn by_row<T: Row>(text: &str) -> Result<Page<T>, DecodeError> {
    let (envelope, problems) = repair::read::<Envelope<Raw>>(text)?;
    // Without its rows the page is useless.
    if let Some(problem) = problems.iter().find(|problem| problem.at == "data") {
        return Err(DecodeError::new(problem));
    }
    let mut page = Page {
        total: envelope.total,
        has_more: envelope.has_more,
        page: envelope.page,
        page_size: envelope.page_size,
        problems,
        ..Page::default()
    };
    for (index, raw) in envelope.data.into_iter().flatten().enumerate() {
        let (reason, kept) = match repair::read::<T>(raw.text()) {
            Ok((row, mut problems)) => {
                let kept = row.row_id().is_some();
                if kept {
                    page.data.push(row);
                } else if problems.iter().all(|problem| problem.at != T::ID) {
                    problems.insert(0, Problem::new(T::ID, "a string", "null"));
                }
                let told: Vec<String> = problems.iter().map(Problem::to_string).collect();
                (told.join("; "), kept)
            }
            Err(error) => (error.reason, false),
        };
        if !reason.is_empty() {
            page.row_errors.push(RowError {
                index,
                reason,
                raw,
                kept,
            });
        }
    }
    Ok(page)
}

impl<T: Wire> Model for Page<T> {
    const NAME: &'static str = "Page";
    const DOC: &'static str = " A page of rows (spec: Paged envelope).\n";

    fn fields() -> Vec<FieldSpec> {
        let field = |name, ty: String, schema, doc| FieldSpec {
            name,
            ty,
            schema,
            doc,
        };
        vec![
            field(
                "data",
                Vec::<T>::name(),
                Vec::<T>::schema(),
                " The rows that could be read, in order.\n",
            ),
            field(
                "total",
                u64::name(),
                u64::schema(),
                " The total number of rows that match the query.\n",
            ),
            field(
                "has_more",
                bool::name(),
                bool::schema(),
                " Whether another page follows.\n",
            ),
            field(
                "page",
                u32::name(),
                u32::schema(),
                " The page number, from 1.\n",
            ),
            field(
                "page_size",
                u32::name(),
                u32::schema(),
                " The number of rows per page.\n",
            ),
        ]
    }
}

impl<T: Wire> Wire for Page<T> {
    fn name() -> String {
        format!("page of {}", T::name())
    }

    fn schema() -> Value {
        let properties: serde_json::Map<String, Value> = Self::fields()
            .into_iter()
            .map(|field| (field.name.to_owned(), described(field.schema, field.doc)))
            .collect();
        json!({"type": "object", "title": Self::name(), "properties": properties})
    }
}
