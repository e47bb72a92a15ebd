//! What the stream of changes means for a screen: which statuses others gave, what to read again, and what to say. Pure.

use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, Change, Changes, NewApprovalStatus};

use self::conflicts::{Conflict, Conflicts, Order};
use self::news::News;
use self::own_decisions::{Echo, OwnDecisions};
use crate::review::outbox::DELETED;

pub mod conflicts;
pub mod connection;
pub mod marks;
pub mod news;
pub mod own_decisions;

/// How many versions before the present one are taken when the stream is opened for the first time: the first rows were read
/// a moment before.
const MISSED: i64 = 50;

/// If the stream is opened for the first time this many milliseconds after the first rows or later, they are read again.
const LATE_MS: u64 = 10_000;

/// An event of the stream.
#[derive(Clone, Debug, PartialEq)]
pub enum LiveEvent {
    /// The stream is open. It reports what comes after this version.
    Open(i64),
    Changed(Changes),
    /// What happened until this version is not known.
    Reset(i64),
}

/// What the screen knows of leads.
pub trait Screen {
    /// Whether it shows the lead, or has it loaded.
    fn has(&self, lead: &str) -> bool;

    /// Returns the last known status on the server.
    fn known(&self, lead: &str) -> Option<ApprovalStatus>;

    /// Returns the status that was decided here, if the server has not answered yet.
    fn unsaved(&self, lead: &str) -> Option<NewApprovalStatus>;

    /// Returns the status that was sent last, if it is not known whether the server has it. Another one may have been decided
    /// since.
    fn unconfirmed(&self, lead: &str) -> Option<NewApprovalStatus>;

    /// Returns how many leads are on their way to the server with this status.
    fn in_flight(&self, to: &ApprovalStatus) -> u64;
}

/// What is to be done after an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    /// Statuses of leads, [`DELETED`] for deleted ones. They are shown, and replace older ones of reads in flight.
    pub statuses: Vec<(Arc<str>, ApprovalStatus)>,
    /// Those of them that someone else decided, and that the screen has: they get a mark.
    pub marked: Vec<Arc<str>>,
    /// Leads that the screen has, and whose content changed.
    pub content: Vec<Arc<str>>,
    /// Whether more leads changed than the event names: those in view are read again.
    pub reread_view: bool,
    /// Whether it is not known any more which rows have left the server's list, so that the list must be read again before
    /// more of it is loaded.
    pub unknown_rows: bool,
    /// Whether leads may have come to the server's list, so that its next pages may repeat loaded rows.
    pub grown: bool,
    /// Whether leads outside the loaded rows changed their status, or were deleted: the position of rows is known only if
    /// all rows from the top are loaded.
    pub unloaded_changed: bool,
    /// Whether others changed leads, so that counts have changed. Own decisions are counted when they are made.
    pub counts: bool,
    /// Whether accounts have changed.
    pub accounts: bool,
    /// Whether the stream is to be opened again at the present position, which is an earlier one.
    pub reopens: bool,
    /// Own decisions that were saved although someone else decided shortly before.
    pub conflicts: Vec<Conflict>,
}

impl Effects {
    /// Everything may have changed.
    fn everything() -> Self {
        Self {
            reread_view: true,
            unknown_rows: true,
            counts: true,
            accounts: true,
            ..Self::default()
        }
    }

    /// Whether it is not known any more which rows have left the server's list. `is_from_top`: all rows from the top are
    /// loaded.
    pub fn loses_rows(&self, is_from_top: bool) -> bool {
        self.unknown_rows || self.unloaded_changed && !is_from_top
    }

    /// What remains of an event that the first rows may have had already. If it does not name its leads, they are read again.
    fn of_known_rows(self) -> Self {
        Self {
            counts: !self.marked.is_empty() || self.unknown_rows,
            reread_view: self.reread_view,
            unknown_rows: self.unknown_rows,
            statuses: self.statuses,
            marked: self.marked,
            ..Self::default()
        }
    }
}

/// What a decision of this reviewer met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnEffect {
    None,
    /// It won over that of someone else, as far as is known. The lead is to be read again.
    Conflict(Conflict),
    /// Someone else may have decided after it. The lead is to be read again.
    Unclear,
}

