//! Sizes of companies, as ranges of heads.

/// The least number of heads that a range names: 51 for `51-200`, 10001 for `10,001+`. Sizes sort
/// and compare by it.
///
/// A text without any digit has no rank.
pub fn size_rank(range: &str) -> Option<i64> {
    let mut rank: Option<i64> = None;
    for letter in range.chars() {
        match (letter.to_digit(10), rank) {
            (Some(digit), known) => {
                let shifted = known.unwrap_or(0).checked_mul(10)?;
                rank = Some(shifted.checked_add(i64::from(digit))?);
            }
            // Between the digits of one number.
            (None, Some(_)) if matches!(letter, ',' | '.' | '\'' | '\u{202f}' | '\u{a0}') => {}
            (None, Some(_)) => break,
            (None, None) => {}
        }
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::size_rank;

    #[test]
    fn ranks_are_lower_bounds() {
        for (range, rank) in [
            ("1-10", Some(1)),
            ("51-200", Some(51)),
            ("10,001+", Some(10_001)),
            ("more than 5.000 people", Some(5_000)),
            ("self-employed", None),
            ("", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(size_rank(range), rank, "{range}");
        }
    }
}
