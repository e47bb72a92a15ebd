//! `cargo xtask size`: measures the app and the npm package against their budgets, after Brotli.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::build::scripts::minify;
use crate::build::split::is_part;
use crate::build::{self, Flavour, assets, style};
use crate::{package, repo};

mod readme;

/// The kinds of files that entries of the package may reference.
const KINDS: [&str; 4] = [".js", ".wasm", ".css", ".bin"];

/// The entries of the package for frameworks. Each has the same limit.
const BINDINGS: [&str; 4] = ["react", "svelte", "tanstack", "vue"];

/// The limits of `xtask/budget.toml`, in bytes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Budget {
    whole_app_brotli: u64,
    later_pages_brotli: u64,
    client_module_brotli: u64,
    binding_brotli: u64,
    review_module_first_brotli: u64,
    review_module_brotli: u64,
    review_mount_brotli: u64,
    pulse_mount_brotli: u64,
    testing_brotli: u64,
}

/// A size table, and whether the size is within the budget.
pub struct Report {
    pub text: String,
    pub within: bool,
}

/// Prints the reports. The exit code is 1 if a budget is exceeded.
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
    let mut reports = measure_app(&build::ui(Flavour::Release)?)?;
    reports.extend(measure_package(&package::build()?)?);
    Ok(reports)
}

fn measure_app(folder: &Path) -> Result<Vec<Report>> {
    let budget = budget()?;
    let mut files: Vec<PathBuf> = repo::files_below(folder)?
        .into_iter()
        .map(|(path, _)| path)
        .collect();
    files.retain(|path| {
        path.extension()
            .is_none_or(|kind| kind != "br" && kind != "gz")
    });
    let is_later = |file: &PathBuf| is_part(file) || file.ends_with(style::LATER);
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

/// Measures what a page loads for each entry of the package.
pub fn measure_package(package: &Path) -> Result<Vec<Report>> {
    let budget = budget()?;
    let folder = compressed(package)?;
    let client: Vec<_> = reached(&folder, "index.js")?;
    let review: Vec<_> = reached(&folder, "ui.js")?;
    let testing: Vec<_> = reached(&folder, "testing.js")?;
    let first = without_parts(&review);
    let mut reports = vec![
        report(
            "import lead-workspace",
            &folder,
            &client,
            budget.client_module_brotli,
        )?,
        report(
            "import lead-workspace/ui",
            &folder,
            &first,
            budget.review_module_first_brotli,
        )?,
        report(
            "lead-workspace/ui, all of it",
            &folder,
            &review,
            budget.review_module_brotli,
        )?,
        report(
            "import lead-workspace/testing",
            &folder,
            &testing,
            budget.testing_brotli,
        )?,
        readme::check(&folder, package)?,
    ];
    for name in BINDINGS {
        let files = reached(&folder, &format!("{name}.js"))?;
        let title = format!("import lead-workspace/{name}");
        reports.push(report(&title, &folder, &files, budget.binding_brotli)?);
    }
    Ok(reports)
}

/// Returns the files that are not loaded lazily.
fn without_parts(files: &[PathBuf]) -> Vec<PathBuf> {
    let first = files.iter().filter(|file| !is_part(file));
    first.cloned().collect()
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
        let (raw, brotli) = weigh(file)?;
        let name = file.strip_prefix(folder)?.display().to_string();
        rows.push((name, raw, brotli));
    }
    Ok(table(title, &rows, limit))
}

/// Returns the size of a file, raw and compressed.
fn weigh(file: &Path) -> Result<(u64, u64)> {
    let raw = fs::metadata(file)?.len();
    let copy = PathBuf::from(format!("{}.br", file.display()));
    let brotli = fs::metadata(copy).map_or(raw, |copy| copy.len());
    Ok((raw, brotli))
}

fn table(title: &str, rows: &[(String, u64, u64)], limit: u64) -> Report {
    let line = |name: &str, raw: &str, brotli: &str| format!("{name:<60} {raw:>10} {brotli:>10}\n");
    let mut text = line("file", "raw", "brotli");
    for (name, raw, brotli) in rows {
        text += &line(name, &raw.to_string(), &brotli.to_string());
    }
    let raw: u64 = rows.iter().map(|(_, raw, _)| raw).sum();
    let brotli: u64 = rows.iter().map(|(_, _, brotli)| brotli).sum();
    text += &line(title, &raw.to_string(), &brotli.to_string());
    let within = brotli <= limit;
    text += &match limit.checked_sub(brotli) {
        Some(left) => format!("within the budget of {limit} bytes, {left} left\n"),
        None => format!(
            "ABOVE the budget of {limit} bytes (xtask/budget.toml), by {}\n",
            brotli - limit
        ),
    };
    Report { text, within }
}

/// Copies the package's files, minifies the scripts as the bundler of a page would, and adds compressed copies.
fn compressed(package: &Path) -> Result<PathBuf> {
    let folder = repo::target().join("xtask").join("package-weight");
    repo::clear(&folder)?;
    for (path, name) in repo::files_below(package)? {
        let text = name.to_string_lossy();
        if !KINDS.iter().any(|kind| text.ends_with(kind)) {
            continue;
        }
        let copy = folder.join(&name);
        fs::copy(path, &copy)?;
        if text.ends_with(".js") {
            minify(&copy)?;
        }
    }
    assets::compress(&folder)?;
    Ok(folder)
}

/// Returns every file that an entry names with a relative path, directly or indirectly.
fn reached(folder: &Path, entry: &str) -> Result<Vec<PathBuf>> {
    let mut files = BTreeSet::new();
    let mut next = vec![folder.join(entry)];
    while let Some(file) = next.pop() {
        // The glue also names a file that only bundlers would create.
        if !file.is_file() || !files.insert(file.clone()) || file.extension() != Some("js".as_ref())
        {
            continue;
        }
        let text = fs::read_to_string(&file)?;
        next.extend(named_files(&text).into_iter().map(|name| folder.join(name)));
    }
    Ok(files.into_iter().collect())
}

/// Returns the files in the same folder that a script names in quotes: `"./errors.js"`, `'./client.wasm'`.
fn named_files(script: &str) -> BTreeSet<&str> {
    script
        .split(['"', '\'', '`'])
        .filter_map(|text| text.strip_prefix("./"))
        .filter(|name| !name.contains(['/', '\n', ' ']))
        .filter(|name| KINDS.iter().any(|kind| name.ends_with(kind)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{named_files, table};

    #[test]
    fn the_budget_applies_to_all_files_together() {
        let table = |brotli: [u64; 2]| {
            let rows = brotli.map(|size| (size.to_string(), 3 * size, size));
            table("whole app", &rows, 100)
        };
        assert!(table([60, 40]).within);
        let above = table([60, 41]);
        assert!(!above.within);
        assert!(above.text.contains("by 1\n"), "{}", above.text);
    }

    #[test]
    fn imports_and_urls_are_found_in_a_script() {
        let script = "import{a}from\"./errors.js\";const u=new URL('./client.wasm',import.meta.url);\n\
            // As in \"./not here.js\", and `lead-workspace/inline`.\nimport x from \"node:fs\";";
        let names: Vec<&str> = named_files(script).into_iter().collect();
        assert_eq!(names, ["client.wasm", "errors.js"]);
    }
}
