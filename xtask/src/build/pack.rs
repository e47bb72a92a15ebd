//! Concatenates the small lazily loaded pieces of code into one file.
//!
//! The splitter writes a file for every set of pages that share functions. Twenty pages give more than a hundred
//! files, most of them a few hundred bytes, and a page would request fifty. Packed, they take one request and a third
//! of the size.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::loader::Files;
use super::split::{self, SplitOptions};
use crate::repo;

/// The middle of the pack file's name, between the prefix and the build's fingerprint.
const NAME: &str = "chunks";

/// Packs the small parts of a folder into one file. Returns where each part is.
pub fn pack(folder: &Path, options: SplitOptions) -> Result<Files> {
    let mut files = Files::default();
    let mut bytes = Vec::new();
    for part in split::parts(folder)? {
        let name = split::file_name(&part);
        let (stem, build) = options
            .stem_and_build(&name)
            .with_context(|| format!("{name} is not a part of this module"))?;
        if fs::metadata(&part)?.len() > options.small {
            files.whole.push((stem.to_owned(), name));
            continue;
        }
        files.pack = format!("{}{NAME}-{build}.bin", options.prefix);
        let piece = fs::read(&part)?;
        files.pieces.push((stem.to_owned(), piece.len()));
        bytes.extend(piece);
        fs::remove_file(&part)
            .with_context(|| format!("{} cannot be removed", repo::relative(&part)))?;
    }
    if !files.pieces.is_empty() {
        fs::write(folder.join(&files.pack), bytes)?;
    }
    Ok(files)
}
