//! Geometry of bar charts. Horizontally, a chart is [`WIDTH`] units wide and stretched to the
//! available width. Vertically, a unit is a pixel.

pub const WIDTH: u32 = 1000;

/// Minimum length of a bar whose value is not 0, so that it is visible.
pub const MIN_BAR: u32 = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    pub top: u32,
    /// 0 if the value is 0.
    pub length: u32,
}

/// Bars below each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chart {
    /// Total height.
    pub height: u32,
    /// Height of a bar.
    pub thick: u32,
    pub bars: Vec<Bar>,
}

/// Corners of a shape between two bars.
pub type Flow = [(u32, u32); 4];

impl Chart {
    /// Creates a bar for each value, vertically centered in rows of this height. The bar of the
    /// largest value takes the full width.
    pub fn new(values: &[u64], row: u32, thick: u32) -> Self {
        let most = values.iter().copied().max().unwrap_or_default();
        let above = row.saturating_sub(thick) / 2;
        let bars = values.iter().zip(0u32..).map(|(value, nth)| Bar {
            top: nth.saturating_mul(row).saturating_add(above),
            length: length(*value, most),
        });
        let bars: Vec<Bar> = bars.collect();
        Self {
            height: (bars.len() as u32).saturating_mul(row),
            thick,
            bars,
        }
    }

    /// Returns the shapes between each bar and the next.
    pub fn flows(&self) -> Vec<Flow> {
        let pairs = self.bars.windows(2);
        let flows = pairs.map(|pair| {
            let (from, to) = (pair[0], pair[1]);
            let top = from.top.saturating_add(self.thick);
            [
                (0, top),
                (from.length, top),
                (to.length, to.top),
                (0, to.top),
            ]
        });
        flows.collect()
    }
}

/// Returns the length of the bar of a value, where `most` is the largest value.
fn length(value: u64, most: u64) -> u32 {
    if value == 0 {
        return 0;
    }
    let long = u128::from(value) * u128::from(WIDTH) / u128::from(most.max(value));
    (long as u32).max(MIN_BAR)
}
