//! The command line: its commands, and how they report errors.

// These panic if the output cannot be written; see `output`.
#![warn(clippy::print_stderr, clippy::print_stdout)]

mod audit;
mod backup;
mod browser;
mod database;
mod demo;
mod distribute;
mod doctor;
mod environment;
mod export;
mod gateway;
mod import;
mod keys;
mod logging;
mod maintenance;
mod network;
mod notify;
mod output;
mod progress;
mod resources;
mod scoring;
mod serve;
pub mod service_files;
mod stop_signal;
mod tail;
mod times;
mod tls;
mod transfer;
mod workspaces;

use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use self::output::tell_line;

/// Lead and account workspace: a service that keeps your leads on your machine.
#[derive(Parser)]
#[command(name = "lead-workspace", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve a data folder over HTTP, or run as a gateway to an upstream.
    Serve(Box<serve::ServeArgs>),
    /// Create, list and revoke API keys. Works while the service is running.
    #[command(subcommand)]
    Keys(keys::KeysCommand),
    /// List, create, name, rename and delete workspaces. Works while the service is running.
    #[command(subcommand)]
    Workspaces(workspaces::WorkspacesCommand),
    Import(import::ImportArgs),
    Export(export::ExportArgs),
    Demo(demo::DemoArgs),
    #[command(subcommand)]
    Scoring(scoring::ScoringCommand),
    Backup(backup::BackupArgs),
    Restore(backup::RestoreArgs),
    Move(transfer::MoveArgs),
    Distribute(distribute::DistributeArgs),
    Audit(audit::AuditArgs),
    Tail(tail::TailArgs),
    Doctor(doctor::DoctorArgs),
}

/// The data folder.
#[derive(Args)]
struct DataArgs {
    /// The data folder.
    #[arg(long, value_name = "DIR", default_value = "data")]
    data: PathBuf,
}

/// Every option can also be set by an environment variable. `given` is the command line.
fn command(given: &[String]) -> clap::Command {
    environment::with_variables(Cli::command(), given)
}

pub fn run() -> ExitCode {
    let given: Vec<String> = std::env::args_os()
        .map(|text| text.to_string_lossy().into_owned())
        .collect();
    let matches = command(&given).get_matches();
    resources::survive_file_size_limit();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let result = matches.subcommand().map_or(Ok(()), |(name, matches)| {
        environment::refuse_folder_beside_database(name, matches)
    });
    let result = result.and_then(|()| match cli.command {
        Command::Serve(serve) => serve.run(),
        Command::Keys(keys) => keys.run(),
        Command::Workspaces(workspaces) => workspaces.run(),
        Command::Import(import) => import.run(),
        Command::Export(export) => export.run(),
        Command::Demo(demo) => demo.run(),
        Command::Scoring(scoring) => scoring.run(),
        Command::Backup(backup) => backup.run(),
        Command::Restore(restore) => restore.run(),
        Command::Move(arguments) => arguments.run(),
        Command::Distribute(arguments) => arguments.run(),
        Command::Audit(audit) => audit.run(),
        Command::Tail(tail) => tail.run(),
        Command::Doctor(doctor) => doctor.run(),
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            tell_line!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Turns an error into the message that the command prints.
fn message(error: impl Display) -> String {
    error.to_string()
}
