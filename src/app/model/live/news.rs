//! What many changes at once are: one line above the list.

/// What the list does not show yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// Number of leads that were added.
    pub added: u64,
    /// Number of deleted leads, of those that the stream did not name.
    pub deleted: u64,
    /// Number of leads whose status changed, of those that the stream did not name.
    pub changed: u64,
    /// Whether it is not known what changed.
    pub is_unknown: bool,
}

impl News {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns what happened, and what the button does: "1,204 leads are new", "Show them". `count` formats a number of
    /// leads.
    pub fn text(&self, count: impl Fn(u64) -> String) -> (String, &'static str) {
        if self.is_unknown {
            return ("Leads have changed".into(), "Show the changes");
        }
        let verbs = [
            (self.added, ("is new", "are new")),
            (self.changed, ("has changed", "have changed")),
            (self.deleted, ("was deleted", "were deleted")),
        ];
        let said = verbs.iter().filter(|(leads, _)| *leads > 0);
        let said = said.map(|(leads, (one, many))| {
            let verb = if *leads == 1 { one } else { many };
            [&count(*leads), " ", *verb].concat()
        });
        let said: Vec<String> = said.collect();
        let offer = match (self.added, self.changed, self.deleted) {
            (0, 0, _) => "Update the list",
            (1, 0, 0) | (0, 1, 0) => "Show it",
            (_, 0, 0) | (0, _, 0) => "Show them",
            _ => "Update the list",
        };
        (said.join(", "), offer)
    }
}
