//! The command line: its commands, and how they report errors.

mod browser;
mod demo;
mod fill;
mod gateway;
mod import;
mod keys;
mod logging;
mod network;
mod progress;
pub mod ready;
mod resources;
mod scoring;
mod serve;

use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

/// The workspace service: your leads, on your machine.
#[derive(Parser)]
#[command(name = "lead-workspace", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve a data folder over HTTP, or be a gateway to an upstream.
    Serve(serve::Serve),
    /// Make, list and revoke API keys, also while the service runs.
    #[command(subcommand)]
    Keys(keys::Keys),
    Import(import::Import),
    Demo(demo::Demo),
    #[command(subcommand)]
    Scoring(scoring::Scoring),
}

/// The folder that keeps everything.
#[derive(Args)]
struct Data {
    /// The folder that keeps the leads.
    #[arg(long, value_name = "DIR", default_value = "data")]
    data: PathBuf,
}

pub fn run() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Serve(serve) => serve.run(),
        Command::Keys(keys) => keys.run(),
        Command::Import(import) => import.run(),
        Command::Demo(demo) => demo.run(),
        Command::Scoring(scoring) => scoring.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Turns an error into the message that the command prints.
fn told(error: impl Display) -> String {
    error.to_string()
}
