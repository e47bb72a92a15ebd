//! Rows come and go all day, and nothing of those that went may stay.

use std::rc::Rc;

use gloo_timers::future::TimeoutFuture;
use js_sys::{ArrayBuffer, WebAssembly};
use lead_workspace::app::mount_with;
use lead_workspace::components::dom::{KeyedRow, effect, el, reader};
use lead_workspace::signal::{Memo, RwSignal};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{HtmlElement, window};

const SHOWN: u64 = 50;

fn memory() -> u32 {
    let memory: WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    memory
        .buffer()
        .unchecked_into::<ArrayBuffer>()
        .byte_length()
}

#[wasm_bindgen_test]
async fn rows_that_went_leave_no_memory_behind() {
    let document = window().unwrap().document().unwrap();
    let root: HtmlElement = document.create_element("div").unwrap().unchecked_into();
    let from = RwSignal::new(0);
    // What lives as long as the app, and never changes: as the decisions, the ticks, the cursor and the columns
    // do while somebody only scrolls.
    let long = RwSignal::new(1);
    let derived = Memo::new(move |_| long.get());
    let draw: Rc<dyn Fn(_) -> _> = Rc::new(move |index: leptos::prelude::ArcReadSignal<u64>| {
        use leptos::prelude::Get;
        let text = Memo::new(move |_| (index.get() * long.get()).to_string());
        let heard = Memo::new(move |_| derived.get());
        effect(move || {
            derived.get();
        });
        el("p")
            .text_of(move || text.get())
            .attr_of("data-long", move || (long.get() + heard.get()).to_string())
            .el_of(move || (derived.get() > 1).then(|| el("b")))
    });
    let rows = reader(move || {
        let from = from.get();
        let row = |index: u64| KeyedRow {
            key: index.to_string().into(),
            version: 0,
            index,
            draw: Rc::clone(&draw) as _,
        };
        (from..from + SHOWN).map(row).collect()
    });
    let app = mount_with(root.clone(), move || el("div").rows_of(rows));
    let turn = async |times: u64| {
        for _ in 0..times {
            from.set(from.get_untracked() + SHOWN);
            TimeoutFuture::new(0).await;
        }
    };
    turn(100).await;
    let before = memory();
    turn(1_000).await;
    let last = root.query_selector("p:last-of-type").unwrap().unwrap();
    let expected = (1_101 * SHOWN - 1).to_string();
    assert_eq!(
        last.text_content().as_deref(),
        Some(&*expected),
        "all were drawn"
    );
    let grown = memory() - before;
    assert!(grown < 256 * 1024, "50,000 rows left {grown} bytes");
    drop(app);
}
