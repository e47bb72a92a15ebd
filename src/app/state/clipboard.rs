//! Access to the browser's clipboard.

use js_sys::{Function, Promise, Reflect};
use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::notice::Notice;
use super::spawn;

/// The label of a button that copies messages of which only the first are shown.
pub const COPY_ALL: &str = "Copy all messages";

/// Copies a text, and returns whether that succeeded. There is no clipboard in insecure contexts.
pub async fn copy(text: &str) -> bool {
    match write(text) {
        Some(writing) => JsFuture::from(writing).await.is_ok(),
        None => false,
    }
}

/// Copies all messages of a server, and says so.
pub fn copy_messages(notice: Notice, messages: String) {
    spawn(async move {
        let said = match copy(&messages).await {
            true => "Messages copied",
            false => "Could not copy. Browsers allow it only over HTTPS and on this machine",
        };
        notice.show_text(said.to_owned());
    });
}

/// Accessed by name: the typed binding would throw where there is no clipboard.
fn write(text: &str) -> Option<Promise> {
    let get = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).ok();
    let clipboard = get(&window().navigator(), "clipboard")?;
    let write: Function = get(&clipboard, "writeText")?.dyn_into().ok()?;
    let writing = write.call1(&clipboard, &text.into()).ok()?;
    writing.dyn_into().ok()
}
