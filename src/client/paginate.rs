//! Pagination over every page of a query: which page to read next, which rows are new, and what
//! changed on the server in the meantime. Pure; the caller fetches the pages.
//!
//! Rows that leave the query shift later rows forward, onto pages that were already read. Such a
//! page is read again. The number of repeated reads is limited to about twice the number of pages,
//! so that pagination ends however fast the list shrinks.

use std::collections::BTreeSet;

use lead_workspace_api::{Page, RowError};

use self::covered_ranges::{CoveredRanges, END};

mod covered_ranges;

/// Repeated reads allowed per page of the list.
const REREADS_PER_PAGE: u64 = 2;
/// Repeated reads allowed on top, so that a short list that changes fast is read completely, too.
const MIN_REREADS: u64 = 8;

/// A change on the server while the pages were read. Rows may be missing or stale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drift {
    /// The number of rows of the query changed.
    Total {
        /// The total reported before.
        before: u64,
        /// The total reported by this page.
        now: u64,
    },
    /// Rows of an earlier page appeared again on a later one; they are returned once. Repeated rows
    /// on a page that is read again are not reported.
    Repeated {
        /// Their ids.
        ids: Vec<String>,
    },
    /// A page had only rows that were already read. Pagination ends rather than looping.
    Stuck {
        /// The page number.
        page: u32,
    },
    /// The list kept changing, and pagination ends without certainty that every row was read.
    Incomplete,
}

/// The result of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct AcceptedPage<T> {
    /// New rows.
    pub rows: Vec<T>,
    /// Rows that could not be read.
    pub row_errors: Vec<RowError>,
    /// Changes on the server.
    pub drift: Vec<Drift>,
}

/// The pagination state of one query.
#[derive(Clone, Debug)]
pub struct Paginator {
    next: Option<u32>,
    /// The highest page number read.
    furthest: u32,
    /// Number of repeated page reads.
    rereads: u64,
    page_size: u32,
    left: Option<u64>,
    /// The first total that a page reported.
    at_first: Option<u64>,
    total: Option<u64>,
    covered: CoveredRanges,
    seen: BTreeSet<String>,
}

impl Paginator {
    /// Starts at page `first` and returns at most `max_items` rows.
    pub fn new(first: u32, page_size: u32, max_items: Option<u64>) -> Self {
        let next = (max_items != Some(0)).then_some(first);
        Self {
            next,
            furthest: 0,
            rereads: 0,
            page_size,
            left: max_items,
            at_first: None,
            total: None,
            covered: CoveredRanges::new(0),
            seen: BTreeSet::new(),
        }
    }

    /// Returns the page to fetch next; `None` at the end.
    pub fn next_page(&self) -> Option<u32> {
        self.next
    }

    /// Returns the number of rows of the query, from the latest page that reported it.
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    /// Adds the page that [`next_page`](Self::next_page) returned; `id` identifies rows.
    pub fn accept<T>(&mut self, page: Page<T>, id: fn(&T) -> Option<&str>) -> AcceptedPage<T> {
        let ids = page.data.iter().map(|row| id(row).map(str::to_owned));
        let (is_new, drift) = self.accept_summary(PageSummary {
            ids: ids.collect(),
            lost: page.lost(),
            total: page.total,
            has_more: page.has_more,
            page_size: page.page_size,
        });
        let mut is_new = is_new.into_iter();
        let rows = page.data.into_iter();
        AcceptedPage {
            rows: rows.filter(|_| is_new.next() == Some(true)).collect(),
            row_errors: page.row_errors,
            drift,
        }
    }

