//! Joins the style sheets into as few files as a page should load.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::setup::npm;
use crate::{progress, repo};

/// The name of the main sheet, in the app and in the package.
pub const NAME: &str = "style.css";

/// The name of the sheet that the app loads together with the lazily loaded code.
pub const LATER: &str = "later.css";

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum User {
    /// The app, which fills its window and lazily loads the second sheet.
    App,
    /// The app with all its code in one module, for tests.
    WholeApp,
    /// The package, whose screens are embedded in other pages.
    Package,
}

/// Joins the files of `www/style` and of `www/style/later`, each sorted by name. Returns the sheets with their names.
///
/// The sources use container queries. For the app they are replaced by media queries, because a container query makes
/// every layout slower.
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

/// Returns the text of all sheets of a folder, joined in the order of their names.
fn joined(folder: &Path) -> Result<String> {
    let entries = fs::read_dir(folder)
        .with_context(|| format!("{} cannot be read", repo::relative(folder)))?;
    let mut parts: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    parts.retain(|path| path.extension().is_some_and(|kind| kind == "css"));
    parts.sort();
    if parts.is_empty() {
        bail!("{} contains no style sheet", repo::relative(folder));
    }
    let mut text = String::new();
    for part in parts {
        text += &fs::read_to_string(&part)
            .with_context(|| format!("{} cannot be read", repo::relative(&part)))?;
    }
    Ok(text)
}

/// Minifies a sheet in place.
pub fn minify(file: &Path) -> Result<()> {
    let mut style = Command::new(npm::node()?);
    style
        .arg(repo::root().join("xtask/npm/style.mjs"))
        .arg(file);
    progress::run("minify the style sheet", &mut style)?
        .or_fail("esbuild cannot parse the style sheet; see the message above.")?;
    Ok(())
}
