//! Assembles the finished UI: the page, its static files and the module in one folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::Flavour;
use super::module::Module;
use super::stamp::{self, Inputs};
use super::{scripts, style};
use crate::setup::npm;
use crate::{progress, repo};

/// The only file whose URL is the same in every build.
const PAGE: &str = "index.html";

/// The scripts of the page besides those that wasm-bindgen writes.
const SCRIPTS: [&str; 2] = ["boot.js", "first-query.js"];

/// Prefix of the folder for a build's files; a fingerprint follows. The service marks these files as immutable, so
/// browsers cache them forever.
const BUILD: &str = "build-";

/// Assembles the app's folder, unless it is current, and returns it.
pub fn assemble(flavour: Flavour, module: &Module) -> Result<PathBuf> {
    let page = repo::root().join(PAGE);
    let mut files = module.files()?;
    for script in SCRIPTS {
        files.push((repo::root().join("www").join(script), script.into()));
    }
    files.extend(style::sheets(match flavour {
        Flavour::Dev => style::User::WholeApp,
        Flavour::Release => style::User::App,
    })?);
    let mut inputs = Inputs::of_recipe(include_str!("assets.rs"));
    inputs.add(&module.fingerprint);
    inputs.add_file(&page)?;
    for (path, name) in &files {
        inputs.add(name);
        inputs.add_file(path)?;
    }
    let folder = flavour.folder();
    let stamp = folder.with_extension("stamp");
    let fingerprint = inputs.fingerprint();
    if stamp::is_current(&stamp, &fingerprint) && folder.is_dir() {
        return Ok(folder);
    }
    // Assembled in a separate folder, so that a running service never serves a half-written one.
    let aside = folder.with_extension("new");
    repo::clear(&aside)?;
    let assembled = aside.join("build");
    repo::copy_all(&files, &assembled)?;
    if flavour == Flavour::Release {
        for name in SCRIPTS.into_iter().chain([style::NAME, style::LATER]) {
            scripts::minify(&assembled.join(name))?;
        }
    }
    // Browsers never mix files of two builds.
    let mut content = Inputs::of_recipe("");
    content.add_all(&assembled)?;
    let build = BUILD.to_owned() + &content.fingerprint();
    fs::rename(&assembled, aside.join(&build))?;
    let names = files.iter().map(|(_, name)| name.as_path());
    fs::write(
        aside.join(PAGE),
        address(&fs::read_to_string(page)?, names, &build),
    )?;
    if flavour == Flavour::Release {
        compress(&aside)?;
    }
    repo::clear(&folder)?;
    fs::remove_dir(&folder)?;
    fs::rename(&aside, &folder)?;
    fs::write(&stamp, fingerprint)?;
    Ok(folder)
}

/// Rewrites the URLs in the page to the files of this build. Removes preloads of modules that this build does not
/// have.
fn address<'a>(page: &str, names: impl Iterator<Item = &'a Path>, build: &str) -> String {
    let mut text = page.to_owned();
    for name in names {
        let name = name.display();
        text = text.replace(&format!("\"/{name}\""), &format!("\"/{build}/{name}\""));
    }
    let is_here =
        |line: &&str| !line.starts_with("<link rel=\"modulepreload\"") || line.contains(build);
    text.split_inclusive('\n').filter(is_here).collect()
}

/// Adds compressed copies of all files in a folder.
pub fn compress(folder: &Path) -> Result<()> {
    let mut command = npm::script("compress.mjs")?;
    progress::run("compress", command.arg(folder))?
        .or_fail("See the message above. Check that the disk is not full.")
        .context("compress.mjs")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::address;

    #[test]
    fn the_page_names_the_files_of_the_build() {
        let page = "<link rel=\"modulepreload\" href=\"/__wasm_split.js\">\n<script src=\"/boot.js\"></script>\n";
        let names = [Path::new("boot.js")].into_iter();
        assert_eq!(
            address(page, names, "build-1"),
            "<script src=\"/build-1/boot.js\"></script>\n"
        );
    }
}
