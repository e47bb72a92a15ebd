//! The first rows of the lists that were shown last. A list that is asked for again shows them at once, while it is read
//! again. Pure.

use super::page_cache::PageCache;

/// Maximum number of lists. The oldest is dropped first.
const MAX_LISTS: usize = 8;

/// Maximum number of rows of a list.
const MAX_ROWS: usize = 200;

#[derive(Clone, Debug)]
struct RecentList<R> {
    query: String,
    /// Rows on a page.
    size: u32,
    /// The number of rows of the whole list.
    total: u64,
    rows: Vec<R>,
}

/// The oldest first.
#[derive(Clone, Debug)]
pub struct RecentLists<R>(Vec<RecentList<R>>);

impl<R> Default for RecentLists<R> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<R: Clone> RecentLists<R> {
    /// Stores the first rows of a list.
    pub fn put(&mut self, query: String, pages: &PageCache<R>) {
        self.keep(|other| other != query);
        if self.0.len() == MAX_LISTS {
            self.0.remove(0);
        }
        let rows = pages.rows().zip(0..);
        let rows = rows.take_while(|((index, _), at)| index == at);
        self.0.push(RecentList {
            query,
            size: pages.size(),
            total: pages.total(),
            rows: rows
                .take(MAX_ROWS)
                .map(|((_, row), _)| row.clone())
                .collect(),
        });
    }

    /// Removes and returns a list, without the rows that are no longer part of it. `None` if its first page is not known
    /// in this size.
    pub fn take(
        &mut self,
        query: &str,
        size: u32,
        is_gone: impl Fn(&R) -> bool,
    ) -> Option<PageCache<R>> {
        let at = self.0.iter().position(|list| list.query == query)?;
        let mut list = self.0.remove(at);
        let before = list.rows.len();
        list.rows.retain(|row| !is_gone(row));
        let total = list.total - (before - list.rows.len()) as u64;
        let pages = PageCache::outdated(size, total, list.rows);
        (list.size == size && pages.holds(0)).then_some(pages)
    }

    /// Drops the lists whose query `is_kept` rejects.
    pub fn keep(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.0.retain(|list| is_kept(&list.query));
    }
}
