//! Option objects, such as the last argument of every method: `{signal, timeoutMs, deadlineMs, retries}`.

use std::rc::Rc;
use std::time::Duration;

use js_sys::{Array, Function, JSON, Object};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

use super::argument;
use super::error::options as refused;
use super::members::{check_members, check_object};
use crate::client::{CallOptions, Extra, ExtraHeaders, js_value, property};

/// The options of every call.
pub(super) const CALL: [&str; 7] = [
    "signal",
    "timeoutMs",
    "deadlineMs",
    "retries",
    "headers",
    "extraQuery",
    "extraBody",
];

/// The options of one call. Some methods have more than the others; see [`PerCall::read`].
pub(super) struct PerCall {
    pub(super) signal: Option<AbortSignal>,
    pub(super) options: CallOptions,
    pub(super) chunk_size: Option<u32>,
    pub(super) max_items: Option<u32>,
    pub(super) on_progress: Option<Function>,
    pub(super) on_drift: Option<Function>,
    pub(super) on_row_error: Option<Function>,
    pub(super) since: Option<i64>,
    pub(super) on_connection: Option<Function>,
}

impl PerCall {
    /// Reads the options of a method that takes `more` than those of [`CALL`].
    pub(super) fn read(value: &JsValue, more: &[&str]) -> Result<Self, JsValue> {
        let options = Options::new("options", value, &[&CALL, more].concat())?;
        Ok(Self {
            signal: options.read("signal", "an AbortSignal", |value| value.dyn_into().ok())?,
            options: CallOptions {
                timeout: options.milliseconds("timeoutMs")?,
                deadline: options.milliseconds("deadlineMs")?,
                retries: options.integer("retries")?,
                extra: Rc::new(options.extra()?),
            },
            chunk_size: match options.integer("chunkSize")? {
                Some(0) => return Err(options.refused("chunkSize", "at least 1")),
                size => size,
            },
            max_items: options.integer("maxItems")?,
            on_progress: options.function("onProgress")?,
            on_drift: options.function("onDrift")?,
            on_row_error: options.function("onRowError")?,
            since: options.read("since", "an integer from 0", |value| {
                js_value::integer(&value).filter(|version| *version >= 0)
            })?,
            on_connection: options.function("onConnection")?,
        })
    }
}

/// An object with optional members.
pub(super) struct Options<'a> {
    name: &'static str,
    value: &'a JsValue,
}

impl<'a> Options<'a> {
    /// Undefined and null count as an empty object.
    pub(super) fn new(
        name: &'static str,
        value: &'a JsValue,
        known: &[&str],
    ) -> Result<Self, JsValue> {
        check_members(name, value, known)?;
        Ok(Self { name, value })
    }

    /// Returns a member that is not undefined or null.
    pub(super) fn get(&self, member: &str) -> Option<JsValue> {
        property(self.value, member)
    }

    pub(super) fn text(&self, member: &str) -> Result<Option<String>, JsValue> {
        self.read(member, "a string", |value| value.as_string())
    }

    pub(super) fn flag(&self, member: &str) -> Result<bool, JsValue> {
        let flag = self.read(member, "true or false", |value| value.as_bool())?;
        Ok(flag.unwrap_or_default())
    }

    pub(super) fn integer(&self, member: &str) -> Result<Option<u32>, JsValue> {
        self.read(member, "an integer from 0", |value| {
            js_value::to_u32(&value)
        })
    }

    /// Reads a time above zero.
    pub(super) fn milliseconds(&self, member: &str) -> Result<Option<Duration>, JsValue> {
        let expected = "a number of milliseconds above 0";
        match self.read(member, expected, |value| value.as_f64())? {
            // Longer than ten years is as good as forever, and keeps every sum in range.
            Some(value) if value > 0.0 => Ok(Some(Duration::from_micros(
                (value.min(3e11) * 1000.0) as u64,
            ))),
            None => Ok(None),
            Some(_) => Err(self.refused(member, expected)),
        }
    }

    pub(super) fn function(&self, member: &str) -> Result<Option<Function>, JsValue> {
        self.read(member, "a function", |value| value.dyn_into().ok())
    }

    fn extra(&self) -> Result<Extra, JsValue> {
        let mut extra = Extra {
            headers: self.headers()?,
            ..Extra::default()
        };
        for (name, json) in self.json_members("extraQuery")? {
            // As in the parameters of the contract, null is not sent.
            let value = JSON::parse(&json)?;
            if !value.is_null() {
                extra.query.push((name, value.as_string().unwrap_or(json)));
            }
        }
        extra.body = self.json_members("extraBody")?;
        Ok(extra)
    }

    /// Reads an object: names, and values as JSON.
    fn json_members(&self, member: &str) -> Result<Vec<(String, String)>, JsValue> {
        let mut members = Vec::new();
        if let Some(value) = self.get(member) {
            let name = [self.name, ".", member].concat();
            check_object(&name, &value)?;
            for entry in Object::entries(value.unchecked_ref()) {
                let entry: Array = entry.unchecked_into();
                if let Some(json) = argument::json_text(&name, &entry.get(1))? {
                    members.push((entry.get(0).as_string().unwrap_or_default(), json));
                }
            }
        }
        Ok(members)
    }

    /// Reads an object of strings by name, or anything that iterates over pairs, such as `Headers`.
    pub(super) fn headers(&self) -> Result<ExtraHeaders, JsValue> {
        let mut headers = ExtraHeaders::default();
        let Some(value) = self.get("headers") else {
            return Ok(headers);
        };
        let unusable = || self.refused("headers", "an object of strings");
        if !value.is_object() {
            return Err(unusable());
        }
        // An object that does not iterate has no elements.
        let mut entries = Array::from(&value);
        if entries.length() == 0 {
            entries = Object::entries(value.unchecked_ref());
        }
        for entry in entries.iter() {
            let entry = Array::from(&entry);
            let name = entry.get(0).as_string().ok_or_else(unusable)?;
            let value = entry.get(1);
            if value.is_undefined() {
                continue;
            }
            let value = value.as_string().ok_or_else(unusable)?;
            headers
                .set(&name, &value)
                .map_err(|problem| refused(&format!("{}.headers: {problem}", self.name)))?;
        }
        Ok(headers)
    }

    /// Reads a member that `convert` accepts. Undefined and null count as not set.
    fn read<T>(
        &self,
        member: &str,
        expected: &str,
        convert: impl FnOnce(JsValue) -> Option<T>,
    ) -> Result<Option<T>, JsValue> {
        let Some(value) = self.get(member) else {
            return Ok(None);
        };
        let value = convert(value);
        value
            .map(Some)
            .ok_or_else(|| self.refused(member, expected))
    }

    pub(super) fn refused(&self, member: &str, expected: &str) -> JsValue {
        refused(&format!("{}.{member} must be {expected}", self.name))
    }
}
