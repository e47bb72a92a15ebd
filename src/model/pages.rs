//! The pages of a long list that are at hand. A row has an index in the whole list; most are not here.

use std::ops::Range;

mod slice;

pub use self::slice::{Filling, Slice};

/// How many rows a page can have: one request asks for a page.
pub const SIZES: [u32; 3] = [25, 50, 100];

/// Rows on a page, unless somebody chose otherwise.
pub const SIZE: u32 = SIZES[1];

/// Rows that are kept; the pages furthest from the view go first.
const MOST: u64 = 3000;

/// The size of a word; the usual one where it is none of them.
pub fn size_of(word: &str) -> u32 {
    let size = word.parse().ok();
    size.filter(|size| SIZES.contains(size)).unwrap_or(SIZE)
}

/// How many rows a list has: what the server says, or, where it says nothing, at least those up to here and one more
/// where another page follows.
pub fn total(said: Option<u64>, seen: u64, has_more: Option<bool>) -> u64 {
    said.unwrap_or(seen + u64::from(has_more == Some(true)))
}

/// Pages of rows.
#[derive(Clone, Debug)]
pub struct Pages<R> {
    /// Rows on a page.
    size: u64,
    total: u64,
    /// In the order of their numbers; there are few.
    pages: Vec<(u64, Vec<R>)>,
}

impl<R> Default for Pages<R> {
    fn default() -> Self {
        Self::of(SIZE)
    }
}

impl<R> Pages<R> {
    /// Nothing yet, in pages of so many rows.
    pub fn of(size: u32) -> Self {
        Self {
            size: u64::from(size.max(1)),
            total: 0,
            pages: Vec::new(),
        }
    }

    /// The page that a row stands on.
    pub fn page(&self, index: u64) -> u64 {
        index / self.size
    }

    /// Where a row stands on its page.
    fn at(&self, index: u64) -> usize {
        (index % self.size) as usize
    }

    /// How many rows a page has.
    pub fn size(&self) -> u32 {
        self.size as u32
    }

    /// How many rows the list has.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Whether no page is at hand.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// A page arrived, with the length of the list as it is now. Pages beyond the new end go.
    pub fn put(&mut self, page: u64, rows: Vec<R>, total: u64) {
        self.total = total;
        self.set(page, rows);
        let size = self.size;
        self.pages.retain(|(page, _)| page * size < total.max(1));
        while self.pages.len() as u64 * size > MOST {
            let (first, last) = (self.pages[0].0, self.pages[self.pages.len() - 1].0);
            if page.saturating_sub(first) > last.saturating_sub(page) {
                self.pages.remove(0);
            } else {
                self.pages.pop();
            }
        }
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

    /// Whether the page that a row stands on is at hand.
    pub fn holds(&self, index: u64) -> bool {
        self.has(self.page(index))
    }

    fn has(&self, page: u64) -> bool {
        self.find(page).is_some()
    }

    /// The pages that the rows stand on and that are not at hand.
    pub fn missing(&self, rows: &Range<u64>) -> Vec<u64> {
        if rows.is_empty() {
            return Vec::new();
        }
        let pages = self.page(rows.start)..=self.page(rows.end - 1);
        pages.filter(|page| self.lacks(*page)).collect()
    }

    /// The pages before and after those of the rows that are not at hand, the one after first.
    pub fn neighbours(&self, rows: &Range<u64>) -> Vec<u64> {
        if rows.is_empty() {
            return Vec::new();
        }
        let (first, last) = (self.page(rows.start), self.page(rows.end - 1));
        let around = [Some(last + 1), first.checked_sub(1)];
        let around = around.into_iter().flatten();
        around.filter(|page| self.lacks(*page)).collect()
    }

    /// Whether the list has such a page, and it is not at hand.
    fn lacks(&self, page: u64) -> bool {
        page * self.size < self.total.max(1) && !self.has(page)
    }

    /// A row.
    pub fn row(&self, index: u64) -> Option<&R> {
        self.get(self.page(index))?.get(self.at(index))
    }

    /// Every row at hand with its index, in the order of the list.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = (u64, &R)> {
        self.pages.iter().flat_map(|(page, rows)| {
            let first = page * self.size;
            rows.iter()
                .enumerate()
                .map(move |(at, row)| (first + at as u64, row))
        })
    }

    /// Puts another row in place of one at hand.
    pub fn replace(&mut self, index: u64, row: R) {
        let (page, at) = (self.page(index), self.at(index));
        let rows = self.get_mut(page);
        if let Some(old) = rows.and_then(|rows| rows.get_mut(at)) {
            *old = row;
        }
    }

    /// Forgets pages, which are asked for again where somebody looks at them.
    pub fn keep(&mut self, is_kept: impl Fn(u64, &[R]) -> bool) {
        self.pages.retain(|(page, rows)| is_kept(*page, rows));
    }

    /// Takes a row out; all rows behind it move up. For a row that is gone for good.
    pub fn remove(&mut self, index: u64) -> Option<R> {
        let (page, at) = (self.page(index), self.at(index));
        let rows = self.get_mut(page)?;
        if at >= rows.len() {
            return None;
        }
        let row = rows.remove(at);
        self.total = self.total.saturating_sub(1);
        // The first row of each page behind becomes the last of the one before; behind a gap nothing
        // is known any more.
        let mut here = page;
        while let Some(next) = self.get_mut(here + 1) {
            let moved = (!next.is_empty()).then(|| next.remove(0));
            if let (Some(moved), Some(rows)) = (moved, self.get_mut(here)) {
                rows.push(moved);
            }
            here += 1;
        }
        let whole = |rows: &Vec<R>| rows.len() as u64 >= self.size;
        let ends = (here + 1) * self.size >= self.total;
        if !ends && !self.get(here).is_some_and(whole) {
            self.pages.retain(|(page, _)| *page != here);
        }
        self.pages.retain(|(page, _)| *page <= here);
        Some(row)
    }
}

impl<R> Pages<R> {
    /// Puts a row back where it was taken out; all rows from there on move down.
    pub fn insert(&mut self, index: u64, row: R) {
        self.total += 1;
        let (mut page, at, size) = (self.page(index), self.at(index), self.size);
        let Some(rows) = self.get_mut(page) else {
            return;
        };
        rows.insert(at.min(rows.len()), row);
        // The last row of each whole page becomes the first of the one behind.
        while let Some(over) = self.get_mut(page).and_then(|rows| {
            let whole = rows.len() as u64 > size;
            whole.then(|| rows.pop()).flatten()
        }) {
            page += 1;
            let last = page * size + 1 == self.total;
            match self.get_mut(page) {
                Some(rows) => rows.insert(0, over),
                None if last => self.set(page, vec![over]),
                // What is behind the gap stood one row higher, and is asked for again.
                None => {
                    self.pages.retain(|(kept, _)| *kept < page);
                    return;
                }
            }
        }
    }
}
