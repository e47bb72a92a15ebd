//! The files of a crate have no import cycles. What a module imports from its own submodules does not count, nor what it only
//! re-exports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::{Item, UseTree, Visibility};

use crate::repo;

/// A path inside a crate. That of a module is a file.
type Names = Vec<String>;

/// The imports of a file: the paths as they are written, by the names that they have there.
#[derive(Default)]
struct Imports {
    own: Vec<(String, Names)>,
    re_exported: BTreeMap<String, Names>,
}

type Files = BTreeMap<Names, Imports>;

#[test]
fn files_have_no_import_cycles() {
    let root = repo::root();
    let mut folders = vec![root.join("src"), root.join("xtask/src")];
    for package in fs::read_dir(root.join("crates")).unwrap() {
        folders.push(package.unwrap().path().join("src"));
    }
    let mut found = BTreeMap::new();
    for folder in folders {
        let mut files = Files::new();
        read(&folder, &[], &mut files);
        assert!(!files.is_empty(), "{}", folder.display());
        found.insert(repo::relative(&folder), cycles(&files));
    }
    found.retain(|_, cycles| !cycles.is_empty());
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_cycle_is_found() {
    let files = [
        ("", "pub use self::a::A; use self::d::D;"),
        ("a", "use crate::b::{self, B};"),
        ("b", "use std::fmt; use super::{A as E, unknown};"),
        ("c", "use crate::D;"),
        ("d", "use crate::a::A;"),
    ];
    let files = files.map(|(name, text)| (names(name), imports(text)));
    let cycles: Vec<Names> = cycles(&files.into()).into_keys().collect();
    assert_eq!(cycles, [names("a"), names("b")]);
}

fn names(path: &str) -> Names {
    let parts = path.split("::").filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

fn read(folder: &Path, module: &[String], to: &mut Files) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let mut inner = module.to_vec();
        if !(module.is_empty() && matches!(name, "lib" | "main")) {
            inner.push(name.to_owned());
        }
        if name == "tests" {
            continue;
        }
        if path.is_dir() {
            read(&path, &inner, to);
        } else if path.extension().is_some_and(|end| end == "rs") {
            // A package with a library and a program has both in one folder.
            let found = imports(&fs::read_to_string(&path).unwrap());
            let file = to.entry(inner).or_default();
            file.own.extend(found.own);
            file.re_exported.extend(found.re_exported);
        }
    }
}

fn imports(text: &str) -> Imports {
    let mut found = Imports::default();
    for item in syn::parse_file(text).unwrap().items {
        if let Item::Use(item) = item {
            let mut paths = Vec::new();
            expand(&item.tree, &mut Vec::new(), &mut paths);
            match item.vis {
                Visibility::Inherited => found.own.extend(paths),
                _ => found.re_exported.extend(paths),
            }
        }
    }
    found
}

fn expand(tree: &UseTree, path: &mut Names, to: &mut Vec<(String, Names)>) {
    match tree {
        UseTree::Path(part) => {
            path.push(part.ident.to_string());
            expand(&part.tree, path, to);
            path.pop();
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                expand(tree, path, to);
            }
        }
        UseTree::Name(name) if name.ident == "self" => {
            to.extend(path.last().map(|last| (last.clone(), path.clone())));
        }
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            to.push((name.clone(), [&**path, &[name]].concat()));
        }
        UseTree::Rename(rename) => {
            let name = rename.rename.to_string();
            to.push((name, [&**path, &[rename.ident.to_string()]].concat()));
        }
        UseTree::Glob(_) => to.push((String::new(), path.clone())),
    }
}

/// Returns the files in cycles, or between two of them, with what they import of each other.
fn cycles(files: &Files) -> BTreeMap<Names, BTreeSet<Names>> {
    let edges = |(file, imports): (&Names, &Imports)| {
        let imported = imports.own.iter();
        let imported = imported.filter_map(|(_, path)| defined_in(files, file, path));
        let others = imported.filter(|other| !other.starts_with(file));
        (file.clone(), others.collect::<BTreeSet<_>>())
    };
    let mut left: BTreeMap<Names, BTreeSet<Names>> = files.iter().map(edges).collect();
    loop {
        let count = left.len();
        let imported: BTreeSet<Names> = left.values().flatten().cloned().collect();
        left.retain(|file, others| !others.is_empty() && imported.contains(file));
        let known: BTreeSet<Names> = left.keys().cloned().collect();
        for others in left.values_mut() {
            others.retain(|other| known.contains(other));
        }
        if left.len() == count {
            return left;
        }
    }
}

/// Returns the file of this crate that defines what a path in a file names.
fn defined_in(files: &Files, file: &[String], path: &[String]) -> Option<Names> {
    let (first, rest) = path.split_first()?;
    let mut at = match &**first {
        "crate" => Names::new(),
        "self" => file.to_vec(),
        "super" => file[..file.len().checked_sub(1)?].to_vec(),
        _ => [file, std::slice::from_ref(first)].concat(),
    };
    for (index, name) in rest.iter().enumerate() {
        if name == "super" {
            at.pop();
            continue;
        }
        let inner = [&*at, std::slice::from_ref(name)].concat();
        if files.contains_key(&inner) {
            at = inner;
            continue;
        }
        let of = files.get(&at)?;
        let all = of.re_exported.iter();
        let all = all.chain(of.own.iter().map(|(name, path)| (name, path)));
        let mut imported = all.filter(|(known, _)| *known == name);
        return match imported.next() {
            Some((_, path)) => {
                let path = [path, &rest[index + 1..]].concat();
                defined_in(files, &at, &path)
            }
            None => Some(at),
        };
    }
    files.contains_key(&at).then_some(at)
}
