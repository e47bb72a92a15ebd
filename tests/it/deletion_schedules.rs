//! Random schedules: leads are deleted and restored while pages of their list are read, in any order of requests and
//! responses. In the end, the list has each remaining lead once. What the app does around the models is done here in the
//! same way.

use std::collections::BTreeSet;

use lead_workspace::api::ApprovalStatus;
use lead_workspace::app::model::deleted_leads::{Deleted, DeletedPosition, RowCheck};
use lead_workspace::app::model::page_cache::PageCache;
use lead_workspace::app::model::page_read::{PageOffset, PageRead};
use lead_workspace::app::model::view::LeadsView;
use proptest::prelude::*;

/// Rows on a page.
const SIZE: u32 = 4;

/// A step of a schedule. Numbers choose among what is there.
#[derive(Clone, Copy, Debug)]
enum Step {
    Request(usize),
    /// The server answers the next request of a read.
    Answer(usize),
    Delete(usize),
    Undo(usize),
    /// The request of a held deletion is sent.
    Send(usize),
    /// The server deletes the lead.
    Arrive,
    /// Its response arrives.
    Done,
    /// The list is read in the opposite order.
    Reverse,
}

fn step() -> impl Strategy<Value = Step> {
    let number = any::<prop::sample::Index>().prop_map(|index| index.index(1_000));
    prop_oneof![
        6 => number.clone().prop_map(Step::Request),
        8 => number.clone().prop_map(Step::Answer),
        2 => number.clone().prop_map(Step::Delete),
        1 => number.clone().prop_map(Step::Undo),
        1 => number.prop_map(Step::Send),
        1 => Just(Step::Arrive),
        1 => Just(Step::Done),
        1 => Just(Step::Reverse),
    ]
}

struct Read {
    page: PageRead<u64>,
    sent: u64,
}

struct Screen {
    /// The list of the server.
    server: Vec<u64>,
    pages: PageCache<u64>,
    deleted: Deleted,
    held: Vec<u64>,
    /// The lead whose request is in flight.
    leaving: Option<u64>,
    reads: Vec<Read>,
    now: u64,
}

impl Screen {
    fn new(total: u64) -> Self {
        let mut screen = Self {
            server: (0..total).collect(),
            pages: PageCache::new(SIZE),
            deleted: Deleted::default(),
            held: Vec::new(),
            leaving: None,
            reads: Vec::new(),
            now: 0,
        };
        screen.load_all();
        screen
    }

    fn tick(&mut self) -> u64 {
        self.now += 1;
        self.now
    }

    fn offset(&self, row: u64, sent: u64) -> PageOffset {
        PageOffset {
            made: 0,
            departed: 0,
            deleted: self.deleted.count_before(row, sent),
            deletions: self.deleted.changes(),
        }
    }

    /// Reads wait for deletions that are in flight.
    fn request(&mut self, page: u64) {
        if self.leaving.is_some() || self.reads.iter().any(|read| read.page.page() == page) {
            return;
        }
        let sent = self.tick();
        let offset = self.offset(page * u64::from(SIZE), sent);
        self.reads.push(Read {
            page: PageRead::new(page, SIZE, offset, true),
            sent,
        });
    }

    fn answer(&mut self, at: usize) {
        let Read { mut page, sent } = self.reads.swap_remove(at);
        let mut is_new = false;
        if let Some(from) = page.next() {
            let rows = self.server.chunks(SIZE as usize).nth(from as usize - 1);
            let rows = rows.unwrap_or_default().to_vec();
            let is_current = page.is_current(self.offset(page.first_row(), sent));
            page.take(rows, Some(self.server.len() as u64), None, |row, index| {
                let check =
                    self.deleted
                        .check_row(&row.to_string(), is_current.then_some(index), sent);
                is_new |= check == RowCheck::News;
                check != RowCheck::Other
            });
        }
        if is_new {
            self.pages.keep(|of, _| of <= page.page());
        }
        if page.next().is_some() {
            self.reads.push(Read { page, sent });
            return;
        }
        let number = page.page();
        if !page.is_current(self.offset(page.first_row(), sent)) {
            self.request(number);
            return;
        }
        let rows = page.take_rows();
        let total = page.total(rows.len(), 0, self.deleted.count_listed(sent));
        self.pages.put(number, rows, total);
    }

    fn delete(&mut self, number: usize) {
        let rows: Vec<(u64, u64)> = self.pages.rows().map(|(at, row)| (at, *row)).collect();
        if let Some((index, lead)) = rows.get(number % rows.len().max(1)) {
            let id = lead.to_string();
            self.deleted
                .hold(id.as_str().into(), ApprovalStatus::PENDING_APPROVAL, *index);
            self.pages.remove(*index);
            self.held.push(*lead);
        }
    }

    fn undo(&mut self, number: usize) {
        if self.held.is_empty() {
            return;
        }
        let lead = self.held.swap_remove(number % self.held.len());
        match self.deleted.remove(&lead.to_string()) {
            DeletedPosition::At(index) => self.pages.insert(index, lead),
            position => self.read_again(position),
        }
    }

    fn send(&mut self, number: usize) {
        if self.leaving.is_none() && !self.held.is_empty() {
            let lead = self.held.swap_remove(number % self.held.len());
            self.deleted.sent(&lead.to_string());
            self.leaving = Some(lead);
        }
    }

    fn arrive(&mut self) {
        self.server.retain(|lead| Some(*lead) != self.leaving);
    }

    fn done(&mut self) {
        self.arrive();
        if let Some(lead) = self.leaving.take() {
            let now = self.tick();
            let position = self.deleted.done(&lead.to_string(), now);
            self.read_again(position);
        }
    }

    fn read_again(&mut self, position: DeletedPosition) {
        if matches!(position, DeletedPosition::Listed | DeletedPosition::Perhaps) {
            self.reload();
        }
    }

    fn reload(&mut self) {
        let view = LeadsView::default();
        self.deleted.list_changed(Some(&view), &view);
        self.pages = PageCache::new(SIZE);
        self.reads.clear();
    }

    /// Reads what is missing, from the top.
    fn load_all(&mut self) {
        while !self.reads.is_empty() {
            self.answer(0);
        }
        while let Some(page) = self.pages.missing(&(0..self.pages.total().max(1))).first() {
            self.request(*page);
            while !self.reads.is_empty() {
                self.answer(0);
            }
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Request(number) => {
                let pages = self.server.len() / SIZE as usize + 1;
                self.request((number % pages) as u64);
            }
            Step::Answer(number) if !self.reads.is_empty() => {
                self.answer(number % self.reads.len());
            }
            Step::Answer(_) => {}
            Step::Delete(number) => self.delete(number),
            Step::Undo(number) => self.undo(number),
            Step::Send(number) => self.send(number),
            Step::Arrive => self.arrive(),
            Step::Done => self.done(),
            Step::Reverse => {
                self.server.reverse();
                self.reload();
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn the_list_has_each_remaining_lead_once(
        total in 1u64..30,
        steps in prop::collection::vec(step(), 0..80),
    ) {
        let mut screen = Screen::new(total);
        for step in steps {
            screen.step(step);
        }
        screen.done();
        screen.load_all();
        let held: BTreeSet<u64> = screen.held.iter().copied().collect();
        let expected: Vec<u64> = screen.server.iter().copied().filter(|lead| !held.contains(lead)).collect();
        let rows: Vec<u64> = screen.pages.rows().map(|(_, row)| *row).collect();
        prop_assert_eq!(screen.pages.total(), expected.len() as u64);
        prop_assert_eq!(rows, expected);
    }
}