/// The state of a screen that follows the stream.
#[derive(Clone, Debug, Default)]
pub struct LiveModel {
    /// When the first rows were read, in milliseconds since 1970.
    started: u64,
    position: Option<i64>,
    /// Up to this version, events may tell what the first rows had already: only statuses that differ are news.
    known_until: i64,
    own: OwnDecisions,
    conflicts: Conflicts,
    news: News,
}

impl LiveModel {
    /// Starts after the first rows were read, at `now` in milliseconds since 1970.
    pub fn start(now: u64) -> Self {
        Self {
            started: now,
            ..Self::default()
        }
    }

    /// Returns the version up to which the screen knows all changes.
    pub fn position(&self) -> Option<i64> {
        self.position
    }

    /// Returns what is not in the list yet.
    pub fn news(&self) -> &News {
        &self.news
    }

    /// The list was read again.
    pub fn list_read(&mut self) {
        self.news = News::default();
    }

    /// Takes an event. Events that were taken before have no effects. `at` is when it happened, in milliseconds since 1970.
    pub fn take(&mut self, event: &LiveEvent, at: u64, screen: &dyn Screen) -> Effects {
        match event {
            LiveEvent::Open(version) if self.position.is_none() => {
                self.known_until = *version;
                self.position = Some((*version - MISSED).max(0));
                let is_late = at >= self.started.saturating_add(LATE_MS);
                let missed = is_late.then(Effects::everything);
                Effects {
                    reopens: true,
                    ..missed.unwrap_or_default()
                }
            }
            LiveEvent::Open(_) => Effects::default(),
            // A version may go back: a backup was restored.
            LiveEvent::Reset(version) if self.position == Some(*version) => Effects::default(),
            LiveEvent::Reset(version) => {
                if self.position.is_none() {
                    // Another tab reports it. This one asks where the stream is, and has an answer soon.
                    return Effects::default();
                }
                let was_known =
                    self.position < Some(self.known_until) && *version >= self.known_until;
                self.position = Some(*version);
                self.known_until = self.known_until.min(*version);
                self.own = OwnDecisions::default();
                self.conflicts = Conflicts::default();
                if was_known {
                    // Versions from before the first rows are not kept any more.
                    return Effects::default();
                }
                self.news.is_unknown = true;
                Effects::everything()
            }
            LiveEvent::Changed(changes) => {
                let Some(version) = changes
                    .version
                    .filter(|version| self.position.is_some_and(|position| *version > position))
                else {
                    return Effects::default();
                };
                self.position = Some(version);
                let mut effects = Effects::default();
                let news = self.news.clone();
                for change in changes.changes.iter().flatten() {
                    self.take_change(change, at, screen, &mut effects);
                }
                if version <= self.known_until {
                    self.news = news;
                    effects = effects.of_known_rows();
                }
                effects
            }
        }
    }

    fn take_change(&mut self, change: &Change, at: u64, screen: &dyn Screen, to: &mut Effects) {
        let ids = change.ids.as_deref();
        let named = ids.map_or(0, |ids| ids.len() as u64);
        let count = change.count.unwrap_or(named);
        // A list of ids that is not complete names too few.
        let ids = ids.filter(|_| named >= count);
        let is_status = change.kind.as_deref() == Some("status");
        to.counts |= !is_status;
        match change.kind.as_deref().unwrap_or_default() {
            "status" => {
                let Some(status) = &change.approval_status else {
                    *to = Effects::everything();
                    return;
                };
                match ids {
                    Some(ids) => {
                        for lead in ids {
                            self.take_status(lead, status, at, screen, to);
                        }
                    }
                    None => {
                        let own = screen.in_flight(status) + self.own.drop_many(status, count);
                        self.many(count.saturating_sub(own), |news| &mut news.changed, to);
                    }
                }
            }
            "deleted" => match ids {
                Some(ids) => {
                    for lead in ids {
                        to.unloaded_changed |= !screen.has(lead);
                        if screen.has(lead) {
                            push_status(lead, &DELETED.into(), true, to);
                        }
                    }
                }
                None => self.many(count, |news| &mut news.deleted, to),
            },
            "added" => {
                self.news.added += count;
                to.grown = true;
                // What happened to an added lead since then is not told apart. It may have been read meanwhile.
                let loaded = ids.into_iter().flatten().filter(|lead| screen.has(lead));
                to.content.extend(loaded.map(|lead| Arc::from(&**lead)));
                to.accounts = true;
            }
            "accounts" => to.accounts = true,
            // The content of leads; later versions may know more kinds of it.
            _ => match ids {
                Some(ids) => {
                    let loaded = ids.iter().filter(|lead| screen.has(lead));
                    to.content.extend(loaded.map(|lead| Arc::from(&**lead)));
                }
                None => to.reread_view = true,
            },
        }
    }

