//! What stands where rows would be: nothing there, nothing found, nothing to be had.

use leptos::prelude::*;

/// How a plate looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// There is nothing to show, and that is fine.
    Calm,
    /// Something went wrong.
    Trouble,
}

/// A plate: a headline, what to make of it, and what can be done.
#[component]
pub fn Plate(
    /// How it looks.
    mood: Mood,
    /// The headline.
    #[prop(into)]
    title: String,
    /// What to make of it, and what can be done.
    children: Children,
) -> impl IntoView {
    let (class, role) = match mood {
        Mood::Calm => ("plate", "status"),
        Mood::Trouble => ("plate trouble", "alert"),
    };
    view! {
        <section class=class role=role>
            <h2>{title}</h2>
            {children()}
        </section>
    }
}
