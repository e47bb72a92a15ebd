//! Where the rows of a page here are on the server.

/// Where the rows of a page are on the server, once some rows of the list here have left the list there, and
/// the other way round: decided leads stay on the screen, but not in the tab that they were decided in;
/// deleted ones go from the screen first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The server's page, from 1, that the first row is on.
    pub page: u32,
    /// Rows of that page to leave out.
    pub skip: usize,
}

impl Slice {
    /// The slice for a page of so many rows here, when `left` rows before it are gone there, and `deleted`
    /// rows before it are gone here. A page that does not begin where one of the server's begins needs the
    /// server's next one as well.
    pub fn of(page: u64, size: u32, left: u64, deleted: u64) -> Self {
        let size = u64::from(size);
        let first = (page * size + deleted).saturating_sub(left);
        Self {
            page: u32::try_from(first / size + 1).unwrap_or(u32::MAX),
            skip: (first % size) as usize,
        }
    }
}

/// The rows of a page, put together out of those of the server.
#[derive(Clone, Debug)]
pub struct Filling<R> {
    /// The rows so far.
    pub rows: Vec<R>,
    /// Rows to leave out, until the first of the server's pages is here.
    skip: Option<usize>,
    missing: usize,
}

impl<R> Filling<R> {
    /// Nothing yet.
    pub fn of(slice: Slice) -> Self {
        Self {
            rows: Vec::new(),
            skip: Some(slice.skip),
            missing: slice.skip,
        }
    }

    /// Whether rows of the server's next page belong here, too.
    pub fn wants_more(&self) -> bool {
        self.missing > 0
    }

    /// Takes what belongs here out of the server's next page. `is_deleted` is asked for every row, with the
    /// number of those before it.
    pub fn take(&mut self, rows: Vec<R>, mut is_deleted: impl FnMut(&R, usize) -> bool) {
        let first = self.skip.take();
        for row in rows.into_iter().skip(first.unwrap_or_default()) {
            if first.is_none() && self.missing == 0 {
                return;
            }
            match (is_deleted(&row, self.rows.len()), first) {
                (true, Some(_)) => self.missing += 1,
                (true, None) => {}
                (false, first) => {
                    self.missing -= usize::from(first.is_none());
                    self.rows.push(row);
                }
            }
        }
    }
}
