//! Finds words and phrases in a value; ignores case, accents and punctuation.

use std::collections::HashMap;

use crate::fold::fold;

/// The compiled phrases of several groups: a search costs one lookup per word of the value.
#[derive(Debug, Default)]
pub(super) struct Phrases {
    /// By the first word of a phrase: its other words and its group, longest phrase first.
    by_first: HashMap<String, Vec<(Vec<String>, usize)>>,
}

impl Phrases {
    /// Compiles the phrases of each group.
    pub(super) fn new<'a>(groups: impl IntoIterator<Item = &'a [String]>) -> Self {
        let mut by_first: HashMap<String, Vec<_>> = HashMap::new();
        for (group, phrases) in groups.into_iter().enumerate() {
            for phrase in phrases {
                let mut words = words(phrase).into_iter();
                if let Some(first) = words.next() {
                    let rest = words.collect::<Vec<_>>();
                    by_first.entry(first).or_default().push((rest, group));
                }
            }
        }
        for phrases in by_first.values_mut() {
            phrases.sort_by_key(|(rest, group)| (std::cmp::Reverse(rest.len()), *group));
        }
        Self { by_first }
    }

    /// Returns the first group with a phrase in the value.
    pub(super) fn find(&self, value: &str) -> Option<usize> {
        let words = words(value);
        let mut best: Option<usize> = None;
        let mut at = 0;
        while at < words.len() {
            let rest = &words[at + 1..];
            let longest = self
                .by_first
                .get(&words[at])
                .and_then(|phrases| phrases.iter().find(|(phrase, _)| rest.starts_with(phrase)));
            at += 1;
            if let Some((phrase, group)) = longest {
                at += phrase.len();
                best = Some(best.map_or(*group, |best| best.min(*group)));
            }
        }
        best
    }
}

fn words(value: &str) -> Vec<String> {
    let folded = fold(value);
    let words = folded.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::Phrases;

    fn phrases(groups: &[&[&str]]) -> Phrases {
        let groups: Vec<Vec<String>> = groups
            .iter()
            .map(|group| group.iter().map(|word| (*word).to_owned()).collect())
            .collect();
        Phrases::new(groups.iter().map(Vec::as_slice))
    }

    #[test]
    fn the_longest_phrase_wins() {
        let phrases = phrases(&[
            &["president"],
            &["vice president"],
            &["product owner"],
            &["owner"],
        ]);
        assert_eq!(phrases.find("President & CEO"), Some(0));
        assert_eq!(phrases.find("Vice-President, Sales"), Some(1));
        assert_eq!(phrases.find("Product Owner"), Some(2));
        assert_eq!(phrases.find("Owner"), Some(3));
        assert_eq!(phrases.find("Engineer"), None);
        assert_eq!(phrases.find(""), None);
    }

    #[test]
    fn the_first_group_wins_and_only_whole_words_match() {
        let phrases = phrases(&[&["geschäftsführer"], &["it", "sales"]]);
        assert_eq!(phrases.find("Sales & Geschaftsfuhrer"), Some(0));
        assert_eq!(phrases.find("GESCHÄFTSFÜHRER"), Some(0));
        assert_eq!(phrases.find("Head of IT"), Some(1));
        assert_eq!(phrases.find("Digital Italy"), None);
    }
}
