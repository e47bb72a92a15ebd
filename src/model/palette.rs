//! What a palette offers, and in which order, for what somebody typed.

use std::cmp::Reverse;

/// What a palette offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub label: String,
    /// The part of the app it belongs to.
    pub group: &'static str,
    /// Its keys, as caps.
    pub keys: Vec<String>,
    /// How recently it was used: 0 is the last one, none was not used.
    pub recent: Option<usize>,
    /// Whether it changes leads. Such an entry is never first while nothing is typed: Enter would pick it.
    pub changes: bool,
    /// Whether it works on what is selected now.
    pub fits: bool,
}

/// The indices of the entries that match, the best one first. Everything matches nothing typed:
/// then those that change nothing come first. Of entries that match equally well, those for the selection
/// come first, then the recent ones.
pub fn matching(entries: &[Entry], typed: &str) -> Vec<usize> {
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
                // The group helps to find, but less.
                .or_else(|| Some(score(entry.group.as_bytes(), &typed)? / 4))?;
            // Of two that hold it as well, the shorter one.
            let length = if nothing_typed { 0 } else { entry.label.len() };
            let recent = entry.recent.unwrap_or(usize::MAX);
            let changes = nothing_typed && entry.changes;
            let order = (Reverse(score), changes, !entry.fits, length, recent, at);
            Some((order, at))
        })
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, at)| at).collect()
}

/// How well a text holds what was typed, letter by letter in order; none where it does not. Letters
/// at the beginnings of words count most, then letters that follow each other.
fn score(text: &[u8], typed: &[u8]) -> Option<u32> {
    let Some((first, rest)) = typed.split_first() else {
        return Some(0);
    };
    let is = |at: usize, wanted: u8| text[at].to_ascii_lowercase() == wanted;
    let begins = |at: usize| at == 0 || !text[at - 1].is_ascii_alphanumeric();
    // For each place, the best way to have found all letters so far, the last one there.
    let mut best: Vec<Option<u32>> = (0..text.len())
        .map(|at| {
            let score = match at {
                0 => 50,
                at if begins(at) => 40,
                _ => 10,
            };
            is(at, *first).then_some(score)
        })
        .collect();
    for wanted in rest {
        best = (0..text.len())
            .map(|at| {
                let before = best[..at].iter().enumerate();
                let ways = before.filter_map(|(from, score)| {
                    let step = match at {
                        at if at == from + 1 => 30,
                        at if begins(at) => 24,
                        _ => 2,
                    };
                    Some(score.as_ref()? + step)
                });
                ways.max().filter(|_| is(at, *wanted))
            })
            .collect();
    }
    best.into_iter().flatten().max()
}
