//! The pages that are loaded later, each cut out of the compiled Wasm as a file of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::pack;
use super::stamp::Inputs;
use crate::{progress, repo, setup};

/// The feature of the crate that says where to cut.
pub const FEATURE: &str = "split";

/// What the splitter needs from the compiler: where every address and every function is named, and
/// what they are called.
pub const RUSTC_OPTIONS: [&str; 3] = ["--", "-Cstrip=none", "-Clink-arg=--emit-relocs"];

/// The script that loads the parts. The Wasm imports it by this name.
const LOADER: &str = "__wasm_split.js";

/// What the names of the parts begin with: code of one page, code that some of them share.
const PARTS: [&str; 2] = ["split_", "chunk_"];

/// Cuts a compiled module. The parts and their loader go into `folder`; returns what remains, for
/// wasm-bindgen.
pub fn cut(compiled: &Path, stem: &str, folder: &Path) -> Result<PathBuf> {
    let aside = folder.join("split");
    let mut splitter = Command::new(setup::wasm_split()?);
    splitter
        .arg(compiled)
        .arg(&aside)
        .args(["--out-name", stem]);
    progress::run("UI, split", &mut splitter)?
        .or_fail("Does the crate still mark its late pages? See src/pages/late.rs.")?;
    let mut build = Inputs::of_recipe("");
    build.add_file(compiled)?;
    let loader = aside.join(LOADER);
    let mut text = fs::read_to_string(&loader).context("the splitter wrote no loader")?;
    for part in parts(&aside)? {
        let old = file_name(&part);
        let new = old.replace(".wasm", &format!("-{}.wasm", build.fingerprint()));
        text = renamed(&text, &old, &new)?;
        fs::rename(&part, folder.join(new))?;
    }
    fs::write(folder.join(LOADER), text)?;
    fs::remove_file(&loader)?;
    Ok(aside.join(format!("{stem}.wasm")))
}

/// Removes what wasm-bindgen read.
pub fn clear(folder: &Path) -> Result<()> {
    let aside = folder.join("split");
    fs::remove_dir_all(&aside)
        .with_context(|| format!("{} cannot be removed", repo::relative(&aside)))
}

/// The loader beside a module's glue.
pub fn loader(folder: &Path) -> PathBuf {
    folder.join(LOADER)
}

/// The parts in a folder, in order.
pub fn parts(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)
        .with_context(|| format!("{} cannot be read", repo::relative(folder)))?;
    let mut parts: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    parts.retain(|path| is_part(path));
    parts.sort();
    Ok(parts)
}

/// Whether a file is one that the first page does not load: a part, or the small ones in one file.
pub fn comes_later(path: &Path) -> bool {
    is_part(path) || file_name(path).starts_with(pack::NAME)
}

/// Whether a file is a part.
fn is_part(path: &Path) -> bool {
    let name = file_name(path);
    name.ends_with(".wasm") && PARTS.iter().any(|begin| name.starts_with(begin))
}

/// The loader's text with another name for a part. A part only fits the module that it was cut out
/// of, so its name tells the build: a page from before an update cannot load one from after it.
fn renamed(loader: &str, old: &str, new: &str) -> Result<String> {
    let (old, new) = (format!("\"./{old}\""), format!("\"./{new}\""));
    if loader.matches(&old).count() != 1 {
        bail!("the splitter's loader does not name the part {old} once");
    }
    Ok(loader.replace(&old, &new))
}

/// The name of a file.
pub fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{comes_later, is_part, renamed};

    #[test]
    fn a_part_gets_its_new_name() {
        let loader =
            "fetch(new URL(\"./split_a.wasm\", u)); fetch(new URL(\"./split_ab.wasm\", u))";
        let text = renamed(loader, "split_a.wasm", "split_a-1.wasm").expect("named once");
        assert_eq!(
            text,
            "fetch(new URL(\"./split_a-1.wasm\", u)); fetch(new URL(\"./split_ab.wasm\", u))"
        );
    }

    #[test]
    fn a_loader_that_does_not_name_a_part_is_refused() {
        assert!(renamed("fetch(name)", "split_a.wasm", "split_a-1.wasm").is_err());
    }

    #[test]
    fn only_the_parts_come_later() {
        for name in ["split_accounts-01.wasm", "chunk_3-01.wasm"] {
            assert!(is_part(Path::new(name)), "{name}");
        }
        for name in ["lead_workspace_bg.wasm", "__wasm_split.js", "split_a.js"] {
            assert!(!is_part(Path::new(name)), "{name}");
            assert!(!comes_later(Path::new(name)), "{name}");
        }
        assert!(comes_later(Path::new("chunks-01.bin")));
    }
}
