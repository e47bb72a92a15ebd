//! Overlay shown after a panic in apps that are embedded in other pages: it covers each app, and nothing else. Built
//! without the UI framework, which may be what failed. On our own page, `www/boot.js` shows one.

use std::cell::RefCell;
use std::sync::Once;

use wasm_bindgen::JsValue;
use web_sys::Element;

const TITLE: &str = "The page stopped working";

const ADVICE: &str =
    "Decisions shown as saved are saved. Others may not be: check them after you reload the page.";

/// Adds the overlay to an element, unless it is already there. Without a link to reload: the page is not ours.
fn show(container: &Element, details: &str) -> Result<(), JsValue> {
    if container.query_selector("#stopped")?.is_some() {
        return Ok(());
    }
    let document = container.owner_document().ok_or(JsValue::NULL)?;
    let overlay = document.create_element("div")?;
    overlay.set_id("stopped");
    overlay.set_attribute("role", "alertdialog")?;
    overlay.set_attribute("aria-label", TITLE)?;
    let add = |parent: &Element, tag: &str, text: &str| -> Result<Element, JsValue> {
        let element = document.create_element(tag)?;
        element.set_text_content(Some(text));
        parent.append_child(&element)?;
        Ok(element)
    };
    let section = add(&overlay, "section", "")?;
    add(&section, "h2", TITLE)?;
    add(&section, "p", ADVICE)?;
    let technical = add(&section, "details", "")?;
    add(&technical, "summary", "Technical details")?;
    add(&technical, "pre", details)?;
    container.append_child(&overlay)?;
    Ok(())
}

thread_local! {
    /// Host elements of all running apps.
    static CONTAINERS: RefCell<Vec<Element>> = const { RefCell::new(Vec::new()) };
}

/// Guard: while it lives, its element gets the overlay after a panic.
pub struct CoveredElement(Element);

/// Registers an element for the overlay until the guard is dropped.
pub fn cover(container: &Element) -> CoveredElement {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            before(info);
            stopped(&info.to_string());
        }));
    });
    CONTAINERS.with_borrow_mut(|containers| containers.push(container.clone()));
    CoveredElement(container.clone())
}

/// Shows the overlay in all apps of the page: they share one Wasm module and stop together.
pub fn stopped(details: &str) {
    CONTAINERS.with(|containers| {
        // The code that panicked may have borrowed the list. Then the overlay cannot be shown.
        let Ok(containers) = containers.try_borrow() else {
            return;
        };
        for container in &*containers {
            // Failures are ignored, since nothing more can be done.
            let _ = show(container, details);
        }
    });
}

impl Drop for CoveredElement {
    fn drop(&mut self) {
        CONTAINERS
            .with_borrow_mut(|containers| containers.retain(|container| *container != self.0));
    }
}
