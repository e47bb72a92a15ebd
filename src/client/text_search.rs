//! Byte-wise text search. `str::replace` of std is faster on long texts, but adds its searcher and
//! its panics to the Wasm.

/// Replaces every occurrence of `part`, which is ASCII and not empty.
pub(crate) fn replaced(text: &str, part: &str, with: &str) -> String {
    let mut done = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = split_once(rest, part) {
        done.push_str(before);
        done.push_str(with);
        rest = after;
    }
    done.push_str(rest);
    done
}

/// Returns the text before and after the first `part`.
pub(super) fn split_once<'a>(text: &'a str, part: &str) -> Option<(&'a str, &'a str)> {
    let mut windows = text.as_bytes().windows(part.len());
    let at = windows.position(|window| window == part.as_bytes())?;
    Some((text.get(..at)?, text.get(at + part.len()..)?))
}

pub(crate) fn contains(text: &str, part: &str) -> bool {
    split_once(text, part).is_some()
}
