//! Loaded pages of a long list. A row has an index in the whole list; most rows are not loaded.

use std::collections::BTreeSet;
use std::ops::Range;

pub use self::row_range::{PageAssembly, RowRange};

mod row_range;

/// Possible numbers of rows on a page. One request loads one page.
pub const SIZES: [u32; 3] = [25, 50, 100];

/// Default number of rows on a page.
pub const DEFAULT_SIZE: u32 = SIZES[1];

/// Maximum number of loaded rows. The pages furthest from the newest one are dropped first.
const MAX_ROWS: u64 = 3000;

/// Parses a page size; the default if it is none of [`SIZES`].
pub fn size_of(word: &str) -> u32 {
    let size = word.parse().ok();
    size.filter(|size| SIZES.contains(size))
        .unwrap_or(DEFAULT_SIZE)
}

/// Returns the length of a list, as reported by the server. If it is not reported, returns a lower
/// bound: the number of rows seen so far, and one more if another page follows.
pub fn total(given: Option<u64>, seen: u64, has_more: Option<bool>) -> u64 {
    given.unwrap_or(seen + u64::from(has_more == Some(true)))
}

#[derive(Clone, Debug)]
pub struct PageCache<R> {
    /// Rows on a page.
    size: u64,
    total: u64,
    /// Sorted by page number. There are few, so they are searched linearly.
    pages: Vec<(u64, Vec<R>)>,
    /// Pages whose rows are shown, and read again as if they were not loaded.
    outdated: Vec<u64>,
}

impl<R> Default for PageCache<R> {
    fn default() -> Self {
        Self::new(DEFAULT_SIZE)
    }
}

impl<R> PageCache<R> {
    /// Creates an empty list with pages of `size` rows.
    pub fn new(size: u32) -> Self {
        Self {
            size: u64::from(size.max(1)),
            total: 0,
            pages: Vec::new(),
            outdated: Vec::new(),
        }
    }

    /// Creates a list from its first rows, to be read again.
    pub fn outdated(size: u32, total: u64, rows: Vec<R>) -> Self {
        let mut list = Self::new(size);
        list.total = total;
        let mut rows = rows.into_iter();
        let mut end = 0;
        for page in 0.. {
            let rows: Vec<R> = rows.by_ref().take(size as usize).collect();
            let is_whole = rows.len() == size as usize;
            end += rows.len() as u64;
            if !is_whole && end != total {
                break;
            }
            list.pages.push((page, rows));
            list.outdated.push(page);
            if end == total {
                break;
            }
        }
        list
    }

    /// Returns the page of a row.
    pub fn page(&self, index: u64) -> u64 {
        index / self.size
    }

    /// Returns the index of a row on its page.
    fn at(&self, index: u64) -> usize {
        (index % self.size) as usize
    }

    /// Returns the number of rows on a page.
    pub fn size(&self) -> u32 {
        self.size as u32
    }

