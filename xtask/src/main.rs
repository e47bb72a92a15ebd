//! `cargo xtask`: set-up, build, start and test.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

mod progress;
mod repo;
mod setup;

/// Set-up, build, start and test of lead-workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install what building, starting and testing need.
    Setup,
    /// Print shell exports for using cargo, wasm-bindgen and wasm-pack by hand.
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
        Task::Setup => setup::everything()?,
        Task::Env => {
            for (name, value) in setup::shell_env()? {
                println!("export {name}='{}'", value.to_string_lossy());
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
