//! The command line.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The workspace service: your leads, on your machine.
#[derive(Parser)]
#[command(name = "lead-workspace", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve a data folder over HTTP.
    Serve,
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    match Cli::parse().command {
        Command::Serve => ExitCode::FAILURE,
    }
}
