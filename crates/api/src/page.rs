//! Pages that decode row by row: one odd row never hides the others.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::account::Account;
use crate::lead::LeadListItem;
use crate::model::{FieldSpec, Model};
use crate::raw::Raw;
use crate::wire::{Decode, DecodeError, Wire, text};

/// An element of a page.
pub trait Row: DeserializeOwned + Serialize + Wire {
    /// The id that tells the row from all others.
    fn row_id(&self) -> Option<&str>;
}

impl Row for LeadListItem {
    fn row_id(&self) -> Option<&str> {
        self.lead_id.as_ref().map(AsRef::as_ref)
    }
}

impl Row for Account {
    fn row_id(&self) -> Option<&str> {
        self.id.as_ref().map(AsRef::as_ref)
    }
}

/// A page of rows (spec: Paged envelope).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Page<T> {
    /// The rows that could be read, in order.
    pub data: Vec<T>,
    /// How many rows the query has in all.
    pub total: Option<u64>,
    /// Whether a page follows.
    pub has_more: Option<bool>,
    /// Which page this is, from 1.
    pub page: Option<u32>,
    /// Rows on a page.
    pub page_size: Option<u32>,
    /// The rows that could not be read. Not on the wire.
    #[serde(skip)]
    pub row_errors: Vec<RowError>,
}

/// A row that could not be read.
#[derive(Clone, Debug, PartialEq)]
pub struct RowError {
    /// Its place on the page as it arrived, from 0.
    pub index: usize,
    /// Why it could not be read.
    pub reason: String,
    /// The row as it arrived.
    pub raw: Raw,
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

impl<R> Envelope<R> {
    fn with<T>(self, row_errors: Vec<RowError>, rows: impl FnOnce(Vec<R>) -> Vec<T>) -> Page<T> {
        Page {
            data: rows(self.data.unwrap_or_default()),
            total: self.total,
            has_more: self.has_more,
            page: self.page,
            page_size: self.page_size,
            row_errors,
        }
    }
}

// One by one, not for every `Row`: generic code is compiled where it is used, and then at that
// crate's optimisation level, beside a second copy of the JSON reader.
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
    // serde would also take an array of the envelope's values.
    if !text.trim_start().starts_with('{') {
        return Err(DecodeError::new("a page must be an object"));
    }
    // Nearly every page is whole; only one that is not pays for reading its rows alone.
    match serde_json::from_str::<Envelope<T>>(text) {
        Ok(page) => Ok(page.with(Vec::new(), |rows| rows)),
        Err(_) => by_row(text),
    }
}

fn by_row<T: Row>(text: &str) -> Result<Page<T>, DecodeError> {
    let page = serde_json::from_str::<Envelope<&RawValue>>(text).map_err(DecodeError::new)?;
    let mut row_errors = Vec::new();
    let mut data = Vec::new();
    for (index, raw) in page.data.iter().flatten().enumerate() {
        match serde_json::from_str::<T>(raw.get()) {
            Ok(row) => data.push(row),
            Err(error) => {
                let raw = Raw::parse(raw.get().to_owned()).unwrap_or_default();
                row_errors.push(RowError {
                    index,
                    reason: error.to_string(),
                    raw,
                });
            }
        }
    }
    Ok(page.with(row_errors, |_| data))
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
                " How many rows the query has in all.\n",
            ),
            field(
                "has_more",
                bool::name(),
                bool::schema(),
                " Whether a page follows.\n",
            ),
            field(
                "page",
                u32::name(),
                u32::schema(),
                " Which page this is, from 1.\n",
            ),
            field(
                "page_size",
                u32::name(),
                u32::schema(),
                " Rows on a page.\n",
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
            .map(|field| (field.name.to_owned(), field.schema))
            .collect();
        json!({"type": "object", "title": Self::name(), "properties": properties})
    }
}