    /// Like [`accept`](Self::accept), for a summary of a page. Returns for each row whether it is
    /// new and wanted, and what changed on the server.
    pub(crate) fn accept_summary(&mut self, page: PageSummary) -> (Vec<bool>, Vec<Drift>) {
        let number = self.next.unwrap_or(1);
        let row_count = page.ids.len() + page.lost;
        let page_size = page.page_size.unwrap_or(self.page_size).max(1);
        if self.furthest == 0 {
            // The first page decides the page size: the server may use another one than requested.
            self.page_size = page_size;
            self.covered = CoveredRanges::new(start_of(number, page_size));
        }
        let mut drift = Vec::new();
        let (mut removed, mut added) = (0, 0);
        if let (Some(before), Some(now)) = (self.total, page.total)
            && before != now
        {
            removed = before.saturating_sub(now);
            added = now.saturating_sub(before);
            drift.push(Drift::Total { before, now });
        }
        self.total = page.total.or(self.total);
        self.at_first = self.at_first.or(page.total);

        let mut repeated = Vec::new();
        let mut new_rows = 0;
        let mut is_new = Vec::with_capacity(page.ids.len());
        for id in page.ids {
            // A row without an id cannot be recognized, so it always counts as new.
            let known = id.as_ref().is_some_and(|id| self.seen.contains(id));
            match id {
                Some(id) if known => repeated.push(id),
                Some(id) => {
                    self.seen.insert(id);
                }
                None => {}
            }
            let wanted = self.left.is_none_or(|left| new_rows < left);
            is_new.push(!known && wanted);
            new_rows += u64::from(!known);
        }

        let short = row_count < usize::try_from(page_size).unwrap_or(usize::MAX);
        // An empty page with `has_more` set would be requested forever.
        let last = page.has_more.map_or(short, |more| !more) || row_count == 0;
        let is_reread = number <= self.furthest;
        self.furthest = self.furthest.max(number);
        self.rereads += u64::from(is_reread);
        // On a page that is read again, repeated rows are expected.
        if is_reread {
            repeated.clear();
        }
        let moved_here = removed > 0 || added >= row_count as u64;
        let stuck = new_rows == 0 && !repeated.is_empty() && page.lost == 0 && !last && !moved_here;
        if !repeated.is_empty() {
            drift.push(Drift::Repeated { ids: repeated });
        }
        if stuck {
            drift.push(Drift::Stuck { page: number });
        }

        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(new_rows);
        }
        let start = start_of(number, self.page_size);
        let end = if last {
            END
        } else {
            start.saturating_add(self.page_size.into())
        };
        self.covered.moved(removed, added);
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
        (is_new, drift)
    }

    /// Returns the page to read next: one where rows may have been missed, else the one after all
    /// that was read.
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
        let page =
            page.filter(|page| *page > self.furthest || self.rereads < self.max_rereads(size));
        // The limit of repeated reads is used up: continue after all that was read, if more pages may follow.
        page.or_else(|| {
            self.furthest
                .checked_add(1)
                .filter(|_| !self.covered.reaches_end())
        })
    }

    /// Returns how many repeated reads are allowed so far. If the caller removes rows from the list
    /// while it reads, pagination stays on the same few pages, so the rows read count as pages, too.
    fn max_rereads(&self, page_size: u64) -> u64 {
        let rows = (self.seen.len() as u64).min(self.at_first.unwrap_or(0));
        REREADS_PER_PAGE * u64::from(self.furthest).max(rows.div_ceil(page_size)) + MIN_REREADS
    }
}

/// Returns the position of a page's first row, from 0.
fn start_of(page: u32, page_size: u32) -> u64 {
    u64::from(page.saturating_sub(1)) * u64::from(page_size)
}

/// The summary of a page that pagination needs.
pub(crate) struct PageSummary {
    /// The id of each row that could be read.
    pub(crate) ids: Vec<Option<String>>,
    /// Number of further rows that arrived but could not be read.
    pub(crate) lost: usize,
    /// As in [`Page`].
    pub(crate) total: Option<u64>,
    /// As in [`Page`].
    pub(crate) has_more: Option<bool>,
    /// As in [`Page`].
    pub(crate) page_size: Option<u32>,
}
