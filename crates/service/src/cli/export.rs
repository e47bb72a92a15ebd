//! `lead-workspace export`: writes leads or accounts to standard output.

use std::io::{self, BufWriter, Write};

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use lead_workspace_api::export::{ColumnChoice, UnknownColumn};
use lead_workspace_api::{AccountQuery, ErrorEntry, LeadQuery, NewApprovalStatus, Request};
use serde_json::{Map, Value, json};

use super::database::{DatabaseArgs, no_workspace};
use super::message;
use super::output::tell_line;
use crate::export::{ExportFormat, ExportOptions, export_accounts, export_leads};
use crate::store::{DEFAULT_TENANT_ID, Filters, IndexHost, StoreError, Tenant, list_of_leads};

/// Export leads or accounts, with all columns of the files that they came from and what was decided. Works while the service
/// is running.
///
/// Rows and order are those of the list with the same filters, search and sort. All are read at one moment.
/// An export of leads can be imported again.
#[derive(Args)]
pub(super) struct ExportArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Id of the workspace.
    #[arg(long = "tenant", visible_alias = "workspace", value_name = "ID", default_value = DEFAULT_TENANT_ID)]
    tenant: String,
    /// Export accounts instead of leads.
    #[arg(long)]
    accounts: bool,
    /// Only leads with this approval status. Can be repeated.
    #[arg(long, value_parser = statuses(), conflicts_with = "accounts")]
    status: Vec<String>,
    /// A filter as in the API, e.g. '{"field":"icp_tier","operator":"eq","value":"A"}'. Can be repeated.
    #[arg(long = "filter", value_name = "JSON")]
    filters: Vec<String>,
    /// Only rows with these words.
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    /// Sort by this field of the API. The greatest value comes first; with :asc after the field, the smallest.
    #[arg(long, value_name = "FIELD", default_value = "icp_score")]
    sort: String,
    /// Only these columns, besides the id, what was decided, and the score: names of columns in the file
    /// that this command writes, separated by commas [default: all].
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Vec<String>,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = Form::Csv)]
    format: Form,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// Comma-separated values with a header. Text that a spreadsheet program would run as a formula is
    /// preceded by an apostrophe, which an import removes.
    Csv,
    /// One JSON object per line.
    Jsonl,
}

impl ExportArgs {
    pub(super) fn run(self) -> Result<(), String> {
        let query = self.query()?;
        let options = ExportOptions {
            columns: ColumnChoice {
                only: !self.columns.is_empty(),
                list: self.columns.clone(),
            },
            format: match self.format {
                Form::Csv => ExportFormat::Csv,
                Form::Jsonl => ExportFormat::Jsonl,
            },
        };
        let database = self.database.open_shared()?;
        let mut out = BufWriter::new(io::stdout().lock());
        let mut write = |_: usize, text: &str| Ok(out.write_all(text.as_bytes())?);
        let index = IndexHost::default();
        let exported = database.read(|db| {
            let tenant = Tenant::find(db, &self.tenant)?
                .ok_or_else(|| Failed(no_workspace(&self.tenant, "exported")))?;
            match &query {
                Query::Leads(query) => {
                    let list = list_of_leads(db, tenant, query)?;
                    export_leads(db, &index, tenant, &list, None, &options, &mut write)
                }
                Query::Accounts(query) => {
                    let filters = Filters::of_accounts(&query.filters).map_err(refused)?;
                    export_accounts(
                        db,
                        &index,
                        tenant,
                        (filters, query),
                        None,
                        &options,
                        &mut write,
                    )
                }
            }
        });
        let rows = exported.and_then(|rows| Ok((rows, out.flush()?)));
        let (rows, ()) = rows.map_err(|Failed(error)| error)?;
        let what = if self.accounts { "accounts" } else { "leads" };
        tell_line!("Exported {rows} {what}.");
        Ok(())
    }

    fn query(&self) -> Result<Query, String> {
        let mut filters = Vec::new();
        for text in &self.filters {
            let filter: Value = serde_json::from_str(text)
                .map_err(|error| format!("--filter {text}: {error}. Nothing was exported"))?;
            match filter {
                Value::Array(several) => filters.extend(several),
                one => filters.push(one),
            }
        }
        if !self.status.is_empty() {
            filters
                .push(json!({"field": "approval_status", "operator": "in", "value": self.status}));
        }
        let (sort_by, sort_dir) = match self.sort.split_once(':') {
            Some((field, direction)) => (field, direction),
            None => (&*self.sort, "desc"),
        };
        let mut query = Map::new();
        query.insert("filters".into(), filters.into());
        query.insert("sort_by".into(), sort_by.into());
        query.insert("sort_dir".into(), sort_dir.into());
        if let Some(search) = &self.search {
            query.insert("search".into(), search.as_str().into());
        }
        let query = query.into();
        let query = match self.accounts {
            true => AccountQuery::from_wire(&query, "").map(Query::Accounts),
            false => LeadQuery::from_wire(&query, "").map(Query::Leads),
        };
        query.map_err(|problems| refused(problems).0)
    }
}

fn statuses() -> PossibleValuesParser {
    let all = NewApprovalStatus::ALL.iter();
    PossibleValuesParser::new(all.map(|status| status.as_str()))
}

enum Query {
    Leads(LeadQuery),
    Accounts(AccountQuery),
}

/// The message of an export that failed.
pub(super) struct Failed(pub(super) String);

/// Returns what is wrong with the options, where they are not valid.
fn refused(problems: Vec<ErrorEntry>) -> Failed {
    let problems = problems.into_iter().map(|problem| {
        let place = problem.loc.join(".");
        format!("{}: {}", place.trim_start_matches('.'), problem.msg)
    });
    let problems: Vec<_> = problems.collect();
    Failed(format!("{}. Nothing was exported", problems.join("; ")))
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Invalid(problems) => refused(problems),
            error => Self(message(error)),
        }
    }
}

impl From<UnknownColumn> for Failed {
    fn from(error: UnknownColumn) -> Self {
        Self(format!(
            "{error}. Nothing was exported; without --columns the header has all names"
        ))
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self(format!(
            "the export could not be written: {error}. It is not complete"
        ))
    }
}
