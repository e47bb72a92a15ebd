//! When the user decided, by hour: for the pace and the progress of a day. Only this browser has it. Pure.

use super::review_session::BREAK_MS;

const HOUR_MS: u64 = 3_600_000;

const DAY_MS: i64 = 86_400_000;

/// Number of days that are shown, and kept.
pub const DAYS: usize = 14;

/// Maximum number of hours that are kept: one more day, because days begin at different times.
const MAX_HOURS: usize = (DAYS + 1) * 24;

/// The pace of a day is not known before this many decisions.
const MIN_PACED: u64 = 3;

/// The decisions of one hour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct HourOfDecisions {
    /// Hours since 1970.
    hour: u64,
    /// Number of leads.
    leads: u64,
    /// Number of decisions on a single lead without a break before them.
    paced: u64,
    /// Time that these took, in milliseconds.
    took: u64,
}

/// Returns how far local time is ahead of UTC at a time, in milliseconds.
pub type Offset<'a> = &'a dyn Fn(u64) -> i64;

/// Decisions by hour, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecisionPace {
    hours: Vec<HourOfDecisions>,
    /// Time of the last decision in milliseconds since 1970.
    last: u64,
}

impl DecisionPace {
    /// Reads the stored form. Unreadable hours are dropped.
    pub fn parse(text: &str) -> Self {
        let mut lines = text.split(';');
        let last = lines.next().and_then(|last| last.parse().ok());
        let hours = lines.filter_map(|line| {
            let mut numbers = line.split(',').map(|number| number.parse().ok());
            let mut next = || numbers.next().flatten();
            Some(HourOfDecisions {
                hour: next()?,
                leads: next()?,
                paced: next()?,
                took: next()?,
            })
        });
        let mut pace = Self {
            hours: hours.collect(),
            last: last.unwrap_or_default(),
        };
        pace.hours.sort_by_key(|hour| hour.hour);
        pace.drop_oldest();
        pace
    }

    /// Returns the stored form: `LAST;HOUR,LEADS,PACED,TOOK;…`.
    pub fn to_text(&self) -> String {
        let mut text = self.last.to_string();
        for hour in &self.hours {
            for (mark, number) in [
                (';', hour.hour),
                (',', hour.leads),
                (',', hour.paced),
                (',', hour.took),
            ] {
                text.push(mark);
                text.push_str(&number.to_string());
            }
        }
        text
    }

    /// Records a decision on a number of leads at a time in milliseconds since 1970.
    pub fn record(&mut self, leads: u64, at: u64) {
        let gap = at.saturating_sub(self.last);
        self.last = at;
        let hour = at / HOUR_MS;
        if self.hours.last().is_none_or(|last| last.hour < hour) {
            self.hours.push(HourOfDecisions {
                hour,
                ..HourOfDecisions::default()
            });
            self.drop_oldest();
        }
        if let Some(last) = self.hours.last_mut() {
            last.leads += leads;
            if leads == 1 && gap <= BREAK_MS {
                last.paced += 1;
                last.took += gap;
            }
        }
    }

    /// Takes back as many of the latest decisions, such as after an undo. The time that they took stays.
    pub fn take_back(&mut self, leads: u64) {
        let mut left = leads;
        for hour in self.hours.iter_mut().rev() {
            let taken = left.min(hour.leads);
            hour.leads -= taken;
            left -= taken;
        }
    }

    fn drop_oldest(&mut self) {
        let excess = self.hours.len().saturating_sub(MAX_HOURS);
        self.hours.drain(..excess);
    }

    /// Returns the number of leads that were decided on each of the last [`DAYS`] days, today last.
    pub fn days(&self, now: u64, offset: Offset<'_>) -> [u64; DAYS] {
        let today = day(now, offset);
        let mut days = [0; DAYS];
        for hour in &self.hours {
            let ago = today - day(hour.hour * HOUR_MS, offset);
            let index = usize::try_from(ago)
                .ok()
                .and_then(|ago| DAYS.checked_sub(ago + 1));
            if let Some(leads) = index.and_then(|index| days.get_mut(index)) {
                *leads += hour.leads;
            }
        }
        days
    }

    /// Returns the number of leads that were decided in each hour of today.
    pub fn hours_of_today(&self, now: u64, offset: Offset<'_>) -> [u64; 24] {
        let mut hours = [0; 24];
        for hour in self.of_today(now, offset) {
            let at = local(hour.hour * HOUR_MS, offset).rem_euclid(DAY_MS) / HOUR_MS as i64;
            if let Some(leads) = hours.get_mut(at as usize) {
                *leads += hour.leads;
            }
        }
        hours
    }

    fn of_today(&self, now: u64, offset: Offset<'_>) -> impl Iterator<Item = &HourOfDecisions> {
        let today = day(now, offset);
        let is_today = move |hour: &&HourOfDecisions| day(hour.hour * HOUR_MS, offset) == today;
        self.hours.iter().filter(is_today)
    }

    /// Returns the average time for a lead today in milliseconds, without breaks and without decisions on many leads.
    /// `None` until it is known.
    pub fn pace(&self, now: u64, offset: Offset<'_>) -> Option<u64> {
        let (mut paced, mut took) = (0, 0);
        for hour in self.of_today(now, offset) {
            paced += hour.paced;
            took += hour.took;
        }
        (paced >= MIN_PACED).then(|| took / paced)
    }
}

/// Returns a time on each of the last [`DAYS`] days, today last: noon, because at midnight summer time may begin or end.
pub fn noons(now: u64, offset: Offset<'_>) -> [u64; DAYS] {
    let today = day(now, offset);
    std::array::from_fn(|at| {
        let noon = (today + 1 + at as i64 - DAYS as i64) * DAY_MS + DAY_MS / 2;
        // The offset of today is at most an hour or two off.
        let near = noon - offset(now);
        (noon - offset(near as u64)) as u64
    })
}

/// Returns the number of days in a row with decisions. Today counts, and does not end the row while it has none.
pub fn streak(days: &[u64; DAYS]) -> u64 {
    let before = days[..DAYS - 1].iter().rev();
    let before = before.take_while(|leads| **leads > 0).count() as u64;
    before + u64::from(days[DAYS - 1] > 0)
}

fn local(at: u64, offset: Offset<'_>) -> i64 {
    at as i64 + offset(at)
}

/// Returns the days since 1970 in local time.
fn day(at: u64, offset: Offset<'_>) -> i64 {
    local(at, offset).div_euclid(DAY_MS)
}
