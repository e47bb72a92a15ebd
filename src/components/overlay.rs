//! The last word: shown when the program stops. Made without the framework, which may be what broke.

use std::panic::PanicHookInfo;

use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlElement;

/// Shows the overlay when anything panics.
pub fn install() {
    std::panic::set_hook(Box::new(|info| {
        // Nothing more can be done when even this fails.
        let _ = show(info);
    }));
}

const OVERLAY: &str = r#"<section><h2>The page stopped working</h2>
<p>Every decision shown as saved is saved. The others may not be: look at them again after the page is reloaded.</p>
<a class="button main" href="">Reload</a>
<details><summary>For whoever mends it</summary><pre></pre></details></section>"#;

fn show(info: &PanicHookInfo<'_>) -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|window| window.document());
    let document = document.ok_or(JsValue::NULL)?;
    if document.get_element_by_id("stopped").is_some() {
        return Ok(());
    }
    let overlay = document.create_element("div")?;
    overlay.set_id("stopped");
    overlay.set_attribute("role", "alertdialog")?;
    overlay.set_attribute("aria-label", "The page stopped working")?;
    overlay.set_inner_html(OVERLAY);
    if let Some(details) = overlay.query_selector("pre")? {
        details.set_text_content(Some(&info.to_string()));
    }
    document
        .body()
        .ok_or(JsValue::NULL)?
        .append_child(&overlay)?;
    if let Some(reload) = overlay.query_selector("a")? {
        reload.unchecked_ref::<HtmlElement>().focus()?;
    }
    Ok(())
}
