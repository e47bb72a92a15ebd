//! Pages and parts of pages whose code is loaded when they are first opened.
//!
//! With the feature `split` each is a Wasm file of its own: `cargo xtask build` cuts it out of the module, with all
//! code that nothing else uses. Without the feature they are ordinary functions.

use crate::app::components::dom::{El, div};
use crate::app::model::route::LEADS_PATH;
use crate::app::reactive::{Memo, memo};
use crate::app::state::AppState;

/// Delays loading the code of a part until `is_time`.
pub fn after(is_time: Memo<bool>, app: AppState, part: fn(AppState) -> El) -> El {
    div().class("lazy").child(move || {
        Some(match is_time.get() {
            true => part(app),
            false => div().class("placeholder"),
        })
    })
}

/// Whether the first rows of the leads are shown, or another page is: then what they do not need may be loaded. Stays
/// true.
pub fn first_rows(app: AppState) -> Memo<bool> {
    let (path, load_status) = (app.nav.path(), app.leads.listing.load_status());
    memo(move |was: Option<&bool>| {
        was == Some(&true)
            // The bare origin leads to the leads.
            || path.with(|path| !matches!(path.as_str(), LEADS_PATH | "/"))
            || load_status.with(|load_status| load_status.is_loaded || load_status.error.is_some())
    })
}

/// Declares a lazily loaded part, in the file of its render function: name of the function that loads it, name of its file,
/// placeholder (`page`, `dialog`, `part`, or `small` without room for a message), style sheet (`first` or `later`), title,
/// render function.
macro_rules! lazy {
    ($name:ident: $file:ident, $placeholder:ident, $style:ident, $title:literal, $page:path) => {
        #[cfg(not(feature = "split"))]
        pub fn $name(app: $crate::app::state::AppState) -> $crate::app::components::dom::El {
            $page(app)
        }

        #[cfg(feature = "split")]
        pub fn $name(app: $crate::app::state::AppState) -> $crate::app::components::dom::El {
            use futures_util::FutureExt;
            use wasm_split_helpers::{SplitLoaderError, wasm_split};

            #[wasm_split($file, fallible, preload(load))]
            fn draw(
                app: $crate::app::state::AppState,
            ) -> Result<$crate::app::components::dom::El, SplitLoaderError> {
                Ok($page(app))
            }

            $crate::app::shell::lazy_fallback::load_lazily(
                $crate::app::shell::lazy_fallback::Lazy {
                    app,
                    title: $title,
                    placeholder: $crate::app::shell::lazy_fallback::$placeholder,
                    load: || {
                        $crate::app::shell::lazy_fallback::$style(
                            // Boxed here, so that no function around it is compiled for each part.
                            Box::pin(load().map(|loaded| loaded.is_ok())),
                        )
                    },
                    // The code is loaded, so this is ready at once.
                    draw: |app| draw(app).now_or_never()?.ok(),
                },
            )
        }
    };
}

pub(crate) use lazy;