    /// Returns the number of rows in the list.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Whether no page is loaded.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    fn find(&self, page: u64) -> Option<usize> {
        self.pages.iter().position(|(number, _)| *number == page)
    }

    fn get(&self, page: u64) -> Option<&Vec<R>> {
        self.find(page).map(|at| &self.pages[at].1)
    }

    fn get_mut(&mut self, page: u64) -> Option<&mut Vec<R>> {
        self.find(page).map(|at| &mut self.pages[at].1)
    }

    fn set(&mut self, page: u64, rows: Vec<R>) {
        match self.get_mut(page) {
            Some(old) => *old = rows,
            None => {
                let behind = self.pages.iter().position(|(number, _)| *number > page);
                let at = behind.unwrap_or(self.pages.len());
                self.pages.insert(at, (page, rows));
            }
        }
    }

    /// Whether the page of a row is loaded.
    pub fn holds(&self, index: u64) -> bool {
        self.has(self.page(index))
    }

    fn has(&self, page: u64) -> bool {
        self.find(page).is_some()
    }

    /// Returns the pages of these rows that are not loaded, or outdated.
    pub fn missing(&self, rows: &Range<u64>) -> Vec<u64> {
        if rows.is_empty() {
            return Vec::new();
        }
        let pages = self.page(rows.start)..=self.page(rows.end - 1);
        pages.filter(|page| self.lacks(*page)).collect()
    }

    /// Returns the pages next to those of the rows that are not loaded, or outdated, the following one first.
    pub fn neighbors(&self, rows: &Range<u64>) -> Vec<u64> {
        if rows.is_empty() {
            return Vec::new();
        }
        let (first, last) = (self.page(rows.start), self.page(rows.end - 1));
        let around = [Some(last + 1), first.checked_sub(1)];
        let around = around.into_iter().flatten();
        around.filter(|page| self.lacks(*page)).collect()
    }

    /// Whether the list has such a page that is not loaded, or outdated.
    fn lacks(&self, page: u64) -> bool {
        let is_current = self.has(page) && !self.outdated.contains(&page);
        page * self.size < self.total.max(1) && !is_current
    }

    pub fn row(&self, index: u64) -> Option<&R> {
        self.get(self.page(index))?.get(self.at(index))
    }

    /// Returns all loaded rows with their indices, in list order.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = (u64, &R)> {
        self.pages.iter().flat_map(|(page, rows)| {
            let first = page * self.size;
            rows.iter()
                .enumerate()
                .map(move |(at, row)| (first + at as u64, row))
        })
    }

    /// Replaces a loaded row.
    pub fn replace(&mut self, index: u64, row: R) {
        let (page, at) = (self.page(index), self.at(index));
        let rows = self.get_mut(page);
        if let Some(old) = rows.and_then(|rows| rows.get_mut(at)) {
            *old = row;
        }
    }

    /// Drops pages that `is_kept` rejects. They are requested again when they are needed.
    pub fn keep(&mut self, is_kept: impl Fn(u64, &[R]) -> bool) {
        self.pages.retain(|(page, rows)| is_kept(*page, rows));
    }

    /// Marks loaded pages as outdated: their rows are shown, and read again when they are in view.
    pub fn expire(&mut self, is_outdated: impl Fn(u64) -> bool) {
        let pages = self.pages.iter().map(|(page, _)| *page);
        self.outdated = pages
            .filter(|page| is_outdated(*page) || self.outdated.contains(page))
            .collect();
    }

    /// Whether the page of a row is read again when it is in view.
    pub fn is_outdated(&self, index: u64) -> bool {
        self.outdated.contains(&self.page(index))
    }

    /// Whether all rows before the last loaded one are loaded.
    pub fn is_loaded_from_top(&self) -> bool {
        (0..).zip(&self.pages).all(|(at, (page, _))| at == *page)
    }

    /// Whether a page can be read, without rows of the pages before it, from a list that has grown. Not if a page before it
    /// is not loaded, and not if one after it is, whose rows would have to move.
    pub fn can_append(&self, page: u64) -> bool {
        self.is_loaded_before(page) && self.pages.iter().all(|(of, _)| *of <= page)
    }

    /// Whether all rows before a page are loaded.
    pub fn is_loaded_before(&self, page: u64) -> bool {
        self.pages.iter().take_while(|(of, _)| *of < page).count() as u64 == page
    }

    /// Returns the pages with rows that an earlier page has, too. `id` identifies a row.
    pub fn repeated<'a>(&'a self, id: impl Fn(&'a R) -> &'a str) -> Vec<u64> {
        let mut seen = BTreeSet::new();
        let rows = self.rows().filter(|(_, row)| !seen.insert(id(row)));
        rows.map(|(index, _)| self.page(index)).collect()
    }

    /// Removes a row for good. All rows after it move up.
    pub fn remove(&mut self, index: u64) -> Option<R> {
        let (page, at) = (self.page(index), self.at(index));
        let rows = self.get_mut(page)?;
        if at >= rows.len() {
            return None;
        }
        let row = rows.remove(at);
        self.total = self.total.saturating_sub(1);
        // The first row of each following page becomes the last one of the page before. After a
        // gap, the rows are not known any more.
        let mut here = page;
        while let Some(next) = self.get_mut(here + 1) {
            let moved = (!next.is_empty()).then(|| next.remove(0));
            if let (Some(moved), Some(rows)) = (moved, self.get_mut(here)) {
                rows.push(moved);
            }
            here += 1;
        }
        let whole = self.size.min(self.total.saturating_sub(here * self.size));
        let is_whole = self
            .get(here)
            .is_some_and(|rows| rows.len() as u64 >= whole);
        self.pages
            .retain(|(page, _)| *page < here || *page == here && is_whole);
        Some(row)
    }
}

impl<R: PartialEq> PageCache<R> {
    /// Adds a page and sets the current length of the list. Pages beyond the end are dropped.
    pub fn put(&mut self, page: u64, mut rows: Vec<R>, total: u64) {
        self.total = total;
        self.outdated.retain(|outdated| *outdated != page);
        // A row that is equal stays the same value, so that it is not rendered again.
        let old = self.get_mut(page).into_iter().flatten();
        for (row, old) in rows.iter_mut().zip(old) {
            if row == old {
                std::mem::swap(row, old);
            }
        }
        self.set(page, rows);
        let size = self.size;
        self.pages.retain(|(page, _)| page * size < total.max(1));
        while self.pages.len() as u64 * size > MAX_ROWS {
            let (first, last) = (self.pages[0].0, self.pages[self.pages.len() - 1].0);
            if page.saturating_sub(first) > last.saturating_sub(page) {
                self.pages.remove(0);
            } else {
                self.pages.pop();
            }
        }
    }
}

impl<R> PageCache<R> {
    /// Inserts a row where it was removed. All rows from there on move down. If its page is not loaded, the pages after it are
    /// dropped.
    pub fn insert(&mut self, index: u64, row: R) {
        self.total += 1;
        let (mut page, at, size) = (self.page(index), self.at(index), self.size);
        let Some(rows) = self.get_mut(page) else {
            self.pages.retain(|(cached, _)| *cached < page);
            return;
        };
        rows.insert(at.min(rows.len()), row);
        // The last row of each full page becomes the first one of the next page.
        while let Some(over) = self.get_mut(page).and_then(|rows| {
            let whole = rows.len() as u64 > size;
            whole.then(|| rows.pop()).flatten()
        }) {
            page += 1;
            let last = page * size + 1 == self.total;
            match self.get_mut(page) {
                Some(rows) => rows.insert(0, over),
                None if last => self.set(page, vec![over]),
                // Pages after the gap are off by one row, and are requested again.
                None => {
                    self.pages.retain(|(cached, _)| *cached < page);
                    return;
                }
            }
        }
    }
}
