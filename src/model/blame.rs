//! Which part of a view the server refused, and how that is said.

use lead_workspace_api::{Detail, ErrorEntry};

use super::filters::Part;

/// What the server refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blamed {
    /// One of the filters.
    Part(Part),
    /// The sort.
    Sort,
    /// The search.
    Search,
}

/// What the server says of filters and sort, each with its own message. The location of a problem
/// counts the filters as they were sent: `before` of them were, before those of `parts`.
pub fn blamed(before: usize, parts: &[Part], detail: &Detail) -> Vec<(Blamed, String)> {
    let Detail::Entries(entries) = detail else {
        return Vec::new();
    };
    let of = |loc: &[String]| {
        let mut place = place(loc);
        match place.next()? {
            "filters" => {
                let index = place.next()?.parse::<usize>().ok()?.checked_sub(before)?;
                parts.get(index).copied().map(Blamed::Part)
            }
            "sort_by" | "sort_dir" => Some(Blamed::Sort),
            "search" => Some(Blamed::Search),
            _ => None,
        }
    };
    let blamed = entries.iter();
    blamed
        .filter_map(|entry| Some((of(&entry.loc)?, entry.msg.clone())))
        .collect()
}

/// What the server refused, for people: without places on the wire. None where it does not say.
pub fn refusal(detail: &Detail) -> Option<String> {
    let Detail::Entries(entries) = detail else {
        return None;
    };
    let sentences: Vec<String> = entries.iter().map(sentence).collect();
    (!sentences.is_empty()).then(|| sentences.join(". "))
}

/// What the server says of the search, for people; none where it accepts it.
pub fn of_search(detail: &Detail) -> Option<String> {
    let Detail::Entries(entries) = detail else {
        return None;
    };
    let mut entries = entries.iter();
    let entry = entries.find(|entry| place(&entry.loc).next() == Some("search"))?;
    Some(sentence(entry) + ".")
}

/// A problem as a sentence without an end.
fn sentence(entry: &ErrorEntry) -> String {
    let what = match place(&entry.loc).next() {
        Some("filters") => "This filter isn't accepted",
        Some("search") => "This search isn't accepted",
        Some("sort_by" | "sort_dir") => "This order isn't accepted",
        _ => "The server didn't accept this",
    };
    match entry.msg.trim().trim_end_matches('.') {
        "" => what.to_owned(),
        said => [what, ": ", said].concat(),
    }
}

/// The place of a problem, without the part of the request that it is in.
fn place(loc: &[String]) -> impl Iterator<Item = &str> {
    let place = loc.iter().skip_while(|part| *part == "body");
    place.map(String::as_str)
}
