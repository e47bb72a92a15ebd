//! The service: leads in order, versions, and the events of its stream.

use std::collections::BTreeMap;

use fastrand::Rng;
use lead_workspace::api::{ApprovalStatus, Change, Changes, NewApprovalStatus};
use lead_workspace::app::model::live::LiveEvent;

/// Events name at most so many leads of a kind.
const MOST_IDS: usize = 4;

/// So many versions are kept.
const KEPT: usize = 12;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Added,
    Deleted,
    Status,
}

/// What a version changed, and which screen did it.
struct Version {
    kind: Kind,
    leads: Vec<String>,
}

pub struct Server {
    /// The position in the list by id.
    order: BTreeMap<String, u64>,
    statuses: BTreeMap<String, NewApprovalStatus>,
    /// What screens decided on a lead, by their number.
    decisions: BTreeMap<String, Vec<(usize, NewApprovalStatus)>>,
    log: Vec<Version>,
    /// The first versions that are kept.
    first_kept: usize,
}

impl Server {
    pub fn new(random: &mut Rng) -> Self {
        let mut server = Self {
            order: BTreeMap::new(),
            statuses: BTreeMap::new(),
            decisions: BTreeMap::new(),
            log: Vec::new(),
            first_kept: 0,
        };
        for _ in 0..30 {
            server.add(random);
        }
        server
    }

    fn add(&mut self, random: &mut Rng) -> String {
        let id = format!("lead-{}", self.order.len());
        self.order.insert(id.clone(), random.u64(..1_000_000));
        self.statuses
            .insert(id.clone(), NewApprovalStatus::PendingApproval);
        id
    }

    fn commit(&mut self, kind: Kind, leads: Vec<String>) {
        self.log.push(Version { kind, leads });
        self.first_kept = self.first_kept.max(self.log.len().saturating_sub(KEPT));
    }

    pub fn version(&self) -> i64 {
        self.log.len() as i64
    }

    pub fn status(&self, lead: &str) -> Option<NewApprovalStatus> {
        self.statuses.get(lead).copied()
    }

    pub fn import(&mut self, random: &mut Rng) {
        let leads = (0..random.u64(1..=8)).map(|_| self.add(random)).collect();
        self.commit(Kind::Added, leads);
    }

    pub fn delete(&mut self, random: &mut Rng) {
        let some: Vec<String> = self.statuses.keys().cloned().collect();
        if some.len() > 20 {
            let lead = some[random.usize(..some.len())].clone();
            self.statuses.remove(&lead);
            self.commit(Kind::Deleted, vec![lead]);
        }
    }

    /// Sets a status. Returns the number of updated leads.
    pub fn update(&mut self, by: usize, leads: &[String], to: NewApprovalStatus) -> u64 {
        let known: Vec<String> = leads
            .iter()
            .filter(|lead| self.statuses.contains_key(*lead))
            .cloned()
            .collect();
        for lead in &known {
            self.statuses.insert(lead.clone(), to);
            let decisions = self.decisions.entry(lead.clone()).or_default();
            decisions.push((by, to));
        }
        let count = known.len() as u64;
        if count > 0 {
            self.commit(Kind::Status, known);
        }
        count
    }

    /// Whether another screen than `number` decided on a lead, with the status `to` if there is one.
    pub fn is_by_others(&self, number: usize, lead: &str, to: Option<&ApprovalStatus>) -> bool {
        let decisions = self.decisions.get(lead).into_iter().flatten();
        let of_others = decisions.filter(|(by, _)| *by != number);
        of_others
            .map(|(_, status)| ApprovalStatus::from(*status))
            .any(|status| to.is_none_or(|to| status == *to))
    }

    /// A restart forgets nothing that was committed, but keeps fewer versions.
    pub fn kill(&mut self) {
        self.first_kept = self.first_kept.max(self.log.len().saturating_sub(KEPT / 2));
    }

    /// Returns the pending leads, in order.
    pub fn list(&self) -> Vec<String> {
        let pending = self
            .statuses
            .iter()
            .filter(|(_, status)| **status == NewApprovalStatus::PendingApproval);
        let mut list: Vec<&String> = pending.map(|(lead, _)| lead).collect();
        list.sort_by_key(|lead| (self.order[*lead], *lead));
        list.into_iter().cloned().collect()
    }

    /// Returns the event that leads from a version to a later one, at most `most` versions on.
    pub fn event(&self, from: i64, most: u64) -> Option<LiveEvent> {
        let from = from as usize;
        if from >= self.log.len() {
            return None;
        }
        if from < self.first_kept {
            return Some(LiveEvent::Reset(self.version()));
        }
        let to = self.log.len().min(from + most as usize);
        let mut groups: BTreeMap<(Kind, Option<NewApprovalStatus>), Vec<String>> = BTreeMap::new();
        let versions = &self.log[from..to];
        let added: Vec<&String> = versions
            .iter()
            .filter(|version| version.kind == Kind::Added)
            .flat_map(|version| &version.leads)
            .collect();
        for version in versions {
            for lead in &version.leads {
                let now = self.status(lead);
                let key = match (version.kind, now) {
                    (Kind::Added, _) => (Kind::Added, None),
                    _ if added.contains(&lead) => continue,
                    // The status that it has now.
                    (Kind::Status, Some(now)) => (Kind::Status, Some(now)),
                    _ => (Kind::Deleted, None),
                };
                let leads = groups.entry(key).or_default();
                if !leads.contains(lead) {
                    leads.push(lead.clone());
                }
            }
        }
        let changes = groups.into_iter().map(|((kind, status), leads)| Change {
            kind: Some(
                match kind {
                    Kind::Added => "added",
                    Kind::Deleted => "deleted",
                    Kind::Status => "status",
                }
                .to_owned(),
            ),
            approval_status: status.map(ApprovalStatus::from),
            count: Some(leads.len() as u64),
            ids: Some(leads).filter(|leads| leads.len() <= MOST_IDS),
        });
        Some(LiveEvent::Changed(Changes {
            version: Some(to as i64),
            changed_at: None,
            changes: Some(changes.collect()),
        }))
    }
}
