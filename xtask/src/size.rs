//! `cargo xtask size`: what the app weighs, and whether that is within its budget.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::build::{self, Flavour};
use crate::{repo, setup};

/// The limits of `xtask/budget.toml`, in bytes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Budget {
    whole_app_brotli: u64,
}

/// The weight of one file or of all, in bytes. What has no compressed twin
/// travels as it is, and weighs the same three times.
#[derive(Clone, Copy, Default)]
struct Weight {
    raw: u64,
    gzip: u64,
    brotli: u64,
}

/// The app's weight as a table and a verdict.
pub struct Report {
    pub table: String,
    pub verdict: String,
    pub within: bool,
}

/// Builds the UI if needed, prints the report, fails above the budget.
pub fn run() -> Result<ExitCode> {
    let tools = setup::wasm()?;
    let report = measure(&build::ui(&tools, Flavour::Release)?)?;
    println!("{}{}", report.table, report.verdict);
    Ok(ExitCode::from(u8::from(!report.within)))
}

/// Weighs the app in a folder against the budget.
pub fn measure(folder: &Path) -> Result<Report> {
    let budget = fs::read_to_string(repo::root().join("xtask/budget.toml"))
        .context("xtask/budget.toml cannot be read")?;
    let budget: Budget = toml::from_str(&budget).context("xtask/budget.toml is not valid")?;
    let mut files = Vec::new();
    list(folder, &mut files)?;
    files.sort();
    let mut rows = Vec::new();
    for file in &files {
        let name = file.strip_prefix(folder)?.display().to_string();
        rows.push((name, weigh(file)?));
    }
    Ok(report(&rows, &budget))
}

fn report(rows: &[(String, Weight)], budget: &Budget) -> Report {
    let mut table = line("file", "raw", "gzip", "brotli");
    let mut whole = Weight::default();
    for (name, weight) in rows {
        table += &weight_line(name, *weight);
        whole.raw += weight.raw;
        whole.gzip += weight.gzip;
        whole.brotli += weight.brotli;
    }
    table += &weight_line("whole app", whole);
    let limit = budget.whole_app_brotli;
    let within = whole.brotli <= limit;
    let verdict = if within {
        let left = limit - whole.brotli;
        format!("within the budget of {limit} bytes brotli, {left} left")
    } else {
        let over = whole.brotli - limit;
        format!("ABOVE the budget of {limit} bytes brotli (xtask/budget.toml), by {over}")
    };
    Report {
        table,
        verdict,
        within,
    }
}

/// Every file that travels; the compressed twins are not files of their own.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder)
        .with_context(|| format!("{} cannot be read", repo::relative(folder)))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else if !path
            .extension()
            .is_some_and(|kind| kind == "br" || kind == "gz")
        {
            files.push(path);
        }
    }
    Ok(())
}

fn weigh(file: &Path) -> Result<Weight> {
    let raw = fs::metadata(file)?.len();
    let twin = |kind: &str| {
        let path = PathBuf::from(format!("{}.{kind}", file.display()));
        fs::metadata(path).map_or(raw, |meta| meta.len())
    };
    Ok(Weight {
        raw,
        gzip: twin("gz"),
        brotli: twin("br"),
    })
}

fn weight_line(name: &str, weight: Weight) -> String {
    line(
        name,
        &weight.raw.to_string(),
        &weight.gzip.to_string(),
        &weight.brotli.to_string(),
    )
}

fn line(name: &str, raw: &str, gzip: &str, brotli: &str) -> String {
    format!("{name:<32} {raw:>10} {gzip:>10} {brotli:>10}\n")
}

#[cfg(test)]
mod tests {
    use super::{Budget, Weight, report};

    const BUDGET: Budget = Budget {
        whole_app_brotli: 100,
    };

    fn row(brotli: u64) -> (String, Weight) {
        let weight = Weight {
            raw: brotli * 3,
            gzip: brotli * 2,
            brotli,
        };
        (format!("file-{brotli}"), weight)
    }

    #[test]
    fn the_budget_is_for_all_files_together() {
        assert!(report(&[row(60), row(40)], &BUDGET).within);
        let above = report(&[row(60), row(41)], &BUDGET);
        assert!(!above.within);
        assert!(above.verdict.contains("by 1"), "{}", above.verdict);
    }

    #[test]
    fn the_table_ends_with_the_sum() {
        let report = report(&[row(60), row(30)], &BUDGET);
        let words: Vec<&str> = report
            .table
            .lines()
            .last()
            .expect("a line")
            .split_whitespace()
            .collect();
        assert_eq!(words, ["whole", "app", "270", "180", "90"]);
        assert!(report.verdict.contains("10 left"), "{}", report.verdict);
    }
}
