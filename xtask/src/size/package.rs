//! Measures what a page loads when it imports an entry of the npm package.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{Report, budget, report};
use crate::build::split::comes_later;
use crate::setup::npm;
use crate::{progress, repo};

/// The kinds of files that entries may reference.
const KINDS: [&str; 4] = [".js", ".wasm", ".css", ".bin"];

/// Measures what a page loads for each entry of the package, against the budget.
pub fn measure_package(folder: &Path) -> Result<Vec<Report>> {
    let budget = budget()?;
    let folder = compressed(folder)?;
    let client = reached(&folder, "index.js")?;
    let review = reached(&folder, "ui.js")?;
    let first: Vec<_> = review
        .iter()
        .filter(|file| !comes_later(file))
        .cloned()
        .collect();
    [
        (
            "client, import lead-workspace, minified",
            client,
            budget.client_module_brotli,
        ),
        (
            "review, import lead-workspace/ui, minified",
            first,
            budget.review_module_first_brotli,
        ),
        (
            "review, with all lazily loaded files",
            review,
            budget.review_module_brotli,
        ),
    ]
    .into_iter()
    .map(|(title, files, limit)| report(title, &folder, &files, limit))
    .collect()
}

/// Returns every file that an entry references, directly or indirectly.
fn reached(folder: &Path, entry: &str) -> Result<Vec<PathBuf>> {
    let mut files = BTreeSet::new();
    reach(&folder.join(entry), &mut files)?;
    Ok(files.into_iter().collect())
}

/// Copies the package's files and adds compressed copies, which must not be in the package itself.
fn compressed(package: &Path) -> Result<PathBuf> {
    let folder = repo::target().join("xtask").join("package-weight");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    for entry in fs::read_dir(package)? {
        let entry = entry?;
        let name = entry.file_name();
        // The inline module holds the client a second time, and is slow to compress.
        if name != "inline.js"
            && KINDS
                .iter()
                .any(|kind| name.to_string_lossy().ends_with(kind))
        {
            let copy = folder.join(&name);
            fs::copy(entry.path(), &copy)?;
            if name.to_string_lossy().ends_with(".js") {
                minify(&copy)?;
            }
        }
    }
    let mut command = Command::new(npm::node()?);
    command
        .arg(repo::root().join("xtask/npm/compress.mjs"))
        .arg(&folder);
    progress::run("package, compress", &mut command)?
        .or_fail("See the message above. Check that the disk is not full.")?;
    Ok(folder)
}

/// Minifies a script as the bundler of a page would. The package ships it readable.
fn minify(file: &Path) -> Result<()> {
    let mut terser = Command::new(npm::node()?);
    terser
        .arg(repo::root().join("xtask/npm/node_modules/terser/bin/terser"))
        .arg(file)
        .args(["--module", "--compress", "--mangle", "--output"])
        .arg(file);
    progress::run("package, minify", &mut terser)?
        .or_fail("terser cannot parse a script of the package.")?;
    Ok(())
}

/// Adds a file and, recursively, every file that it names with a relative path.
fn reach(file: &Path, files: &mut BTreeSet<PathBuf>) -> Result<()> {
    if !files.insert(file.to_path_buf()) || file.extension().is_none_or(|kind| kind != "js") {
        return Ok(());
    }
    let text = fs::read_to_string(file)
        .with_context(|| format!("{} is missing from the package", repo::relative(file)))?;
    for name in named_files(&text) {
        let file = file.with_file_name(name);
        // The glue also names a file that only bundlers would create.
        if file.is_file() {
            reach(&file, files)?;
        }
    }
    Ok(())
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
    use super::named_files;

    #[test]
    fn imports_and_urls_are_found_in_a_script() {
        let script = "import{a}from\"./errors.js\";const u=new URL('./client.wasm',import.meta.url);\n\
            // As in \"./not here.js\", and `lead-workspace/inline`.\nimport x from \"node:fs\";";
        let names: Vec<&str> = named_files(script).into_iter().collect();
        assert_eq!(names, ["client.wasm", "errors.js"]);
    }
}
