//! What stands around every page: the bar at the top, the dialog for the key, what the connection does.

use leptos::prelude::*;

use crate::components::icon::{Halves, Key, Moon, Sun};
use crate::components::key_dialog::KeyDialog;
use crate::components::link::PlaceLink;
use crate::components::search_box::SearchBox;
use crate::state::Workspace;
use crate::state::session::Asking;
use crate::state::theme::Colours;

/// The bar at the top.
#[component]
pub fn Bar(
    /// The name of the search box.
    label: &'static str,
    /// What can be searched.
    hint: &'static str,
    /// The search that is shown.
    #[prop(into)]
    search: Signal<String>,
    /// Another search is wanted.
    on_search: impl Fn(String) + Copy + 'static,
) -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let (nav, theme) = (workspace.nav, workspace.theme);
    let path = nav.path();
    let colours = move || match theme.get() {
        Colours::System => view! { <Halves /> }.into_any(),
        Colours::Light => view! { <Sun /> }.into_any(),
        Colours::Dark => view! { <Moon /> }.into_any(),
    };
    let colours_name = move || match theme.get() {
        Colours::System => "Colours: as the system has them",
        Colours::Light => "Colours: light",
        Colours::Dark => "Colours: dark",
    };
    view! {
        <header class="bar">
            <span class="mark"><i></i><span>"Lead workspace"</span></span>
            <nav aria-label="Areas">
                <PlaceLink href=Signal::derive(move || nav.href("/leads", ""))
                    current=Signal::derive(move || path.get() == "/leads") on_go=move || nav.go("/leads", "")>
                    "Leads"
                </PlaceLink>
                <PlaceLink href=Signal::derive(move || nav.href("/accounts", ""))
                    current=Signal::derive(move || path.get() == "/accounts") on_go=move || nav.go("/accounts", "")>
                    "Accounts"
                </PlaceLink>
            </nav>
            <SearchBox label=label hint=hint search=search on_search=on_search />
            <div class="tools">
                <button type="button" class="quiet" aria-label=colours_name title=colours_name
                    on:click=move |_| theme.turn()>
                    {colours}
                </button>
                <button type="button" class="quiet" aria-label="Workspace key" title="Workspace key"
                    on:click=move |_| workspace.session.asking.set(Some(Asking::Change))>
                    <Key />
                </button>
            </div>
        </header>
    }
}

/// What the connection does, where that is worth a word.
#[component]
pub fn Connection() -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let (online, problem) = (workspace.surroundings.online, workspace.session.problem);
    view! {
        {move || (!online.get()).then(|| view! {
            <div class="strip" role="status">
                <span><b>"You are offline."</b> " What is loaded stays here. Decisions made now are not saved; each says so, and can be sent again."</span>
            </div>
        })}
        {move || problem.get().map(|problem| view! {
            <div class="strip trouble" role="alert">{problem.to_string()}</div>
        })}
    }
}

/// Says so when an answer takes long.
#[component]
pub fn SlowStrip(
    /// Whether it does.
    slow: RwSignal<bool>,
) -> impl IntoView {
    move || {
        slow.get().then(|| view! {
        <div class="strip" role="status">
            <span><b>"The server is slow."</b> " Still waiting for its answer; what you see stays as it is."</span>
        </div>
    })
    }
}

/// Asks for the key when there is none, or when the server does not accept it.
#[component]
pub fn AskKey() -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let session = workspace.session;
    let why = move || {
        session.asking.get().map(|asking| match asking {
            Asking::NoKey => "Paste the API key of your workspace to see its leads.",
            Asking::Refused => {
                "The server does not accept the key. Nothing here is lost: with another key, what was refused is done again."
            }
            Asking::Change => "The page goes on where it is, with the new key.",
        })
    };
    let on_key = move |key: String| {
        session
            .use_key(&key)
            .map_err(|problem| problem.to_string())?;
        workspace.leads.retry_refused();
        Ok(())
    };
    view! {
        <KeyDialog why=Signal::derive(why) on_key=on_key on_close=move || session.asking.set(None) />
    }
}
