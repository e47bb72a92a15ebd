//! A score from 0 to 100, as a bar and a number.

use leptos::prelude::*;

/// The bar is for the eye only; the number says it all.
#[component]
pub fn Score(
    /// 0 to 100; none where there is no score.
    score: Option<f64>,
) -> impl IntoView {
    score.map_or_else(
        || view! { <span class="none">"–"</span> }.into_any(),
        |score| {
            let score = score.clamp(0.0, 100.0);
            view! {
                <span class="score">
                    <i class="gauge" style:--v=format!("{score:.0}%")></i>
                    <b>{format!("{score:.0}")}</b>
                </span>
            }
            .into_any()
        },
    )
}
