//! The sizes that the package's README states, against the measured ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{Report, reached, weigh, without_parts};

/// How far a stated size may be from the measured one, in percent of it.
const TOLERANCE: u64 = 3;

/// Measures each entry of the package that is a script, and compares its size with the table in the README. An entry
/// with lazily loaded parts has a second row.
pub fn check(folder: &Path, package: &Path) -> Result<Report> {
    let manifest = fs::read_to_string(package.join("package.json"))?;
    let manifest: serde_json::Value = serde_json::from_str(&manifest)?;
    let exports = manifest["exports"]
        .as_object()
        .context("package.json has no exports")?;
    let mut measured = BTreeMap::new();
    for (name, entry) in exports {
        let script = entry["default"]
            .as_str()
            .and_then(|path| path.strip_prefix("./"));
        let Some(script) = script.filter(|path| path.ends_with(".js")) else {
            continue;
        };
        let all = reached(folder, script)?;
        let first = without_parts(&all);
        let title = format!("`lead-workspace{}`", name.trim_start_matches('.'));
        if first.len() < all.len() {
            measured.insert(format!("{title}, with all its parts"), total(&all)?);
        }
        measured.insert(title, total(&first)?);
    }
    let readme = fs::read_to_string(package.join("README.md"))?;
    Ok(compare(&measured, &stated(&readme)))
}

fn total(files: &[PathBuf]) -> Result<u64> {
    files.iter().map(|file| Ok(weigh(file)?.1)).sum()
}

/// Returns the rows of the README's table, in bytes: ``| `lead-workspace` | 90.1 kB |``.
fn stated(readme: &str) -> BTreeMap<String, u64> {
    let rows = readme.lines().filter_map(|line| {
        let (name, size) = line
            .strip_prefix("| ")?
            .strip_suffix(" kB |")?
            .split_once(" | ")?;
        let kilobytes: f64 = size.parse().ok()?;
        Some((name.to_owned(), (kilobytes * 1000.0).round() as u64))
    });
    rows.collect()
}

fn compare(measured: &BTreeMap<String, u64>, stated: &BTreeMap<String, u64>) -> Report {
    let mut text = format!(
        "{:<60} {:>10} {:>10}\n",
        "sizes in www/README.md", "stated", "brotli"
    );
    let mut within = true;
    let names: BTreeSet<&String> = measured.keys().chain(stated.keys()).collect();
    for name in names {
        let (stated, measured) = (stated.get(name), measured.get(name));
        let ok = match (stated, measured) {
            (Some(&stated), Some(&measured)) => {
                stated.abs_diff(measured) * 100 <= measured * TOLERANCE
            }
            _ => false,
        };
        within &= ok;
        let cell = |size: Option<&u64>| size.map_or_else(|| "missing".to_owned(), u64::to_string);
        let mark = if ok { "" } else { "  CORRECT THE README" };
        let _ = writeln!(
            text,
            "{name:<60} {:>10} {:>10}{mark}",
            cell(stated),
            cell(measured)
        );
    }
    text += &format!("each within {TOLERANCE} % of what is measured\n");
    Report { text, within }
}

#[cfg(test)]
mod tests {
    use super::{compare, stated};

    const README: &str =
        "| Entry | Size |\n|---|---|\n| `a` | 90.1 kB |\n| `b`, with all its parts | 640 kB |\n";

    fn is_right(a: u64, more: &[&str]) -> bool {
        let mut measured = stated(README);
        measured.insert("`a`".to_owned(), a);
        measured.extend(more.iter().map(|&name| (name.to_owned(), 1)));
        compare(&measured, &stated(README)).within
    }

    #[test]
    fn a_stated_size_may_differ_by_three_percent() {
        assert_eq!(stated(README).len(), 2);
        assert!(is_right(90_100, &[]));
        assert!(is_right(87_500, &[]));
        assert!(!is_right(87_400, &[]));
        assert!(!is_right(92_900, &[]));
    }

    #[test]
    fn an_entry_without_a_row_is_reported() {
        assert!(!is_right(90_100, &["`c`"]));
        let missing = compare(&Default::default(), &stated(README));
        assert!(!missing.within);
        assert!(missing.text.contains("missing"));
    }
}
