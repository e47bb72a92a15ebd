//! Decisions of others on leads whose own decision was not saved yet. Each conflict is reported once.

use std::collections::BTreeMap;
use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;

use super::OwnEffect;
use crate::app::model::time;

/// Maximum number of leads. More are not remembered.
const MAX: usize = 1_000;

/// A decision of this reviewer that was saved although someone else decided otherwise shortly before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    pub lead: Arc<str>,
    /// What the other decided.
    pub theirs: ApprovalStatus,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// When this reviewer decided, if that is known.
    pub ours_at: Option<u64>,
}

#[derive(Clone, Debug)]
struct Decision {
    status: ApprovalStatus,
    at: u64,
    order: Order,
}

/// When someone else decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Before the own decision was saved.
    BeforeOurs,
    /// After it was saved, but before that was known here.
    AfterOurs,
    /// The own decision is saved, and its event is awaited.
    Unknown,
}

#[derive(Clone, Debug, Default)]
pub struct Conflicts(BTreeMap<Arc<str>, Decision>);

impl Conflicts {
    /// Adds a decision of someone else.
    pub fn add(&mut self, lead: &str, status: &ApprovalStatus, at: u64, order: Order) {
        if self.0.len() < MAX || self.0.contains_key(lead) {
            let decision = Decision {
                status: status.clone(),
                at,
                order,
            };
            self.0.insert(lead.into(), decision);
        }
    }

    /// Forgets what someone else decided on a lead.
    pub fn forget(&mut self, lead: &str) {
        self.0.remove(lead);
    }

    /// The own decision was saved, made at `at`. Returns what it met.
    pub fn saved_at(
        &mut self,
        lead: &Arc<str>,
        ours: &ApprovalStatus,
        at: Option<u64>,
    ) -> OwnEffect {
        let Some(decision) = self.0.remove(lead) else {
            return OwnEffect::None;
        };
        match decision.order {
            Order::AfterOurs => OwnEffect::Unclear,
            Order::BeforeOurs if decision.status != *ours => OwnEffect::Conflict(Conflict {
                lead: Arc::clone(lead),
                theirs: decision.status,
                at: decision.at,
                ours_at: at,
            }),
            // A decision that was saved before cannot be this one.
            Order::BeforeOurs | Order::Unknown => OwnEffect::None,
        }
    }

    /// The event of the own decision arrived. Returns what it won over, if that was not said yet.
    pub fn saved(&mut self, lead: &str, ours: &ApprovalStatus) -> Option<Conflict> {
        let is_awaited = |decision: &&Decision| decision.order == Order::Unknown;
        self.0.get(lead).filter(is_awaited)?;
        let decision = self.0.remove(lead)?;
        (decision.status != *ours).then(|| Conflict {
            lead: lead.into(),
            theirs: decision.status,
            at: decision.at,
            ours_at: None,
        })
    }
}

/// Returns the conflicts as a sentence. `word` names a status: "Rejected".
pub fn sentence(conflicts: &[Conflict], word: impl Fn(&ApprovalStatus) -> String) -> String {
    let [conflict] = conflicts else {
        return format!(
            "{} leads were decided by someone else at the same time; yours were saved.",
            conflicts.len()
        );
    };
    let who = word(&conflict.theirs) + " by someone else";
    let when = conflict.ours_at.map(|ours| {
        let is_before = conflict.at <= ours;
        let (first, last) = match is_before {
            true => (conflict.at, ours),
            false => (ours, conflict.at),
        };
        let seconds = (last - first) / 1000;
        let distance = match seconds {
            0 => return " at the same time".to_owned(),
            1..60 => format!("{seconds} s"),
            _ => time::age(first as i64, last as i64).text,
        };
        let side = if is_before { "before" } else { "after" };
        [" ", &distance, " ", side, " yours"].concat()
    });
    let when = when.unwrap_or_else(|| " before yours".to_owned());
    [&who, &*when, "; yours was saved."].concat()
}
