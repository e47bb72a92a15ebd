//! What the steps of `cargo xtask test` run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use anyhow::{Result, bail};
use lead_workspace_test_postgres::Server;

use super::check::check;
use super::count::Count;
use super::generated_client;
use crate::build::{self, Flavour};
use crate::setup::{self, chromium, npm, postgres, system};
use crate::soak::fuzz;
use crate::{package, progress, repo, size};

/// The end-to-end tests that the step `e2e` also runs with the UI of `cargo xtask start`.
const AS_STARTED: [&str; 2] = ["first-run", "review"];

/// The end-to-end tests that the step `e2e` also runs through a gateway: reading, decisions, and an upstream outage.
const THROUGH_A_GATEWAY: [&str; 2] = ["decisions", "view"];

/// The end-to-end tests that do not run through a gateway: it has no import, and the parts of the UI are loaded in the same way.
const NOT_THROUGH_A_GATEWAY: [&str; 3] = ["import", "late", "style"];

/// The end-to-end test that the step `e2e` also runs on PostgreSQL.
const ON_POSTGRES: &str = "decisions";

/// How many files of tests run at the same time, on any machine: most tests wait for timers and processes longer than they
/// keep a processor busy.
const AT_ONCE: usize = 4;

/// The suffix of test file names.
const ENDING: &str = ".test.mjs";

/// What end-to-end tests run against.
enum Setup {
    Folder,
    /// The same, with the UI of the profile `dev`.
    AsStarted,
    Gateway,
    Postgres,
}

pub fn fmt() -> Result<Count> {
    check("fmt", setup::cargo().args(["fmt", "--all", "--check"]))
}

/// Compiles all programs and native tests with Clippy, then the service as it is released, without the code of debug
/// assertions.
pub fn clippy() -> Result<Count> {
    let mut count = check("clippy", &mut setup::native_tests()?)?;
    let mut as_released = setup::cargo_of_tests("build")?;
    as_released
        // Any test, because cargo would compile libraries again without the features that tests need.
        .args(["--lib", "--test", "loss", "--config"])
        .arg("profile.dev.package.lead-workspace-service.debug-assertions=false");
    count += check("clippy, service as released", &mut as_released)?;
    Ok(count)
}

pub fn native() -> Result<Count> {
    postgres::ensure()?;
    let mut tests = setup::cargo_of_tests("test")?;
    count("native tests", tests.arg("--no-fail-fast"))
}

/// Leaves out the doc tests, and the integration tests that start other programs or read many files.
pub fn unit() -> Result<Count> {
    let mut tests = setup::cargo_of_tests("test")?;
    tests.args(["--no-fail-fast", "--lib", "--bins", "--test", "it"]);
    count("unit tests", &mut tests)
}

pub fn docs() -> Result<Count> {
    let mut doc = setup::cargo();
    doc.args(["doc", "--locked", "--workspace", "--no-deps"])
        .env("RUSTDOCFLAGS", "--deny warnings");
    check("docs", &mut doc)
}

pub fn js() -> Result<Count> {
    count("tests in Node", &mut node("tests/js", AT_ONCE, |_| true)?)
}

/// Checks the types of the package and the examples in them: with and without the browser's types, and with those of
/// the frameworks.
pub fn types() -> Result<Count> {
    let folder = npm::ensure("TypeScript", "tests/types")?;
    let mut examples = npm::node_command()?;
    let mut count = check("examples", examples.arg(folder.join("examples.mjs")))?;
    for config in [
        "tsconfig.json",
        "tsconfig.node.json",
        "tsconfig.readme.json",
        "tsconfig.bindings.json",
    ] {
        let mut tsc = npm::node_command()?;
        tsc.arg(folder.join("node_modules/typescript/bin/tsc"))
            .arg("--project")
            .arg(folder.join(config));
        count += check(&format!("types, {config}"), &mut tsc)?;
    }
    Ok(count)
}

