//! The `lead-workspace` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    lead_workspace_service::cli::run()
}
