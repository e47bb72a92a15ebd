//! Which replies are the most promising.

/// Reply classifications with their ranks, most promising first.
///
/// spec: not shown; the set of classifications is open.
pub const RANKS: [(&str, usize); 9] = [
    ("interested", 0),
    ("meeting_booked", 1),
    ("referral", 2),
    ("question", 3),
    ("neutral", 5),
    ("not_now", 6),
    ("out_of_office", 7),
    ("not_interested", 8),
    ("unsubscribe", 9),
];

/// The rank of any other classification: between `question` and `neutral`.
pub const OTHER_RANK: usize = 4;

/// Returns the rank of a classification.
pub fn rank(classification: &str) -> usize {
    let known = RANKS.iter().find(|(known, _)| *known == classification);
    known.map_or(OTHER_RANK, |(_, rank)| *rank)
}

#[cfg(test)]
mod tests {
    use super::{OTHER_RANK, RANKS, rank};

    #[test]
    fn every_classification_has_a_rank_of_its_own() {
        let ranks = RANKS.map(|(_, rank)| rank);
        assert!(ranks.is_sorted_by(|a, b| a < b) && !ranks.contains(&OTHER_RANK));
        assert!(
            rank("question") < rank("anything else") && rank("anything else") < rank("neutral")
        );
    }
}
