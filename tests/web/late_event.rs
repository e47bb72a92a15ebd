//! Events that browsers dispatch one task later, to elements that are gone by then.

use std::cell::Cell;
use std::rc::Rc;

use gloo_timers::future::TimeoutFuture;
use lead_workspace::components::dom::{El, el};
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, window};

#[wasm_bindgen(inline_js = r#"
// Counts what nobody caught while it listens.
export function watch(told) {
  const listener = (event) => { event.preventDefault(); told(event.message); };
  addEventListener("error", listener);
  return () => removeEventListener("error", listener);
}
export function scroll_down(node) { node.scrollTop = 40; }
"#)]
extern "C" {
    fn watch(told: &Closure<dyn FnMut(String)>) -> js_sys::Function;
    fn scroll_down(node: &Element);
}

/// Returns a scrollable list and a details element that count their events.
fn parts(heard: &Rc<Cell<u32>>) -> Vec<El> {
    let count = |event| {
        let heard = Rc::clone(heard);
        move |el: El| el.on(event, move |_| heard.set(heard.get() + 1))
    };
    let tall = el("div").style_of("height", || "400px".to_owned());
    let list = el("div")
        .style_of("height", || "100px".to_owned())
        .style_of("overflow", || "scroll".to_owned())
        .el(tall);
    vec![count("scroll")(list), count("toggle")(el("details"))]
}

fn act(parts: &[El]) {
    let body = window().unwrap().document().unwrap().body().unwrap();
    for part in parts {
        body.append_child(&part.node()).unwrap();
        scroll_down(&part.node());
        part.node().set_attribute("open", "").unwrap();
    }
}

async fn errors_of(gone: bool) -> (Vec<String>, u32) {
    let heard = Rc::new(Cell::new(0));
    let errors = Rc::new(std::cell::RefCell::new(Vec::new()));
    let told = Rc::clone(&errors);
    let told = Closure::<dyn FnMut(String)>::new(move |error| told.borrow_mut().push(error));
    let stop = watch(&told);
    let parts = parts(&heard);
    let nodes: Vec<Element> = parts.iter().map(El::node).collect();
    TimeoutFuture::new(20).await;
    act(&parts);
    // The elements stay in the page, as if other code removed them a task later.
    let kept = (!gone).then_some(parts);
    TimeoutFuture::new(120).await;
    drop(kept);
    nodes.iter().for_each(Element::remove);
    let _ = stop.call0(&JsValue::NULL).unwrap().dyn_into::<JsValue>();
    (errors.take(), heard.get())
}

#[wasm_bindgen_test]
async fn an_event_that_comes_after_its_element_went_reaches_nobody() {
    assert_eq!(
        errors_of(false).await,
        (vec![], 2),
        "both are told a turn later"
    );
    assert_eq!(errors_of(true).await, (vec![], 0));
}
