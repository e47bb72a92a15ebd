//! The column that gives its place to another one in a list whose rows are all the same in it.

use super::{ArrangedColumn, Columns};

impl Columns {
    /// Returns the columns as they are in a list. `swaps`: the likelihood takes the place of the
    /// status, because suggestions are on and all rows have the same status.
    #[must_use]
    pub fn in_list(mut self, swaps: bool) -> Self {
        self.swaps = swaps;
        self.swap();
        self
    }

    /// Keeps the swapped column that is shown in every list: the user chooses the other one.
    pub(super) fn keep_swapped(&mut self) {
        for column in &mut self.all {
            column.chosen |= self.set.swaps(column.spec.id) && !column.hidden;
        }
    }

    /// Shows or hides the swapped columns, as far as the user did not choose.
    pub(super) fn swap(&mut self) {
        let Some([one, other]) = self.set.swapped else {
            return;
        };
        let (Some(one), Some(other)) = (self.at(one), self.at(other)) else {
            return;
        };
        let choice = |column: &ArrangedColumn| column.chosen.then_some(!column.hidden);
        let (one_chosen, other_chosen) = (choice(&self.all[one]), choice(&self.all[other]));
        let is_swapped = self.swaps && other_chosen != Some(false);
        let shows_one = one_chosen.unwrap_or(!is_swapped);
        let shows_other = other_chosen.unwrap_or(match one_chosen {
            Some(shown) => !shown,
            None => self.swaps,
        });
        self.all[one].hidden = !shows_one;
        // With neither, a row could not be decided.
        self.all[other].hidden = !shows_other && shows_one;
    }
}
