//! Whether there are suggestions yet, and if not, what is missing.

use super::{ApprovalModel, MIN_DECISIONS, MIN_PER_OUTCOME};

/// How far the model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There are fewer than [`MIN_DECISIONS`].
    TooFew {
        decisions: usize,
    },
    /// Nearly all decisions are the same.
    TooUniform {
        approved: usize,
        others: usize,
    },
    /// There are enough decisions, but no model of them yet.
    Training,
    /// The model is not clearly better than chance.
    NoPattern {
        decisions: usize,
    },
    Ready {
        decisions: usize,
    },
}

impl Progress {
    /// Takes the number of decisions and of approvals, and the latest model.
    pub fn new(decisions: usize, approved: usize, model: Option<&ApprovalModel>) -> Self {
        let others = decisions.saturating_sub(approved);
        match model.map(ApprovalModel::held_out) {
            Some(held_out) if held_out.is_informative() => Self::Ready {
                decisions: held_out.decisions(),
            },
            Some(held_out) => Self::NoPattern {
                decisions: held_out.decisions(),
            },
            None if decisions < MIN_DECISIONS => Self::TooFew { decisions },
            None if approved.min(others) < MIN_PER_OUTCOME => Self::TooUniform { approved, others },
            None => Self::Training,
        }
    }

    pub fn is_ready(self) -> bool {
        matches!(self, Self::Ready { .. })
    }

    /// Returns a sentence for the user.
    pub fn sentence(self) -> String {
        match self {
            Self::TooFew { decisions } => {
                format!("Suggestions start after {MIN_DECISIONS} decisions: {decisions} so far.")
            }
            Self::TooUniform { approved, others } => format!(
                "Suggestions start after {MIN_PER_OUTCOME} approvals and {MIN_PER_OUTCOME} rejections: \
                 {approved} and {others} so far."
            ),
            Self::Training => "Learning from your decisions…".to_owned(),
            Self::NoPattern { decisions } => {
                format!("Your {decisions} decisions show no clear pattern yet.")
            }
            Self::Ready { decisions } => format!("Learned from {decisions} of your decisions."),
        }
    }
}
