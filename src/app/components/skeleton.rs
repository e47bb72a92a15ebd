//! Placeholder of content that is loading.

use super::dom::{El, div, i};

/// Renders gray bars in groups, as many bars in each as given. The style sheet shows them after a delay.
pub fn skeleton(class: &'static str, groups: &[usize]) -> El {
    let group = |bars: &usize| div().children((0..*bars).map(|_| i()));
    div()
        .class(class)
        .attr("aria-hidden", "true")
        .children(groups.iter().map(group))
}
