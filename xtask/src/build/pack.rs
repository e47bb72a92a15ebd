//! The small pieces of code that later pages share, in one file.
//!
//! The splitter writes a file for every set of pages that have functions in common. With twenty pages that is more
//! than a hundred files, most of them of a few hundred bytes, and a page would ask for fifty. Together they are
//! one request, and weigh a third.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::split;
use crate::repo;

/// What the pieces' file is called, before the build's fingerprint.
pub const NAME: &str = "chunks";

/// A piece of more bytes stays a file of its own: whoever does not need it should not load it.
const SMALL: u64 = 2_500;

/// What the loader needs to give a piece in place of a response.
const PIECE: &str = r#"
let chunks;
function piece(from, to) {
    chunks ??= fetch(new URL("./FILE", import.meta.url)).then((response) => {
        if (!response.ok) throw new TypeError(`HTTP status ${response.status}`);
        return response.arrayBuffer();
    });
    const asked = chunks;
    // Asked for again after it failed, as every other part is.
    asked.catch(() => {
        if (chunks === asked) chunks = undefined;
    });
    const headers = { "content-type": "application/wasm" };
    return asked.then((bytes) => new Response(bytes.slice(from, to), { headers }));
}
"#;

/// Puts the small chunks of a folder into one file, and tells the loader.
pub fn pack(folder: &Path) -> Result<()> {
    let loader = split::loader(folder);
    let mut text = fs::read_to_string(&loader).context("there is no loader")?;
    let mut bytes = Vec::new();
    let mut packed = Vec::new();
    for part in split::parts(folder)? {
        if is_small_chunk(&part)? {
            let from = bytes.len();
            bytes.extend(fs::read(&part)?);
            text = with_piece(&text, &split::file_name(&part), from, bytes.len())?;
            packed.push(part);
        }
    }
    let Some(build) = packed.first().and_then(|part| fingerprint(part)) else {
        return Ok(());
    };
    let file = format!("{NAME}-{build}.bin");
    text += &PIECE.replace("FILE", &file);
    fs::write(folder.join(file), bytes)?;
    fs::write(&loader, text)?;
    for part in packed {
        fs::remove_file(&part)
            .with_context(|| format!("{} cannot be removed", repo::relative(&part)))?;
    }
    Ok(())
}

fn is_small_chunk(part: &Path) -> Result<bool> {
    let is_chunk = split::file_name(part).starts_with("chunk_");
    Ok(is_chunk && fs::metadata(part)?.len() <= SMALL)
}

/// The fingerprint of the build that a part's name ends in.
fn fingerprint(part: &Path) -> Option<String> {
    let stem = PathBuf::from(part.file_stem()?);
    let (_, build) = stem.to_str()?.split_once('-')?;
    Some(build.to_owned())
}

/// The loader's text with a piece of the file in place of a file of its own.
fn with_piece(loader: &str, name: &str, from: usize, to: usize) -> Result<String> {
    let old = format!("fetch(new URL(\"./{name}\", import.meta.url))");
    if loader.matches(&old).count() != 1 {
        bail!("the splitter's loader does not fetch the part {name} once");
    }
    Ok(loader.replace(&old, &format!("piece({from}, {to})")))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{fingerprint, with_piece};

    #[test]
    fn a_piece_stands_where_a_file_was_fetched() {
        let loader = "a = fetch(new URL(\"./chunk_1-f.wasm\", import.meta.url)); b";
        let text = with_piece(loader, "chunk_1-f.wasm", 3, 9).expect("fetched once");
        assert_eq!(text, "a = piece(3, 9); b");
        assert!(with_piece(loader, "chunk_2-f.wasm", 3, 9).is_err());
    }

    #[test]
    fn the_build_stands_in_the_name() {
        let build = fingerprint(Path::new("x/chunk_12-0a1b.wasm"));
        assert_eq!(build.as_deref(), Some("0a1b"));
        assert_eq!(fingerprint(Path::new("x/chunk_12.wasm")), None);
    }
}
