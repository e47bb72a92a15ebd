//! What the steps of `cargo xtask test` depend on: the files of the working tree, the programs of this machine, and the
//! environment.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use lead_workspace_test_postgres::{citus, pgbouncer, programs};

use super::step::Step;
use crate::build::stamp::Inputs;
use crate::repo;
use crate::setup::{chromium, system};

/// Programs that the steps run, with the option that prints their version. Those of lock files are versioned there.
const PROGRAMS: [(&str, &str); 8] = [
    ("rustc", "-vV"),
    ("cargo", "-vV"),
    ("cc", "--version"),
    ("node", "--version"),
    ("npm", "--version"),
    ("chromedriver", "--version"),
    ("python3", "--version"),
    ("uname", "-srm"),
];

/// The beginnings of the names of environment variables that change what is built or tested.
const VARIABLES: [&str; 16] = [
    "CARGO",
    "CC",
    "CFLAGS",
    "CHROME",
    "CITUS_",
    "CXX",
    "LANG",
    "LC_",
    "LEAD_WORKSPACE_",
    "NODE_",
    "NPM_",
    "PG",
    "RUST",
    "TZ",
    "WASM_",
    "npm_",
];

/// Text for readers, which only some tests compare with the code.
const TEXTS: &[&str] = &[
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/",
];

/// The tests that Node and Python run.
const SCRIPTED_TESTS: &[&str] = &[
    "tests/api/",
    "tests/bindings/",
    "tests/browsers/",
    "tests/debian/",
    "tests/e2e/",
    "tests/faults/",
    "tests/js/",
    "tests/package/",
    "tests/platforms/",
    "tests/types/",
];

impl Step {
    /// Returns the beginnings of the paths that the step does not read. If in doubt, leave a path out: then the step
    /// runs once too often. `README.md` is part of the documentation of the crate.
    fn unread(self) -> [&'static [&'static str]; 2] {
        match self {
            Self::Clippy | Self::Web | Self::Docs | Self::E2e | Self::Gateway => {
                [TEXTS, SCRIPTED_TESTS]
            }
            // Tests compare the service with its documentation.
            Self::Unit | Self::Native | Self::Postgres | Self::Citus => [&[], SCRIPTED_TESTS],
            _ => [&[], &[]],
        }
    }

    fn reads(self, path: &str) -> bool {
        let is_unread = |start: &&str| path.starts_with(*start);
        let is_own = matches!(self, Self::E2e | Self::Gateway) && path.starts_with("tests/e2e/");
        // Cargo finds tests by itself, such as `tests/e2e/main.rs`.
        is_own || path.ends_with(".rs") || !self.unread().into_iter().flatten().any(is_unread)
    }
}

/// Returns what describes this machine and the environment: versions, variables, and settings of cargo outside the
/// checkout. It takes half a second.
pub fn machine() -> String {
    let mut facts = Vec::new();
    let mut add_version = |program: PathBuf, option: &str| {
        let version = system::output(Command::new(&program).arg(option));
        facts.push(format!("{}: {version:?}", program.display()));
    };
    for (name, option) in PROGRAMS {
        if let Some(program) = system::find(name) {
            add_version(program, option);
        }
    }
    for browser in chromium::installed() {
        add_version(browser, "--version");
    }
    if let Some(folder) = programs() {
        add_version(folder.join("postgres"), "--version");
    }
    if let Some(program) = pgbouncer() {
        add_version(program, "--version");
    }
    facts.extend(citus().map(|extension| extension.display().to_string()));
    let mut variables: Vec<_> = env::vars_os()
        .filter(|(name, _)| is_relevant(&name.to_string_lossy()))
        .map(|(name, value)| format!("{name:?}={value:?}"))
        .collect();
    variables.sort();
    facts.extend(variables);
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let root = repo::root();
    let outside = root.ancestors().skip(1).map(|folder| folder.join(".cargo"));
    for folder in outside.chain(home) {
        for name in ["config", "config.toml"] {
            if let Ok(settings) = fs::read_to_string(folder.join(name)) {
                facts.push(settings);
            }
        }
    }
    facts.join("\n")
}

fn is_relevant(variable: &str) -> bool {
    VARIABLES.iter().any(|start| variable.starts_with(start))
}

/// The files of a working tree that git tracks or would track.
#[derive(PartialEq, Eq)]
pub struct Files(Vec<File>);

#[derive(PartialEq, Eq)]
struct File {
    path: String,
    /// As git hashes it.
    content: String,
    is_program: bool,
}

impl Files {
    /// Returns None if git cannot list or hash them all.
    pub fn below(root: &Path) -> Option<Self> {
        let mut list = git(root);
        list.args(["ls-files", "-z", "--cached", "--others"])
            .arg("--exclude-standard");
        let list = system::output(&mut list)?;
        let mut paths: Vec<&str> = list.split('\0').filter(|path| !path.is_empty()).collect();
        // Those with a conflict are listed more than once, and those that are deleted still.
        paths.dedup();
        paths.retain(|path| root.join(path).is_file());
        let mut files = Vec::new();
        // A command has a maximum length.
        for paths in paths.chunks(200) {
            let mut hash = git(root);
            hash.args(["hash-object", "--no-filters", "--"]).args(paths);
            let hashes = system::output(&mut hash)?;
            let hashes: Vec<&str> = hashes.lines().collect();
            if hashes.len() != paths.len() {
                return None;
            }
            files.extend(paths.iter().zip(hashes).map(|(path, hash)| File {
                path: (*path).to_owned(),
                content: hash.to_owned(),
                is_program: is_program(&root.join(path)),
            }));
        }
        (!files.is_empty()).then_some(Self(files))
    }