    /// Others changed more leads than an event names.
    fn many(&mut self, count: u64, of: impl Fn(&mut News) -> &mut u64, to: &mut Effects) {
        if count > 0 {
            *of(&mut self.news) += count;
            to.counts = true;
            to.reread_view = true;
            to.unknown_rows = true;
            to.grown = true;
        }
    }

    fn take_status(
        &mut self,
        lead: &str,
        status: &ApprovalStatus,
        at: u64,
        screen: &dyn Screen,
        to: &mut Effects,
    ) {
        let known = screen.known(lead);
        let is_news = known.as_ref() != Some(status);
        let sent = screen.unconfirmed(lead);
        let is_sent = sent.map(ApprovalStatus::from).as_ref() == Some(status);
        let echo = self.own.take(lead, status, at);
        if echo != Echo::None && sent.is_some() && !is_sent {
            // It may have this status after the one that was sent, whose event never comes then.
            self.conflicts.add(lead, status, at, Order::AfterOurs);
        }
        match echo {
            // The later decision of this reviewer may be the last one, or what someone else decided after it.
            Echo::Older => {
                if screen.has(lead) {
                    to.content.push(lead.into());
                }
                return;
            }
            Echo::Latest => {
                to.conflicts.extend(self.conflicts.saved(lead, status));
                if is_news {
                    to.counts = true;
                    push_status(lead, status, false, to);
                }
                return;
            }
            Echo::None => {}
        }
        // Its event may come before its response, and the reviewer may have decided again.
        if let Some(sent) = sent.filter(|_| is_sent) {
            self.own.event_arrived(lead, sent, at);
            return;
        }
        let unsaved = screen.unsaved(lead).map(ApprovalStatus::from);
        let is_same = unsaved.as_ref() == Some(status);
        let is_news = is_news && !is_same;
        if is_news {
            let order = match (unsaved, self.own.has_event(lead)) {
                (Some(_), true) => Some(Order::AfterOurs),
                (Some(_), false) => Some(Order::BeforeOurs),
                (None, _) => self.own.awaits_event(lead).then_some(Order::Unknown),
            };
            if let Some(order) = order {
                self.conflicts.add(lead, status, at, order);
            }
        }
        to.counts = true;
        // Also if it has the status again that the screen knows: pages may have been read in between.
        to.unloaded_changed |= !screen.has(lead);
        to.grown |= !screen.has(lead);
        push_status(lead, status, is_news && screen.has(lead), to);
    }

    /// Leads are about to be decided here. One whose earlier decision was taken back, or is saved, shows what others decided:
    /// the new decision is made in knowledge of it, which is no conflict.
    pub fn on_deciding(&mut self, leads: &[Arc<str>], is_unsaved: &dyn Fn(&str) -> bool) {
        for lead in leads.iter().filter(|lead| !is_unsaved(lead)) {
            self.conflicts.forget(lead);
        }
    }

    /// Records a decision of this reviewer, at `now` in milliseconds since 1970. `at` is when it was made, if that was here,
    /// and `is_saved` whether the server has it; otherwise another tab sends it. `has_later`: a later one on the lead is on its
    /// way. If that takes this one back, there is no conflict.
    pub fn on_own(
        &mut self,
        lead: &Arc<str>,
        to: NewApprovalStatus,
        at: Option<u64>,
        is_saved: bool,
        has_later: bool,
        now: u64,
    ) -> OwnEffect {
        self.own.add(lead, to, is_saved, now);
        if is_saved && has_later {
            return OwnEffect::None;
        }
        match self.conflicts.saved_at(lead, &to.into(), at) {
            OwnEffect::Conflict(_) if !is_saved => OwnEffect::Unclear,
            effect => effect,
        }
    }
}

fn push_status(lead: &str, status: &ApprovalStatus, is_marked: bool, to: &mut Effects) {
    let lead: Arc<str> = lead.into();
    if is_marked {
        to.marked.push(Arc::clone(&lead));
    }
    to.statuses.push((lead, status.clone()));
}
