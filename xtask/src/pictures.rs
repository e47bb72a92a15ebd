//! `cargo xtask pictures`: takes the pictures of the main screens, and copies those of the documentation.

use std::fs;

use anyhow::Result;

use crate::build::{self, Flavour};
use crate::setup::{chromium, npm};
use crate::{progress, repo};

/// The pictures in `docs`, which show the screens in a wide window with light colors.
const IN_DOCS: [&str; 3] = ["leads", "review", "pulse"];

pub fn run() -> Result<()> {
    let (ui, program) = build::ui_and_service(Flavour::Dev)?;
    let folder = repo::target().join("xtask/pictures");
    npm::ensure("npm libraries", "tests/e2e")?;
    let mut node = npm::node_command()?;
    node.arg("tests/e2e/pictures.mjs")
        .env("LEAD_WORKSPACE_PROGRAM", program)
        .env("LEAD_WORKSPACE_UI", ui)
        .env("LEAD_WORKSPACE_PICTURES", &folder)
        .env("CHROME", chromium::ensure_headless()?);
    progress::run("pictures", &mut node)?
        .or_fail("A screen could not be reached; see the message above.")?;
    for name in IN_DOCS {
        let picture = folder.join(format!("{name}-1440-light.png"));
        fs::copy(picture, repo::root().join(format!("docs/{name}.png")))?;
    }
    println!("pictures  {}", repo::relative(&folder));
    Ok(())
}