/// Builds what [`e2e`] uses.
pub fn build_uis() -> Result<()> {
    // Before two steps could install them at the same time.
    npm::ensure("npm libraries", "tests/e2e")?;
    build::ui(Flavour::Release)?;
    build::ui(Flavour::Dev)?;
    Ok(())
}

pub fn e2e() -> Result<Count> {
    let all = E2e::new("end-to-end tests", Setup::Folder, AT_ONCE, |_| true)?;
    let mut count = all.run()?;
    // Each has too few files to keep the processors busy on its own.
    let others = [
        E2e::new("as started", Setup::AsStarted, 1, |area| {
            AS_STARTED.contains(&area)
        })?,
        E2e::new("through a gateway", Setup::Gateway, 2, |area| {
            THROUGH_A_GATEWAY.contains(&area)
        })?,
        E2e::new("on PostgreSQL", Setup::Postgres, 1, |area| {
            area == ON_POSTGRES
        })?,
    ];
    let counts = thread::scope(|scope| {
        let running = others.map(|tests| scope.spawn(|| tests.run()));
        running.map(|tests| tests.join().unwrap_or_else(|_| bail!("it panicked")))
    });
    for tests in counts {
        count += tests?;
    }
    Ok(count)
}

pub fn gateway() -> Result<Count> {
    let tests = E2e::new("through a gateway", Setup::Gateway, AT_ONCE, |area| {
        !NOT_THROUGH_A_GATEWAY.contains(&area)
    });
    tests?.run()
}

/// End-to-end tests whose service and UI are built.
struct E2e {
    label: &'static str,
    node: Command,
    /// Runs as long as the tests.
    server: Option<Server>,
}

impl E2e {
    fn new(
        label: &'static str,
        setup: Setup,
        at_once: usize,
        chosen: impl Fn(&str) -> bool,
    ) -> Result<Self> {
        let flavour = match setup {
            Setup::AsStarted => Flavour::Dev,
            _ => Flavour::Release,
        };
        let mut node = node_with_browser("tests/e2e", at_once, chosen)?;
        node.env("LEAD_WORKSPACE_PROGRAM", build::service_of_tests()?)
            .env("LEAD_WORKSPACE_UI", build::ui(flavour)?);
        let mut server = None;
        match setup {
            Setup::Folder | Setup::AsStarted => {}
            Setup::Gateway => _ = node.env("LEAD_WORKSPACE_SETUP", "gateway"),
            Setup::Postgres => {
                let programs = postgres::ensure()?;
                let started = Server::start().map_err(anyhow::Error::msg)?;
                node.env("LEAD_WORKSPACE_SETUP", "postgres")
                    .env("PATH", system::path_with([programs.as_path()].into_iter()));
                started.set_env(&mut node);
                server = Some(started);
            }
        }
        Ok(Self {
            label,
            node,
            server,
        })
    }

    fn run(mut self) -> Result<Count> {
        let count = count(self.label, &mut self.node);
        drop(self.server);
        count
    }
}

pub fn size() -> Result<Count> {
    let mut count = Count::default();
    for report in size::all()? {
        eprintln!("\n{}", report.text);
        count += Count::of_check(report.within);
    }
    Ok(count)
}

pub fn package() -> Result<Count> {
    npm::ensure("npm libraries", "tests/package")?;
    npm::ensure("npm packages of the optimistic update", "bench/decisions")?;
    let mut node = node_with_package("tests/package", AT_ONCE)?;
    node.envs(size::mount_limits()?)
        .env("PATH", setup::path_of_tests()?)
        .env("WASM_PACK_TARGET_DIR", repo::target());
    count("package tests", &mut node)
}

pub fn platforms() -> Result<Count> {
    npm::ensure("frameworks and runtimes", "tests/platforms")?;
    // One file at a time: each framework uses every core.
    count("platforms", &mut node_with_package("tests/platforms", 1)?)
}

