//! Overlay shown after a panic. Built without the UI framework, which may be what failed.

use std::panic::PanicHookInfo;

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement};

/// Installs a panic hook that covers the whole page with the overlay.
pub fn install() {
    std::panic::set_hook(Box::new(|info| {
        // If this fails too, nothing more can be done.
        let _ = over_page(info);
    }));
}

const TITLE: &str = "The page stopped working";

const ADVICE: &str =
    "Decisions shown as saved are saved. Others may not be: check them after you reload the page.";

fn over_page(info: &PanicHookInfo<'_>) -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|window| window.document());
    let body = document.and_then(|document| document.body());
    let overlay = show(&*body.ok_or(JsValue::NULL)?, &info.to_string())?;
    if let Some(reload) = overlay.query_selector("a")? {
        reload.unchecked_ref::<HtmlElement>().focus()?;
    }
    Ok(())
}

/// Adds the overlay to an element, or returns the one that is already there.
fn show(container: &Element, details: &str) -> Result<Element, JsValue> {
    if let Some(shown) = container.query_selector("#stopped")? {
        return Ok(shown);
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
    let reload = add(&section, "a", "Reload")?;
    reload.set_attribute("class", "button main")?;
    reload.set_attribute("href", "")?;
    let technical = add(&section, "details", "")?;
    add(&technical, "summary", "Technical details")?;
    add(&technical, "pre", details)?;
    container.append_child(&overlay)?;
    Ok(overlay)
}

/// The same for apps embedded in other pages: covers each app, and nothing else.
#[cfg(feature = "embed")]
pub mod within {
    use std::cell::RefCell;
    use std::sync::Once;

    use web_sys::Element;

    use super::show;

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
                // Failures are ignored, since nothing more can be done. The reload link is removed: the page is not
                // ours to reload.
                if let Ok(overlay) = show(container, details)
                    && let Ok(Some(reload)) = overlay.query_selector("a")
                {
                    reload.remove();
                }
            }
        });
    }

    impl Drop for CoveredElement {
        fn drop(&mut self) {
            CONTAINERS
                .with_borrow_mut(|containers| containers.retain(|container| *container != self.0));
        }
    }
}
