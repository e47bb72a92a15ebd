//! Lines for the developer of the host page, each once in a page.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Function;
use wasm_bindgen::JsValue;

thread_local! {
    static SAID: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

type Write = Rc<dyn Fn(&str)>;

/// Where the lines go: a function of the host page. By default nowhere.
#[derive(Clone, Default)]
pub struct Warnings(Option<Write>);

impl Warnings {
    pub fn new(write: impl Fn(&str) + 'static) -> Self {
        Self(Some(Rc::new(write)))
    }

    pub(super) fn to_function(write: Function) -> Self {
        Self::new(move |line| {
            // The function catches its own exceptions.
            let _ = write.call1(&JsValue::UNDEFINED, &line.into());
        })
    }

    /// Writes a line, unless it was written before.
    pub(super) fn say(&self, line: String) {
        let Some(write) = &self.0 else { return };
        if SAID.with_borrow(|said| said.contains(&line)) {
            return;
        }
        write(&line);
        SAID.with_borrow_mut(|said| said.push(line));
    }
}
