//! A walk over every page of a query: which page comes next, which rows are new, and what moved
//! under the walker's feet. Pure; fetching is the caller's business.
//!
//! Rows that leave the query pull those behind them forward, onto pages that were read. The walk reads such a
//! page once more, at most twice as many as there are pages, so that it ends however fast the list shrinks.

use std::collections::BTreeSet;

use lead_workspace_api::{Page, RowError};

use self::covered::{Covered, END};

mod covered;

/// Pages that are read once more, for each page of the list.
const AGAIN: u64 = 2;
/// As many on top, so that a short list that changes fast is read whole, too.
const SPARE: u64 = 8;

/// Something that changed on the server while the pages were read. Rows may be missing or stale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drift {
    /// The query has another number of rows than it had.
    Total {
        /// What the page before said.
        before: u64,
        /// What this page says.
        now: u64,
    },
    /// Rows that stood on an earlier page came again on a later one; they are given once. What comes again
    /// on a page that the walk reads once more is not told.
    Repeated {
        /// Their ids.
        ids: Vec<String>,
    },
    /// A page brought nothing but rows that were there: the walk ends rather than going in circles.
    Stuck {
        /// Which page.
        page: u32,
    },
    /// The list went on changing, and the walk ends without having met every row for certain.
    Incomplete,
}

/// What a page brought.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<T> {
    /// Rows that were not there before.
    pub rows: Vec<T>,
    /// Rows that could not be read.
    pub row_errors: Vec<RowError>,
    /// What moved.
    pub drift: Vec<Drift>,
}

/// A walk over the pages of one query.
#[derive(Clone, Debug)]
pub struct Walk {
    next: Option<u32>,
    /// The furthest page that arrived.
    furthest: u32,
    /// How many pages were read once more.
    again: u64,
    page_size: u32,
    left: Option<u64>,
    /// What the first page that told a total said.
    at_first: Option<u64>,
    total: Option<u64>,
    covered: Covered,
    seen: BTreeSet<String>,
}

impl Walk {
    /// Starts at `first`; gives at most `max_items` rows.
    pub fn new(first: u32, page_size: u32, max_items: Option<u64>) -> Self {
        let next = (max_items != Some(0)).then_some(first);
        Self {
            next,
            furthest: 0,
            again: 0,
            page_size,
            left: max_items,
            at_first: None,
            total: None,
            covered: Covered::new(0),
            seen: BTreeSet::new(),
        }
    }

    /// The page to fetch next; nothing when the walk is over.
    pub fn next_page(&self) -> Option<u32> {
        self.next
    }

    /// How many rows the query has, as the latest page said.
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    /// The page to fetch ahead while the one before it is being used. Nothing when that page is
    /// known to be the last, or holds all that is wanted.
    pub fn prefetch(&self) -> Option<u32> {
        let wanted = self.left.is_none_or(|left| left > 0);
        self.next.filter(|_| wanted)
    }

    /// Takes the page that [`next_page`](Self::next_page) named; `id` tells rows apart.
    pub fn arrived<T>(&mut self, page: Page<T>, id: fn(&T) -> Option<&str>) -> Step<T> {
        let ids = page.data.iter().map(|row| id(row).map(str::to_owned));
        let (news, drift) = self.met(Met {
            ids: ids.collect(),
            lost: page.lost(),
            total: page.total,
            has_more: page.has_more,
            page_size: page.page_size,
        });
        let mut news = news.into_iter();
        let rows = page.data.into_iter();
        Step {
            rows: rows.filter(|_| news.next() == Some(true)).collect(),
            row_errors: page.row_errors,
            drift,
        }
    }

