//! Dates as spreadsheets write them, in which day and month could be confused: `31/12/2025`, `12/31/2025`.
//!
//! A number above 12 says which of them is the day, for all dates of the column.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use lead_workspace_logic::iso;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DateOrder {
    DayFirst,
    MonthFirst,
}

/// What the first values of a column say about the order of its dates.
#[derive(Default)]
pub(super) struct DateColumn {
    has_day_first: bool,
    has_month_first: bool,
    /// The first date that could be two days.
    unclear: Option<String>,
}

impl DateColumn {
    pub(super) fn add(&mut self, text: &str) {
        let Some(parts) = Parts::of(text) else { return };
        match (parts.first > 12, parts.second > 12) {
            (true, false) => self.has_day_first = true,
            (false, true) => self.has_month_first = true,
            (false, false) if parts.first != parts.second && parts.separator != '.' => {
                self.unclear.get_or_insert_with(|| text.trim().to_owned());
            }
            _ => {}
        }
    }

    /// Returns the order if the column leaves no doubt.
    pub(super) fn order(&self) -> Option<DateOrder> {
        match (self.has_day_first, self.has_month_first) {
            (true, false) => Some(DateOrder::DayFirst),
            (false, true) => Some(DateOrder::MonthFirst),
            _ => None,
        }
    }

    /// Returns a date that cannot be read, if there is one.
    pub(super) fn unclear(&self) -> Option<&str> {
        self.unclear.as_deref().filter(|_| self.order().is_none())
    }
}

/// Parses a date, with or without a time, into the stored form. Without an order, only dates that could not be
/// another day are read; with points, the day comes first.
pub(super) fn date_time(text: &str, order: Option<DateOrder>) -> Option<String> {
    let parts = Parts::of(text)?;
    let order = order.or(match parts {
        Parts { separator: '.', .. } => Some(DateOrder::DayFirst),
        Parts { first, second, .. } if first == second => Some(DateOrder::DayFirst),
        _ => None,
    })?;
    let (day, month) = match order {
        DateOrder::DayFirst => (parts.first, parts.second),
        DateOrder::MonthFirst => (parts.second, parts.first),
    };
    let date = Date::new(parts.year, month, day).ok()?;
    let formats = ["%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M:%S %p"];
    let mut times = formats
        .iter()
        .map(|format| Time::strptime(format, parts.time));
    let time = match parts.time {
        "" => Time::midnight(),
        _ => times.find_map(Result::ok)?,
    };
    let zoned = date.to_datetime(time).to_zoned(TimeZone::UTC).ok()?;
    Some(iso(zoned.timestamp()))
}

/// Returns the year of such a date, which does not depend on the order of day and month.
pub(super) fn year(text: &str) -> Option<i64> {
    Some(Parts::of(text)?.year.into())
}

/// A date of three numbers, the year last, and the time after it.
struct Parts<'a> {
    first: i8,
    second: i8,
    year: i16,
    separator: char,
    time: &'a str,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let (date, time) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let date = date.trim_end_matches(',');
        let separator = date
            .chars()
            .find(|letter| matches!(letter, '/' | '.' | '-'))?;
        let mut numbers = date.split(separator);
        let (first, second, year) = (numbers.next()?, numbers.next()?, numbers.next()?);
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_date = [first, second, year].into_iter().all(is_number) && year.len() == 4;
        if numbers.next().is_some() || !is_date || first.len() > 2 || second.len() > 2 {
            return None;
        }
        Some(Self {
            first: first.parse().ok()?,
            second: second.parse().ok()?,
            year: year.parse().ok()?,
            separator,
            time: time.trim(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{DateColumn, DateOrder, date_time, year};

    fn column(values: &[&str]) -> DateColumn {
        let mut column = DateColumn::default();
        values.iter().for_each(|value| column.add(value));
        column
    }

    #[test]
    fn one_number_above_12_decides_for_the_column() {
        let order = |values: &[&str]| column(values).order();
        assert_eq!(
            order(&["01/02/2025", "31/12/2025"]),
            Some(DateOrder::DayFirst)
        );
        assert_eq!(
            order(&["1/2/2025", "12/31/2025 8:30"]),
            Some(DateOrder::MonthFirst)
        );
        assert_eq!(order(&["01/02/2025", "soon", "2025-13-01"]), None);
        assert_eq!(order(&["31/12/2025", "12/31/2025"]), None);
        assert_eq!(order(&["31/31/2025"]), None);
    }

    #[test]
    fn a_date_that_could_be_two_days_is_named() {
        assert_eq!(
            column(&["01/02/2025", "02/03/2025"]).unclear(),
            Some("01/02/2025")
        );
        assert_eq!(column(&["01/02/2025", "31/12/2025"]).unclear(), None);
        assert_eq!(column(&["02/02/2025", "01.02.2025"]).unclear(), None);
        let mixed = column(&["01/02/2025", "31/12/2025", "12/31/2025"]);
        assert_eq!(mixed.unclear(), Some("01/02/2025"));
    }

    #[test]
    fn dates_are_read_in_the_order_of_their_column() {
        use DateOrder::{DayFirst, MonthFirst};
        for (text, order, expected) in [
            (
                "01/02/2025",
                Some(DayFirst),
                Some("2025-02-01T00:00:00.000Z"),
            ),
            (
                "01/02/2025",
                Some(MonthFirst),
                Some("2025-01-02T00:00:00.000Z"),
            ),
            (
                "1-2-2025, 14:30",
                Some(DayFirst),
                Some("2025-02-01T14:30:00.000Z"),
            ),
            (
                "12/31/2025 2:05:09 PM",
                Some(MonthFirst),
                Some("2025-12-31T14:05:09.000Z"),
            ),
            ("31.12.2025", None, Some("2025-12-31T00:00:00.000Z")),
            ("01.02.2025", None, Some("2025-02-01T00:00:00.000Z")),
            (
                "01.02.2025",
                Some(MonthFirst),
                Some("2025-01-02T00:00:00.000Z"),
            ),
            ("02/02/2025", None, Some("2025-02-02T00:00:00.000Z")),
            ("01/02/2025", None, None),
            ("31/12/2025", Some(MonthFirst), None),
            ("31/12/2025 noon", Some(DayFirst), None),
            ("31/12/25", Some(DayFirst), None),
            ("2025/12/31", Some(DayFirst), None),
            ("1/2/3/2025", Some(DayFirst), None),
        ] {
            assert_eq!(date_time(text, order).as_deref(), expected, "{text}");
        }
        assert_eq!((year("31/12/1998"), year("1998")), (Some(1998), None));
    }
}
