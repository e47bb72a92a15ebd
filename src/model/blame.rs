//! Which part of a view the server refused.

use lead_workspace_api::Detail;

use super::filters::Part;

/// What the server refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blamed {
    /// One of the filters.
    Part(Part),
    /// The sort.
    Sort,
}

/// What the server says of filters and sort, each with its own message. The location of a problem
/// counts the filters as they were sent: `before` of them were, before those of `parts`.
pub fn blamed(before: usize, parts: &[Part], detail: &Detail) -> Vec<(Blamed, String)> {
    let Detail::Entries(entries) = detail else {
        return Vec::new();
    };
    let of = |loc: &[String]| {
        let place = loc.iter().skip_while(|part| *part == "body");
        let mut place = place.map(String::as_str);
        match place.next()? {
            "filters" => {
                let index = place.next()?.parse::<usize>().ok()?.checked_sub(before)?;
                parts.get(index).copied().map(Blamed::Part)
            }
            "sort_by" | "sort_dir" => Some(Blamed::Sort),
            _ => None,
        }
    };
    let blamed = entries.iter();
    blamed
        .filter_map(|entry| Some((of(&entry.loc)?, entry.msg.clone())))
        .collect()
}
