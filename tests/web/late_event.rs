//! Events that browsers dispatch one task later, to elements that are gone by then.

use std::cell::Cell;
use std::rc::Rc;

use gloo_timers::future::TimeoutFuture;
use js_sys::Function;
use lead_workspace::app::components::dom::{El, details, div};
use leptos::ev;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, window};

/// Reports uncaught errors to `notify`. Returns a function that stops it.
fn watch(notify: &Closure<dyn FnMut(String)>) -> Function {
    let watch = Function::new_with_args(
        "notify",
        "const listener = (event) => { event.preventDefault(); notify(event.message); };
         addEventListener('error', listener);
         return () => removeEventListener('error', listener);",
    );
    let stop = watch.call1(&JsValue::NULL, notify.as_ref()).unwrap();
    stop.unchecked_into()
}

/// Returns a scrollable list and a details element that count their events.
fn parts(received: &Rc<Cell<u32>>) -> Vec<El> {
    let count = || {
        let received = Rc::clone(received);
        move || received.set(received.get() + 1)
    };
    let tall = div().style("height", || "400px".to_owned());
    let (on_scroll, on_toggle) = (count(), count());
    let list = div()
        .style("height", || "100px".to_owned())
        .style("overflow", || "scroll".to_owned())
        .child(tall)
        .on(ev::scroll, move |_| on_scroll());
    vec![list, details().on(ev::toggle, move |_| on_toggle())]
}

fn act(parts: &[El]) {
    let body = window().unwrap().document().unwrap().body().unwrap();
    for part in parts {
        body.append_child(&part.node()).unwrap();
        part.node().set_scroll_top(40);
        part.node().set_attribute("open", "").unwrap();
    }
}

async fn errors_of(gone: bool) -> (Vec<String>, u32) {
    let received = Rc::new(Cell::new(0));
    let errors = Rc::new(std::cell::RefCell::new(Vec::new()));
    let notify = Rc::clone(&errors);
    let notify = Closure::<dyn FnMut(String)>::new(move |error| notify.borrow_mut().push(error));
    let stop = watch(&notify);
    let parts = parts(&received);
    let nodes: Vec<Element> = parts.iter().map(El::node).collect();
    TimeoutFuture::new(20).await;
    act(&parts);
    // The elements stay in the page, as if other code removed them a task later.
    let kept = (!gone).then_some(parts);
    TimeoutFuture::new(120).await;
    drop(kept);
    nodes.iter().for_each(Element::remove);
    let _ = stop.call0(&JsValue::NULL).unwrap().dyn_into::<JsValue>();
    (errors.take(), received.get())
}

#[wasm_bindgen_test]
async fn an_event_after_element_removal_is_not_delivered() {
    assert_eq!(
        errors_of(false).await,
        (vec![], 2),
        "both are notified one turn later"
    );
    assert_eq!(errors_of(true).await, (vec![], 0));
}
