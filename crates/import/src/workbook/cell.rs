//! What a cell shows.

use std::collections::HashMap;

use calamine::{DataRef, ExcelDateTime};
use ssfmt::{FormatOptions, NumberFormat};

/// Limit on the length of a number format, as in Excel.
const MAX_FORMAT: usize = 255;

/// The number formats of a workbook, by the number of the style that has them. `None` for those that show a number
/// as it is.
#[derive(Default)]
pub(super) struct CellTexts(HashMap<usize, Option<NumberFormat>>);

impl CellTexts {
    /// Returns the text of a cell, empty for an error. `code` is the number format of its style.
    pub(super) fn text(&mut self, value: &DataRef<'_>, style: usize, code: Option<&str>) -> String {
        match value {
            DataRef::String(text) => text.trim().to_owned(),
            DataRef::SharedString(text) => text.trim().to_owned(),
            DataRef::Int(number) => number.to_string(),
            DataRef::Float(number) => self.number(*number, style, code),
            DataRef::DateTime(time) if time.is_duration() => {
                self.number(time.as_f64(), style, code)
            }
            DataRef::DateTime(time) => date(time),
            DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
            DataRef::Bool(true) => "TRUE".to_owned(),
            DataRef::Bool(false) => "FALSE".to_owned(),
            DataRef::Error(_) | DataRef::Empty => String::new(),
        }
    }

    fn number(&mut self, number: f64, style: usize, code: Option<&str>) -> String {
        let format = self.0.entry(style).or_insert_with(|| {
            let code = code.filter(|code| code.len() <= MAX_FORMAT && !is_plain(code))?;
            NumberFormat::parse(code).ok()
        });
        let shown = format
            .as_ref()
            .and_then(|format| format.try_format(number, &FormatOptions::default()).ok());
        shown.map_or_else(|| plain(number), |text| text.trim().to_owned())
    }
}

/// Whether a number format shows a number as it is. `General` shows long ones, such as of phones, with an exponent where
/// the column is narrow.
fn is_plain(code: &str) -> bool {
    code == "@" || code.to_ascii_lowercase().contains("general")
}

/// Writes a number with 15 digits, which spreadsheets show, and without an exponent.
fn plain(number: f64) -> String {
    let rounded = format!("{number:.14e}").parse().unwrap_or(number);
    format!("{rounded}")
}

/// Writes a date without midnight, and a time without a date as it is. How a date is shown depends on the country that the
/// spreadsheet program is set to, which the file does not say.
fn date(time: &ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = time.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    let clock = format!("{hour:02}:{minute:02}:{second:02}");
    match time.as_f64() {
        days if days < 1.0 => clock,
        days if days.fract() == 0.0 => date,
        _ => format!("{date} {clock}"),
    }
}

#[cfg(test)]
mod tests {
    use super::CellTexts;
    use calamine::{DataRef, ExcelDateTime, ExcelDateTimeType};

    #[test]
    fn numbers_are_what_the_sheet_shows() {
        let shown = |number: f64, code: &str| {
            CellTexts::default().text(&DataRef::Float(number), 1, Some(code))
        };
        for (number, code, text) in [
            (42.0, "General", "42"),
            (0.1 + 0.2, "General", "0.3"),
            (4_915_112_345_678.0, "General", "4915112345678"),
            (-1.5, "General", "-1.5"),
            (7.0, "@", "7"),
            (1067.0, "00000", "01067"),
            (1234.5, "#,##0.00", "1,234.50"),
            (0.25, "0%", "25%"),
            (3.2468, "0.00", "3.25"),
            (1500.0, "\"€\" #,##0", "€ 1,500"),
            (5.0, "not [a format", "5"),
        ] {
            assert_eq!(shown(number, code), text, "{number} {code}");
        }
    }

    #[test]
    fn dates_are_written_with_the_year_first() {
        let shown = |days: f64| {
            let time = ExcelDateTime::new(days, ExcelDateTimeType::DateTime, false);
            CellTexts::default().text(&DataRef::DateTime(time), 1, Some("m/d/yy"))
        };
        assert_eq!(shown(46_022.0), "2025-12-31");
        assert_eq!(shown(46_022.5), "2025-12-31 12:00:00");
        assert_eq!(shown(0.354_166_666_666_667), "08:30:00");
    }
}
