//! Exports leads and accounts as they are at one moment, in the order of a list and in bounded memory. Which columns there
//! are is defined in [`lead_workspace_api::export`].

use lead_workspace_api::AccountQuery;
use lead_workspace_api::export::{ColumnChoice, Columns, Exported, ExportedLead, UnknownColumn};

use crate::store::export::{
    BATCH, LastDecisions, account_rows, accounts, custom_columns, lead_rows, leads,
};
use crate::store::{Db, Filters, IndexHost, Query, StoreError, Tenant};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportFormat {
    #[default]
    Csv,
    Jsonl,
}

#[derive(Clone, Debug, Default)]
pub struct ExportOptions {
    pub columns: ColumnChoice,
    pub format: ExportFormat,
}

/// Passes the leads of a list on as text, part by part, each with the number of leads, and returns it; with ids, only these
/// of them.
pub fn export_leads<E: From<StoreError> + From<UnknownColumn>>(
    db: Db<'_>,
    index: &IndexHost,
    tenant: Tenant,
    list: &Query,
    ids: Option<&[String]>,
    options: &ExportOptions,
    write: impl FnMut(usize, &str) -> Result<(), E>,
) -> Result<usize, E> {
    let rows = lead_rows(db, index, tenant, list, ids)?;
    let has_custom = options.columns.has_custom::<ExportedLead>();
    let custom = match has_custom {
        true => custom_columns(db, tenant, &rows)?,
        false => Default::default(),
    };
    let columns = Columns::new(&options.columns, custom)?;
    let decisions = LastDecisions::read(db, tenant)?;
    let read = |batch: &[i64]| leads(db, tenant, batch, &decisions);
    export(&rows, read, &columns, options.format, write)
}

/// Like [`export_leads`], for accounts.
pub fn export_accounts<E: From<StoreError> + From<UnknownColumn>>(
    db: Db<'_>,
    index: &IndexHost,
    tenant: Tenant,
    (filters, query): (Filters, &AccountQuery),
    ids: Option<&[String]>,
    options: &ExportOptions,
    write: impl FnMut(usize, &str) -> Result<(), E>,
) -> Result<usize, E> {
    let rows = account_rows(db, index, tenant, filters, query, ids)?;
    let columns = Columns::new(&options.columns, Default::default())?;
    let read = |batch: &[i64]| accounts(db, tenant, batch);
    export(&rows, read, &columns, options.format, write)
}

fn export<T: Exported, E: From<StoreError>>(
    rows: &[i64],
    read: impl Fn(&[i64]) -> Result<Vec<T>, StoreError>,
    columns: &Columns<T>,
    format: ExportFormat,
    mut write: impl FnMut(usize, &str) -> Result<(), E>,
) -> Result<usize, E> {
    let mut text = String::new();
    if format == ExportFormat::Csv {
        columns.csv_head(&mut text);
    }
    write(rows.len(), &text)?;
    for batch in rows.chunks(BATCH) {
        text.clear();
        for record in read(batch)? {
            match format {
                ExportFormat::Csv => columns.csv_line(&mut text, &record),
                ExportFormat::Jsonl => columns.json_line(&mut text, &record),
            }
        }
        write(rows.len(), &text)?;
    }
    Ok(rows.len())
}

impl From<UnknownColumn> for StoreError {
    fn from(error: UnknownColumn) -> Self {
        Self::Refused(format!("{error}. Nothing was exported"))
    }
}
