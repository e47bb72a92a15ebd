//! A walk over every page of a query: which page comes next, which rows are new, and what moved
//! under the walker's feet. Pure; fetching is the caller's business.

use std::collections::HashSet;

use lead_workspace_api::{Page, RowError};

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
    /// Rows that stood on an earlier page came again; they are given once.
    Repeated {
        /// Their ids.
        ids: Vec<String>,
    },
    /// A page brought nothing but rows that were there: the walk ends rather than going in circles.
    Stuck {
        /// Which page.
        page: u32,
    },
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
    page_size: u32,
    left: Option<u64>,
    total: Option<u64>,
    seen: HashSet<String>,
}

impl Walk {
    /// Starts at `first`; gives at most `max_items` rows.
    pub fn new(first: u32, page_size: u32, max_items: Option<u64>) -> Self {
        let next = (max_items != Some(0)).then_some(first);
        Self {
            next,
            page_size,
            left: max_items,
            total: None,
            seen: HashSet::new(),
        }
    }

    /// The page to fetch next; nothing when the walk is over.
    pub fn next_page(&self) -> Option<u32> {
        self.next
    }

    /// The page to fetch ahead while the one before it is being used. Nothing when that page is
    /// known to be the last, or holds all that is wanted.
    pub fn prefetch(&self) -> Option<u32> {
        let wanted = self.left.is_none_or(|left| left > 0);
        self.next.filter(|_| wanted)
    }

    /// Takes the page that [`next_page`](Self::next_page) named; `id` tells rows apart.
    pub fn arrived<T>(&mut self, page: Page<T>, id: fn(&T) -> Option<&str>) -> Step<T> {
        let number = self.next.unwrap_or(1);
        let arrived = page.data.len() + page.row_errors.len();
        let mut drift = Vec::new();
        if let (Some(before), Some(now)) = (self.total, page.total)
            && before != now
        {
            drift.push(Drift::Total { before, now });
        }
        self.total = page.total.or(self.total);

        let mut repeated = Vec::new();
        let mut rows = Vec::with_capacity(page.data.len());
        for row in page.data {
            // A row without an id cannot be told from another, so it is given.
            match id(&row) {
                Some(id) if self.seen.contains(id) => repeated.push(id.to_owned()),
                Some(id) => {
                    self.seen.insert(id.to_owned());
                    rows.push(row);
                }
                None => rows.push(row),
            }
        }

        let last = match page.has_more {
            Some(more) => !more,
            None => {
                arrived
                    < usize::try_from(page.page_size.unwrap_or(self.page_size))
                        .unwrap_or(usize::MAX)
            }
        };
        let stuck = rows.is_empty() && !repeated.is_empty() && page.row_errors.is_empty() && !last;
        if !repeated.is_empty() {
            drift.push(Drift::Repeated { ids: repeated });
        }
        if stuck {
            drift.push(Drift::Stuck { page: number });
        }

        if let Some(left) = &mut self.left {
            rows.truncate(usize::try_from(*left).unwrap_or(usize::MAX));
            *left = left.saturating_sub(rows.len() as u64);
        }
        // An empty page with `has_more` set would be asked for ever again.
        let over = last || stuck || arrived == 0 || self.left == Some(0);
        self.next = if over { None } else { number.checked_add(1) };
        Step {
            rows,
            row_errors: page.row_errors,
            drift,
        }
    }
}
