//! The app: its root, its routes, and how it is put into a page.

use std::sync::Arc;

use leptos::mount::{UnmountHandle, mount_to};
use leptos::prelude::*;
use leptos::tachys::view::Render;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlElement;

use crate::client::{Fetch, Transport};
use crate::components::dom::{El, classed, effect};
use crate::components::toast::toast;
use crate::components::{format, overlay};
use crate::model::place;
use crate::pages::dialogs::dialogs;
use crate::pages::frame::ask_key;
use crate::pages::leads::said::said;
use crate::pages::{errands, jobs, keys, late, leads};
use crate::signal::RwSignal;
use crate::state::session::Opening;
use crate::state::{Workspace, language, sign_out};

/// Puts the app into an element of the page, in place of what is there, and leaves it there.
#[wasm_bindgen]
pub fn mount_app(element: HtmlElement) {
    overlay::install();
    mount(element, Arc::new(Fetch)).forget();
}

/// Puts the app into an element over a transport. It goes when the handle is dropped.
pub fn mount(element: HtmlElement, transport: Arc<dyn Transport>) -> Mounted {
    mount_with(element, move || {
        let (language, zone) = language::read();
        format::choose(&language, &zone);
        // Another workspace is another app: nothing of the one before is left.
        let again = RwSignal::new(Opening::default());
        classed("div", "root").el_of(move || {
            again.track();
            Some(untrack(|| {
                app(Workspace::start(Arc::clone(&transport), again))
            }))
        })
    })
}

/// Puts something into an element, drawn under an owner of its own.
pub fn mount_with(element: HtmlElement, draw: impl FnOnce() -> El + 'static) -> Mounted {
    element.set_text_content(None);
    mount_to(element.clone(), move || {
        let app = draw();
        // An element that was just made can stand anywhere.
        let _ = element.append_child(&app.node());
        // Kept by the owner of the root, and gone with it.
        StoredValue::new_local(app);
    })
}

/// An app in a page.
pub type Mounted = UnmountHandle<<() as Render>::State>;

/// A page: its path, its name, what draws it.
type Page = (&'static str, &'static str, fn(Workspace) -> El);

/// Every page. The list of the leads is there at once, the others come late.
const PAGES: &[Page] = &[
    (place::LEADS, "Leads", leads::leads_page),
    (place::ACCOUNTS, "Accounts", late::accounts),
    (place::PORTFOLIO, "Portfolio", late::portfolio),
    // What a page of others has to say itself, and does not load.
    #[cfg(not(feature = "embed"))]
    (place::SETTINGS, "Settings", late::settings),
    #[cfg(not(feature = "embed"))]
    (place::IMPORT, "Import leads", late::import),
];

fn page(path: &str) -> Option<&'static Page> {
    PAGES.iter().find(|(known, ..)| *known == path)
}

/// The app: the page for the path, and what may stand over it.
pub fn app(workspace: Workspace) -> El {
    let (nav, hosted) = (workspace.nav, workspace.session.is_hosted());
    let path = nav.path();
    effect(move || {
        let Some((_, title, _)) = page(&path.get()) else {
            // The view in the address stays what it is.
            nav.correct(place::LEADS, &nav.query().get_untracked());
            return;
        };
        // The title of a page of others is theirs.
        if hosted {
            return;
        }
        document().set_title(&format!("{title} · Lead workspace"));
    });
    // Back may lead to where another workspace was open: then that one, with its own key and decisions.
    effect(move || {
        if nav.is_elsewhere() {
            workspace.session.begin_again(Opening::default());
        }
    });
    let selections = [
        (place::LEADS, workspace.leads.choice.selection),
        (place::ACCOUNTS, workspace.accounts.choice.selection),
    ];
    // Above the bar of what is selected.
    let app = classed("div", "app").attr_of("data-selection", move || {
        let here = selections
            .iter()
            .find(|(of, _)| path.with(|path| path == of));
        here.is_some_and(|(_, selection)| selection.with(|selection| !selection.is_empty()))
            .to_string()
    });
    let errands = workspace.errands;
    keys::follow(workspace, app.node());
    keys::everywhere(workspace, app.node());
    if !hosted {
        sign_out::follow(workspace);
    }
    app.el_of(move || page(&path.get()).map(|(_, _, draw)| draw(workspace)))
        .el(classed("div", "corner")
            .attr_of("data-errands", move || errands.any().to_string())
            .el(errands::place(workspace))
            .el(jobs::place(workspace)))
        .el(toast(said(workspace)))
        .el(classed("div", "kept").el(late::keeper(workspace)))
        .el(dialogs(workspace))
        .el(ask_key(workspace))
}
