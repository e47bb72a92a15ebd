//! Functions that take any bytes from outside, each with what must hold for all of them.
//!
//! `fuzz` has a target for each, guided by coverage. The inputs that found something new are in its corpus, which
//! an ordinary test replays.

use std::io::Cursor;

use lead_workspace::client::retry_after::{self, Headers};
use lead_workspace_api::{
    AccountField, AccountQuery, Endpoint, Filter, FilterField, FilterSpec, Input, LeadField,
    LeadQuery, Operator, Request, endpoints, for_each_endpoint, for_each_extension,
    for_each_own_operation,
};
use lead_workspace_logic::filter::{self, Value};
use lead_workspace_logic::params::{from_body, from_query};
use lead_workspace_service::import::{Format, ImportOptions, preview};

/// A fuzz target.
pub struct Target {
    /// Its name, and that of its corpus.
    pub name: &'static str,
    /// Panics if something does not hold.
    pub run: fn(&[u8]),
}

/// Every target.
pub const TARGETS: [Target; 6] = [
    Target {
        name: "wire",
        run: wire,
    },
    Target {
        name: "filters",
        run: filters,
    },
    Target {
        name: "csv",
        run: csv,
    },
    Target {
        name: "jsonl",
        run: jsonl,
    },
    Target {
        name: "xlsx",
        run: xlsx,
    },
    Target {
        name: "retry_after",
        run: retry_after,
    },
];

macro_rules! readers {
    ($into:ident: $(
        #[doc = $summary:literal]
        $name:ident $js:ident $type:ident: $method:ident $path:literal [$($id:ident: $id_type:ty)?];
            $input:ident $params:ty => $status:literal $response:ty; $retry:ident;
    )*) => {
        $($into.push(read::<endpoints::$type> as fn(&[u8]));)*
    };
}

/// The parameters of one operation, which the first byte chooses.
///
/// # Panics
/// If a request that was read is not the same after it was written.
pub fn wire(data: &[u8]) {
    let mut readers = Vec::new();
    macro_rules! add {
        ($($rows:tt)*) => { readers!(readers: $($rows)*) };
    }
    for_each_endpoint!(add);
    for_each_extension!(add);
    for_each_own_operation!(add);
    if let Some((choice, rest)) = data.split_first() {
        readers[usize::from(*choice) % readers.len()](rest);
    }
}

fn read<E: Endpoint>(data: &[u8]) {
    let params = match E::INPUT {
        Input::Body => from_body(data).and_then(|value| E::Params::from_wire(&value, "body")),
        Input::Query => from_query::<E::Params>(&String::from_utf8_lossy(data))
            .and_then(|value| E::Params::from_wire(&value, "query")),
        Input::Nothing => return,
    };
    match params {
        Ok(params) => {
            let written = serde_json::to_value(&params).unwrap_or_default();
            let again = E::Params::from_wire(&written, "body");
            let again = again.map(|params| serde_json::to_value(&params).unwrap_or_default());
            assert_eq!(again.ok(), Some(written), "{}", E::NAME);
            assert_eq!(params.check(), Ok(()), "{}", E::NAME);
        }
        Err(problems) => assert!(
            (1..=lead_workspace_api::limits::PROBLEMS + 1).contains(&problems.len()),
            "{}: {} problems",
            E::NAME,
            problems.len()
        ),
    }
}

/// The filters of a query for leads and of one for accounts, and some values that they match or not.
///
/// # Panics
/// If a filter and the one with the opposite operator match the same value.
pub fn filters(data: &[u8]) {
    let Ok(filters) = serde_json::from_slice::<serde_json::Value>(data) else {
        return;
    };
    let query = serde_json::json!({"filters": filters});
    if let Ok(query) = LeadQuery::from_wire(&query, "body") {
        opposites::<LeadField>(&query.filters);
    }
    if let Ok(query) = AccountQuery::from_wire(&query, "body") {
        opposites::<AccountField>(&query.filters);
    }
}

fn opposites<F: FilterField>(specs: &[FilterSpec]) {
    let values = ["", "a", "51-200", "2026-01-31T00:00:00.000Z"].map(Value::from);
    let numbers = [Value::from(1), Value::from(-1.5)];
    for spec in specs {
        let Some(other) = opposite(spec) else {
            continue;
        };
        let read = filter::read::<F>(&[spec.clone(), other]);
        let Ok([one, other]) = read.as_deref() else {
            continue;
        };
        assert_ne!(one.holds(&[]), other.holds(&[]));
        for value in values.iter().chain(&numbers) {
            let value = std::slice::from_ref(value);
            assert_ne!(one.holds(value), other.holds(value));
        }
    }
}

/// Returns the filter that matches what this one does not, if its operator has an opposite.
fn opposite(spec: &FilterSpec) -> Option<FilterSpec> {
    let FilterSpec::Typed(filter) = spec else {
        return None;
    };
    let operator = match filter.operator {
        Operator::Eq => Operator::Neq,
        Operator::In => Operator::NotIn,
        Operator::Contains => Operator::NotContains,
        Operator::IsSet => Operator::IsNotSet,
        _ => return None,
    };
    Some(FilterSpec::Typed(Filter {
        operator,
        ..filter.clone()
    }))
}

/// The beginning of a CSV file.
///
/// # Panics
/// If the preview names a line that does not exist, or shows too much.
pub fn csv(data: &[u8]) {
    import(data, Some(Format::Csv));
}

/// An Excel workbook.
///
/// # Panics
/// Like [`csv`].
pub fn xlsx(data: &[u8]) {
    import(data, Some(Format::Xlsx));
}

/// The beginning of a JSONL file, or a JSON array.
///
/// # Panics
/// Like [`csv`].
pub fn jsonl(data: &[u8]) {
    import(data, Some(Format::Jsonl));
}

fn import(data: &[u8], format: Option<Format>) {
    let options = ImportOptions {
        format,
        ..ImportOptions::default()
    };
    let Ok(shown) = preview(Cursor::new(data.to_vec()), &options) else {
        return;
    };
    // A line of a JSON array ends with a comma.
    let lines = data
        .iter()
        .filter(|byte| matches!(byte, b'\n' | b'\r' | b','));
    let lines = lines.count() as u64 + 1;
    for error in &shown.errors {
        // The lines of a workbook are packed.
        let exists = (1..=lines).contains(&error.line) || data.starts_with(b"PK");
        assert!(exists, "{error:?}");
    }
    for lead in &shown.leads {
        let named = ["name", "profile_url", "email"].map(|field| lead.contains_key(field));
        assert!(named.contains(&true), "{lead:?}");
    }
    for column in &shown.columns {
        assert!(column.values.len() <= 3, "{column:?}");
    }
}

/// The headers that say when to send a request again, a line each: milliseconds, seconds or a date, and the date of
/// the response.
///
/// # Panics
/// If the wait is longer than the client ever waits.
pub fn retry_after(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.split('\n');
    let headers = Headers {
        retry_after_ms: lines.next(),
        retry_after: lines.next(),
        date: lines.next(),
    };
    // Any number stands for the date that a browser reads.
    let wait = retry_after::wait(headers, |date| date.parse().ok());
    assert!(
        wait.is_none_or(|wait| wait.as_secs() <= 1_000_000_000),
        "{wait:?}"
    );
}
