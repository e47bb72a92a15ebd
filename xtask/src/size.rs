//! `cargo xtask size`: measures the app and the npm package's modules against their budgets.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde::Deserialize;

pub use self::package::measure_package;

use crate::build::split::comes_later;
use crate::build::{self, Flavour, style};
use crate::{package as npm_package, repo, setup};

mod package;

/// The limits of `xtask/budget.toml`, in bytes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Budget {
    whole_app_brotli: u64,
    later_pages_brotli: u64,
    client_module_brotli: u64,
    review_module_first_brotli: u64,
    review_module_brotli: u64,
    review_mount_brotli: u64,
    pulse_mount_brotli: u64,
}

/// The size of one file or of several, in bytes. For a file without compressed copies, all three values are the raw
/// size.
#[derive(Clone, Copy, Default)]
struct Weight {
    raw: u64,
    gzip: u64,
    brotli: u64,
}

/// A size table, and whether the size is within the budget.
pub struct Report {
    pub text: String,
    pub within: bool,
}

/// Builds what is measured if needed and prints the reports. The exit code is 1 if a budget is exceeded.
pub fn run() -> Result<ExitCode> {
    let reports = all()?;
    for report in &reports {
        println!("{}", report.text);
    }
    let within = reports.iter().all(|report| report.within);
    Ok(ExitCode::from(u8::from(!within)))
}

/// Builds what is measured if needed, and measures it: the app, then the package's modules.
pub fn all() -> Result<Vec<Report>> {
    let tools = setup::wasm()?;
    let mut reports = measure_app(&build::ui(&tools, Flavour::Release)?)?;
    reports.extend(measure_package(&npm_package::build(&tools)?)?);
    Ok(reports)
}

/// Measures the app in a folder: the files of the first page, and the lazily loaded ones.
fn measure_app(folder: &Path) -> Result<Vec<Report>> {
    let budget = budget()?;
    let mut files = Vec::new();
    list(folder, &mut files)?;
    files.sort();
    let is_later = |file: &PathBuf| comes_later(file) || file.ends_with(style::LATER);
    let (later, first): (Vec<_>, Vec<_>) = files.into_iter().partition(is_later);
    Ok(vec![
        report("app, first page", folder, &first, budget.whole_app_brotli)?,
        report(
            "app, later pages",
            folder,
            &later,
            budget.later_pages_brotli,
        )?,
    ])
}

/// Returns the limits for the package tests, which measure what a page requests: environment variable names with
/// values in bytes.
pub fn mount_limits() -> Result<[(&'static str, String); 2]> {
    let budget = budget()?;
    Ok([
        (
            "LEAD_WORKSPACE_REVIEW_MOUNT_BYTES",
            budget.review_mount_brotli.to_string(),
        ),
        (
            "LEAD_WORKSPACE_PULSE_MOUNT_BYTES",
            budget.pulse_mount_brotli.to_string(),
        ),
    ])
}

fn budget() -> Result<Budget> {
    let budget = fs::read_to_string(repo::root().join("xtask/budget.toml"))
        .context("xtask/budget.toml cannot be read")?;
    toml::from_str(&budget).context("xtask/budget.toml is not valid")
}

/// Reports on some files of a folder that also holds their compressed copies.
fn report(title: &str, folder: &Path, files: &[PathBuf], limit: u64) -> Result<Report> {
    let mut rows = Vec::new();
    for file in files {
        let name = file.strip_prefix(folder)?.display().to_string();
        rows.push((name, weigh(file)?));
    }
    Ok(table(title, &rows, limit))
}

fn table(title: &str, rows: &[(String, Weight)], limit: u64) -> Report {
    let mut text = line("file", "raw", "gzip", "brotli");
    let mut whole = Weight::default();
    for (name, weight) in rows {
        text += &weight_line(name, *weight);
        whole.raw += weight.raw;
        whole.gzip += weight.gzip;
        whole.brotli += weight.brotli;
    }
    text += &weight_line(title, whole);
    let within = whole.brotli <= limit;
    text += &if within {
        let left = limit - whole.brotli;
        format!("within the budget of {limit} bytes brotli, {left} left\n")
    } else {
        let over = whole.brotli - limit;
        format!("ABOVE the budget of {limit} bytes brotli (xtask/budget.toml), by {over}\n")
    };
    Report { text, within }
}

/// Lists every file that is served, without the compressed copies.
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
    format!("{name:<36} {raw:>10} {gzip:>10} {brotli:>10}\n")
}

#[cfg(test)]
mod tests {
    use super::{Report, Weight, table};

    fn report(weights: &[u64]) -> Report {
        let rows: Vec<(String, Weight)> = weights
            .iter()
            .map(|&brotli| {
                let weight = Weight {
                    raw: brotli * 3,
                    gzip: brotli * 2,
                    brotli,
                };
                (format!("file-{brotli}"), weight)
            })
            .collect();
        table("whole app", &rows, 100)
    }

    #[test]
    fn the_budget_applies_to_all_files_together() {
        assert!(report(&[60, 40]).within);
        let above = report(&[60, 41]);
        assert!(!above.within);
        assert!(above.text.contains("by 1\n"), "{}", above.text);
    }

    #[test]
    fn the_table_ends_with_the_total_and_the_result() {
        let text = report(&[60, 30]).text;
        let lines: Vec<&str> = text.lines().collect();
        let words: Vec<&str> = lines[3].split_whitespace().collect();
        assert_eq!(words, ["whole", "app", "270", "180", "90"]);
        assert!(lines[4].contains("10 left"), "{text}");
    }
}
