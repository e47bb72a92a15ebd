//! Funnel from all leads to those who replied.

use super::reply_rate::Rate;

/// Numbers of leads, conversations and replies. `None` if the server does not report them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Funnel {
    /// Leads of the account.
    pub leads: Option<u64>,
    /// Of these, leads with a conversation.
    pub talking: Option<u64>,
    /// Of these, leads who replied.
    pub replied: Option<u64>,
}

/// A step of the funnel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunnelStep {
    pub name: &'static str,
    /// Number of leads; `None` if it is not known.
    pub count: Option<u64>,
    /// Share of the previous step.
    pub rate: Option<Rate>,
    /// Label of what `rate` is a share of.
    pub of: &'static str,
}

impl Funnel {
    /// Returns the steps, widest first.
    pub fn steps(&self) -> [FunnelStep; 3] {
        let step = |name, count, rate, of| FunnelStep {
            name,
            count,
            rate,
            of,
        };
        [
            step("Leads", self.leads, None, ""),
            step(
                "In conversation",
                self.talking,
                Rate::new(self.talking, self.leads),
                "of leads",
            ),
            step(
                "Replied",
                self.replied,
                self.reply_rate(),
                "of conversations",
            ),
        ]
    }

    /// Returns the share of leads who replied, of those with a conversation.
    pub fn reply_rate(&self) -> Option<Rate> {
        Rate::new(self.replied, self.talking)
    }

    /// Whether no step has more leads than the one before. Unknown steps are skipped.
    pub fn fits(&self) -> bool {
        let known = [self.leads, self.talking, self.replied];
        let mut least = u64::MAX;
        known.into_iter().flatten().all(|count| {
            let fits = count <= least;
            least = count;
            fits
        })
    }

    /// Describes the funnel in one sentence. `number` formats a number for the user.
    pub fn words(&self, number: &dyn Fn(u64) -> String) -> String {
        let mut words = String::from("Funnel: ");
        for (nth, step) in self.steps().iter().enumerate() {
            if nth > 0 {
                words.push_str(", ");
            }
            words.push_str(step.name);
            words.push(' ');
            match step.count {
                Some(count) => words.push_str(&number(count)),
                None => words.push_str("unknown"),
            }
            if let Some(rate) = step.rate {
                words.push_str(&[" (", &rate.words(), " ", step.of, ")"].concat());
            }
        }
        words.push('.');
        words
    }
}
