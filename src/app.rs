//! The app: its root, its routes, and how it is put into a page.

use std::sync::Arc;

use leptos::mount::{UnmountHandle, mount_to};
use leptos::prelude::*;
use leptos::tachys::view::any_view::AnyViewState;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlElement;

use crate::client::{Fetch, Transport};
use crate::components::overlay;
use crate::pages::accounts::{self, AccountsPage};
use crate::pages::frame::AskKey;
use crate::pages::leads::{self, LeadsPage};
use crate::state::Workspace;

/// Puts the app into an element of the page, in place of what is there, and leaves it there.
#[wasm_bindgen]
pub fn mount_app(element: HtmlElement) {
    overlay::install();
    mount(element, Arc::new(Fetch)).forget();
}

/// Puts the app into an element over a transport. It goes when the handle is dropped.
pub fn mount(element: HtmlElement, transport: Arc<dyn Transport>) -> Mounted {
    element.set_text_content(None);
    mount_to(element, move || {
        provide_context(Workspace::start(transport));
        view! { <App /> }.into_any()
    })
}

/// An app in a page.
pub type Mounted = UnmountHandle<AnyViewState>;

/// The page for the path.
#[component]
fn App() -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let nav = workspace.nav;
    let path = nav.path();
    Effect::new(move |_| {
        let title = match path.get().as_str() {
            accounts::PATH => "Accounts",
            leads::PATH => "Leads",
            _ => {
                let query = nav.query();
                // The view in the address stays what it is.
                nav.correct(leads::PATH, &query.get_untracked());
                return;
            }
        };
        document().set_title(&format!("{title} · Lead workspace"));
    });
    let page = move || match path.get().as_str() {
        accounts::PATH => view! { <AccountsPage /> }.into_any(),
        leads::PATH => view! { <LeadsPage /> }.into_any(),
        _ => ().into_any(),
    };
    view! {
        {page}
        <AskKey />
    }
}
