//! Entries of the command palette and their ranking for a typed text.

use std::cmp::Reverse;

/// An entry of the palette.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PaletteEntry {
    pub label: String,
    /// What tells it from others with the same label; may be empty. Not searched.
    pub detail: String,
    /// Part of the app that it belongs to. It is searched, too, with less weight.
    pub group: &'static str,
    /// Keys as shown, one text per key cap.
    pub keys: Vec<String>,
    /// Rank by recent use: 0 is the latest; `None` if it was not used.
    pub recent: Option<usize>,
    /// Whether it changes leads. While nothing is typed, and if only scattered letters match, such
    /// entries are last, because Enter runs the first entry.
    pub changes: bool,
    /// Whether it acts on the current selection.
    pub fits: bool,
    /// Whether the server found it for the typed text. It matches even if its label does not.
    pub is_found: bool,
}

/// Score of the first letter at the start of a word.
const FIRST: u32 = 40;

/// Score of a further letter at the start of a word.
const NEXT: u32 = 24;

/// Returns the indices of the matching entries, best first. If nothing is typed, all entries match,
/// and those that change leads are last. Of equal matches, entries for the selection are first,
/// then shorter labels, then recently used entries.
pub fn matching(entries: &[PaletteEntry], typed: &str) -> Vec<usize> {
    let typed: Vec<u8> = typed
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(|byte| byte.to_ascii_lowercase())
        .collect();
    let nothing_typed = typed.is_empty();
    let mut found: Vec<_> = entries
        .iter()
        .enumerate()
        .filter_map(|(at, entry)| {
            let score = score(entry.label.as_bytes(), &typed)
                // The group matches, too, with less weight.
                .or_else(|| Some(score(entry.group.as_bytes(), &typed)? / 4))
                .or(entry.is_found.then_some(0))?;
            // Of two equal matches, the shorter label is better.
            let length = if nothing_typed { 0 } else { entry.label.len() };
            let recent = entry.recent.unwrap_or(usize::MAX);
            let is_scattered = score < FIRST + NEXT * (typed.len() as u32).saturating_sub(1);
            let last = entry.changes && (nothing_typed || is_scattered);
            let tie = (!entry.fits, entry.is_found, length, recent, at);
            let order = (last, Reverse(score), tie);
            Some((order, at))
        })
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, at)| at).collect()
}

/// Scores how well a text contains the typed letters in order; `None` if it does not. The first
/// letter scores most at the start of the text or of a word. Each further letter scores most
/// directly after the previous one, then at the start of a word.
fn score(text: &[u8], typed: &[u8]) -> Option<u32> {
    let Some((first, rest)) = typed.split_first() else {
        return Some(0);
    };
    let is = |at: usize, wanted: u8| text[at].to_ascii_lowercase() == wanted;
    let begins = |at: usize| at == 0 || !text[at - 1].is_ascii_alphanumeric();
    // For each position: the best score of all letters so far if the last one is there.
    let mut best: Vec<Option<u32>> = (0..text.len())
        .map(|at| {
            let score = match at {
                0 => 50,
                at if begins(at) => FIRST,
                _ => 10,
            };
            is(at, *first).then_some(score)
        })
        .collect();
    for wanted in rest {
        best = (0..text.len())
            .map(|at| {
                let before = best[..at].iter().enumerate();
                let scores = before.filter_map(|(from, score)| {
                    let step = match at {
                        at if at == from + 1 => 30,
                        at if begins(at) => NEXT,
                        _ => 2,
                    };
                    Some(score.as_ref()? + step)
                });
                scores.max().filter(|_| is(at, *wanted))
            })
            .collect();
    }
    best.into_iter().flatten().max()
}
