//! The pages that are loaded later, each cut out of the compiled Wasm as a file of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::loader::{Addresses, Plan};
use super::pack;
use super::stamp::Inputs;
use crate::{progress, repo, setup};

/// The feature of the crate that says where to cut.
pub const FEATURE: &str = "split";

/// What the splitter needs from the compiler: where every address and every function is named, and
/// what they are called.
pub const RUSTC_OPTIONS: [&str; 2] = ["-Cstrip=none", "-Clink-arg=--emit-relocs"];

/// The script that loads the parts. The Wasm imports it by this name.
const LOADER: &str = "__wasm_split.js";

/// How the parts of a module become files.
#[derive(Clone, Copy)]
pub struct Cut {
    /// The stem of the module's own files.
    pub stem: &'static str,
    /// What the names of its parts begin with.
    pub prefix: &'static str,
    /// Parts of no more bytes go into one file: whoever does not need a larger one should not load it.
    pub small: u64,
    /// How the script names the files.
    pub addresses: Addresses,
}

impl Cut {
    /// The name of a part's file. A part only fits the module that it was cut out of, so its name tells
    /// the build: a page from before an update cannot load one from after it.
    fn name(self, stem: &str, build: &str) -> String {
        format!("{}{stem}-{build}.wasm", self.prefix)
    }

    /// What the splitter called a part, and the build, from the name of its file.
    pub fn stem_and_build(self, name: &str) -> Option<(&str, &str)> {
        let name = name.strip_prefix(self.prefix)?.strip_suffix(".wasm")?;
        name.rsplit_once('-')
    }
}

/// Cuts a compiled module. The parts and the splitter's script go into `folder`; returns what remains,
/// for wasm-bindgen.
pub fn cut(compiled: &Path, cut: Cut, folder: &Path) -> Result<PathBuf> {
    let aside = folder.join("split");
    let mut splitter = Command::new(setup::wasm_split()?);
    splitter
        .arg(compiled)
        .arg(&aside)
        .args(["--out-name", cut.stem]);
    progress::run(&format!("{}, split", cut.stem), &mut splitter)?
        .or_fail("Does the crate still mark its late pages? See src/pages/late.rs.")?;
    let mut build = Inputs::of_recipe("");
    build.add_file(compiled)?;
    let build = build.fingerprint();
    for part in wasm_files(&aside)? {
        let stem = part.file_stem().unwrap_or_default().to_string_lossy();
        if stem != cut.stem {
            fs::rename(&part, folder.join(cut.name(&stem, &build)))?;
        }
    }
    fs::rename(aside.join(LOADER), loader(folder)).context("the splitter wrote no loader")?;
    Ok(aside.join(format!("{}.wasm", cut.stem)))
}

/// Puts small parts together, and writes the script that loads all of them.
pub fn finish(folder: &Path, cut: Cut) -> Result<()> {
    let loader = loader(folder);
    let plan = Plan::read(&fs::read_to_string(&loader)?)?;
    let files = pack::pack(folder, cut)?;
    Ok(fs::write(loader, plan.script(&files, cut.addresses)?)?)
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
    let mut parts = wasm_files(folder)?;
    parts.retain(|path| comes_later(path));
    Ok(parts)
}

/// Whether a file is one that the first page does not load: a part, or the small ones in one file. Nothing
/// else ends in the fingerprint of a build.
pub fn comes_later(path: &Path) -> bool {
    let name = file_name(path);
    let stem = name.strip_suffix(".wasm").or(name.strip_suffix(".bin"));
    let build = stem.and_then(|stem| Some(stem.rsplit_once('-')?.1));
    build.is_some_and(|build| build.len() == 16 && build.chars().all(|c| c.is_ascii_hexdigit()))
}

fn wasm_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)
        .with_context(|| format!("{} cannot be read", repo::relative(folder)))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|kind| kind == "wasm"));
    files.sort();
    Ok(files)
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

    use super::{Cut, comes_later};
    use crate::build::loader::Addresses;

    const CUT: Cut = Cut {
        stem: "review",
        prefix: "review-",
        small: 0,
        addresses: Addresses {
            glue: "./review.js",
            through_asset: true,
        },
    };

    #[test]
    fn the_name_of_a_part_tells_what_it_is_and_its_build() {
        let name = CUT.name("split_a", "0123456789abcdef");
        assert_eq!(name, "review-split_a-0123456789abcdef.wasm");
        let parts = CUT.stem_and_build(&name);
        assert_eq!(parts, Some(("split_a", "0123456789abcdef")));
        assert_eq!(CUT.stem_and_build("split_a-0123456789abcdef.wasm"), None);
    }

    #[test]
    fn only_the_parts_come_later() {
        for name in [
            "split_accounts-0123456789abcdef.wasm",
            "review-chunk_3-0123456789abcdef.wasm",
            "chunks-0123456789abcdef.bin",
        ] {
            assert!(comes_later(Path::new(name)), "{name}");
        }
        for name in [
            "lead_workspace_bg.wasm",
            "review.wasm",
            "__wasm_split.js",
            "split_a.wasm",
            "style-0123456789abcdef.css",
        ] {
            assert!(!comes_later(Path::new(name)), "{name}");
        }
    }
}
