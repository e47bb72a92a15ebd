//! Charts as pictures to save: SVG files that need neither the page nor its style sheet. Pure.

use std::borrow::Cow;

use super::insights::column_chart::{HEIGHT, WIDTH, columns};
use super::insights::share_bars::ShareBars;

const PAGE: u64 = 960;
const MARGIN: u64 = 24;
const HEAD: u64 = 64;
const ROW: u64 = 28;
/// Left end and width of the bars.
const BARS: (u64, u64) = (340, 440);
/// Height of the columns.
const PLOT: u64 = 240;
const MAX_NAME: usize = 42;

const INK: &str = "#1f2430";
const FAINT: &str = "#5b6272";
const ACCENT: &str = "#3257c6";
const APPROVED: &str = "#2f8f5b";
const REJECTED: &str = "#c4473f";

/// A bar with its words.
pub struct PictureRow {
    pub name: String,
    pub share: String,
    pub count: String,
}

/// Colors of the two parts of a column, and their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// Approved and rejected leads.
    Decisions,
    /// One part.
    Plain,
}

/// Draws bars from the average to the share of each row.
pub fn bars(title: &str, rows: &[PictureRow], shares: &ShareBars) -> String {
    let mut svg = Svg::new(title, HEAD + rows.len() as u64 * ROW + MARGIN);
    let at = |thousandths: u64| BARS.0 + thousandths * BARS.1 / 1000;
    for ((row, bar), nth) in rows.iter().zip(&shares.bars).zip(0..) {
        let top = HEAD + nth * ROW;
        let color = if bar.is_above { APPROVED } else { REJECTED };
        let width = (at(bar.to) - at(bar.from)).max(1);
        svg.text(MARGIN, top + 18, "start", INK, &shortened(&row.name));
        svg.rect((at(bar.from), top + 7, width, 14), color);
        svg.text(860, top + 18, "end", INK, &row.share);
        svg.text(PAGE - MARGIN, top + 18, "end", FAINT, &row.count);
    }
    let height = rows.len() as u64 * ROW;
    svg.rect((at(shares.average), HEAD, 1, height), FAINT);
    svg.end()
}

/// Draws columns with a label below each. `mark` is a line at so many percent of the width, with its words.
pub fn column_picture(
    title: &str,
    values: &[[u64; 2]],
    kind: Columns,
    labels: &[String],
    mark: Option<(u64, String)>,
) -> String {
    let mut svg = Svg::new(title, HEAD + PLOT + 2 * MARGIN + 16);
    let (colors, names) = match kind {
        Columns::Decisions => ([APPROVED, REJECTED], ["approved", "rejected"]),
        Columns::Plain => ([ACCENT; 2], [""; 2]),
    };
    for (nth, name) in (0..).zip(names).filter(|(_, name)| !name.is_empty()) {
        let left = PAGE - MARGIN - 180 + nth * 96;
        svg.rect((left, 26, 10, 10), colors[nth as usize]);
        svg.text(left + 16, 35, "start", FAINT, name);
    }
    let across = PAGE - 2 * MARGIN;
    let x = |units: u64| MARGIN + units * across / WIDTH;
    let top = HEAD + MARGIN;
    for parts in columns(values) {
        for (part, color) in parts.iter().zip(colors) {
            let height = part.height * PLOT / HEIGHT;
            let width = part.width * across / WIDTH;
            svg.rect(
                (x(part.left), top + part.top * PLOT / HEIGHT, width, height),
                color,
            );
        }
    }
    let step = WIDTH / (labels.len() as u64).max(1);
    for (nth, label) in (0..).zip(labels) {
        svg.text(
            x(nth * step + step / 2),
            top + PLOT + 20,
            "middle",
            FAINT,
            label,
        );
    }
    if let Some((percent, words)) = mark {
        let left = MARGIN + percent * across / 100;
        svg.rect((left, HEAD, 2, PLOT + MARGIN), ACCENT);
        svg.text(left + 8, HEAD + 12, "start", ACCENT, &words);
    }
    svg.end()
}

/// Shortens a name that would reach into the bars.
fn shortened(name: &str) -> Cow<'_, str> {
    if name.chars().count() <= MAX_NAME {
        return name.into();
    }
    let start: String = name.chars().take(MAX_NAME - 1).collect();
    (start + "…").into()
}

struct Svg(String);

impl Svg {
    fn new(title: &str, height: u64) -> Self {
        let mut svg = Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{PAGE}\" height=\"{height}\" viewBox=\"0 0 {PAGE} {height}\" \
             font-family=\"Inter, system-ui, sans-serif\" font-size=\"13\"><title>"
        ));
        svg.put(title);
        svg.0.push_str("</title>");
        svg.rect((0, 0, PAGE, height), "#ffffff");
        svg.0.push_str("<g font-weight=\"600\" font-size=\"16\">");
        svg.text(MARGIN, 36, "start", INK, title);
        svg.0.push_str("</g>");
        svg
    }

    fn rect(&mut self, (x, y, width, height): (u64, u64, u64, u64), color: &str) {
        self.0.push_str(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{color}\"/>"
        ));
    }

    fn text(&mut self, x: u64, y: u64, anchor: &str, color: &str, text: &str) {
        self.0.push_str(&format!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"{color}\">"
        ));
        self.put(text);
        self.0.push_str("</text>");
    }

    /// Appends a text as XML, which has no control characters.
    fn put(&mut self, text: &str) {
        for char in text.chars().filter(|char| !char.is_control()) {
            match char {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                char => self.0.push(char),
            }
        }
    }

    fn end(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }
}
