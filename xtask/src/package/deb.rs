//! `cargo xtask package --deb`: builds the Debian package of the service and its UI.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::build::{self, Flavour};
use crate::setup::system;
use crate::{progress, repo};

const UNIT: &str = "lead-workspace.service";

/// Builds the package, and returns its path.
pub fn build() -> Result<PathBuf> {
    let (ui, program) = build::ui_and_service(Flavour::Release)?;
    let architecture = output("dpkg", &["--print-architecture"])?;
    // The program runs with the C library that it was built with, or a newer one.
    let libc = output(
        "dpkg-query",
        &["--show", "--showformat=${Version}", "libc6"],
    )?;
    let libc = libc.split('-').next().unwrap_or_default();

    let root = repo::target().join("debian");
    let content = root.join("content");
    repo::clear(&root)?;
    let mut files: Vec<(PathBuf, PathBuf)> = repo::files_below(&ui)?
        .into_iter()
        .map(|(path, name)| (path, Path::new("usr/share/lead-workspace").join(name)))
        .collect();
    files.push((program, "usr/bin/lead-workspace".into()));
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let documentation = Path::new("usr/share/doc/lead-workspace");
        files.push((repo::root().join(name), documentation.join(name)));
    }
    let packaging = repo::root().join("packaging");
    for (path, name) in repo::files_below(&packaging.join("debian"))? {
        files.push((path, Path::new("DEBIAN").join(name)));
    }
    repo::copy_all(&files, &content)?;

    let control = content.join("DEBIAN/control");
    let text = fs::read_to_string(&control)?
        .replace("@version@", env!("CARGO_PKG_VERSION"))
        .replace("@architecture@", &architecture)
        .replace("@libc@", libc);
    fs::write(&control, text)?;
    // /usr/local is not for packages.
    let unit = fs::read_to_string(packaging.join(UNIT))?.replace("/usr/local/", "/usr/");
    let units = content.join("usr/lib/systemd/system");
    fs::create_dir_all(&units)?;
    fs::write(units.join(UNIT), unit)?;

    let file = root.join(format!(
        "lead-workspace_{}_{architecture}.deb",
        env!("CARGO_PKG_VERSION")
    ));
    let mut dpkg_deb = Command::new("dpkg-deb");
    dpkg_deb
        .args(["--root-owner-group", "--build"])
        .args([&content, &file]);
    progress::run("Debian package", &mut dpkg_deb)?
        .or_fail("dpkg-deb does not accept the package; see the message above.")?;
    Ok(file)
}

fn output(program: &str, arguments: &[&str]) -> Result<String> {
    system::output(Command::new(program).args(arguments)).with_context(|| {
        format!("{program} is missing or failed. Build the Debian package on Debian or Ubuntu")
    })
}
