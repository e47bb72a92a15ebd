//! The last word: shown when the program stops. Made without the framework, which may be what broke.

use std::panic::PanicHookInfo;

use wasm_bindgen::{JsCast, JsValue};

/// Shows the overlay when anything panics.
pub fn install() {
    std::panic::set_hook(Box::new(|info| {
        // Nothing more can be done when even this fails.
        let _ = show(info);
    }));
}

fn show(info: &PanicHookInfo<'_>) -> Result<(), JsValue> {
    let document = web_sys::window()
        .and_then(|window| window.document())
        .ok_or(JsValue::NULL)?;
    let id = "stopped";
    if document.get_element_by_id(id).is_some() {
        return Ok(());
    }
    let body = document.body().ok_or(JsValue::NULL)?;
    let text = |tag: &str, text: &str| -> Result<web_sys::Element, JsValue> {
        let element = document.create_element(tag)?;
        element.set_text_content(Some(text));
        Ok(element)
    };
    let plate = document.create_element("section")?;
    plate.append_child(&text("h2", "The page stopped working")?.into())?;
    let kept = "Every decision shown as saved is saved. The others may not be: look at them again \
                after the page is reloaded.";
    plate.append_child(&text("p", kept)?.into())?;
    let reload = text("a", "Reload")?;
    reload.set_attribute("href", "")?;
    reload.set_class_name("button main");
    plate.append_child(&reload.clone().into())?;
    let details = document.create_element("details")?;
    details.append_child(&text("summary", "For whoever mends it")?.into())?;
    details.append_child(&text("pre", &info.to_string())?.into())?;
    plate.append_child(&details.into())?;
    let overlay = document.create_element("div")?;
    overlay.set_id(id);
    overlay.set_attribute("role", "alertdialog")?;
    overlay.set_attribute("aria-label", "The page stopped working")?;
    overlay.append_child(&plate.into())?;
    body.append_child(&overlay.into())?;
    if let Some(reload) = reload.dyn_ref::<web_sys::HtmlElement>() {
        reload.focus()?;
    }
    Ok(())
}
