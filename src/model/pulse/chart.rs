//! Where the bars of a chart stand, in plain numbers. Across, a chart is [`ACROSS`] wide and stretched
//! to the place it gets; down, a unit is a pixel.

/// The width of a chart.
pub const ACROSS: u32 = 1000;

/// What is not nothing can be seen: its bar is at least as long as this.
pub const LEAST: u32 = 6;

/// A bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Its upper edge.
    pub top: u32,
    /// Its length; nothing for nothing.
    pub length: u32,
}

/// Bars under each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chart {
    /// The height of the whole.
    pub height: u32,
    /// The height of a bar.
    pub thick: u32,
    /// The bars.
    pub bars: Vec<Bar>,
}

/// A shape between two bars, corner by corner.
pub type Flow = [(u32, u32); 4];

impl Chart {
    /// A bar for each value, the largest one across the whole width, in the middle of rows of this
    /// height.
    pub fn of(values: &[u64], row: u32, thick: u32) -> Self {
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

    /// What leads from each bar to the next.
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

/// How long the bar of a value is, where the largest is `most`.
fn length(value: u64, most: u64) -> u32 {
    if value == 0 {
        return 0;
    }
    let long = u128::from(value) * u128::from(ACROSS) / u128::from(most.max(value));
    (long as u32).max(LEAST)
}
