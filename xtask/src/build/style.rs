//! The style sheets: several files to read, joined into as few as a page should load.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::setup::npm;
use crate::{progress, repo};

/// The name of the sheet that a page loads, wherever it goes.
pub const NAME: &str = "style.css";

/// The name of the sheet that the app loads together with the code of the parts that come later.
pub const LATER: &str = "later.css";

/// Who uses the sheets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum User {
    /// The app, which fills its window and loads what comes later when it is opened.
    App,
    /// The app with all its code in one module, as tests use it.
    WholeApp,
    /// The package, whose screens have a place in a page of others.
    Package,
}

/// Joins the files of `www/style` and of `www/style/later`, each in the order of their names. Returns the sheets with
/// their names.
///
/// The files ask for the width of their place. The app asks for that of its window in their stead: a container query
/// makes every layout dearer.
pub fn sheets(user: User) -> Result<Vec<(PathBuf, PathBuf)>> {
    let folder = repo::root().join("www/style");
    let mut first = joined(&folder)?;
    let mut later = joined(&folder.join("later"))?;
    if user != User::Package {
        first = first.replace("@container app ", "@media ");
        later = later.replace("@container app ", "@media ");
    }
    let out = repo::target().join("xtask").join(match user {
        User::App => "style-app",
        User::WholeApp => "style-whole-app",
        User::Package => "style-package",
    });
    fs::create_dir_all(&out)?;
    let sheets = match user {
        User::App => vec![(NAME, first), (LATER, later)],
        User::WholeApp | User::Package => vec![(NAME, first + &later)],
    };
    let mut files = Vec::new();
    for (name, text) in sheets {
        let file = out.join(name);
        fs::write(&file, text)?;
        files.push((file, PathBuf::from(name)));
    }
    Ok(files)
}

/// The text of all sheets of a folder, in the order of their names.
fn joined(folder: &Path) -> Result<String> {
    let entries = fs::read_dir(folder)
        .with_context(|| format!("{} cannot be read", repo::relative(folder)))?;
    let mut parts: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    parts.retain(|path| path.extension().is_some_and(|kind| kind == "css"));
    parts.sort();
    if parts.is_empty() {
        bail!("{} holds no style sheet", repo::relative(folder));
    }
    let mut text = String::new();
    for part in parts {
        text += &fs::read_to_string(&part)
            .with_context(|| format!("{} cannot be read", repo::relative(&part)))?;
    }
    Ok(text)
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
