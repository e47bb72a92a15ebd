//! `lead-workspace audit`: exports the audit log.

use std::io::{self, BufWriter, Write};

use clap::{Args, ValueEnum};
use jiff::Timestamp;
use lead_workspace_api::csv_cell::guarded;

use super::database::{DatabaseArgs, find_workspace};
use super::export::Failed;
use super::times;
use crate::store::audit::{self, AuditEntry};
use crate::time::iso;

/// Export the audit log: who decided on, deleted or scored which leads, oldest first. Works while
/// the service is running.
#[derive(Args)]
pub(super) struct AuditArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Only entries since then: a duration before now such as 7d, a day (in UTC) such as 2026-01-31,
    /// or a time such as 2026-01-31T18:00:00Z [default: all].
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Only entries of the workspace with this id [default: all].
    #[arg(long = "tenant", visible_alias = "workspace", value_name = "ID")]
    tenant: Option<String>,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = AuditFormat::Csv)]
    format: AuditFormat,
}

#[derive(Clone, Copy, ValueEnum)]
enum AuditFormat {
    /// Comma-separated values with a header. Text that a spreadsheet program would run as a formula is
    /// preceded by an apostrophe.
    Csv,
    /// One JSON object per line.
    Jsonl,
}

/// The columns of the CSV, in order.
const COLUMNS: [&str; 10] = [
    "at",
    "workspace",
    "key_id",
    "key_name",
    "action",
    "lead_id",
    "from",
    "to",
    "job_id",
    "request_id",
];

impl AuditArgs {
    pub(super) fn run(self) -> Result<(), String> {
        let since = self.since.as_deref();
        let since = since.map(|text| times::before(text, Timestamp::now()).map(iso));
        let since = since
            .transpose()
            .map_err(|problem| format!("--since: {problem}"))?;
        let database = self.database.open_shared()?;
        let tenant = self.tenant.as_deref();
        let tenant = tenant.map(|id| find_workspace(&database, id, "exported"));
        let tenant = tenant.transpose()?;
        let out = BufWriter::new(io::stdout().lock());
        let written = match self.format {
            AuditFormat::Csv => write_csv(out, |on_entry| {
                database.read(|db| audit::export(db, since.as_deref(), tenant, on_entry))
            }),
            AuditFormat::Jsonl => write_jsonl(out, |on_entry| {
                database.read(|db| audit::export(db, since.as_deref(), tenant, on_entry))
            }),
        };
        written.map_err(|Failed(error)| error)
    }
}

impl From<csv::Error> for Failed {
    fn from(error: csv::Error) -> Self {
        io::Error::from(error).into()
    }
}

type OnEntry<'a> = dyn FnMut(&AuditEntry) -> Result<(), Failed> + 'a;

fn write_csv(
    out: impl Write,
    entries: impl FnOnce(&mut OnEntry<'_>) -> Result<(), Failed>,
) -> Result<(), Failed> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(COLUMNS)?;
    entries(&mut |entry| {
        for cell in cells(entry) {
            writer.write_field(&*guarded(cell))?;
        }
        Ok(writer.write_record(None::<&[u8]>)?)
    })?;
    Ok(writer.flush()?)
}

fn cells(entry: &AuditEntry) -> [&str; COLUMNS.len()] {
    fn text(value: &Option<String>) -> &str {
        value.as_deref().unwrap_or_default()
    }
    [
        &entry.at,
        &entry.workspace,
        &entry.key_id,
        text(&entry.key_name),
        &entry.action,
        text(&entry.lead_id),
        text(&entry.from),
        text(&entry.to),
        text(&entry.job_id),
        &entry.request_id,
    ]
}

fn write_jsonl(
    mut out: impl Write,
    entries: impl FnOnce(&mut OnEntry<'_>) -> Result<(), Failed>,
) -> Result<(), Failed> {
    entries(&mut |entry| {
        serde_json::to_writer(&mut out, entry).map_err(io::Error::from)?;
        Ok(out.write_all(b"\n")?)
    })?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::{AuditEntry, Failed, write_csv, write_jsonl};

    fn entry() -> AuditEntry {
        AuditEntry {
            at: "2026-01-31T00:00:00.000Z".into(),
            workspace: "default".into(),
            key_id: "0123456789ab".into(),
            key_name: Some("=1+1, \"Ada\"".into()),
            action: "decide".into(),
            lead_id: Some("lead".into()),
            from: Some("pending_approval".into()),
            to: Some("approved".into()),
            job_id: None,
            request_id: "@request".into(),
        }
    }

    fn text(write: impl FnOnce(&mut Vec<u8>) -> Result<(), Failed>) -> String {
        let mut out = Vec::new();
        write(&mut out).map_err(|Failed(error)| error).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn no_cell_is_a_formula() {
        let text = text(|out| write_csv(out, |on_entry| on_entry(&entry())));
        assert_eq!(
            text,
            "at,workspace,key_id,key_name,action,lead_id,from,to,job_id,request_id\n\
             2026-01-31T00:00:00.000Z,default,0123456789ab,\"'=1+1, \"\"Ada\"\"\",decide,lead,\
             pending_approval,approved,,'@request\n"
        );
    }

    #[test]
    fn each_line_is_an_object() {
        let text = text(|out| {
            write_jsonl(out, |on_entry| {
                on_entry(&entry())?;
                on_entry(&entry())
            })
        });
        let lines: Vec<serde_json::Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0]["key_name"], "=1+1, \"Ada\"");
        assert_eq!(lines[0]["job_id"], serde_json::Value::Null);
    }
}
