//! Random schedules: leads are deleted and restored while pages of their list are read. Requests and responses take any
//! time. In the end, the list has each remaining lead once. What `LeadList` does around the models is done here in the
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
    Serve(usize),
    /// The response arrives.
    Take(usize),
    /// A read fails, or is no longer wanted.
    Drop(usize),
    Delete(usize),
    Undo(usize),
    /// The request of a held deletion is sent.
    Send(usize),
    /// The server deletes the lead.
    Arrive(usize),
    /// The response arrives.
    Done(usize),
    /// The server refuses to delete the lead.
    Fail(usize),
    /// The list is read in the opposite order.
    Reverse,
}

fn step() -> impl Strategy<Value = Step> {
    let number = any::<prop::sample::Index>().prop_map(|index| index.index(1_000));
    prop_oneof![
        6 => number.clone().prop_map(Step::Request),
        8 => number.clone().prop_map(Step::Serve),
        8 => number.clone().prop_map(Step::Take),
        1 => number.clone().prop_map(Step::Drop),
        2 => number.clone().prop_map(Step::Delete),
        1 => number.clone().prop_map(Step::Undo),
        1 => number.clone().prop_map(Step::Send),
        1 => number.clone().prop_map(Step::Arrive),
        1 => number.clone().prop_map(Step::Done),
        1 => number.prop_map(Step::Fail),
        1 => Just(Step::Reverse),
    ]
}

struct Read {
    page: PageRead<u64>,
    sent: u64,
    /// The response: rows, and the length of the list.
    served: Option<(Vec<u64>, u64)>,
}

struct Screen {
    /// The list of the server.
    server: Vec<u64>,
    pages: PageCache<u64>,
    /// Whether the rows are those of another order.
    is_stale: bool,
    /// Whether the new order could not be read. It is read again when the user asks for it.
    has_failed: bool,
    deleted: Deleted,
    held: Vec<u64>,
    /// The leads whose requests are in flight.
    leaving: Vec<u64>,
    reads: Vec<Read>,
    now: u64,
}

/// Takes one of them, if there is one.
fn take<T>(from: &mut Vec<T>, number: usize) -> Option<T> {
    (!from.is_empty()).then(|| from.swap_remove(number % from.len()))
}

