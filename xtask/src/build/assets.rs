//! Assembles the finished UI: the page, its static files and the module in one folder, each with compressed copies.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::Flavour;
use super::module::{self, Module};
use super::stamp::{self, Inputs};
use super::style;
use crate::setup::{WasmTools, npm};
use crate::{progress, repo};

/// The only file whose URL is the same in every build.
const PAGE: &str = "index.html";

/// Prefix of the folder for a build's files; a fingerprint follows. The service marks these files as immutable, so
/// browsers cache them forever.
const BUILD: &str = "build-";

/// Entries of `www` that are not part of the app: the npm package and its examples. The style sheets are left out
/// here because they are added in joined form.
const NOT_OF_THE_APP: [&str; 5] = ["examples", "npm", "package.json", "README.md", "style"];

/// Assembles the app's folder, unless it is current, and returns it.
pub fn assemble(tools: &WasmTools, flavour: Flavour, module: &Module) -> Result<PathBuf> {
    let root = repo::root();
    let www = root.join("www");
    let page = root.join("index.html");
    let mut files = Vec::new();
    if page.is_file() {
        files.push((page, PathBuf::from(PAGE)));
    } else {
        progress::note("index.html is missing; building the app without a page");
    }
    if www.is_dir() {
        collect(&www, &www, &mut files)?;
        files.extend(style::sheets(match flavour {
            Flavour::Release => style::User::App,
            Flavour::Debug => style::User::WholeApp,
        })?);
    }
    let mut inputs = Inputs::of_recipe(include_str!("assets.rs"));
    inputs.add(&module.fingerprint);
    inputs.add_file(&tools.npm.join("package-lock.json"))?;
    inputs.add_file(&tools.npm.join("style.mjs"))?;
    for (path, name) in &files {
        inputs.add(name);
        inputs.add_file(path)?;
    }
    let folder = flavour.folder();
    let stamp = repo::target().join("xtask").join(match flavour {
        Flavour::Release => "dist.stamp",
        Flavour::Debug => "dist-debug.stamp",
    });
    let fingerprint = inputs.fingerprint();
    if stamp::is_current(&stamp, &fingerprint) && folder.is_dir() {
        return Ok(folder);
    }
    // Assembled in a separate folder, so that a running service never serves a half-written one.
    let aside = folder.with_extension("new");
    clear(&aside)?;
    let assembled = aside.join("build");
    let names = copy(&files, module, &aside, &assembled)?;
    if flavour == Flavour::Release {
        minify(tools, &files, &assembled)?;
    }
    let build = BUILD.to_owned() + &content(&assembled, &names)?;
    fs::rename(&assembled, aside.join(&build))?;
    address(&aside.join(PAGE), &names, &build)?;
    if flavour == Flavour::Release {
        compress(&aside)?;
    }
    clear(&folder)?;
    fs::remove_dir(&folder)?;
    fs::rename(&aside, &folder)?;
    fs::write(&stamp, fingerprint)?;
    Ok(folder)
}

/// Returns a fingerprint of the files' names and content, so that browsers never mix files of two builds.
fn content(folder: &Path, names: &[PathBuf]) -> Result<String> {
    let mut content = Inputs::of_recipe("");
    for name in names {
        content.add(name);
        content.add_file(&folder.join(name))?;
    }
    Ok(content.fingerprint())
}

/// Rewrites the URLs in the page to the files of this build. Removes preloads of modules that this build does not
/// have.
fn address(page: &Path, names: &[PathBuf], build: &str) -> Result<()> {
    if !page.is_file() {
        return Ok(());
    }
    let mut text = fs::read_to_string(page)?;
    for name in names {
        let name = name.display();
        text = text.replace(&format!("\"/{name}\""), &format!("\"/{build}/{name}\""));
    }
    let is_here =
        |line: &&str| !line.starts_with("<link rel=\"modulepreload\"") || line.contains(build);
    let text: String = text.split_inclusive('\n').filter(is_here).collect();
    Ok(fs::write(page, text)?)
}

/// Lists the app's files below a folder with their names in the app, sorted.
fn collect(folder: &Path, www: &Path, files: &mut Vec<(PathBuf, PathBuf)>) -> Result<()> {
    let entries = fs::read_dir(folder)
        .with_context(|| format!("{} cannot be read", repo::relative(folder)))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.strip_prefix(www)?.to_path_buf();
        if !is_of_the_app(&name) {
            continue;
        }
        if path.is_dir() {
            collect(&path, www, files)?;
        } else {
            files.push((path, name));
        }
    }
    Ok(())
}

fn is_of_the_app(name: &Path) -> bool {
    let text = name.to_string_lossy();
    !NOT_OF_THE_APP.contains(&text.as_ref()) && !text.ends_with(".d.ts") && !text.starts_with('.')
}

/// Copies the page into one folder and everything else into another. Returns the names in the latter.
fn copy(
    files: &[(PathBuf, PathBuf)],
    module: &Module,
    of_page: &Path,
    of_build: &Path,
) -> Result<Vec<PathBuf>> {
    let mut names = Vec::new();
    let module_files = module.files()?;
    let of_module = module_files.iter().filter_map(|path| {
        let name = PathBuf::from(path.file_name()?);
        Some((path.clone(), name))
    });
    for (from, name) in files.iter().cloned().chain(of_module) {
        let to = match name == Path::new(PAGE) {
            true => of_page.join(PAGE),
            false => of_build.join(&name),
        };
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(&from, &to)
            .with_context(|| format!("{} cannot be copied", repo::relative(&from)))?;
        if name != Path::new(PAGE) {
            names.push(name);
        }
    }
    Ok(names)
}

fn minify(tools: &WasmTools, files: &[(PathBuf, PathBuf)], out: &Path) -> Result<()> {
    for (_, name) in files {
        if name.extension().is_some_and(|kind| kind == "js") {
            module::minify(tools, &out.join(name))?;
        } else if name.extension().is_some_and(|kind| kind == "css") {
            style::minify(&out.join(name))?;
        }
    }
    Ok(())
}

fn compress(folder: &Path) -> Result<()> {
    let mut command = Command::new(npm::node()?);
    command
        .arg(repo::root().join("xtask/npm/compress.mjs"))
        .arg(folder);
    progress::run("UI, compress", &mut command)?
        .or_fail("See the message above. Check that the disk is not full.")?;
    Ok(())
}

fn clear(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(fs::create_dir_all(folder)?)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::is_of_the_app;

    #[test]
    fn the_npm_package_is_not_in_the_app() {
        for name in [
            "examples",
            "npm",
            "package.json",
            "lead_workspace.d.ts",
            ".DS_Store",
        ] {
            assert!(!is_of_the_app(Path::new(name)), "{name}");
        }
        for name in ["style.css", "boot.js", "icons/lead.svg"] {
            assert!(is_of_the_app(Path::new(name)), "{name}");
        }
    }
}
