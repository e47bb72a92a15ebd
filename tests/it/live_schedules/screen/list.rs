//! The list: its view, and reads of its pages.

use std::collections::BTreeSet;
use std::ops::Range;

use lead_workspace::api::ApprovalStatus;
use lead_workspace::app::model::lead_tab::Tab;
use lead_workspace::app::model::list_drift::{ListDrift, PlaceOfPage};
use lead_workspace::app::model::page_cache::{PageAssembly, PageCache, RowRange};

use super::{ListScreen, Read, Row, SIZE, VIEW};
use crate::live_schedules::random::Random;
use crate::live_schedules::server::Server;

impl ListScreen {
    pub(super) fn shown(&self, row: &Row) -> ApprovalStatus {
        let shown = self.outbox.shown(&row.id);
        shown.unwrap_or_else(|| row.status.clone())
    }

    pub(super) fn departed_before(&self, end: u64) -> u64 {
        self.decided.count_departed(end, |lead| {
            let known = self.outbox.known(lead);
            known.is_some_and(|known| !Tab::Pending.holds(known))
        })
    }

    pub(super) fn view(&self) -> Range<u64> {
        self.top..(self.top + VIEW).min(self.pages.total())
    }

    /// Moves the view by a row or a page, and requests what is missing there.
    pub fn scroll(&mut self, random: &mut Random) {
        let last = self.pages.total().saturating_sub(VIEW);
        let by = 1 + random.below(8);
        self.top = match random.below(8) {
            0 => random.below(last + 1),
            1 | 2 => self.top.saturating_sub(by),
            _ => (self.top + by).min(last),
        };
        self.request_missing();
    }

    pub(super) fn request_missing(&mut self) {
        let missing = self.pages.missing(&self.view());
        self.reads
            .retain(|read| read.is_fresh || missing.contains(&read.page));
        if self.reads.iter().any(|read| read.is_fresh) {
            return;
        }
        for page in missing {
            if self.drift.loses(page, &self.pages) {
                self.refresh();
                return;
            }
            if !self.reads.iter().any(|read| read.page == page) {
                self.request(page, false);
            }
        }
    }

    /// Reads the list again, where the view is.
    pub(super) fn refresh(&mut self) {
        self.read_again += 1;
        self.decided.clear();
        self.drift = ListDrift::default();
        self.model.list_read();
        self.reads.clear();
        self.request(self.top / u64::from(SIZE), true);
    }

    pub(super) fn request(&mut self, page: u64, is_fresh: bool) {
        let offset = (self.departed_before(page * u64::from(SIZE)), self.made);
        self.reads.push(Read {
            page,
            sent: self.outbox.start_read(),
            offset,
            is_fresh,
            served: None,
        });
    }

    pub fn serve_read(&mut self, server: &Server, random: &mut Random) -> bool {
        let open: Vec<usize> = (0..self.reads.len())
            .filter(|at| self.reads[*at].served.is_none())
            .collect();
        if open.is_empty() {
            return false;
        }
        self.serve(open[random.below(open.len() as u64) as usize], server);
        true
    }

    pub(super) fn serve(&mut self, at: usize, server: &Server) {
        let rows = server.list().into_iter().map(|id| Row {
            status: server.status(&id).unwrap().into(),
            id,
        });
        self.reads[at].served = Some(rows.collect());
    }

    /// Returns the rows of a page, from the pages of the server's list.
    fn assembled(&self, read: &Read, list: &[Row]) -> Vec<Row> {
        let first = read.page * u64::from(SIZE);
        let repeated: BTreeSet<&str> = match self.drift.has_grown() && !read.is_fresh {
            true => {
                let rows = self.pages.rows().take_while(|(index, _)| *index < first);
                rows.map(|(_, row)| &*row.id).collect()
            }
            false => BTreeSet::new(),
        };
        let range = RowRange::new(read.page, SIZE, read.offset.0, 0);
        let mut assembly = PageAssembly::new(range);
        for page in list.chunks(SIZE as usize).skip(range.page as usize - 1) {
            assembly.take(page.to_vec(), |row, _| repeated.contains(&*row.id));
            if !assembly.wants_more() {
                break;
            }
        }
        assembly.rows
    }

    pub fn take_read(&mut self, random: &mut Random) -> bool {
        let done: Vec<usize> = (0..self.reads.len())
            .filter(|at| self.reads[*at].served.is_some())
            .collect();
        if done.is_empty() {
            return false;
        }
        self.take(done[random.below(done.len() as u64) as usize]);
        true
    }

    pub(super) fn take(&mut self, at: usize) {
        let read = self.reads.swap_remove(at);
        let Some(list) = &read.served else {
            return;
        };
        let mut rows = self.assembled(&read, list);
        let total = list.len() as u64;
        let first = read.page * u64::from(SIZE);
        let is_quiet = self.decided.is_empty() || self.outbox.open() == 0;
        let offset = (self.departed_before(first), self.made);
        let departed = self.departed_before(u64::MAX);
        for row in &rows {
            self.outbox.on_read(&row.id, row.status.clone(), read.sent);
        }
        if read.page != 0 && !(is_quiet && offset == read.offset) {
            // The rows before it have changed meanwhile.
            self.request(read.page, read.is_fresh);
            return;
        }
        self.place_decided(&read, &mut rows);
        if self.departed_before(u64::MAX) != departed {
            self.pages.keep(|of, _| of <= read.page);
        }
        if read.is_fresh {
            self.pages = PageCache::new(SIZE);
        }
        let total = total + self.departed_before(u64::MAX);
        self.pages.put(read.page, rows, total);
        self.recent.push(read.page);
        self.top = self.top.min(total.saturating_sub(VIEW));
        self.request_missing();
    }

    fn place_decided(&mut self, read: &Read, rows: &mut Vec<Row>) {
        let place = PlaceOfPage {
            first_row: read.page * u64::from(SIZE),
            size: SIZE,
            is_fresh: read.is_fresh,
        };
        let outbox = &self.outbox;
        let placed = self.drift.place(
            &self.pages,
            &mut self.decided,
            &place,
            rows,
            |row| &row.id,
            |lead| {
                outbox
                    .known(lead)
                    .is_some_and(|known| !Tab::Pending.holds(known))
            },
        );
        if placed.has_moved {
            self.pages.expire(|of| of > read.page);
        }
        self.pages.expire(|page| placed.repeated.contains(&page));
    }
}
