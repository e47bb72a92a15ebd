//! Seniority and words of job titles.

/// Maximum number of words of a title.
const MAX_WORDS: usize = 8;

/// Words that say nothing about the work.
const IGNORED: &str =
    " and at da das de der des di du et for für im in la le les of the und von y ";

/// Levels of seniority with their words. The first level with a word of the title counts: "Senior
/// Vice President" is a vice president, "Assistant to the CEO" a junior.
const LEVELS: [(u8, &str); 7] = [
    (
        1,
        " apprentice assistant intern jr junior praktikant praktikantin student trainee werkstudent ",
    ),
    (6, " avp evp prokurist prokuristin svp vice vp "),
    (
        8,
        " cofounder fondateur fondatrice founder founding gründer gründerin inhaber inhaberin owner ",
    ),
    (
        7,
        " cco cdo ceo cfo chief chro cio ciso cmo coo cpo cro cto geschäftsführer geschäftsführerin \
         général générale managing pdg president vorstand ",
    ),
    (
        5,
        " directeur director directora directrice direktor direktorin direttore head leiter leiterin \
         leitung responsable ",
    ),
    (
        4,
        " jefe lead manager managerin supervisor teamleiter teamleiterin ",
    ),
    (3, " expert principal senior sr staff "),
];

/// The level of a title without a word of [`LEVELS`].
const SPECIALIST: u8 = 2;

/// The levels in words, for users.
pub(super) const LEVEL_NAMES: [&str; 9] = [
    "No title",
    "Junior level",
    "Specialist level",
    "Senior specialist level",
    "Manager level",
    "Director level",
    "Vice president level",
    "C-level",
    "Founder or owner",
];

/// Returns the level of a title, an index into [`LEVEL_NAMES`].
pub(super) fn seniority(title: &str) -> u8 {
    if words(title).next().is_none() {
        return 0;
    }
    let has_one = |list: &str| words(title).any(|word| is_listed(list, word));
    let found = LEVELS.iter().find(|(_, list)| has_one(list));
    found.map_or(SPECIALIST, |(level, _)| *level)
}

/// Returns the first words of a title that say something about the work.
pub(super) fn title_words(title: &str) -> impl Iterator<Item = &str> {
    let says_something = |word: &&str| word.len() > 1 && !is_listed(IGNORED, word);
    words(title).filter(says_something).take(MAX_WORDS)
}

fn words(title: &str) -> impl Iterator<Item = &str> {
    let is_separator = |char: char| char.is_ascii() && !char.is_ascii_alphanumeric();
    title.split(is_separator).filter(|word| !word.is_empty())
}

/// Whether a list of lower-case words, each between two spaces, has the word. The first letters of
/// words in titles are ASCII, so only the case of ASCII letters is ignored.
fn is_listed(list: &str, word: &str) -> bool {
    let same = |listed: &str| listed.eq_ignore_ascii_case(word);
    list.split(' ').any(same)
}
