//! A page that shows the text of a response.

use gloo_net::http::Request;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(start)]
pub fn start() {
    let text = RwSignal::new("Hello".to_owned());
    spawn_local(async move {
        if let Ok(response) = Request::get("/text").send().await {
            text.set(response.text().await.unwrap_or_default());
        }
    });
    mount_to_body(move || view! { <p>{text}</p> });
}
