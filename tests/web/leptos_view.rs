//! An element of this app in `view!`, and a Leptos component in an element of this app.

use gloo_timers::future::TimeoutFuture;
use lead_workspace::app::components::dom::{div, p};
use lead_workspace::app::mount_with;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{HtmlElement, window};

#[component]
fn Doubled(count: RwSignal<u32>) -> impl IntoView {
    view! { <output>{move || count.get() * 2}</output> }
}

#[wasm_bindgen_test]
async fn a_component_and_an_element_contain_each_other() {
    let document = window().unwrap().document().unwrap();
    let root: HtmlElement = document.create_element("div").unwrap().unchecked_into();
    let count = RwSignal::new(1);
    let app = mount_with(root.clone(), move || {
        div().child(view! {
            <section>
                <Doubled count />
                {p().child(move || count.get().to_string()).view()}
                {move || p().child(if count.get() > 1 { "many" } else { "one" }).view()}
            </section>
        })
    });
    let text = || {
        root.inner_html()
            .replace("<!---->", "")
            .replace("<!-->", "")
    };
    assert_eq!(
        text(),
        "<div><section><output>2</output><p>1</p><p>one</p></section></div>"
    );
    count.set(5);
    TimeoutFuture::new(0).await;
    let updated = "<div><section><output>10</output><p>5</p><p>many</p></section></div>";
    assert_eq!(text(), updated);
    drop(app);
    TimeoutFuture::new(0).await;
    assert!(!root.inner_html().contains("section"));
}
