//! Splits the lazily loaded pages off the compiled Wasm, each into its own file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::loader::{Addresses, Plan};
use super::pack;
use super::stamp::Inputs;
use crate::{progress, repo, setup};

/// Compiler options that the splitter needs: it reads the relocations and the symbol names.
pub const RUSTC_OPTIONS: [&str; 2] = ["-Cstrip=none", "-Clink-arg=--emit-relocs"];

/// The script that loads the parts. The Wasm imports it by this name.
const LOADER: &str = "__wasm_split.js";

#[derive(Clone, Copy)]
pub struct SplitOptions {
    pub stem: &'static str,
    /// Prefix of the file names of its parts.
    pub prefix: &'static str,
    /// Parts of at most this many bytes are packed into one file. Larger parts are loaded only by pages that need
    /// them.
    pub small: u64,
    /// How the script names the files.
    pub addresses: Addresses,
}

impl SplitOptions {
    /// Returns the file name of a part. It contains the build's fingerprint, because a part works only with the
    /// module that it was split from: a page from before an update must not load a part from after it.
    fn name(self, stem: &str, build: &str) -> String {
        format!("{}{stem}-{build}.wasm", self.prefix)
    }

    /// Returns the splitter's name of a part and the build's fingerprint, from the file name.
    pub fn stem_and_build(self, name: &str) -> Option<(&str, &str)> {
        let name = name.strip_prefix(self.prefix)?.strip_suffix(".wasm")?;
        name.rsplit_once('-')
    }
}

/// Splits a compiled module. Writes the parts and the splitter's script into `folder`. Returns the path of the
/// remaining Wasm, for wasm-bindgen.
pub fn split(compiled: &Path, options: SplitOptions, folder: &Path) -> Result<PathBuf> {
    let aside = folder.join("split");
    let mut splitter = Command::new(setup::wasm_split()?);
    splitter
        .arg(compiled)
        .arg(&aside)
        .args(["--out-name", options.stem]);
    progress::run(&format!("{}, split", options.stem), &mut splitter)?
        .or_fail("Check that src/app/shell/lazy.rs still marks the pages to split off.")?;
    let mut build = Inputs::of_recipe("");
    build.add_file(compiled)?;
    let build = build.fingerprint();
    for part in wasm_files(&aside)? {
        let stem = part.file_stem().unwrap_or_default().to_string_lossy();
        if stem != options.stem {
            fs::rename(&part, folder.join(options.name(&stem, &build)))?;
        }
    }
    fs::rename(aside.join(LOADER), loader(folder))
        .context("the splitter did not write a loader")?;
    Ok(aside.join(format!("{}.wasm", options.stem)))
}

/// Packs the small parts, and writes the script that loads all of them.
pub fn finish(folder: &Path, options: SplitOptions) -> Result<()> {
    let loader = loader(folder);
    let plan = Plan::read(&fs::read_to_string(&loader)?)?;
    let files = pack::pack(folder, options)?;
    Ok(fs::write(loader, plan.script(&files, options.addresses)?)?)
}

/// Removes the intermediate files, once wasm-bindgen has read them.
pub fn clear(folder: &Path) -> Result<()> {
    let aside = folder.join("split");
    fs::remove_dir_all(&aside)
        .with_context(|| format!("{} cannot be removed", repo::relative(&aside)))
}

/// Returns the path of the loader script in a module's folder.
pub fn loader(folder: &Path) -> PathBuf {
    folder.join(LOADER)
}

/// Returns the parts in a folder, sorted.
pub fn parts(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut parts = wasm_files(folder)?;
    parts.retain(|path| comes_later(path));
    Ok(parts)
}

/// Returns whether a file is lazily loaded: a part, or the pack of small parts. Only these names end in a build's
/// fingerprint.
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

pub fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{SplitOptions, comes_later};
    use crate::build::loader::Addresses;

    const OPTIONS: SplitOptions = SplitOptions {
        stem: "review",
        prefix: "review-",
        small: 0,
        addresses: Addresses {
            glue: "./review.js",
            through_asset: true,
        },
    };

    #[test]
    fn a_part_name_contains_its_kind_and_build() {
        let name = OPTIONS.name("split_a", "0123456789abcdef");
        assert_eq!(name, "review-split_a-0123456789abcdef.wasm");
        let parts = OPTIONS.stem_and_build(&name);
        assert_eq!(parts, Some(("split_a", "0123456789abcdef")));
        assert_eq!(
            OPTIONS.stem_and_build("split_a-0123456789abcdef.wasm"),
            None
        );
    }

    #[test]
    fn only_parts_are_loaded_later() {
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
