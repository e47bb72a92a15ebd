//! Files that the browser saves.

use gloo_timers::callback::Timeout;
use js_sys::Array;
use leptos::prelude::document;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlElement, Url};

use super::notice::Notice;

/// The media type of a table.
pub const CSV: &str = "text/csv;charset=utf-8";

/// The media type of a picture.
pub const SVG: &str = "image/svg+xml";

/// How long the browser has to read the file before its URL is revoked, in milliseconds.
const URL_LIFETIME_MS: u32 = 60_000;

/// A file that is written part by part. The parts are blobs, which the browser may move to disk.
#[derive(Default)]
pub struct File {
    parts: Array,
}

impl File {
    /// Appends a text.
    pub fn add(&self, text: &str) {
        let texts = Array::of1(&JsValue::from_str(text));
        // Creating a blob only fails without room for it. Then the text itself is stored.
        match Blob::new_with_str_sequence(&texts) {
            Ok(part) => self.parts.push(&part),
            Err(_) => self.parts.push(&texts.get(0)),
        };
    }

    /// Appends a blob.
    pub fn add_blob(&self, blob: &Blob) {
        self.parts.push(blob);
    }

    /// Has the browser save the file as CSV.
    ///
    /// # Errors
    /// If the browser has no room for it.
    pub fn save(&self, name: &str) -> Result<(), JsValue> {
        self.save_as(name, CSV)
    }

    /// Same as [`save`](Self::save), as a media type.
    fn save_as(&self, name: &str, media_type: &str) -> Result<(), JsValue> {
        let options = BlobPropertyBag::new();
        options.set_type(media_type);
        let whole = Blob::new_with_blob_sequence_and_options(&self.parts, &options)?;
        let address = Url::create_object_url_with_blob(&whole)?;
        let link = document().create_element("a")?;
        link.set_attribute("href", &address)?;
        link.set_attribute("download", name)?;
        link.unchecked_ref::<HtmlElement>().click();
        let give_back = move || {
            // Revoking a URL that is gone already does no harm.
            let _ = Url::revoke_object_url(&address);
        };
        Timeout::new(URL_LIFETIME_MS, give_back).forget();
        Ok(())
    }
}

/// Has the browser save a text as a file, or says that it has no room.
pub fn save_text(notice: Notice, name: &str, media_type: &str, text: &str) {
    let file = File::default();
    file.add(text);
    if file.save_as(name, media_type).is_err() {
        notice.show_text("The browser has no space for the file; nothing was saved.".to_owned());
    }
}
