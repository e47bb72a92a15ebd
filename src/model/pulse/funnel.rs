//! From all leads to those who answered.

use super::rate::Rate;

/// Leads, conversations, replies. None where the server does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Funnel {
    /// Leads at the account.
    pub leads: Option<u64>,
    /// Of these, leads with a conversation.
    pub talking: Option<u64>,
    /// Of these, leads who answered.
    pub replied: Option<u64>,
}

/// A step of the funnel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is counted.
    pub name: &'static str,
    /// How many; none where that is not known.
    pub count: Option<u64>,
    /// The share of the step before.
    pub rate: Option<Rate>,
    /// What it is a share of.
    pub of: &'static str,
}

impl Funnel {
    /// The steps, the widest one first.
    pub fn steps(&self) -> [Step; 3] {
        let step = |name, count, rate, of| Step {
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
                Rate::of(self.talking, self.leads),
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

    /// How many of those who were written to have answered.
    pub fn reply_rate(&self) -> Option<Rate> {
        Rate::of(self.replied, self.talking)
    }

    /// Whether no step has more leads than the one before.
    pub fn fits(&self) -> bool {
        let known = [self.leads, self.talking, self.replied];
        let mut least = u64::MAX;
        known.into_iter().flatten().all(|count| {
            let fits = count <= least;
            least = count;
            fits
        })
    }

    /// All of it in one sentence. `number` writes a number for people.
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
                None => words.push_str("not known"),
            }
            if let Some(rate) = step.rate {
                words.push_str(&[" (", &rate.words(), " ", step.of, ")"].concat());
            }
        }
        words.push('.');
        words
    }
}
