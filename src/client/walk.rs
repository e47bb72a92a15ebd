//! A walk over every page of a query: which page comes next, which rows are new, and what moved
//! under the walker's feet. Where rows left the query it goes back by as many. Pure; fetching is the caller's business.

use std::collections::BTreeSet;

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
    first: u32,
    next: Option<u32>,
    /// The furthest page that arrived.
    furthest: u32,
    page_size: u32,
    left: Option<u64>,
    total: Option<u64>,
    /// The lowest total of all pages; the largest number while there is none.
    lowest: u64,
    seen: BTreeSet<String>,
}

impl Walk {
    /// Starts at `first`; gives at most `max_items` rows.
    pub fn new(first: u32, page_size: u32, max_items: Option<u64>) -> Self {
        let next = (max_items != Some(0)).then_some(first);
        Self {
            first,
            next,
            furthest: 0,
            page_size,
            left: max_items,
            total: None,
            lowest: u64::MAX,
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
            odd: page.row_errors.len(),
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
        let arrived = page.ids.len() + page.odd;
        let page_size = page.page_size.unwrap_or(self.page_size);
        let mut drift = Vec::new();
        // Below any before, so that a total that goes up and down keeps nobody here for ever.
        let lowest = self.lowest.min(page.total.unwrap_or(u64::MAX));
        let gone = match self.total {
            Some(_) => self.lowest - lowest,
            None => 0,
        };
        self.lowest = lowest;
        if let (Some(before), Some(now)) = (self.total, page.total)
            && before != now
        {
            drift.push(Drift::Total { before, now });
        }
        self.total = page.total.or(self.total);

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

        let last = match page.has_more {
            Some(more) => !more,
            None => arrived < usize::try_from(page_size).unwrap_or(usize::MAX),
        };
        // Rows that left the query pulled those behind them forward, onto pages that were read: the walk
        // goes back as far. What comes again there is no sign of a circle.
        let back = u32::try_from(gone.div_ceil(u64::from(page_size.max(1)))).unwrap_or(u32::MAX);
        let again = number <= self.furthest;
        self.furthest = self.furthest.max(number);
        let stuck =
            fresh == 0 && !repeated.is_empty() && page.odd == 0 && !last && back == 0 && !again;
        if !repeated.is_empty() {
            drift.push(Drift::Repeated { ids: repeated });
        }
        if stuck {
            drift.push(Drift::Stuck { page: number });
        }

        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(fresh);
        }
        // An empty page with `has_more` set would be asked for ever again.
        let over = (back == 0 && (last || stuck || arrived == 0)) || self.left == Some(0);
        self.next = match back {
            _ if over => None,
            0 => number.checked_add(1),
            _ => Some(number.saturating_sub(back).max(self.first)),
        };
        (news, drift)
    }
}

/// What a walk must know of a page.
pub(crate) struct Met {
    /// The id of each row that could be read.
    pub(crate) ids: Vec<Option<String>>,
    /// How many rows could not be read.
    pub(crate) odd: usize,
    /// As in the page.
    pub(crate) total: Option<u64>,
    /// As in the page.
    pub(crate) has_more: Option<bool>,
    /// As in the page.
    pub(crate) page_size: Option<u32>,
}
