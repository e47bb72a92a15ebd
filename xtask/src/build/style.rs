//! Joins the style sheets into as few files as a page should load.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::repo;

/// The name of the main sheet, in the app and in the package.
pub const NAME: &str = "style.css";

/// The name of the sheet that the split app loads together with the lazily loaded code.
pub const LATER: &str = "later.css";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum User {
    /// The split app, which lazily loads the second sheet.
    App,
    /// The app with all its code in one module.
    WholeApp,
    /// The package, whose screens are embedded in other pages.
    Package,
}

/// Joins the files of `www/style` and of `www/style/later`, each sorted by name. Returns the sheets with their names.
///
/// The sources use container queries. For the app, which fills its window, they are replaced by media queries, because
/// a container query makes every layout slower.
pub fn sheets(user: User) -> Result<Vec<(PathBuf, PathBuf)>> {
    let (mut first, mut later) = (String::new(), String::new());
    let folder = repo::root().join("www/style");
    for (path, name) in repo::files_below(&folder)? {
        let sheet = match name.parent() == Some(Path::new("later")) {
            true => &mut later,
            false => &mut first,
        };
        *sheet += &fs::read_to_string(path)?;
    }
    let sheets = match user {
        User::App => vec![(NAME, first), (LATER, later)],
        User::WholeApp | User::Package => vec![(NAME, first + &later)],
    };
    let out = repo::target().join(format!("xtask/style-{user:?}"));
    fs::create_dir_all(&out)?;
    let mut files = Vec::new();
    for (name, text) in sheets {
        let file = out.join(name);
        let text = match user {
            User::Package => text,
            User::App | User::WholeApp => text.replace("@container app ", "@media "),
        };
        fs::write(&file, text)?;
        files.push((file, PathBuf::from(name)));
    }
    Ok(files)
}
