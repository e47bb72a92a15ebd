//! A JavaScript function as the source of API keys.

use js_sys::{Function, Promise};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::key_source::{KeyFuture, KeySource};

/// `getApiKey`.
pub(crate) struct CallbackKeySource(pub(crate) Function);

impl KeySource for CallbackKeySource {
    fn key(&self) -> KeyFuture {
        let returned = self.0.call0(&JsValue::UNDEFINED);
        Box::pin(async move {
            let returned = match returned {
                Ok(returned) => JsFuture::from(Promise::resolve(&returned)).await,
                thrown => thrown,
            };
            match returned {
                Ok(key) => key
                    .as_string()
                    .ok_or_else(|| "getApiKey did not return a string".into()),
                Err(thrown) => Err(match thrown.dyn_ref::<js_sys::Error>() {
                    Some(error) => format!("getApiKey failed: {}", String::from(error.message())),
                    None => "getApiKey failed".into(),
                }),
            }
        })
    }
}
