//! `cargo xtask package`: builds the npm package into `pkg/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::build::Flavour;
use crate::build::module::{self, Kind, Module};
use crate::build::stamp::{self, Inputs};
use crate::build::style;
use crate::setup::{self, WasmTools, npm};
use crate::{progress, repo, size};

/// The placeholder version in `www/package.json`.
const NO_VERSION: &str = "0.0.0";

/// The scripts that pages import. Code that they share is bundled into common chunks.
const ENTRIES: [&str; 4] = ["index.js", INLINE, "ui.js", "react.js"];

/// The client with its Wasm inlined as text, for pages that cannot load a separate Wasm file.
const INLINE: &str = "inline.js";

/// Files from outside `www/npm`, and their names in the package.
const OTHERS: [(&str, &str); 4] = [
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("www/README.md", "README.md"),
    ("www/package.json", "package.json"),
];

/// `cargo xtask package`, including the setup it needs.
pub fn run() -> Result<()> {
    let tools = setup::wasm()?;
    let folder = build(&tools)?;
    for report in size::measure_package(&folder)? {
        println!("{}", report.text);
    }
    println!("package  {}", repo::relative(&folder));
    Ok(())
}

/// Builds the package, unless it is current, and returns its folder.
pub fn build(tools: &WasmTools) -> Result<PathBuf> {
    let client = module::build(tools, Kind::Client, Flavour::Release)?;
    let review = module::build(tools, Kind::Review, Flavour::Release)?;
    let mut files = own_files()?;
    // Snippets that both modules import come from the same source, so either copy works.
    for path in review.files()?.into_iter().chain(client.files()?) {
        files.retain(|(_, name)| path.file_name() != name.file_name());
        let name = PathBuf::from(path.file_name().unwrap_or_default());
        files.push((path, name));
    }
    files.sort_by(|a, b| a.1.cmp(&b.1));
    let folder = repo::root().join("pkg");
    let fingerprint = fingerprint(&files, &[client, review])?;
    let stamp = repo::target().join("xtask").join("package.stamp");
    if stamp::is_current(&stamp, &fingerprint) && folder.is_dir() {
        return Ok(folder);
    }
    let aside = repo::target().join("xtask").join("package");
    assemble(&files, &aside)?;
    replace(&aside, &folder)?;
    fs::write(&stamp, fingerprint)?;
    Ok(folder)
}

/// Returns the files that are not built from Rust, with their names in the package.
fn own_files() -> Result<Vec<(PathBuf, PathBuf)>> {
    let root = repo::root();
    let mut files: Vec<(PathBuf, PathBuf)> = OTHERS
        .iter()
        .map(|(path, name)| (root.join(path), PathBuf::from(name)))
        .collect();
    files.extend(style::sheets(style::User::Package)?);
    let folder = root.join("www/npm");
    let entries = fs::read_dir(&folder).context("www/npm cannot be read")?;
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = PathBuf::from(path.file_name().unwrap_or_default());
        if !name.to_string_lossy().starts_with('.') {
            files.push((path, name));
        }
    }
    Ok(files)
}

fn fingerprint(files: &[(PathBuf, PathBuf)], modules: &[Module]) -> Result<String> {
    let mut inputs = Inputs::of_recipe(include_str!("package.rs"));
    inputs.add(env!("CARGO_PKG_VERSION"));
    inputs.add_file(&repo::root().join("xtask/npm/bundle.mjs"))?;
    inputs.add_file(&repo::root().join("xtask/npm/inline.mjs"))?;
    inputs.add_file(&repo::root().join("xtask/npm/style.mjs"))?;
    for module in modules {
        inputs.add(&module.fingerprint);
    }
    for (path, name) in files {
        inputs.add(name);
        inputs.add_file(path)?;
    }
    Ok(inputs.fingerprint())
}

fn assemble(files: &[(PathBuf, PathBuf)], out: &Path) -> Result<()> {
    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    fs::create_dir_all(out)?;
    for (from, name) in files {
        let to = out.join(name);
        fs::copy(from, &to)
            .with_context(|| format!("{} cannot be copied", repo::relative(from)))?;
    }
    let mut bundle = Command::new(npm::node()?);
    bundle
        .arg(repo::root().join("xtask/npm/bundle.mjs"))
        .arg(out)
        .args(ENTRIES);
    progress::run("package, scripts", &mut bundle)?
        .or_fail("A script of the package has an unresolved import; see the message above.")?;
    style::minify(&out.join(style::NAME))?;
    let manifest = out.join("package.json");
    let text = fs::read_to_string(&manifest)?;
    fs::write(&manifest, with_version(&text, env!("CARGO_PKG_VERSION"))?)?;
    let mut inline = Command::new(npm::node()?);
    inline
        .arg(repo::root().join("xtask/npm/inline.mjs"))
        .arg(out.join("client.wasm"))
        .arg(out.join(INLINE));
    progress::run("package, inline module", &mut inline)?
        .or_fail("www/npm/inline.js has no placeholder for the module; see the message above.")?;
    Ok(())
}

/// Returns the manifest with the version of the workspace.
fn with_version(manifest: &str, version: &str) -> Result<String> {
    let place = format!("\"version\": \"{NO_VERSION}\"");
    let (before, after) = manifest
        .split_once(&place)
        .with_context(|| format!("www/package.json does not contain {place}"))?;
    Ok(format!("{before}\"version\": \"{version}\"{after}"))
}

/// Replaces the content of the folder `old` with that of `new`.
fn replace(new: &Path, old: &Path) -> Result<()> {
    if old.exists() {
        fs::remove_dir_all(old)?;
    }
    // Copied, not renamed: the two folders may be on different disks.
    fs::create_dir_all(old)?;
    for entry in fs::read_dir(new)? {
        let entry = entry?;
        fs::copy(entry.path(), old.join(entry.file_name()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::with_version;

    #[test]
    fn the_manifest_gets_the_workspace_version() {
        let manifest = "{\n  \"name\": \"x\",\n  \"version\": \"0.0.0\"\n}\n";
        let versioned = with_version(manifest, "1.2.3").expect("a place for it");
        assert_eq!(versioned, manifest.replace("0.0.0", "1.2.3"));
    }

    #[test]
    fn a_manifest_with_its_own_version_is_an_error() {
        assert!(with_version("{ \"version\": \"0.1.0\" }", "1.2.3").is_err());
    }
}
