//! The values of a line.

use serde_json::{Map, Value};

/// The values of a line by column, and the ones without a column.
pub type LineValues = (Vec<Option<Value>>, Map<String, Value>);