    /// The same with what a walk must know of a page. Tells of each row whether it is to be given,
    /// and what moved.
    pub(crate) fn met(&mut self, page: Met) -> (Vec<bool>, Vec<Drift>) {
        let number = self.next.unwrap_or(1);
        let arrived = page.ids.len() + page.lost;
        let page_size = page.page_size.unwrap_or(self.page_size).max(1);
        if self.furthest == 0 {
            // The server has the last word on how many rows a page has, and has it once.
            self.page_size = page_size;
            self.covered = Covered::new(start_of(number, page_size));
        }
        let mut drift = Vec::new();
        let (mut gone, mut come) = (0, 0);
        if let (Some(before), Some(now)) = (self.total, page.total)
            && before != now
        {
            gone = before.saturating_sub(now);
            come = now.saturating_sub(before);
            drift.push(Drift::Total { before, now });
        }
        self.total = page.total.or(self.total);
        self.at_first = self.at_first.or(page.total);

        let mut repeated = Vec::new();
        let mut fresh = 0;
        let mut news = Vec::with_capacity(page.ids.len());
        for id in page.ids {
            // A row without an id cannot be told from another, so it is given.
            let known = id.as_ref().is_some_and(|id| self.seen.contains(id));
            match id {
                Some(id) if known => repeated.push(id),
                Some(id) => {
                    self.seen.insert(id);
                }
                None => {}
            }
            let wanted = self.left.is_none_or(|left| fresh < left);
            news.push(!known && wanted);
            fresh += u64::from(!known);
        }

        let short = arrived < usize::try_from(page_size).unwrap_or(usize::MAX);
        // An empty page with `has_more` set would be asked for ever again.
        let last = page.has_more.map_or(short, |more| !more) || arrived == 0;
        let again = number <= self.furthest;
        self.furthest = self.furthest.max(number);
        self.again += u64::from(again);
        // That the rows of an earlier page come again is the walk's own doing then.
        if again {
            repeated.clear();
        }
        let moved_here = gone > 0 || come >= arrived as u64;
        let stuck = fresh == 0 && !repeated.is_empty() && page.lost == 0 && !last && !moved_here;
        if !repeated.is_empty() {
            drift.push(Drift::Repeated { ids: repeated });
        }
        if stuck {
            drift.push(Drift::Stuck { page: number });
        }

        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(fresh);
        }
        let start = start_of(number, self.page_size);
        let end = if last {
            END
        } else {
            start.saturating_add(self.page_size.into())
        };
        self.covered.moved(gone, come);
        self.covered.add(start, end);
        self.next = if stuck || self.left == Some(0) {
            None
        } else {
            let next = self.after();
            if next.is_none() && self.covered.first_open() != END {
                drift.push(Drift::Incomplete);
            }
            next
        };
        (news, drift)
    }

    /// The page to read next: one where rows may have been missed, else the one behind what was read.
    fn after(&self) -> Option<u32> {
        let open = self.covered.first_open();
        if open == END {
            return None;
        }
        let size = u64::from(self.page_size);
        let page = if self.covered.has_gap() {
            open / size
        } else {
            open.div_ceil(size)
        };
        let page = u32::try_from(page)
            .ok()
            .and_then(|page| page.checked_add(1));
        let page = page.filter(|page| *page > self.furthest || self.again < self.most(size));
        // Nothing is read once more: it goes on behind all that was read, if anything is there.
        page.or_else(|| {
            self.furthest
                .checked_add(1)
                .filter(|_| !self.covered.reaches_end())
        })
    }

    /// How many pages may be read once more by now: so many for each page read so far. Where whoever walks takes
    /// rows out of the list, it is read on the same few pages, and its rows are what counts.
    fn most(&self, page_size: u64) -> u64 {
        let rows = (self.seen.len() as u64).min(self.at_first.unwrap_or(0));
        AGAIN * u64::from(self.furthest).max(rows.div_ceil(page_size)) + SPARE
    }
}

/// The place of a page's first row, from 0.
fn start_of(page: u32, page_size: u32) -> u64 {
    u64::from(page.saturating_sub(1)) * u64::from(page_size)
}

/// What a walk must know of a page.
pub(crate) struct Met {
    /// The id of each row that could be read.
    pub(crate) ids: Vec<Option<String>>,
    /// How many rows arrived besides these.
    pub(crate) lost: usize,
    /// As in the page.
    pub(crate) total: Option<u64>,
    /// As in the page.
    pub(crate) has_more: Option<bool>,
    /// As in the page.
    pub(crate) page_size: Option<u32>,
}
