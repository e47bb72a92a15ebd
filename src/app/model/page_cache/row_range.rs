//! Maps a page on the screen to pages of the server.

/// Where the rows of a page are on the server. The positions differ: decided leads remain on the
/// screen, but leave the tab on the server. Deleted leads leave the screen first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowRange {
    /// Page of the server that has the first row, from 1.
    pub page: u32,
    /// Number of rows of that page to skip.
    pub skip: usize,
}

impl RowRange {
    /// Returns the range of a page of `size` rows, where the page is counted from 0. `departed`
    /// rows before it are no longer on the server, and `deleted` rows before it are no longer on the
    /// screen. If the range does not begin with a page of the server, the server's next page is
    /// needed, too.
    pub fn new(page: u64, size: u32, departed: u64, deleted: u64) -> Self {
        let size = u64::from(size);
        let first = (page * size + deleted).saturating_sub(departed);
        Self {
            page: u32::try_from(first / size + 1).unwrap_or(u32::MAX),
            skip: (first % size) as usize,
        }
    }
}

/// Rows of a page, assembled from pages of the server.
#[derive(Clone, Debug)]
pub struct PageAssembly<R> {
    pub rows: Vec<R>,
    /// Rows to skip; `None` after the first page of the server.
    skip: Option<usize>,
    missing: usize,
}

impl<R> PageAssembly<R> {
    pub fn new(range: RowRange) -> Self {
        Self {
            rows: Vec::new(),
            skip: Some(range.skip),
            missing: range.skip,
        }
    }

    /// Whether rows of the server's next page are needed.
    pub fn wants_more(&self) -> bool {
        self.missing > 0
    }

    /// Takes what belongs here from the server's next page. `is_deleted` is called for each row,
    /// with the number of rows before it.
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
