//! Company sizes as head count ranges.

use lead_workspace_api::STAFF_COUNT_RANGES;

/// Returns the lower bound of a size range; sizes sort and compare by it.
///
/// 51 for `51-200`, 10001 for `10,001+`, 1000 for `1K-5K`, 1500 for `1.5K`, 1 for `Self-employed`.
/// `None` if the text has no digit. A number that is too large to be stored is the largest one.
pub fn size_rank(range: &str) -> Option<i64> {
    let range = range.trim();
    if range.to_lowercase().starts_with("self") || range.to_lowercase().starts_with("myself") {
        return Some(1);
    }
    let mut digits = String::new();
    // Number of digits after the last separator.
    let mut last = None;
    let mut thousands = false;
    let mut rest = range.chars().skip_while(|c| !c.is_ascii_digit()).peekable();
    while let Some(c) = rest.next() {
        match c {
            '0'..='9' => {
                digits.push(c);
                last = last.map(|digits: u32| digits.saturating_add(1));
            }
            // A thousands separator or decimal sign is followed by a digit; none of these separates
            // the bounds of a range.
            ',' | '.' | '\'' | '’' | '\u{a0}' | '\u{202f}'
                if rest.peek().is_some_and(char::is_ascii_digit) =>
            {
                last = matches!(c, ',' | '.').then_some(0);
            }
            'k' | 'K' => {
                thousands = true;
                break;
            }
            _ => break,
        }
    }
    if digits.is_empty() {
        return None;
    }
    let heads: i64 = digits.parse().unwrap_or(i64::MAX);
    Some(heads.saturating_mul(match last {
        _ if !thousands => 1,
        // Thousands are never grouped by fewer than three digits, so 1.5K is a fraction.
        Some(1) => 100,
        Some(2) => 10,
        _ => 1000,
    }))
}

/// Normalizes a company size, so that equal sizes from different sources become one facet value.
///
/// A head count becomes its range; a standard range loses its separators and words. Other ranges
/// and texts without a number are only trimmed.
pub fn staff_count_range(text: &str) -> String {
    let text = text.trim();
    let Some(from) = size_rank(text) else {
        return text.to_owned();
    };
    let usual = STAFF_COUNT_RANGES
        .iter()
        .find(|(_, low, high)| (*low..=*high).contains(&from));
    let Some((range, low, _)) = usual else {
        return text.to_owned();
    };
    let one_number = {
        let numbers = text.split(|c: char| matches!(c, '-' | '–' | '—') || c.is_whitespace());
        numbers.filter(|part| size_rank(part).is_some()).count() < 2
    };
    if one_number || from == *low {
        (*range).to_owned()
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{STAFF_COUNT_RANGES, size_rank, staff_count_range};

    #[test]
    fn size_ranks_are_read_in_common_forms() {
        let cases = [
            ("51-200", Some(51)),
            ("51 – 200 employees", Some(51)),
            ("10,001+", Some(10_001)),
            ("10.001+ Beschäftigte", Some(10_001)),
            ("1K-5K", Some(1000)),
            ("1.5K", Some(1500)),
            ("2,5k – 5k", Some(2500)),
            ("1.25K employees", Some(1250)),
            ("10.001K", Some(10_001_000)),
            ("1.234.5K", Some(1_234_500)),
            ("1.5", Some(15)),
            ("Self-employed", Some(1)),
            ("more than 5.000 people", Some(5_000)),
            ("unknown", None),
            ("", None),
            ("99999999999999999999", Some(i64::MAX)),
        ];
        for (text, expected) in cases {
            assert_eq!(size_rank(text), expected, "{text}");
        }
    }

    #[test]
    fn sizes_of_different_sources_are_unified() {
        let cases = [
            ("51 – 200 employees", "51-200"),
            ("137", "51-200"),
            ("1.5K", "1001-5000"),
            ("1,001-5,000", "1001-5000"),
            ("10001+", "10001+"),
            ("10,001+ employees", "10001+"),
            ("Self-employed", "1"),
            ("0", "0"),
            ("100-250", "100-250"),
            ("large", "large"),
        ];
        for (text, expected) in cases {
            assert_eq!(staff_count_range(text), expected, "{text}");
        }
        for (range, low, _) in STAFF_COUNT_RANGES {
            assert_eq!(staff_count_range(range), range);
            assert_eq!(size_rank(range), Some(low));
        }
    }
}