pub fn deb() -> Result<Count> {
    let mut node = node("tests/debian", 1, |_| true)?;
    node.env("LEAD_WORKSPACE_DEB", package::deb::build()?);
    count("Debian package", &mut node)
}

/// Returns Node with all test files of a folder, which use the package, the service and the browser.
fn node_with_package(folder: &str, at_once: usize) -> Result<Command> {
    let mut node = node_with_browser(folder, at_once, |_| true)?;
    set_package(&mut node)?;
    Ok(node)
}

/// Sets the variables with the package, a project in which it is installed, the service and the UI.
pub fn set_package(node: &mut Command) -> Result<()> {
    let package = package::build()?;
    let installed = repo::target().join("xtask/installed");
    repo::clear(&installed)?;
    let mut install = npm::node_command()?;
    install
        .arg("tests/package/support/install.mjs")
        .arg(&installed)
        .env("LEAD_WORKSPACE_PACKAGE", &package);
    progress::run("package, installed", &mut install)?
        .or_fail("npm could not pack or install the package; see the message above.")?;
    node.env("LEAD_WORKSPACE_PACKAGE", package)
        .env("LEAD_WORKSPACE_INSTALLED", installed)
        .env("LEAD_WORKSPACE_PROGRAM", build::service_of_tests()?)
        .env("LEAD_WORKSPACE_UI", build::ui(Flavour::Release)?);
    Ok(())
}

pub fn bindings() -> Result<Count> {
    npm::ensure("npm libraries", "tests/bindings")?;
    count(
        "bindings",
        &mut node_with_package("tests/bindings", AT_ONCE)?,
    )
}

pub fn faults() -> Result<Count> {
    // Their timeouts are short.
    let mut node = node_with_browser("tests/faults", AT_ONCE - 1, |_| true)?;
    node.env("LEAD_WORKSPACE_PACKAGE", package::build()?);
    count("faults", &mut node)
}

/// Returns Node with the chosen test files of a folder, which use the browser through the helpers of the end-to-end
/// tests.
fn node_with_browser(
    folder: &str,
    at_once: usize,
    chosen: impl Fn(&str) -> bool,
) -> Result<Command> {
    npm::ensure("npm libraries", "tests/e2e")?;
    let demos = repo::target().join("xtask/demos").join(folder);
    repo::clear(&demos)?;
    let mut node = node(folder, at_once, chosen)?;
    node.env("CHROME", chromium::ensure_headless()?)
        // Where the files find the demo leads that another one has made.
        .env("LEAD_WORKSPACE_DEMOS", demos);
    Ok(node)
}

/// Returns Node with the chosen test files of a folder, of which it runs this many at the same time.
pub fn node(folder: &str, at_once: usize, chosen: impl Fn(&str) -> bool) -> Result<Command> {
    let mut files: Vec<PathBuf> = repo::root()
        .join(folder)
        .read_dir()?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.retain(|file| area(file).is_some_and(&chosen));
    files.sort();
    let mut node = npm::node_command()?;
    node.args(["--test", "--test-reporter=spec"])
        // For a whole file. Each wait in it has its own, shorter limit.
        .arg("--test-timeout=900000")
        .arg(format!("--test-concurrency={at_once}"))
        .args(files);
    Ok(node)
}

/// Runs schemathesis, and a generated client. Each counts as one test, because schemathesis stops at nothing.
pub fn api() -> Result<Count> {
    let outcome = fuzz::api(fuzz::Requests::SHORT)?;
    if !outcome.ok {
        eprintln!("\n{}", outcome.failure());
    }
    let mut count = Count::of_check(outcome.ok);
    count += generated_client::all()?;
    Ok(count)
}

/// Returns the area of a test file, e.g. `late` for `late.test.mjs`.
fn area(file: &Path) -> Option<&str> {
    file.file_name()?.to_str()?.strip_suffix(ENDING)
}

pub fn count(label: &str, command: &mut Command) -> Result<Count> {
    Ok(Count::of_tests(&progress::run(label, command)?))
}
