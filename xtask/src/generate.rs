//! `cargo xtask generate`: writes the committed files that are generated from the contract in crates/api.

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;

use crate::repo;

mod contract;
mod jsdoc;
mod shapes;
mod types;

/// Whether to write.
#[derive(Args)]
pub struct Options {
    /// Write nothing; fail if a file is out of date.
    #[arg(long)]
    check: bool,
}

/// A file and its expected text.
struct Generated {
    path: &'static str,
    text: String,
}

fn files() -> Result<Vec<Generated>> {
    let file = |path, text| Generated { path, text };
    Ok(vec![
        file("src/js/shapes.js", shapes::write()?),
        file("www/npm/types.d.ts", types::write()?),
    ])
}

/// Writes the files. With `--check`, only reports the outdated ones.
pub fn run(options: &Options) -> Result<ExitCode> {
    if options.check {
        let old = outdated()?;
        return Ok(ExitCode::from(u8::from(!old.is_empty())));
    }
    for file in files()? {
        fs::write(repo::root().join(file.path), file.text)
            .with_context(|| format!("{} cannot be written", file.path))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the files that differ from what would be written, and prints a message for each.
pub fn outdated() -> Result<Vec<&'static str>> {
    let mut old = Vec::new();
    for file in files()? {
        let found = fs::read_to_string(repo::root().join(file.path)).unwrap_or_default();
        if found != file.text {
            eprintln!(
                "{} is out of date with crates/api. Regenerate it, then review the difference:\n    \
                 cargo xtask generate",
                file.path
            );
            old.push(file.path);
        }
    }
    Ok(old)
}
