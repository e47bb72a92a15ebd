//! What the screen ends with.

use std::collections::BTreeSet;

use fastrand::Rng;
use lead_workspace::api::ApprovalStatus;
use lead_workspace::review::outbox::DELETED;

use super::{ListScreen, Row, VIEW};
use crate::live_schedules::server::Server;

impl ListScreen {
    /// The user looks at all rows, from the top.
    pub fn scroll_through(&mut self, server: &Server) {
        let mut random = Rng::with_seed(1);
        self.top = 0;
        loop {
            let read_again = self.read_again;
            self.request_missing();
            while self.serve_read(server, &mut random) || self.take_read(&mut random) {}
            if self.read_again != read_again {
                // The rows above are to be loaded again.
                self.top = 0;
                continue;
            }
            let last = self.pages.total().saturating_sub(VIEW);
            if self.top >= last {
                return;
            }
            self.top = (self.top + VIEW / 2).min(last);
        }
    }

    pub(super) fn agree(&self, rows: &[Row], server: &Server, seed: u64) {
        for row in rows.iter().filter(|row| !self.not_found.contains(&*row.id)) {
            let now = server.status(&row.id);
            let now = now.map_or_else(|| DELETED.into(), ApprovalStatus::from);
            let (id, number) = (&row.id, self.number);
            assert_eq!(self.shown(row), now, "seed {seed}, screen {number}, {id}");
        }
    }

    pub fn agrees_in_view(&self, server: &Server, seed: u64) {
        let view = self.view();
        let rows = self.pages.rows().filter(|(index, _)| view.contains(index));
        let rows: Vec<Row> = rows.map(|(_, row)| row.clone()).collect();
        self.agree(&rows, server, seed);
    }

    /// All rows have the status of the server, none is there twice, and none is missing that the line does not announce.
    pub fn agrees(&self, server: &Server, seed: u64) {
        let rows: Vec<Row> = self.pages.rows().map(|(_, row)| row.clone()).collect();
        self.agree(&rows, server, seed);
        let ids: BTreeSet<&str> = rows.iter().map(|row| &*row.id).collect();
        assert_eq!(ids.len(), rows.len(), "seed {seed}: none is there twice");
        // A list that has grown may repeat rows, which are left out.
        let (shown, total) = (rows.len() as u64, self.pages.total());
        assert!(
            shown == total || self.drift.has_grown(),
            "seed {seed}: {shown} of {total} rows"
        );
        let list = server.list();
        let missing = list.iter().filter(|id| !ids.contains(&***id)).count();
        let announced = !self.model.news().is_empty() || self.drift.has_grown();
        assert!(
            missing == 0 || announced,
            "seed {seed}: {missing} leads are missing"
        );
    }

    /// Conflicts are with what the other screen decided. Whose decision it was is not known after a lost response.
    pub fn has_conflicts_of_others(&self, server: &Server, seed: u64) {
        let known = self.conflicts.iter();
        for conflict in known.filter(|conflict| !self.lost.contains(&conflict.lead)) {
            assert!(
                server.is_by_others(self.number, &conflict.lead, Some(&conflict.theirs)),
                "seed {seed}: {conflict:?}"
            );
        }
    }

    /// The button of the line.
    pub fn show_news(&mut self, server: &Server) {
        self.refresh();
        self.scroll_through(server);
    }

    pub fn is_the_list(&self, server: &Server, seed: u64) {
        let rows: Vec<String> = self.pages.rows().map(|(_, row)| row.id.clone()).collect();
        assert_eq!(rows, server.list(), "seed {seed}");
        assert!(self.model.news().is_empty());
    }
}
