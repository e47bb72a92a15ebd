//! Length limits of a search.

use lead_workspace_api::limits::{SEARCH_CHARACTERS, SEARCH_WORDS};

/// Returns why a search is too long to be sent, and what to do; `None` if it is not.
pub fn too_long(text: &str) -> Option<String> {
    let is_over = |count: usize, most: u32| count > most as usize;
    let (most, what) = if is_over(text.trim().chars().count(), SEARCH_CHARACTERS) {
        (SEARCH_CHARACTERS, "characters")
    } else if is_over(text.split_whitespace().count(), SEARCH_WORDS) {
        (SEARCH_WORDS, "words")
    } else {
        return None;
    };
    Some(format!(
        "This search is too long. Use {most} {what} or fewer."
    ))
}