    /// Returns the fingerprint of all that a step depends on.
    pub fn fingerprint(&self, step: Step, machine: &str) -> String {
        let mut inputs = Inputs::of_recipe(machine);
        for file in self.0.iter().filter(|file| step.reads(&file.path)) {
            inputs.add((&file.path, &file.content, file.is_program));
        }
        inputs.fingerprint()
    }
}

/// Returns a git command for the repository of a folder, also when a git hook of another repository runs this.
pub fn git(folder: &Path) -> Command {
    let mut git = Command::new("git");
    for variable in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
        git.env_remove(variable);
    }
    git.current_dir(folder);
    git
}

fn is_program(file: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(file).is_ok_and(|data| data.permissions().mode() & 0o100 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        false
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use clap::ValueEnum;

    use super::{Files, SCRIPTED_TESTS, Step, TEXTS, git, is_relevant};
    use crate::repo;

    /// Returns the fingerprints of two steps. The second one does not read `docs`.
    fn fingerprints(root: &Path) -> [String; 2] {
        let files = Files::below(root).unwrap();
        [Step::Native, Step::E2e].map(|step| files.fingerprint(step, "rustc 1"))
    }

    #[test]
    fn each_change_of_a_file_that_a_step_reads_changes_its_fingerprint() {
        let root = repo::target().join("xtask/test-inputs");
        repo::clear(&root).unwrap();
        let git = |arguments: &[&str]| {
            assert!(git(&root).args(arguments).status().unwrap().success());
        };
        git(&["init", "--quiet"]);
        fs::create_dir(root.join("docs")).unwrap();
        fs::write(root.join(".gitignore"), "target\n").unwrap();
        fs::write(root.join("a.rs"), "1").unwrap();
        fs::write(root.join("b.rs"), "1").unwrap();
        fs::write(root.join("docs/a.md"), "1").unwrap();
        git(&["add", "."]);
        let first = fingerprints(&root);
        assert_eq!(fingerprints(&root), first);
        assert_ne!(first[0], first[1]);

        fs::write(root.join("target"), "ignored").unwrap();
        assert_eq!(fingerprints(&root), first);

        let changed = |what: &str, change: &dyn Fn(), back: &dyn Fn()| {
            change();
            let now = fingerprints(&root);
            assert!(now[0] != first[0] && now[1] != first[1], "{what}");
            back();
            assert_eq!(fingerprints(&root), first, "{what}, and back");
        };
        let write = |name: &str, text: &str| fs::write(root.join(name), text).unwrap();
        let remove = |name: &str| fs::remove_file(root.join(name)).unwrap();
        // Of the same length, within the resolution of file times.
        changed("content", &|| write("a.rs", "2"), &|| write("a.rs", "1"));
        changed("new file", &|| write("c.rs", ""), &|| remove("c.rs"));
        changed("deleted", &|| remove("b.rs"), &|| write("b.rs", "1"));
        changed(
            "staged",
            &|| {
                write("a.rs", "3");
                git(&["add", "."])
            },
            &|| write("a.rs", "1"),
        );
        let rename = |from: &str, to: &str| fs::rename(root.join(from), root.join(to)).unwrap();
        changed("name", &|| rename("a.rs", "d.rs"), &|| {
            rename("d.rs", "a.rs")
        });

        write("docs/a.md", "2");
        let now = fingerprints(&root);
        assert_ne!(now[0], first[0]);
        assert_eq!(now[1], first[1]);
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn without_git_nothing_is_known() {
        assert!(Files::below(Path::new("/dev")).is_none());
    }

    #[test]
    fn the_machine_is_part_of_the_fingerprint() {
        let files = Files(Vec::new());
        let on = |machine| files.fingerprint(Step::Native, machine);
        assert_ne!(on("rustc 1"), on("rustc 2"));
        assert!(is_relevant("LEAD_WORKSPACE_TEST_SLOWDOWN") && is_relevant("RUSTFLAGS"));
        assert!(!is_relevant("SHLVL"));
    }

    #[test]
    fn paths_that_a_step_does_not_read_exist() {
        for path in [TEXTS, SCRIPTED_TESTS].concat() {
            assert!(repo::root().join(path).exists(), "{path}");
        }
        for step in Step::value_variants() {
            for path in [
                "Cargo.lock",
                "src/lib.rs",
                "README.md",
                "www/README.md",
                "tests/it/a.rs",
            ] {
                assert!(step.reads(path), "{step:?}, {path}");
            }
        }
        assert!(Step::E2e.reads("tests/e2e/grid.test.mjs"));
        assert!(!Step::E2e.reads("tests/js/a.test.mjs"));
        assert!(Step::Native.reads("tests/e2e/main.rs"));
        assert!(!Step::Native.reads("tests/e2e/grid.test.mjs"));
    }
}
