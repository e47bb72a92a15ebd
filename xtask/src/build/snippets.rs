//! Moves the crate's JavaScript snippets next to the glue. wasm-bindgen copies them into folders named by a hash;
//! with the files next to the glue, other scripts of the package import the same copy.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::repo;

/// Moves every file below `snippets` next to the glue, and updates the glue's imports.
pub fn flatten(folder: &Path, glue: &Path) -> Result<()> {
    let snippets = folder.join("snippets");
    if !snippets.is_dir() {
        return Ok(());
    }
    let mut files = Vec::new();
    list(&snippets, &mut files)?;
    let mut text = fs::read_to_string(glue)
        .with_context(|| format!("{} cannot be read", repo::relative(glue)))?;
    let mut taken: BTreeMap<String, PathBuf> = BTreeMap::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if let Some(other) = taken.insert(name.to_string(), file.clone()) {
            bail!(
                "{} and {} have the same file name; rename one of them",
                repo::relative(&other),
                repo::relative(&file)
            );
        }
        let below = file.strip_prefix(folder)?.display().to_string();
        text = import_beside(&text, &below.replace('\\', "/"), &name);
        fs::rename(&file, folder.join(&*name))?;
    }
    if text.contains("from './snippets/") || text.contains("from \"./snippets/") {
        bail!("the glue imports a snippet that wasm-bindgen did not write");
    }
    fs::write(glue, text)?;
    Ok(fs::remove_dir_all(&snippets)?)
}

/// Replaces one import path in the glue. Other occurrences of the path stay, because the Wasm uses it as the module
/// name in its import object.
fn import_beside(glue: &str, below: &str, name: &str) -> String {
    ['\'', '"']
        .into_iter()
        .fold(glue.to_owned(), |text, quote| {
            text.replace(
                &format!("from {quote}./{below}{quote}"),
                &format!("from {quote}./{name}{quote}"),
            )
        })
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::import_beside;

    const BELOW: &str = "snippets/lead-workspace-8a1f/src/js/errors.js";

    #[test]
    fn an_import_points_beside_the_glue_and_keeps_its_name() {
        let glue = format!("import {{ a }} from './{BELOW}';\nreturn {{ \"./{BELOW}\": a }};");
        assert_eq!(
            import_beside(&glue, BELOW, "errors.js"),
            format!("import {{ a }} from './errors.js';\nreturn {{ \"./{BELOW}\": a }};")
        );
    }

    #[test]
    fn a_longer_name_is_a_different_file() {
        let glue = format!("import a from './{BELOW}x';");
        assert_eq!(import_beside(&glue, BELOW, "errors.js"), glue);
    }
}
