//! Numbers and dates as the person's browser writes them.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Date, Function, Intl, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use crate::model::time::{distance, instant, is_day};

/// How numbers and dates are written; made when it is first needed.
struct Formats {
    number: Function,
    date: Function,
    day: Function,
    moment: Function,
    ago: Intl::RelativeTimeFormat,
    /// Recently formatted days by their ISO 8601 text: a list formats the same ones at every change.
    written: RefCell<Vec<(String, String)>>,
}

/// How many of them are kept.
const WRITTEN: usize = 128;

thread_local! {
    static CHOICE: RefCell<(String, String)> = const { RefCell::new((String::new(), String::new())) };
    static FORMATS: RefCell<Option<Rc<Formats>>> = const { RefCell::new(None) };
}

/// Chooses a language and a time zone, by their names in the browser; empty ones are the browser's
/// own. What is shown already stays as it was written.
pub fn choose(language: &str, zone: &str) {
    // A browser may not know what another one did.
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
        let make = || CHOICE.with_borrow(|(language, zone)| Rc::new(Formats::of(language, zone)));
        Rc::clone(formats.get_or_insert_with(make))
    })
}

impl Formats {
    fn of(language: &str, zone: &str) -> Self {
        let locales = locales(language);
        let dates = |pairs: &[(&str, &str)], zone: &str| {
            let options = options(pairs);
            if !zone.is_empty() {
                // Setting a member of a plain object cannot fail.
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
        // Setting a member of a plain object cannot fail.
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

/// A whole number with its separators.
pub fn number(number: u64) -> String {
    let value = JsValue::from_f64(number as f64);
    format(&formats().number, &value).unwrap_or_else(|| number.to_string())
}

/// A number and its noun: `1 lead`, `2 leads`.
pub fn count(of: u64, one: &str) -> String {
    let s = if of == 1 { "" } else { "s" };
    format!("{} {one}{s}", number(of))
}

/// The size of a company, which is a range in words or one alone: `51-200 people`.
pub fn people(size: &str) -> String {
    [size, if size == "1" { " person" } else { " people" }].concat()
}

/// The day of an ISO 8601 text; the text itself where it is none.
pub fn date(iso: &str) -> String {
    let formats = formats();
    let mut written = formats.written.borrow_mut();
    if let Some((_, day)) = written.iter().find(|(of, _)| of == iso) {
        return day.clone();
    }
    let time = Date::parse(iso);
    let day = match time.is_nan() {
        true => None,
        false => format(&formats.date, &JsValue::from_f64(time)),
    };
    let day = day.unwrap_or_else(|| iso.to_owned());
    if written.len() >= WRITTEN {
        written.clear();
    }
    written.push((iso.to_owned(), day.clone()));
    day
}

/// A point in time as a day, wherever that is one day only; the text itself where it is none.
pub fn day(iso: &str) -> String {
    let formats = formats();
    let formatter = if is_day(iso) {
        &formats.day
    } else {
        &formats.date
    };
    time(formatter, iso)
}

/// A point in time to the minute; a day without a time stays one.
pub fn moment(iso: &str) -> String {
    if is_day(iso) {
        return day(iso);
    }
    time(&formats().moment, iso)
}

/// How long ago a point in time is: `19 days ago`, or when it will be.
pub fn ago(iso: &str) -> String {
    let Some(then) = instant(iso) else {
        return iso.to_owned();
    };
    since(then.max(0) as u64)
}

/// The same for a point in time in milliseconds since 1970.
pub fn since(then: u64) -> String {
    let (count, unit) = distance(then as i64, Date::now() as i64);
    // `Intl` says "this minute".
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
