//! Groups of the portfolio, and the sums of a group or of all accounts on the page.

use super::account_pulse::pulse_queue::Id;
use super::account_pulse::reply_rate::Rate;
use super::account_pulse::{Funnel, Tone};
use super::portfolio_account::{AccountSummary, PortfolioAccount};

/// By what the accounts of a page are grouped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// They are not.
    #[default]
    None,
    Industry,
    Size,
    Tier,
    /// The list with the best score of an account.
    List,
}

impl Grouping {
    /// All groupings as they are offered.
    pub const ALL: [Self; 5] = [
        Self::None,
        Self::Industry,
        Self::Size,
        Self::Tier,
        Self::List,
    ];

    pub fn label(self) -> &'static str {
        match self {
            Self::None => "No groups",
            Self::Industry => "Industry",
            Self::Size => "Size",
            Self::Tier => "Tier",
            Self::List => "List",
        }
    }

    /// Name in the address.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Industry => "industry",
            Self::Size => "size",
            Self::Tier => "tier",
            Self::List => "list",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|grouping| grouping.as_str() == word)
    }

    /// Returns the title of the group of an account; empty if there are no groups.
    fn title(self, account: Option<&AccountSummary>) -> String {
        let (value, without) = match self {
            Self::None => return String::new(),
            Self::Industry => (account.and_then(|of| of.industry.clone()), "No industry"),
            Self::Size => {
                let size = account.and_then(|of| of.size.as_deref());
                (size.map(|size| ["Size ", size].concat()), "Unknown size")
            }
            Self::Tier => {
                let tier = account.and_then(|of| of.tier.as_deref());
                (tier.map(|tier| ["Tier ", tier].concat()), "No tier")
            }
            Self::List => (account.and_then(|of| of.list.clone()), "No list"),
        };
        value.unwrap_or_else(|| without.to_owned())
    }

    /// Puts accounts into groups. A group is where its first account is, and those without a value are last.
    pub fn groups(self, members: &[PortfolioAccount]) -> Vec<PortfolioGroup> {
        let unknown = self.title(None);
        let mut groups: Vec<PortfolioGroup> = Vec::new();
        for member in members {
            let title = self.title(member.summary.as_deref());
            match groups.iter_mut().find(|group| *group.title == *title) {
                Some(group) => group.ids.push(member.id.clone()),
                None => groups.push(PortfolioGroup {
                    title: title.into(),
                    ids: vec![member.id.clone()],
                }),
            }
        }
        groups.sort_by_key(|group| *group.title == *unknown);
        groups
    }
}

/// Accounts with the same value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PortfolioGroup {
    /// Different for each group.
    pub title: Id,
    pub ids: Vec<Id>,
}

/// Sums of several accounts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PortfolioSums {
    pub accounts: u64,
    /// A number that one of the accounts does not have is not known.
    pub funnel: Funnel,
    /// Of the leads.
    pub approved: Option<u64>,
    /// Number of accounts whose best signal is of a lead who is interested; `None` while a pulse is not known.
    pub interested: Option<u64>,
}

impl PortfolioSums {
    pub fn new(members: &[PortfolioAccount]) -> Self {
        let funnels: Vec<Funnel> = members.iter().map(PortfolioAccount::funnel).collect();
        let interested = |member: &PortfolioAccount| {
            let best = member.pulse.as_ref()?.best.as_ref();
            let class = best.and_then(|best| best.class.as_ref());
            Some(u64::from(
                class.is_some_and(|class| class.tone == Tone::Good),
            ))
        };
        let approved = |member: &PortfolioAccount| member.summary.as_ref()?.approved;
        Self {
            accounts: members.len() as u64,
            funnel: Funnel {
                leads: sum(funnels.iter().map(|funnel| funnel.leads)),
                talking: sum(funnels.iter().map(|funnel| funnel.talking)),
                replied: sum(funnels.iter().map(|funnel| funnel.replied)),
            },
            approved: sum(members.iter().map(approved)),
            interested: sum(members.iter().map(interested)),
        }
    }

    /// Returns the share of leads in conversation.
    pub fn talking_rate(&self) -> Option<Rate> {
        Rate::new(self.funnel.talking, self.funnel.leads)
    }
}

/// Adds up numbers; `None` if one of them is not known.
fn sum(counts: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    let mut sum = 0u64;
    for count in counts {
        sum = sum.saturating_add(count?);
    }
    Some(sum)
}

/// Returns the number whose bar has the full width: the largest of all accounts on the page.
pub fn scale(members: &[PortfolioAccount]) -> u64 {
    let counts = members.iter().flat_map(|member| {
        let Funnel {
            leads,
            talking,
            replied,
        } = member.funnel();
        [leads, talking, replied]
    });
    counts.flatten().max().unwrap_or_default()
}

/// Returns the length of a bar in percent, at most 100. Only nothing has no bar.
pub fn percent(count: u64, scale: u64) -> u64 {
    let percent = (u128::from(count) * 100).checked_div(u128::from(scale));
    let percent = percent.map_or(0, |percent| percent.min(100) as u64);
    percent.max(u64::from(count > 0))
}