impl Screen {
    fn new(total: u64) -> Self {
        let mut screen = Self {
            server: (0..total).collect(),
            pages: PageCache::new(SIZE),
            is_stale: false,
            has_failed: false,
            deleted: Deleted::default(),
            held: Vec::new(),
            leaving: Vec::new(),
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

    fn request(&mut self, page: u64) {
        if self.has_failed || self.reads.iter().any(|read| read.page.page() == page) {
            return;
        }
        let sent = self.tick();
        let offset = self.offset(page * u64::from(SIZE), sent);
        self.reads.push(Read {
            page: PageRead::new(page, SIZE, offset, false, true),
            sent,
            served: None,
        });
    }

    fn serve(&mut self, at: usize) {
        let read = &mut self.reads[at];
        if let (None, Some(from)) = (&read.served, read.page.next()) {
            let rows = self.server.chunks(SIZE as usize).nth(from as usize - 1);
            let rows = rows.unwrap_or_default().to_vec();
            read.served = Some((rows, self.server.len() as u64));
        }
    }

    /// Takes a response. The read goes on if rows are missing, and begins again if it is not current.
    fn take(&mut self, at: usize) {
        let Some((rows, total)) = self.reads[at].served.take() else {
            return;
        };
        let mut read = self.reads.swap_remove(at);
        let (first_row, sent, number) = (read.page.first_row(), read.sent, read.page.page());
        let is_current = read.page.is_current(self.offset(first_row, sent));
        let mut is_new = false;
        read.page.take(rows, Some(total), None, |row, index| {
            let index = is_current.then_some(index);
            let check = self.deleted.check_row(&row.to_string(), index, sent);
            is_new |= check == RowCheck::News;
            check != RowCheck::Other
        });
        if is_new && !self.is_stale {
            self.pages.keep(|page, _| page <= number);
        }
        if read.page.next().is_some() {
            self.reads.push(read);
        } else if read.page.is_current(self.offset(first_row, sent)) {
            self.place(read);
        } else {
            self.request(number);
        }
    }

    fn place(&mut self, mut read: Read) {
        self.deleted.page_placed();
        if self.is_stale {
            self.pages = PageCache::new(SIZE);
            self.is_stale = false;
        }
        let rows = read.page.take_rows();
        let listed = self.deleted.count_listed(read.sent);
        let total = read.page.total(rows.len(), 0, listed);
        self.pages.put(read.page.page(), rows, total);
    }

    fn delete(&mut self, number: usize) {
        let rows: Vec<(u64, u64)> = self.pages.rows().map(|(at, row)| (at, *row)).collect();
        if let Some((index, lead)) = rows.get(number % rows.len().max(1)) {
            let position = match self.is_stale || self.pages.is_outdated(*index) {
                true => DeletedPosition::Listed,
                false => DeletedPosition::At(*index),
            };
            let status = ApprovalStatus::PENDING_APPROVAL;
            self.deleted
                .hold(lead.to_string().as_str().into(), status, position);
            self.pages.remove(*index);
            self.held.push(*lead);
        }
    }

    fn put_back(&mut self, lead: u64) {
        match self.deleted.remove(&lead.to_string()) {
            DeletedPosition::At(index) => self.pages.insert(index, lead),
            position => self.read_again(position),
        }
    }

    fn send(&mut self, number: usize) {
        if let Some(lead) = take(&mut self.held, number) {
            self.deleted.sent(&lead.to_string());
            self.leaving.push(lead);
        }
    }

    fn done(&mut self, number: usize) {
        if let Some(lead) = take(&mut self.leaving, number) {
            self.server.retain(|one| *one != lead);
            let now = self.tick();
            let position = self.deleted.done(&lead.to_string(), now);
            self.read_again(position);
        }
    }

    fn fail(&mut self, number: usize) {
        let is_listed = |lead: &&u64| self.server.contains(lead);
        if let Some(lead) = self
            .leaving
            .iter()
            .filter(is_listed)
            .nth(number % SIZE as usize)
        {
            let lead = *lead;
            self.leaving.retain(|one| *one != lead);
            self.put_back(lead);
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
        self.is_stale = true;
        self.has_failed = false;
        self.reads.clear();
        self.request(0);
    }

    fn drop_read(&mut self, number: usize) {
        let dropped = take(&mut self.reads, number);
        if dropped.is_some() && self.is_stale {
            self.reads.clear();
            self.pages.expire(|_| true);
            self.is_stale = false;
            self.has_failed = true;
        }
    }

    /// Reads what is missing, from the top.
    fn load_all(&mut self) {
        if std::mem::take(&mut self.has_failed) {
            self.is_stale = true;
            self.request(0);
        }
        loop {
            while !self.reads.is_empty() {
                self.serve(0);
                self.take(0);
            }
            let all = 0..self.pages.total().max(1);
            let Some(page) = self.pages.missing(&all).first().copied() else {
                return;
            };
            self.request(page);
        }
    }

    fn step(&mut self, step: Step) {
        let reads = self.reads.len();
        match step {
            Step::Request(number) => {
                let pages = self.server.len() / SIZE as usize + 1;
                self.request((number % pages) as u64);
            }
            Step::Serve(number) if reads > 0 => self.serve(number % reads),
            Step::Take(number) if reads > 0 => self.take(number % reads),
            Step::Drop(number) => self.drop_read(number),
            Step::Serve(_) | Step::Take(_) => {}
            Step::Delete(number) => self.delete(number),
            Step::Undo(number) => {
                if let Some(lead) = take(&mut self.held, number) {
                    self.put_back(lead);
                }
            }
            Step::Send(number) => self.send(number),
            Step::Arrive(number) => {
                let lead = self.leaving.get(number % self.leaving.len().max(1));
                self.server.retain(|one| Some(one) != lead);
            }
            Step::Done(number) => self.done(number),
            Step::Fail(number) => self.fail(number),
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
        while !screen.leaving.is_empty() {
            screen.done(0);
        }
        screen.load_all();
        let held: BTreeSet<u64> = screen.held.iter().copied().collect();
        let expected: Vec<u64> = screen.server.iter().copied().filter(|lead| !held.contains(lead)).collect();
        let rows: Vec<u64> = screen.pages.rows().map(|(_, row)| *row).collect();
        prop_assert_eq!(screen.pages.total(), expected.len() as u64);
        prop_assert_eq!(rows, expected);
    }
}
