//! A test that the builds of `cargo xtask test` share what they compile from crates.io. Cargo compiles a library again for
//! each other choice of features, also of those that it depends on: `crates/features` makes the choices alike.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::Command;

use serde::Deserialize;
use serde_json::Value;

use crate::setup::{self, TARGET};

/// What `cargo build --unit-graph` prints.
#[derive(Deserialize)]
struct Graph {
    units: Vec<Unit>,
}

/// A call of the compiler, or of a build script.
#[derive(Deserialize)]
struct Unit {
    pkg_id: String,
    target: Value,
    profile: Value,
    /// None for the host.
    platform: Option<String>,
    mode: String,
    features: Vec<String>,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    index: usize,
}

impl Graph {
    fn of(cargo: &mut Command) -> Self {
        // Stable cargo accepts options that are not stable only with this variable.
        cargo
            .env("RUSTC_BOOTSTRAP", "1")
            .args(["--unit-graph", "-Zunstable-options"]);
        let output = cargo.output().unwrap();
        assert!(output.status.success(), "{cargo:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Returns the units of crates.io by name, each with the fingerprints of everything that it is compiled from.
    fn units(&self) -> BTreeMap<String, BTreeSet<u64>> {
        let mut known = vec![None; self.units.len()];
        let mut units = BTreeMap::<String, BTreeSet<u64>>::new();
        for (index, unit) in self.units.iter().enumerate() {
            let fingerprint = self.fingerprint(index, &mut known);
            if unit.pkg_id.starts_with("registry+") {
                units.entry(unit.name()).or_default().insert(fingerprint);
            }
        }
        units
    }

    fn fingerprint(&self, index: usize, known: &mut [Option<u64>]) -> u64 {
        if let Some(fingerprint) = known[index] {
            return fingerprint;
        }
        let unit = &self.units[index];
        let mut dependencies: Vec<u64> = unit
            .dependencies
            .iter()
            .map(|dependency| self.fingerprint(dependency.index, known))
            .collect();
        dependencies.sort_unstable();
        let mut hasher = DefaultHasher::new();
        (unit.name(), &unit.features, dependencies).hash(&mut hasher);
        unit.profile.to_string().hash(&mut hasher);
        *known[index].insert(hasher.finish())
    }
}

impl Unit {
    fn name(&self) -> String {
        let Self {
            pkg_id,
            target,
            platform,
            mode,
            ..
        } = self;
        format!("{pkg_id} {} {mode} {platform:?}", target["kind"])
    }
}

#[test]
fn a_library_is_compiled_once_for_each_platform() {
    let native = Graph::of(&mut setup::native_tests().unwrap()).units();
    let build = |options: &[&str]| {
        let mut cargo = setup::cargo();
        cargo.args(["build", "--locked"]);
        Graph::of(cargo.args(options)).units()
    };
    let browser = |options: &[&str]| {
        let package = ["--package", "lead-workspace", "--lib", "--target", TARGET];
        build(&[&package, options].concat())
    };
    // As the step `web` builds them.
    let web = browser(&["--features", "embed", "--tests"]);
    let ui = browser(&["--no-default-features", "--features", "module,ui"]);
    for (name, part, whole) in [
        (
            "xtask-bindgen",
            build(&["--package", "xtask-bindgen"]),
            &native,
        ),
        ("the UI", ui, &web),
        ("wasm-pack build", browser(&[]), &web),
    ] {
        assert!(part.len() > 50, "{name}: {} units", part.len());
        let of_both = part
            .iter()
            .filter_map(|(unit, compiled)| Some((unit, compiled, whole.get(unit)?)));
        let again: Vec<_> = of_both
            .filter(|(_, compiled, also)| !compiled.is_subset(also))
            .map(|(unit, ..)| unit)
            .collect();
        assert!(
            again.is_empty(),
            "{name}: other features of some of {again:#?}"
        );
    }
}
