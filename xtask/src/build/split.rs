//! Splits the lazily loaded parts off the compiled Wasm, each into its own file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::stamp::Inputs;
use crate::{progress, repo, setup};

/// A compiler option that the splitter needs: it reads the relocations.
pub const RUSTC_OPTION: &str = "-Clink-arg=--emit-relocs";

/// The script that loads the parts. The Wasm imports it by this name.
const LOADER: &str = "__wasm_split.js";

/// A function of the loader, for what the splitter's script does by streaming alone.
const PRELUDE: &str = include_str!("parts_prelude.js");

#[derive(Clone, Copy)]
pub struct SplitOptions {
    pub stem: &'static str,
    /// Prefix of the file names of its parts.
    pub prefix: &'static str,
    /// Whether the loader passes each URL through the npm package's `asset` function.
    pub through_asset: bool,
}

/// Splits a compiled module. Writes the parts and their loader into `folder`. Returns the path of the remaining Wasm,
/// for wasm-bindgen.
pub fn split(compiled: &Path, options: SplitOptions, folder: &Path) -> Result<PathBuf> {
    let aside = folder.join("split");
    let mut splitter = Command::new(setup::wasm_split()?);
    splitter
        .arg(compiled)
        .arg(&aside)
        .args(["--out-name", options.stem]);
    progress::run(&format!("{}, split", options.stem), &mut splitter)?
        .or_fail("Check that src/app/shell/lazy.rs still marks the parts to split off.")?;
    // The file names contain a fingerprint, because a part works only with the module that it was split from: a page
    // from before an update must not load a part from after it.
    let mut build = Inputs::of_recipe("");
    build.add_file(compiled)?;
    let build = build.fingerprint();
    let script = aside.join(LOADER);
    let mut text = fs::read_to_string(&script).context("the splitter did not write a loader")?;
    for part in wasm_files(&aside)? {
        let old = file_name(&part);
        let stem = old.trim_end_matches(".wasm");
        if stem == options.stem {
            continue;
        }
        let new = format!("{}{stem}-{build}.wasm", options.prefix);
        fs::rename(&part, folder.join(&new))?;
        text = replace_once(&text, &format!("\"./{old}\""), &format!("\"./{new}\""))?;
    }
    fs::write(loader(folder), loader_script(&text, options.through_asset)?)?;
    Ok(aside.join(format!("{}.wasm", options.stem)))
}

fn replace_once(text: &str, old: &str, new: &str) -> Result<String> {
    ensure!(
        text.matches(old).count() == 1,
        "the splitter's script does not contain {old} once"
    );
    Ok(text.replace(old, new))
}

/// Returns the splitter's script with our function to instantiate a part. Its URLs remain in the form
/// `new URL("./file", import.meta.url)`, which bundlers detect.
fn loader_script(script: &str, through_asset: bool) -> Result<String> {
    const FETCH: &str = "fetch(new URL(";
    const URL_END: &str = "import.meta.url))";
    const INSTANTIATE: &str = "(WebAssembly.instantiateStreaming(src, imports))";
    let count = script.matches(FETCH).count();
    ensure!(
        count > 0
            && [URL_END, INSTANTIATE]
                .iter()
                .all(|part| script.matches(part).count() == count),
        "the splitter's script has changed"
    );
    let mut text = script.replace(INSTANTIATE, "instantiate(src, imports)");
    if through_asset {
        text = text
            .replace(FETCH, "fetch(asset(new URL(")
            .replace(URL_END, "import.meta.url)))");
        text.insert_str(0, "import { asset } from \"./asset.js\";\n");
    }
    Ok(text + PRELUDE)
}

/// Makes each part larger than 4,096 bytes. Vite inlines smaller files as data URLs, which a strict
/// Content-Security-Policy blocks.
pub fn pad_small(parts: &[PathBuf]) -> Result<()> {
    // A custom section: id, size (4,096 in LEB128), length of its name. Compressed, it weighs nothing.
    let mut section = vec![0, 0x80, 0x20, 0];
    section.resize(4_096 + 3, 0);
    for part in parts {
        let mut bytes = fs::read(part)?;
        if bytes.len() <= 4_096 {
            bytes.extend(&section);
            fs::write(part, bytes)?;
        }
    }
    Ok(())
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
    parts.retain(|path| is_part(path));
    Ok(parts)
}

/// Returns whether a file is a lazily loaded part. Only these names end in a build's fingerprint.
pub fn is_part(path: &Path) -> bool {
    let name = file_name(path);
    let stem = name.strip_suffix(".wasm");
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

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{is_part, loader_script};

    #[test]
    fn the_loader_instantiates_parts_by_our_function() {
        // In the format that the splitter writes.
        let script = r#"const src = fetch(new URL("./split_a.wasm", import.meta.url));
return async (imports) => (WebAssembly.instantiateStreaming(src, imports));
"#;
        let text = loader_script(script, true).expect("a script of the splitter");
        assert!(text.contains(r#"fetch(asset(new URL("./split_a.wasm", import.meta.url)));"#));
        assert!(text.contains("=> instantiate(src, imports);"));
        assert!(loader_script("fetch(new URL(x, import.meta.url))", true).is_err());
    }

    #[test]
    fn only_parts_are_loaded_later() {
        for name in [
            "split_pages-0123456789abcdef.wasm",
            "review-chunk_3-0123456789abcdef.wasm",
        ] {
            assert!(is_part(Path::new(name)), "{name}");
        }
        for name in [
            "lead_workspace_bg.wasm",
            "review.wasm",
            "__wasm_split.js",
            "split_a.wasm",
            "style-0123456789abcdef.css",
        ] {
            assert!(!is_part(Path::new(name)), "{name}");
        }
    }
}
