//! `lead-workspace doctor`: examines a data folder, and repairs it.

use clap::Args;

use super::output::print_line;
use super::{DataArgs, message};
use crate::store::doctor::{self, Diagnosis, Level};

/// Examine a data folder: lock, permissions, disk space, version, structure and content. Works while
/// the service is running, and changes nothing without --fix.
///
/// The exit code is 0 if nothing is wrong or everything is repaired, and 1 otherwise. The examination
/// reads the whole database: that takes seconds for 100,000 leads.
#[derive(Args)]
pub(super) struct DoctorArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Repair what can be repaired without losing data. The service must not be running. A copy of the
    /// database is kept before its content is changed.
    #[arg(long)]
    fix: bool,
    /// Print the findings as JSON.
    #[arg(long)]
    json: bool,
}

impl DoctorArgs {
    pub(super) fn run(self) -> Result<(), String> {
        let dir = &self.data.data;
        let diagnosis = if self.fix {
            doctor::fix(dir).map_err(|error| format!("the repair failed: {error}"))?
        } else {
            doctor::examine(dir)
        };
        if self.json {
            print_line!(
                "{}",
                serde_json::to_string_pretty(&diagnosis).map_err(message)?
            );
        } else {
            print_line!("{}", text(&diagnosis).trim_end());
        }
        if diagnosis.healthy {
            return Ok(());
        }
        let problems = diagnosis.findings.iter();
        let problems = problems
            .filter(|finding| finding.level == Level::Problem)
            .count();
        Err(format!("{problems} problems in {}", dir.display()))
    }
}

fn text(diagnosis: &Diagnosis) -> String {
    let mut text = String::new();
    for finding in &diagnosis.findings {
        let (level, advice) = match finding.level {
            Level::Note => ("note", Some(&finding.advice)),
            Level::Problem => ("problem", Some(&finding.advice)),
            Level::Repaired => ("repaired", None),
        };
        text.push_str(&format!("{level}: {}\n", finding.text));
        if let Some(advice) = advice {
            text.push_str(&format!("  to do: {advice}\n"));
        }
    }
    if let Some(copy) = &diagnosis.copy {
        text.push_str(&format!(
            "The database as it was before is kept as {}.\n",
            copy.display()
        ));
    }
    if diagnosis.healthy {
        text.push_str("Nothing is wrong.\n");
    }
    text
}
