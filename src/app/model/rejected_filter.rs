//! Which part of a view the server rejected, and the messages about it.

use lead_workspace_api::first_messages::{FirstMessages, shorten};
use lead_workspace_api::{Detail, ErrorEntry};

use super::filters::FilterKey;

/// Rejected part of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RejectedFilter {
    Filter(FilterKey),
    Sort,
    Search,
}

/// Returns the server's messages on filters, sort and search. The location of a filter is its index
/// as sent: `before` filters precede those of `parts`.
pub fn blamed(
    before: usize,
    parts: &[FilterKey],
    detail: &Detail,
) -> Vec<(RejectedFilter, String)> {
    let Detail::Entries(entries) = detail else {
        return Vec::new();
    };
    let of = |loc: &[String]| {
        let mut path = path(loc);
        match path.next()? {
            "filters" => {
                let index = path.next()?.parse::<usize>().ok()?.checked_sub(before)?;
                parts.get(index).copied().map(RejectedFilter::Filter)
            }
            "sort_by" | "sort_dir" => Some(RejectedFilter::Sort),
            "search" => Some(RejectedFilter::Search),
            _ => None,
        }
    };
    let blamed = entries.iter();
    blamed
        .filter_map(|entry| Some((of(&entry.loc)?, entry.msg.clone())))
        .collect()
}

/// Returns the rejection as text for the user; `None` if there are no entries. API locations are
/// left out.
pub fn refusal(detail: &Detail) -> Option<String> {
    let Detail::Entries(entries) = detail else {
        return None;
    };
    let first: FirstMessages = entries.iter().map(sentence).collect();
    (!entries.is_empty()).then(|| first.join(". "))
}

/// Returns the server's message on the search, for the user; `None` if it accepts the search.
pub fn of_search(detail: &Detail) -> Option<String> {
    let Detail::Entries(entries) = detail else {
        return None;
    };
    let mut entries = entries.iter();
    let entry = entries.find(|entry| path(&entry.loc).next() == Some("search"))?;
    Some(sentence(entry) + ".")
}

/// Returns an error as a sentence without the full stop.
fn sentence(entry: &ErrorEntry) -> String {
    let what = match path(&entry.loc).next() {
        Some("filters") => "This filter isn't accepted",
        Some("search") => "This search isn't accepted",
        Some("sort_by" | "sort_dir") => "This sort order isn't accepted",
        _ => "The server didn't accept this",
    };
    match entry.msg.trim().trim_end_matches('.') {
        "" => what.to_owned(),
        message => shorten([what, ": ", message].concat()),
    }
}

/// Returns the location of an error without the leading `body`.
fn path(loc: &[String]) -> impl Iterator<Item = &str> {
    let path = loc.iter().skip_while(|part| *part == "body");
    path.map(String::as_str)
}
