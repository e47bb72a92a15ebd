//! What stands in place of a page, or of a part of one, while its code is loaded, and when that fails.

use std::pin::Pin;

use futures_util::FutureExt;
use futures_util::future::join;

use super::frame::bar;
use super::style;
use crate::components::dom::{El, action, button, classed, reader};
use crate::components::modal::modal;
use crate::components::plate::{Mood, plate};
use crate::components::search_box::Search;
use crate::signal::RwSignal;
use crate::state::{Workspace, spawn};

/// A page or a part that comes late.
#[derive(Clone, Copy)]
pub struct Late {
    /// What the page is to show.
    pub workspace: Workspace,
    /// Its name.
    pub title: &'static str,
    /// Draws what stands there until it is there, around what is to be said, if anything.
    pub around: fn(Late, Option<El>) -> El,
    /// Loads its code, and says whether that is here now. What failed is tried anew.
    pub load: fn() -> Loading,
    /// Draws it, once its code is here.
    pub draw: fn(Workspace) -> Option<El>,
}

/// Code on its way. Resolves to whether it is here.
pub type Loading = Pin<Box<dyn Future<Output = bool>>>;

/// Loads the code of a part that the first style sheet is enough for.
pub fn first(code: impl Future<Output = bool> + 'static) -> Loading {
    Box::pin(code)
}

/// Loads the code of a part together with the later style sheet. The package has one sheet for all.
pub fn later(code: impl Future<Output = bool> + 'static) -> Loading {
    if cfg!(feature = "embed") {
        return first(code);
    }
    Box::pin(async {
        let (code, style) = join(code, style::load()).await;
        code && style
    })
}

/// How the code of a page stands.
#[derive(Clone, Copy)]
enum Code {
    Underway,
    Here,
    Failed,
}

/// Loads the code of a page and draws the page.
pub fn arrival(late: Late) -> El {
    let code = RwSignal::new(Code::Underway);
    let load = move || {
        let mut load = (late.load)();
        // Code that is loaded already is used at once.
        if (&mut load).now_or_never() == Some(true) {
            code.set(Code::Here);
            return;
        }
        code.set(Code::Underway);
        spawn(async move {
            let came = load.await;
            // Nobody waits any more where another page was opened meanwhile.
            code.try_set(if came { Code::Here } else { Code::Failed });
        });
    };
    load();
    classed("div", "late").el_of(move || match code.get() {
        Code::Here => (late.draw)(late.workspace),
        Code::Underway => Some((late.around)(late, None)),
        Code::Failed => Some((late.around)(late, Some(failed(late.title, load)))),
    })
}

fn loading() -> El {
    classed("p", "heard").text("Loading…")
}

/// A part of a page: nothing around it, and nothing said of what comes by itself.
pub fn part(_: Late, inside: Option<El>) -> El {
    classed("div", "arriving").el_opt(inside)
}

/// A dialog, which can be closed before what it waits for is there.
pub fn dialog(late: Late, inside: Option<El>) -> El {
    let dialog = late.workspace.commands.dialog;
    modal("arriving", late.title, move || dialog.set(None)).el(inside.unwrap_or_else(loading))
}

/// The bar, so that other pages stay in reach, and something in place of the page.
pub fn page(late: Late, inside: Option<El>) -> El {
    let search = Search::of("Search", "Search", reader(String::new), action(|_| ()));
    let main = classed("main", "list")
        .attr("id", "main")
        .el(classed("h1", "heard").text(late.title))
        .el(classed("div", "board").el(inside.unwrap_or_else(loading)));
    classed("div", "page")
        .el(bar(late.workspace, Some(search)))
        .el(main)
}

fn failed(title: &str, again: impl Fn() + 'static) -> El {
    let text = "Its part of the app could not be loaded. Nothing was changed. Check the connection \
                and retry; if it stays, reload the page: the app may have been renewed.";
    // A page of others may have its own ways, and more to lose.
    let reload = || classed("a", "button").attr("href", "").text("Reload");
    let buttons = classed("div", "buttons")
        .el(button("main", "Retry").on("click", move |_| again()))
        .el_opt((!cfg!(feature = "embed")).then(reload));
    plate(Mood::Trouble, &format!("{title} did not arrive"), text).el(buttons)
}
