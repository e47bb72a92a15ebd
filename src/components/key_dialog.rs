//! Asks for the key of the workspace.

use leptos::html;
use leptos::prelude::*;

/// A native dialog: the page behind it waits, and keeps everything.
#[component]
pub fn KeyDialog(
    /// Why a key is asked for; none while the dialog is closed.
    #[prop(into)]
    why: Signal<Option<&'static str>>,
    /// A key was entered. The answer is what is wrong with it, if anything.
    on_key: impl Fn(String) -> Result<(), String> + Copy + 'static,
    /// The dialog was closed without a key.
    on_close: impl Fn() + Copy + 'static,
) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    let input = NodeRef::<html::Input>::new();
    let wrong = RwSignal::new(String::new());
    Effect::new(move |_| {
        let (Some(dialog), why) = (dialog.get(), why.get()) else {
            return;
        };
        match (why, dialog.open()) {
            (Some(_), false) => {
                wrong.set(String::new());
                let _ = dialog.show_modal();
            }
            (None, true) => dialog.close(),
            _ => {}
        }
    });
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let Some(input) = input.get_untracked() else {
            return;
        };
        match on_key(input.value()) {
            Ok(()) => input.set_value(""),
            Err(problem) => wrong.set(problem),
        }
    };
    view! {
        <dialog class="ask" node_ref=dialog aria-labelledby="ask-title" on:close=move |_| on_close()>
            <form on:submit=submit>
                <h2 id="ask-title">"Workspace key"</h2>
                <p>{move || why.get().unwrap_or_default()}</p>
                <label>
                    "API key"
                    <input type="password" node_ref=input name="key" autocomplete="off"
                        spellcheck="false" autofocus placeholder="lwk_…"
                        aria-invalid=move || wrong.with(|wrong| !wrong.is_empty()).to_string()
                        aria-describedby="ask-wrong" />
                </label>
                <p id="ask-wrong" class="wrong" role="alert">{move || wrong.get()}</p>
                <p class="fine">"The key stays in this tab and goes to this workspace only."</p>
                <div class="buttons">
                    <button type="button" class="quiet"
                        on:click=move |_| if let Some(dialog) = dialog.get_untracked() { dialog.close() }>
                        "Not now"
                    </button>
                    <button type="submit" class="main">"Use this key"</button>
                </div>
            </form>
        </dialog>
    }
}
