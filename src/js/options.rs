//! Option objects, such as the last argument of every method: `{signal, timeoutMs, deadlineMs, retries}`.

use std::time::Duration;

use js_sys::Function;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

use super::error::argument as refused;
use crate::client::{CallOptions, property};

/// The options of one call.
pub(super) struct PerCall {
    pub(super) signal: Option<AbortSignal>,
    pub(super) options: CallOptions,
}

impl PerCall {
    pub(super) fn read(value: &JsValue) -> Result<Self, JsValue> {
        let options = Bag::of("options", value)?;
        let signal = options.get("signal").map(JsCast::dyn_into);
        Ok(Self {
            signal: signal
                .transpose()
                .map_err(|_| options.refused("signal", "an AbortSignal"))?,
            options: CallOptions {
                timeout: options.milliseconds("timeoutMs")?,
                deadline: options.milliseconds("deadlineMs")?,
                retries: options.whole("retries")?,
            },
        })
    }
}

/// An object with optional members. Read by hand: serde would add all of its formatting, 10 kB compressed.
pub(super) struct Bag<'a> {
    name: &'static str,
    value: &'a JsValue,
}

impl<'a> Bag<'a> {
    /// Undefined and null count as an empty object.
    pub(super) fn of(name: &'static str, value: &'a JsValue) -> Result<Self, JsValue> {
        let nothing = value.is_undefined() || value.is_null();
        if nothing || (value.is_object() && !value.is_function()) {
            Ok(Self { name, value })
        } else {
            Err(refused(&format!("{name} must be an object")))
        }
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

    /// Reads a time above zero.
    pub(super) fn milliseconds(&self, member: &str) -> Result<Option<Duration>, JsValue> {
        self.read(member, "a number of milliseconds above 0", |value| {
            let value = value.as_f64().filter(|value| *value > 0.0)?;
            // Longer than ten years is as good as forever, and keeps every sum in range.
            Some(Duration::from_micros((value.min(3e11) * 1000.0) as u64))
        })
    }

    pub(super) fn whole(&self, member: &str) -> Result<Option<u32>, JsValue> {
        self.read(member, "a whole number from 0", |value| {
            let value = value.as_f64()?;
            let fits = (0.0..=f64::from(u32::MAX)).contains(&value) && value.fract() == 0.0;
            fits.then_some(value as u32)
        })
    }

    pub(super) fn function(&self, member: &str) -> Result<Option<Function>, JsValue> {
        self.read(member, "a function", |value| {
            value.dyn_ref::<Function>().cloned()
        })
    }

    fn read<T>(
        &self,
        member: &str,
        expected: &str,
        read: impl FnOnce(&JsValue) -> Option<T>,
    ) -> Result<Option<T>, JsValue> {
        let Some(value) = self.get(member) else {
            return Ok(None);
        };
        match read(&value) {
            None => Err(self.refused(member, expected)),
            some => Ok(some),
        }
    }

    pub(super) fn refused(&self, member: &str, expected: &str) -> JsValue {
        refused(&format!("{}.{member} must be {expected}", self.name))
    }
}
