//! The list: its view, and reads of its pages.

use std::ops::Range;
use std::sync::Arc;

use fastrand::Rng;
use lead_workspace::api::ApprovalStatus;
use lead_workspace::app::model::decided_rows::Presence;
use lead_workspace::app::model::lead_tab::Tab;
use lead_workspace::app::model::list_drift::{ListDrift, PlaceOfPage};
use lead_workspace::app::model::page_cache::PageCache;
use lead_workspace::app::model::page_read::{PageOffset, PageRead};
use lead_workspace::review::outbox::Outbox;

use super::{ListScreen, NOW, Read, Row, SIZE, VIEW};
use crate::live_schedules::server::Server;

fn presence(outbox: &Outbox, lead: &str) -> Presence {
    Presence::of(
        outbox.known(lead),
        outbox.unanswered(lead).is_some(),
        Tab::Pending,
    )
}

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

    fn offset(&self, row: u64) -> PageOffset {
        PageOffset {
            made: self.made,
            departed: self.departed_before(row),
            deleted: 0,
            deletions: 0,
        }
    }

    pub(super) fn view(&self) -> Range<u64> {
        self.top..(self.top + VIEW).min(self.pages.total())
    }

    /// Moves the view by a row or a page, and requests what is missing there.
    pub fn scroll(&mut self, random: &mut Rng) {
        let last = self.pages.total().saturating_sub(VIEW);
        let by = random.u64(1..=8);
        self.top = match random.u64(..8) {
            0 => random.u64(..=last),
            1 | 2 => self.top.saturating_sub(by),
            _ => (self.top + by).min(last),
        };
        self.request_missing();
    }

    pub(super) fn request_missing(&mut self) {
        let missing = self.pages.missing(&self.view());
        self.reads
            .retain(|read| read.is_fresh || missing.contains(&read.page.page()));
        if self.reads.iter().any(|read| read.is_fresh) {
            return;
        }
        for page in missing {
            if self.drift.loses(page, &self.pages) {
                self.refresh();
                return;
            }
            if !self.reads.iter().any(|read| read.page.page() == page) {
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

    /// Stores the rows that have left the server's list, or may.
    fn record_leaving(&mut self) {
        if self.reads.iter().any(|read| read.is_fresh) {
            return;
        }
        let leaving = self
            .pages
            .rows()
            .filter(|(_, row)| presence(&self.outbox, &row.id) != Presence::Stays);
        let leaving = leaving.map(|(index, row)| (index, Arc::from(&*row.id)));
        self.decided.add(leaving);
    }

    pub(super) fn request(&mut self, page: u64, is_fresh: bool) {
        self.record_leaving();
        let offset = self.offset(page * u64::from(SIZE));
        let is_known = !is_fresh && self.pages.is_loaded_before(page) && self.decided.is_empty();
        let is_quiet = page == 0 || is_known || self.outbox.open() == 0;
        self.reads.push(Read {
            page: PageRead::new(page, SIZE, offset, is_fresh, is_quiet),
            sent: self.outbox.start_read(),
            is_fresh,
            served: None,
        });
    }

    pub fn serve_read(&mut self, server: &Server, random: &mut Rng) -> bool {
        let open: Vec<usize> = (0..self.reads.len())
            .filter(|at| self.reads[*at].served.is_none())
            .collect();
        let Some(at) = random.choice(0..open.len()) else {
            return false;
        };
        self.serve(open[at], server);
        true
    }

    pub(super) fn serve(&mut self, at: usize, server: &Server) {
        let rows = server.list().into_iter().map(|id| Row {
            status: server.status(&id).unwrap().into(),
            id,
        });
        self.reads[at].served = Some(rows.collect());
    }

    pub fn take_read(&mut self, random: &mut Rng) -> bool {
        let done: Vec<usize> = (0..self.reads.len())
            .filter(|at| self.reads[*at].served.is_some())
            .collect();
        let Some(at) = random.choice(0..done.len()) else {
            return false;
        };
        self.take(done[at]);
        true
    }

    pub(super) fn take(&mut self, at: usize) {
        let Read {
            page: mut read,
            sent,
            is_fresh,
            served,
        } = self.reads.swap_remove(at);
        let Some(list) = served else {
            return;
        };
        let (page, first) = (read.page(), read.first_row());
        let total = Some(list.len() as u64);
        while let Some(from) = read.next() {
            let rows = list.chunks(SIZE as usize).nth(from as usize - 1);
            let repeated = self
                .drift
                .rows_before(first, is_fresh, &self.pages, |row| &row.id);
            let rows = rows.unwrap_or_default().to_vec();
            read.take(rows, total, None, |row, _| repeated.has(&row.id));
        }
        self.record_leaving();
        let departed = self.departed_before(u64::MAX);
        let mut rows = read.take_rows();
        for row in &rows {
            self.outbox.on_read(&row.id, row.status.clone(), sent);
        }
        self.drift.page_read(page, NOW);
        if !read.is_current(self.offset(first)) {
            self.request(page, is_fresh);
            return;
        }
        let listed = rows
            .iter()
            .filter(|row| presence(&self.outbox, &row.id) == Presence::HasLeft);
        let listed = listed.count() as u64;
        self.place_decided(first, is_fresh, &mut rows);
        let departed_now = self.departed_before(u64::MAX);
        if departed_now != departed {
            self.pages.keep(|of, _| of <= page);
        }
        if is_fresh {
            self.pages = PageCache::new(SIZE);
        }
        let total = read.total(rows.len(), departed_now.saturating_sub(listed), 0);
        self.pages.put(page, rows, total);
        self.top = self.top.min(total.saturating_sub(VIEW));
        self.request_missing();
    }

    fn place_decided(&mut self, first_row: u64, is_fresh: bool, rows: &mut Vec<Row>) {
        let place = PlaceOfPage {
            first_row,
            size: SIZE,
            is_fresh,
        };
        let outbox = &self.outbox;
        let placed = self.drift.place(
            &self.pages,
            &mut self.decided,
            &place,
            rows,
            |row| &row.id,
            |lead| presence(outbox, lead),
        );
        placed.expire(&place, &mut self.pages);
    }
}
