//! Groups of the portfolio: conversations worth acting on come first, accounts without any come last.

use super::account_pulse::{Funnel, OutreachStage, Pulse, Tone};

/// What an account asks of the user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PortfolioGroup {
    /// Its best conversation is with a lead who is interested.
    WorthActing,
    /// There are other conversations, or the pulse is not known.
    #[default]
    InConversation,
    /// There are none.
    Quiet,
}

impl PortfolioGroup {
    /// All groups as they are shown.
    pub const ALL: [Self; 3] = [Self::WorthActing, Self::InConversation, Self::Quiet];

    /// Returns the group of an account by its pulse, if that is known.
    pub fn of(pulse: Option<&Pulse>) -> Self {
        let Some(pulse) = pulse else {
            return Self::default();
        };
        let class = pulse.best.as_ref().and_then(|best| best.class.as_ref());
        if pulse.stage() != OutreachStage::Going {
            Self::Quiet
        } else if class.is_some_and(|class| class.tone == Tone::Good) {
            Self::WorthActing
        } else {
            Self::InConversation
        }
    }

    /// Returns the heading above `count` accounts, which is text for a user: `2 accounts in conversation`.
    pub fn title(self, count: &str) -> String {
        let words = match self {
            Self::WorthActing => " worth acting on",
            Self::InConversation => " in conversation",
            Self::Quiet => " without a conversation",
        };
        [count, words].concat()
    }
}

/// Adds up the numbers of several accounts. A number that one of them does not have is not known.
pub fn total<'a>(funnels: impl Iterator<Item = &'a Funnel>) -> Funnel {
    let add = |sum: Option<u64>, count: Option<u64>| Some(sum?.saturating_add(count?));
    let none = Funnel {
        leads: Some(0),
        talking: Some(0),
        replied: Some(0),
    };
    funnels.fold(none, |sum, of| Funnel {
        leads: add(sum.leads, of.leads),
        talking: add(sum.talking, of.talking),
        replied: add(sum.replied, of.replied),
    })
}
