//! The tokens of the style sheet.

use std::collections::BTreeSet;

const TOKENS: &str = include_str!("../../www/style/1-tokens.css");

/// How the value of a color begins.
const COLORS: [&str; 6] = [
    "light-dark(",
    "color-mix(",
    "color(",
    "oklch(",
    "var(--accent",
    "var(--surface",
];

#[test]
fn each_color_is_registered() {
    let lines = || TOKENS.lines().map(str::trim);
    let registered: BTreeSet<&str> = lines()
        .filter_map(|line| line.strip_prefix("@property ")?.split_once(' '))
        .map(|(name, _)| name)
        .collect();
    let colors: BTreeSet<&str> = lines()
        .filter_map(|line| line.split_once(": "))
        .filter(|(name, value)| {
            name.starts_with("--") && COLORS.iter().any(|begin| value.starts_with(begin))
        })
        .map(|(name, _)| name)
        .collect();
    assert!(!colors.is_empty());
    assert_eq!(registered, colors);
}
