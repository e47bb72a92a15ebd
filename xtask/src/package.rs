//! Builds the npm package into `pkg/`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::build::module::{self, Kind};
use crate::build::stamp::{self, Inputs};
use crate::build::{scripts, style};
use crate::setup::npm;
use crate::{progress, repo};

pub mod command;
pub mod deb;

/// The placeholder version in `www/package.json`.
const NO_VERSION: &str = "\"version\": \"0.0.0\"";

/// The scripts that pages import, the program, and the script of its page. Code that they share is bundled into common
/// chunks.
const ENTRIES: [&str; 12] = [
    "index.js",
    "inline.js",
    "ui.js",
    "react-ui.js",
    "react.js",
    "vue.js",
    "svelte.js",
    "tanstack.js",
    "testing.js",
    "workerd.js",
    "cli.js",
    "demo-page.js",
];

/// Files from outside `www/npm`, and their names in the package.
const OTHERS: [(&str, &str); 13] = [
    ("CHANGELOG.md", "CHANGELOG.md"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("SECURITY.md", "SECURITY.md"),
    ("docs/client.md", "docs/client.md"),
    ("docs/decisions.md", "docs/decisions.md"),
    ("docs/react.md", "docs/react.md"),
    ("docs/svelte.md", "docs/svelte.md"),
    ("docs/tanstack-query.md", "docs/tanstack-query.md"),
    ("docs/testing.md", "docs/testing.md"),
    ("docs/vue.md", "docs/vue.md"),
    ("www/README.md", "README.md"),
    ("www/package.json", "package.json"),
];

/// Builds the package, unless it is current, and returns its folder.
pub fn build() -> Result<PathBuf> {
    let root = repo::root();
    let mut inputs = Inputs::of_recipe(include_str!("package.rs"));
    inputs.add(env!("CARGO_PKG_VERSION"));
    inputs.add_file(&root.join("xtask/npm/bundle.mjs"))?;
    let mut files: Vec<(PathBuf, PathBuf)> = OTHERS
        .iter()
        .map(|(path, name)| (root.join(path), PathBuf::from(name)))
        .collect();
    files.extend(style::sheets(style::User::Package)?);
    files.extend(repo::files_below(&root.join("www/npm"))?);
    for kind in [Kind::Client, Kind::Review, Kind::Memory] {
        let module = module::build(kind)?;
        inputs.add(&module.fingerprint);
        files.extend(module.files()?);
    }
    for (path, name) in &files {
        inputs.add(name);
        inputs.add_file(path)?;
    }
    let folder = root.join("pkg");
    let fingerprint = inputs.fingerprint();
    let stamp = repo::target().join("xtask").join("package.stamp");
    if stamp::is_current(&stamp, &fingerprint) && folder.is_dir() {
        return Ok(folder);
    }
    // Until the folder is complete, it must not count as current.
    if stamp.exists() {
        fs::remove_file(&stamp)?;
    }
    repo::clear(&folder)?;
    repo::copy_all(&files, &folder)?;
    let mut bundle = npm::script("bundle.mjs")?;
    bundle.arg(&folder).args(ENTRIES);
    progress::run("package, scripts", &mut bundle)?
        .or_fail("A script of the package has an unresolved import; see the message above.")?;
    scripts::minify(&folder.join(style::NAME))?;
    set_version(&folder.join("package.json"))?;
    fs::write(&stamp, fingerprint)?;
    Ok(folder)
}

/// Writes the version of the workspace into the manifest.
fn set_version(manifest: &PathBuf) -> Result<()> {
    let text = fs::read_to_string(manifest).context("package.json cannot be read")?;
    if !text.contains(NO_VERSION) {
        bail!("www/package.json does not contain {NO_VERSION}");
    }
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    Ok(fs::write(manifest, text.replace(NO_VERSION, &version))?)
}
