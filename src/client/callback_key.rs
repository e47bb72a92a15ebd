//! A JavaScript function as the source of API keys.

use js_sys::{Function, Promise};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::keys::{KeyFuture, KeySource};

/// `getApiKey`.
pub(crate) struct CallbackKeySource(pub(crate) Function);

impl KeySource for CallbackKeySource {
    fn key(&self) -> KeyFuture {
        let answer = self.0.call0(&JsValue::UNDEFINED);
        Box::pin(async move {
            let answer = match answer {
                Ok(answer) => JsFuture::from(Promise::resolve(&answer)).await,
                thrown => thrown,
            };
            match answer {
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
