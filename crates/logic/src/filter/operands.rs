//! How the operands of a field are read.

use lead_workspace_api::request::Reading;
use serde_json::Value as Json;

use crate::value::Bounds;

/// How the operands of a field are read.
pub(crate) trait Operands {
    /// Whether a value that is equal is within bounds, such as a time on a day.
    fn are_intervals(&self) -> bool;

    /// Reads a value that is equal or not.
    fn equal(&self, operand: &Json, reading: &mut Reading<'_>) -> Option<Bounds>;

    /// Reads a value by which the field is ordered.
    fn bound(&self, operand: &Json, reading: &mut Reading<'_>) -> Option<Bounds>;
}
