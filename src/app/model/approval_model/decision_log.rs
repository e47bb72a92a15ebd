//! The decisions that the approval model learns from.

use std::collections::VecDeque;

use serde_json::Value;

use super::fact_table::{FIRST_TEXT, FactTable};
use super::lead_facts::{FactKind, LeadFact, LeadFacts};

/// Maximum number of decisions. The oldest are dropped.
pub const MAX_DECISIONS: usize = 2_000;

/// Version of the stored form.
const VERSION: u64 = 1;

/// A decision on a lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LoggedDecision {
    /// Id of the lead.
    pub lead: String,
    pub approved: bool,
    /// Whether the user decided on the lead more than once.
    pub again: bool,
    /// Number that the leads of one company share.
    pub company: u32,
    /// Numbers of the lead's facts.
    pub facts: Vec<u32>,
}

/// The latest decisions of the user, oldest first, with the facts of their leads. At most one for
/// each lead.
#[derive(Clone, Debug, Default)]
pub struct DecisionLog {
    table: FactTable,
    decisions: VecDeque<LoggedDecision>,
}

impl DecisionLog {
    pub fn len(&self) -> usize {
        self.decisions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.decisions.is_empty()
    }

    /// Returns how many decisions are approvals.
    pub fn approved(&self) -> usize {
        let approved = self.decisions.iter().filter(|decision| decision.approved);
        approved.count()
    }

    /// Adds a decision. It replaces an earlier one on the same lead.
    pub fn record(&mut self, lead: &str, facts: &LeadFacts, approved: bool) {
        let again = self.forget(lead);
        let numbers = facts.facts().iter().map(|fact| self.table.add(fact));
        let numbers = numbers.collect();
        self.push(LoggedDecision {
            lead: lead.to_owned(),
            approved,
            again,
            company: facts.company(),
            facts: numbers,
        });
    }

    /// Marks the decision on a lead as repeated, so that it is not unusual any more.
    pub fn confirm(&mut self, lead: &str) {
        let found = self.decisions.iter_mut();
        for decision in found.filter(|decision| decision.lead == lead) {
            decision.again = true;
        }
    }

    /// Removes the decision on a lead. Returns whether there was one.
    pub fn forget(&mut self, lead: &str) -> bool {
        self.forget_where(|other| other == lead)
    }

    /// Removes the decisions on leads, such as after an undo. Returns whether there were any.
    pub fn forget_where(&mut self, is_gone: impl Fn(&str) -> bool) -> bool {
        let before = self.decisions.len();
        self.decisions.retain(|decision| !is_gone(&decision.lead));
        self.decisions.len() < before
    }

    pub(super) fn decisions(&self) -> impl Iterator<Item = &LoggedDecision> {
        self.decisions.iter()
    }

    pub(super) fn table(&self) -> &FactTable {
        &self.table
    }

    fn push(&mut self, decision: LoggedDecision) {
        if self.decisions.len() == MAX_DECISIONS {
            self.decisions.pop_front();
        }
        self.decisions.push_back(decision);
    }

    /// Returns the decisions as JSON text. Only facts of stored decisions are part of it.
    pub fn to_stored(&self) -> String {
        // The new number of each fact, in the order of the first use.
        let mut numbers: Vec<Option<usize>> = vec![None; self.table.numbers()];
        let (mut facts, mut decisions) = (Vec::new(), Vec::new());
        for decision in &self.decisions {
            let flags = u64::from(decision.approved) + 2 * u64::from(decision.again);
            let mut row = vec![
                Value::from(decision.lead.as_str()),
                Value::from(flags),
                Value::from(decision.company),
            ];
            for number in &decision.facts {
                let Some(fact) = self.table.fact(*number) else {
                    row.push(Value::from(*number));
                    continue;
                };
                let new = *numbers[*number as usize].get_or_insert_with(|| {
                    facts.push(Value::from(stored_fact(fact)));
                    facts.len() - 1
                });
                row.push(Value::from(new + FIRST_TEXT as usize));
            }
            decisions.push(Value::Array(row));
        }
        let all = [
            Value::from(VERSION),
            Value::Array(facts),
            Value::Array(decisions),
        ];
        lead_workspace_api::json::text(&Value::Array(all.into()))
    }

    /// Reads stored decisions; `None` if the text is invalid or of another version. Invalid
    /// decisions are skipped.
    pub fn from_stored(text: &str) -> Option<Self> {
        let stored: Value = serde_json::from_str(text).ok()?;
        if stored.get(0)?.as_u64()? != VERSION {
            return None;
        }
        let facts = stored.get(1)?.as_array()?.iter();
        let facts: Vec<_> = facts.map(|fact| read_fact(fact.as_str()?)).collect();
        let mut log = Self::default();
        for row in stored.get(2)?.as_array()? {
            let row = row.as_array().map_or(&[][..], Vec::as_slice);
            if let Some(decision) = log.read_decision(row, &facts) {
                log.push(decision);
            }
        }
        Some(log)
    }

    fn read_decision(
        &mut self,
        row: &[Value],
        facts: &[Option<LeadFact>],
    ) -> Option<LoggedDecision> {
        let [lead, flags, company, numbers @ ..] = row else {
            return None;
        };
        let flags = flags.as_u64()?;
        let mut read = |number: &Value| {
            let number = u32::try_from(number.as_u64()?).ok()?;
            match number.checked_sub(FIRST_TEXT) {
                None => Some(number).filter(|number| *number > 0),
                Some(index) => {
                    let fact = facts.get(index as usize)?.as_ref()?;
                    Some(self.table.add(fact))
                }
            }
        };
        Some(LoggedDecision {
            lead: lead.as_str()?.to_owned(),
            approved: flags & 1 != 0,
            again: flags & 2 != 0,
            company: u32::try_from(company.as_u64()?).ok()?,
            facts: numbers.iter().map(&mut read).collect::<Option<_>>()?,
        })
    }
}

/// Returns the letter of the kind, the level of a part of the score, and the text.
fn stored_fact(fact: &LeadFact) -> String {
    let mut stored = String::from(fact.kind.letter());
    if fact.kind == FactKind::ScorePart {
        stored.push(char::from(b'0' + fact.level));
    }
    stored + &fact.text
}

fn read_fact(stored: &str) -> Option<LeadFact> {
    let mut chars = stored.chars();
    let kind = FactKind::from_letter(chars.next()?)?;
    let level = match kind {
        FactKind::Score | FactKind::Size | FactKind::Seniority => return None,
        FactKind::ScorePart => chars.next()?.to_digit(5)? as u8,
        _ => 0,
    };
    Some(LeadFact {
        kind,
        level,
        text: chars.as_str().to_owned(),
    })
}
