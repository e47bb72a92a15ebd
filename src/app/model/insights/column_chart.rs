//! Geometry of column charts. The drawing is [`WIDTH`] by [`HEIGHT`] units, and stretched to the available room.

pub const WIDTH: u64 = 1000;

pub const HEIGHT: u64 = 100;

/// Minimum height of a part whose value is not 0, so that it is visible.
const MIN_PART: u64 = 2;

/// A part of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnPart {
    pub left: u64,
    pub top: u64,
    pub width: u64,
    /// 0 if the value is 0.
    pub height: u64,
}

/// Returns the parts of each column, from the bottom up. The highest column takes the full height.
pub fn columns(values: &[[u64; 2]]) -> Vec<[ColumnPart; 2]> {
    let sums = values.iter().map(|parts| parts.iter().sum::<u64>());
    let most = sums.max().unwrap_or_default().max(1);
    let count = (values.len() as u64).max(1);
    let gap = WIDTH / count / 10;
    let columns = values.iter().zip(0u64..).map(|(parts, nth)| {
        let left = nth * WIDTH / count + gap / 2;
        let width = WIDTH / count - gap;
        let mut top = HEIGHT;
        parts.map(|value| {
            let height = match value {
                0 => 0,
                value => (value * HEIGHT / most).max(MIN_PART),
            };
            top = top.saturating_sub(height);
            ColumnPart {
                left,
                top,
                width,
                height,
            }
        })
    });
    columns.collect()
}
