//! The last word: shown when the program stops. Made without the framework, which may be what broke.

use std::panic::PanicHookInfo;

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement};

/// Shows the overlay over the whole page when anything panics.
pub fn install() {
    std::panic::set_hook(Box::new(|info| {
        // Nothing more can be done when even this fails.
        let _ = over_page(info);
    }));
}

const SAID: &str = r#"<section><h2>The page stopped working</h2>
<p>Every decision shown as saved is saved. The others may not be: look at them again after the page is reloaded.</p>
<a class="button main" href="">Reload</a>
<details><summary>For whoever mends it</summary><pre></pre></details></section>"#;

fn over_page(info: &PanicHookInfo<'_>) -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|window| window.document());
    let body = document.and_then(|document| document.body());
    let overlay = show(&*body.ok_or(JsValue::NULL)?, &info.to_string())?;
    if let Some(reload) = overlay.query_selector("a")? {
        reload.unchecked_ref::<HtmlElement>().focus()?;
    }
    Ok(())
}

/// Puts the overlay into an element, once.
fn show(place: &Element, details: &str) -> Result<Element, JsValue> {
    if let Some(shown) = place.query_selector("#stopped")? {
        return Ok(shown);
    }
    let document = place.owner_document().ok_or(JsValue::NULL)?;
    let overlay = document.create_element("div")?;
    overlay.set_id("stopped");
    overlay.set_attribute("role", "alertdialog")?;
    overlay.set_attribute("aria-label", "The page stopped working")?;
    overlay.set_inner_html(SAID);
    if let Some(pre) = overlay.query_selector("pre")? {
        pre.set_text_content(Some(details));
    }
    place.append_child(&overlay)?;
    Ok(overlay)
}

/// The same within pages of others: over each app, and over nothing else.
#[cfg(feature = "embed")]
pub mod within {
    use std::cell::RefCell;
    use std::sync::Once;

    use web_sys::Element;

    use super::show;

    thread_local! {
        /// The places of all apps that run.
        static PLACES: RefCell<Vec<Element>> = const { RefCell::new(Vec::new()) };
    }

    /// A place that gets the overlay when anything panics, for as long as this lives.
    pub struct Covered(Element);

    /// Covers a place.
    pub fn cover(place: &Element) -> Covered {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |info| {
                before(info);
                stopped(&info.to_string());
            }));
        });
        PLACES.with_borrow_mut(|places| places.push(place.clone()));
        Covered(place.clone())
    }

    /// Says it in all places: the apps of a page run in one program, and stop together.
    pub fn stopped(details: &str) {
        PLACES.with(|places| {
            // Whoever panicked may hold the list; then nothing more can be said.
            let Ok(places) = places.try_borrow() else {
                return;
            };
            for place in &*places {
                // Nothing more can be done when even this fails. The page is not ours to reload.
                if let Ok(overlay) = show(place, details)
                    && let Ok(Some(reload)) = overlay.query_selector("a")
                {
                    reload.remove();
                }
            }
        });
    }

    impl Drop for Covered {
        fn drop(&mut self) {
            PLACES.with_borrow_mut(|places| places.retain(|place| *place != self.0));
        }
    }
}
