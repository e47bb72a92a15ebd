//! Formats numbers and dates in the language and time zone of the user.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Date, Function, Intl, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use crate::app::model::lead_detail::Reason;
use crate::app::model::time::{Age, age as age_of, distance, distance_in_days, instant, is_day};

/// Formatters for the chosen language and time zone, created on first use.
struct Formats {
    number: Function,
    date: Function,
    day: Function,
    moment: Function,
    ago: Intl::RelativeTimeFormat,
    /// Recently formatted days by their ISO 8601 text: a list formats the same ones on every change.
    written: RefCell<Vec<(String, String)>>,
}

/// Maximum number of entries in `Formats::written`.
const CACHE_SIZE: usize = 128;

thread_local! {
    static CHOICE: RefCell<(String, String)> = const { RefCell::new((String::new(), String::new())) };
    static FORMATS: RefCell<Option<Rc<Formats>>> = const { RefCell::new(None) };
}

/// Sets the language and the time zone, by their names in `Intl`. Empty strings select the browser's defaults. Text
/// that is already rendered does not change.
pub fn choose(language: &str, zone: &str) {
    // The names may come from another browser. If this one does not support both, its defaults apply.
    let known = is_known(language, zone);
    let name = |name: &str| {
        if known {
            name.to_owned()
        } else {
            String::new()
        }
    };
    CHOICE.set((name(language), name(zone)));
    FORMATS.set(None);
}

fn is_known(language: &str, zone: &str) -> bool {
    let member = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).ok();
    let intl = member(&js_sys::global(), "Intl");
    let dates = intl.and_then(|intl| member(&intl, "DateTimeFormat"));
    let Some(dates) = dates.and_then(|dates| dates.dyn_into::<Function>().ok()) else {
        return false;
    };
    let pairs = [("timeZone", zone)];
    let options = options(if zone.is_empty() { &[] } else { &pairs });
    Reflect::construct(&dates, &Array::of2(&locales(language), &options)).is_ok()
}

fn locales(language: &str) -> Array {
    match language {
        "" => Array::new(),
        language => Array::of1(&language.into()),
    }
}

fn formats() -> Rc<Formats> {
    FORMATS.with_borrow_mut(|formats| {
        let make = || CHOICE.with_borrow(|(language, zone)| Rc::new(Formats::new(language, zone)));
        Rc::clone(formats.get_or_insert_with(make))
    })
}

impl Formats {
    fn new(language: &str, zone: &str) -> Self {
        let locales = locales(language);
        let dates = |pairs: &[(&str, &str)], zone: &str| {
            let options = options(pairs);
            if !zone.is_empty() {
                // Setting a property of a plain object cannot fail.
                let _ = Reflect::set(&options, &"timeZone".into(), &zone.into());
            }
            Intl::DateTimeFormat::new(&locales, &options).format()
        };
        let day = [("day", "numeric"), ("month", "short"), ("year", "numeric")];
        let ago = options(&[("numeric", "auto")]);
        Self {
            number: Intl::NumberFormat::new(&locales, &Object::new()).format(),
            date: dates(&day, zone),
            day: dates(&day, "UTC"),
            moment: dates(&[("dateStyle", "full"), ("timeStyle", "short")], zone),
            ago: Intl::RelativeTimeFormat::new(&locales, &ago),
            written: RefCell::default(),
        }
    }
}

fn options(pairs: &[(&str, &str)]) -> Object {
    let options = Object::new();
    for (name, value) in pairs {
        // Setting a property of a plain object cannot fail.
        let _ = Reflect::set(
            &options,
            &JsValue::from_str(name),
            &JsValue::from_str(value),
        );
    }
    options
}

fn format(formatter: &Function, value: &JsValue) -> Option<String> {
    formatter
        .call1(&JsValue::UNDEFINED, value)
        .ok()?
        .as_string()
}

/// Formats an integer with digit separators.
pub fn number(number: u64) -> String {
    let value = JsValue::from_f64(number as f64);
    format(&formats().number, &value).unwrap_or_else(|| number.to_string())
}

/// Formats a number with its noun: `1 lead`, `2 leads`.
pub fn count(of: u64, one: &str) -> String {
    let s = if of == 1 { "" } else { "s" };
    format!("{} {one}{s}", number(of))
}

/// Formats the size of a company, which is a range or a single number: `51-200 people`.
pub fn people(size: &str) -> String {
    [size, if size == "1" { " person" } else { " people" }].concat()
}

/// Same as [`day`], and remembers it: rows have few different ones.
pub fn date(iso: &str) -> String {
    let formats = formats();
    let mut written = formats.written.borrow_mut();
    if let Some((_, day)) = written.iter().find(|(of, _)| of == iso) {
        return day.clone();
    }
    let day = day(iso);
    if written.len() >= CACHE_SIZE {
        written.clear();
    }
    written.push((iso.to_owned(), day.clone()));
    day
}

/// Formats a point in time as a day; returns the text itself if it is invalid.
/// A date without a time is the same day in all time zones.
pub fn day(iso: &str) -> String {
    let formats = formats();
    let formatter = if is_day(iso) {
        &formats.day
    } else {
        &formats.date
    };
    time(formatter, iso)
}

/// Formats a point in time to the minute, and a date without a time as a day.
pub fn moment(iso: &str) -> String {
    if is_day(iso) {
        return day(iso);
    }
    time(&formats().moment, iso)
}

/// Formats a point in time relative to now: `19 days ago`. It may be in the future.
pub fn ago(iso: &str) -> String {
    let Some(then) = instant(iso) else {
        return iso.to_owned();
    };
    since(then.max(0) as u64)
}

/// Returns how long ago a point in time was, in a short form. `None` if it is invalid.
pub fn age(iso: &str) -> Option<Age> {
    Some(age_of(instant(iso)?, Date::now() as i64))
}

/// Same as [`since`], in a short form: `now`, `2 min ago`.
pub fn short_since(then: u64) -> String {
    match age_of(then as i64, Date::now() as i64).text {
        now if now == "now" => now,
        age => age + " ago",
    }
}

/// Formats a day relative to now, for milliseconds since 1970: `today`, `19 days ago`.
pub fn days_since(then: i64) -> String {
    let (count, unit) = distance_in_days(then, Date::now() as i64);
    formats().ago.format(count as f64, unit).into()
}

/// Formats an explanation of a score, or a whole reasoning, whose end may have a day. `scored` is when it was written, ISO 8601.
pub fn reason(text: &str, scored: Option<&str>) -> String {
    Reason::new(text, scored.and_then(instant)).text(days_since)
}

/// Same as [`ago`], for milliseconds since 1970.
pub fn since(then: u64) -> String {
    let (count, unit) = distance(then as i64, Date::now() as i64);
    // `Intl` would return "this minute".
    if count == 0 {
        return "just now".to_owned();
    }
    formats().ago.format(count as f64, unit).into()
}

fn time(formatter: &Function, iso: &str) -> String {
    let text = instant(iso).and_then(|time| {
        let time = JsValue::from_f64(time as f64);
        format(formatter, &time)
    });
    text.unwrap_or_else(|| iso.to_owned())
}
