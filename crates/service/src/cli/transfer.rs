//! `lead-workspace move`: copies everything between a data folder and a PostgreSQL database.

use std::path::PathBuf;

use clap::Args;

use super::message;
use super::output::print_line;
use super::progress::Progress;
use crate::store::StoreError;
use crate::store::transfer::{self, Moved, Place};

/// Copy everything from a data folder to a PostgreSQL database, or back. No service may be running on either.
///
/// The destination must be empty. It gets everything in one step, after counts and digests of all tables were compared. A
/// move that was interrupted is started again by the same command; after one that has ended, the same command compares
/// both again. The source stays as it is.
#[derive(Args)]
pub(super) struct MoveArgs {
    /// The source: a data folder, or the URL of a database (postgres://USER:PASSWORD@HOST:PORT/DATABASE).
    #[arg(
        long,
        value_name = "DIR|URL",
        required_unless_present = "from_database_file"
    )]
    from: Option<String>,
    /// File with the URL of the source. Unlike an option, others cannot see it in the list of processes.
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    from_database_file: Option<PathBuf>,
    /// The destination: a data folder, or the URL of a database. A folder is created if it is missing.
    #[arg(
        long,
        value_name = "DIR|URL",
        required_unless_present = "to_database_file"
    )]
    to: Option<String>,
    /// File with the URL of the destination.
    #[arg(long, value_name = "FILE", conflicts_with = "to")]
    to_database_file: Option<PathBuf>,
}

impl MoveArgs {
    pub(super) fn run(self) -> Result<(), String> {
        let from = place(self.from, self.from_database_file).map_err(message)?;
        let to = place(self.to, self.to_database_file).map_err(message)?;
        let mut progress = Progress::new("rows", 0);
        let moved = transfer::run(&from, &to, &mut |step, done, total| {
            progress.step(step, done, total);
        });
        drop(progress);
        let text = text(&from, &to, &moved.map_err(message)?);
        print_line!("{}", text.trim_end());
        Ok(())
    }
}

// Not by clap: its errors would show the URL.
fn place(text: Option<String>, file: Option<PathBuf>) -> Result<Place, StoreError> {
    match file {
        Some(file) => Place::of_file(&file),
        None => Place::of_text(&text.unwrap_or_default()),
    }
}

fn text(from: &Place, to: &Place, moved: &Moved) -> String {
    let mut text = String::from("table                     rows  digest (SHA-256)\n");
    for (name, content) in &moved.tables {
        let digest: String = format!("{content:x}").chars().take(32).collect();
        text.push_str(&format!("{name:<18}  {:>10}  {digest}\n", content.rows));
    }
    let rows: u64 = moved.tables.iter().map(|(_, content)| content.rows).sum();
    text.push_str(&if moved.was_done {
        format!("The move was complete before: {to} has all {rows} rows of {from}. Nothing was changed.\n")
    } else {
        format!(
            "All {rows} rows of {from} are in {to}. Counts and digests are equal, and {from} is as it was.\n"
        )
    });
    if moved.replaced > 0 {
        text.push_str(&format!(
            "{} texts contain a NUL, which PostgreSQL cannot store; {to} has U+FFFD in its place.\n",
            moved.replaced
        ));
    }
    text
}
