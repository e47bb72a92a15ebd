//! The style sheet: one file to load, several to read.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::setup::npm;
use crate::{progress, repo};

/// Its name, wherever it goes.
pub const NAME: &str = "style.css";

/// What a sheet is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sheet {
    /// The app, which fills its window.
    App,
    /// The package, whose screens have a place in a page of others.
    Package,
}

/// Joins the sheets of `www/style`, in the order of their names, and returns the file. They ask for the
/// width of their place. The app asks for that of its window in their stead: a container query makes every layout dearer.
pub fn joined(of: Sheet) -> Result<PathBuf> {
    let folder = repo::root().join("www/style");
    let entries = fs::read_dir(&folder).context("www/style cannot be read")?;
    let mut parts: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    parts.retain(|path| path.extension().is_some_and(|kind| kind == "css"));
    parts.sort();
    if parts.is_empty() {
        bail!("www/style holds no style sheet");
    }
    let mut text = String::new();
    for part in parts {
        text += &fs::read_to_string(&part)
            .with_context(|| format!("{} cannot be read", repo::relative(&part)))?;
    }
    let folder = repo::target().join("xtask").join(match of {
        Sheet::App => "style-app",
        Sheet::Package => "style-package",
    });
    if of == Sheet::App {
        text = text.replace("@container app ", "@media ");
    }
    let file = folder.join(NAME);
    fs::create_dir_all(folder)?;
    fs::write(&file, text)?;
    Ok(file)
}

/// Shrinks a sheet in place.
pub fn minify(file: &Path) -> Result<()> {
    let mut style = Command::new(npm::node()?);
    style
        .arg(repo::root().join("xtask/npm/style.mjs"))
        .arg(file);
    progress::run("minify the style sheet", &mut style)?
        .or_fail("The sheet is no CSS that esbuild understands; see the message above.")?;
    Ok(())
}
