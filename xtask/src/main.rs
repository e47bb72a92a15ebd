//! `cargo xtask`: set-up, build, package, start and test.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

mod bench;
mod build;
mod generate;
#[cfg(test)]
mod import_cycles;
mod package;
mod pictures;
mod progress;
mod repo;
mod setup;
mod size;
mod soak;
mod start;
mod test;

/// Sets up, builds, packages, starts and tests lead-workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build what changed, then serve the UI and the API on 127.0.0.1.
    Start(start::Options),
    /// Run every check; ends with one line `N passed, N failed`.
    Test(test::Options),
    /// Build the UI and the service.
    Build(build::Options),
    /// Generate the committed files that derive from the contract: readers and types for JavaScript.
    Generate(generate::Options),
    /// Build the npm package into pkg, or the Debian package of the service.
    Package(package::command::Options),
    /// Print the sizes of the app and the package, and compare them with xtask/budget.toml.
    Size,
    /// Run a benchmark and print the results.
    #[command(subcommand)]
    Bench(bench::Bench),
    /// Run the long forms of tests, with a time limit for each, and print their figures.
    Soak(soak::Options),
    /// Take pictures of the main screens, also those in docs.
    Pictures,
    /// Install the tools for building, starting and testing.
    Setup,
    /// Print shell exports for using wasm-bindgen and wasm-pack by hand.
    Env,
}

fn main() -> ExitCode {
    match run(Cli::parse().task) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<ExitCode> {
    match task {
        Task::Start(options) => return start::run(&options),
        Task::Test(options) => return test::run(&options),
        Task::Build(options) => build::run(&options)?,
        Task::Generate(options) => return generate::run(&options),
        Task::Soak(options) => return soak::run(&options),
        Task::Bench(bench) => bench::run(&bench)?,
        Task::Package(options) => package::command::run(&options)?,
        Task::Size => return size::run(),
        Task::Pictures => pictures::run()?,
        Task::Setup => setup::everything()?,
        Task::Env => println!("export PATH='{}'", setup::path()?.display()),
    }
    Ok(ExitCode::SUCCESS)
}
