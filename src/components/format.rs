//! Numbers and dates as the person's browser writes them.

use js_sys::{Array, Date, Function, Intl, Object, Reflect};
use wasm_bindgen::JsValue;

use crate::model::time::{distance, instant, is_day};

thread_local! {
    static NUMBER: Function = Intl::NumberFormat::new(&Array::new(), &Object::new()).format();
    static DATE: Function = Intl::DateTimeFormat::new(
        &Array::new(),
        &options(&[("day", "numeric"), ("month", "short"), ("year", "numeric")]),
    )
    .format();
    static DAY: Function = Intl::DateTimeFormat::new(
        &Array::new(),
        &options(&[("day", "numeric"), ("month", "short"), ("year", "numeric"), ("timeZone", "UTC")]),
    )
    .format();
    static MOMENT: Function = Intl::DateTimeFormat::new(
        &Array::new(),
        &options(&[("dateStyle", "full"), ("timeStyle", "short")]),
    )
    .format();
    static AGO: Intl::RelativeTimeFormat = Intl::RelativeTimeFormat::new(
        &Array::new(),
        &options(&[("numeric", "auto")]),
    );
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
    NUMBER
        .with(|formatter| format(formatter, &value))
        .unwrap_or_else(|| number.to_string())
}

/// A number and its noun: `1 lead`, `2 leads`.
pub fn count(of: u64, one: &str) -> String {
    let s = if of == 1 { "" } else { "s" };
    format!("{} {one}{s}", number(of))
}

/// The day of an ISO 8601 text; the text itself where it is none.
pub fn date(iso: &str) -> String {
    let time = Date::parse(iso);
    let day = if time.is_nan() {
        None
    } else {
        DATE.with(|formatter| format(formatter, &JsValue::from_f64(time)))
    };
    day.unwrap_or_else(|| iso.to_owned())
}

/// A point in time as a day, wherever that is one day only; the text itself where it is none.
pub fn day(iso: &str) -> String {
    let formatter = if is_day(iso) { &DAY } else { &DATE };
    time(formatter, iso)
}

/// A point in time to the minute; a day without a time stays one.
pub fn moment(iso: &str) -> String {
    if is_day(iso) {
        return day(iso);
    }
    time(&MOMENT, iso)
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
    AGO.with(|formatter| formatter.format(count as f64, unit).into())
}

fn time(formatter: &'static std::thread::LocalKey<Function>, iso: &str) -> String {
    let text = instant(iso).and_then(|time| {
        let time = JsValue::from_f64(time as f64);
        formatter.with(|formatter| format(formatter, &time))
    });
    text.unwrap_or_else(|| iso.to_owned())
}
