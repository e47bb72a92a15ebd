//! Moves everything between a data folder and a PostgreSQL database.
//!
//! The destination gets all rows in one step, and only after they were compared with those of the source. So a move that is
//! interrupted leaves nothing, and can be started again; after one that has ended, it finds the same rows and
//! changes nothing.

mod content;
mod counter;
mod folder;
mod table;

use std::fmt;
use std::path::PathBuf;

use rusqlite::Connection;

use crate::failpoint::Failpoint;
use crate::store::db::{Db, params};
use crate::store::error::StoreError;
use crate::store::postgres::{Exclusive, Target};
use crate::store::tenants::DEFAULT_TENANT_ID;

pub use content::Content;
use folder::{Destination, Source};
use table::Table;

/// Where rows are moved from or to.
pub enum Place {
    Folder(PathBuf),
    Database(Box<Target>),
}

impl Place {
    /// Reads the path of a folder, or the URL of a database.
    ///
    /// # Errors
    /// When a URL cannot be read. The message does not contain it.
    pub fn of_text(text: &str) -> Result<Self, StoreError> {
        if text.contains("://") {
            Ok(Self::Database(Box::new(Target::of_url(text)?)))
        } else {
            Ok(Self::Folder(text.into()))
        }
    }

    /// Reads the URL of a database from a file.
    ///
    /// # Errors
    /// When there is none.
    pub fn of_file(file: &std::path::Path) -> Result<Self, StoreError> {
        Ok(Self::Database(Box::new(Target::of_file(file)?)))
    }
}

/// Without the URL, which may have a password.
impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(dir) => dir.display().fmt(out),
            Self::Database(_) => out.write_str("the database"),
        }
    }
}

/// What a move did.
#[derive(Debug)]
pub struct Moved {
    /// The tables, with what both the source and the destination have.
    pub tables: Vec<(&'static str, Content)>,
    /// Whether the destination had these rows before.
    pub was_done: bool,
    /// Texts with a NUL, which the destination has as U+FFFD.
    pub replaced: u64,
}

/// Receives the step, the amount done, and the total.
pub type Progress<'a> = &'a mut dyn FnMut(&'static str, u64, u64);

/// Copies everything. The source is not changed, except that an older one is migrated.
///
/// # Errors
/// When the source or the destination is in use or cannot be reached, or when the destination has other data. The destination is
/// then as it was.
pub fn run(from: &Place, to: &Place, progress: Progress<'_>) -> Result<Moved, StoreError> {
    match (from, to) {
        (Place::Folder(dir), Place::Database(target)) => {
            let source = Source::open(dir)?;
            let tables = Table::all(source.connection())?;
            let database = Exclusive::open(target)?;
            database.write(|to| {
                let from = source.connection().into();
                if is_new(to, &tables)? {
                    fill(from, to, &tables, progress)
                } else {
                    compare(from, to, &tables, progress)
                }
            })
        }
        (Place::Database(target), Place::Folder(dir)) => {
            let database = Exclusive::open(target)?;
            database.read(|from| {
                let destination = Destination::lock(dir)?;
                if let Some(known) = destination.known()? {
                    return compare(from, (&known).into(), &Table::all(&known)?, progress);
                }
                destination.create(|new: &Connection| fill(from, new.into(), &Table::all(new)?, progress))
            })
        }
        _ => Err(StoreError::Refused(
            "one of --from and --to must be a data folder, and the other the URL of a PostgreSQL database \
             (postgres://…). Nothing was changed. `lead-workspace backup` copies a folder, and pg_dump a database"
                .into(),
        )),
    }
}

/// Returns whether there is nothing but the default workspace, which every start creates.
fn is_new(db: Db<'_>, tables: &[Table]) -> Result<bool, StoreError> {
    for table in tables {
        let has_rows = match table.name {
            "tenants" => {
                let sql =
                    "SELECT 1 FROM tenants WHERE tenant_id <> ?1 OR scoring IS NOT NULL LIMIT 1";
                db.exists(sql, params![DEFAULT_TENANT_ID])?
            }
            _ => table.has_rows(db)?,
        };
        if has_rows {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Copies all rows to tables without any, and compares them.
fn fill(
    from: Db<'_>,
    to: Db<'_>,
    tables: &[Table],
    progress: Progress<'_>,
) -> Result<Moved, StoreError> {
    to.execute("DELETE FROM tenants", &[])?;
    let mut steps = Steps::begin("rows copied", from, tables, progress)?;
    let mut copied = Vec::with_capacity(tables.len());
    for table in tables {
        copied.push(table.copy(from, to, || steps.add())?);
        counter::copy(from, to, table)?;
        Failpoint::Move.reach();
    }
    let found = read_all("rows checked", to, tables, progress)?;
    let different = different(tables, &copied, &found);
    if !different.is_empty() {
        return Err(StoreError::Refused(format!(
            "the rows that were copied are not those of the source: {different}. Nothing was kept. Make sure that no \
             other program changes one of both, and try again"
        )));
    }
    Ok(moved(tables, copied, false))
}

/// Compares all rows.
fn compare(
    from: Db<'_>,
    to: Db<'_>,
    tables: &[Table],
    progress: Progress<'_>,
) -> Result<Moved, StoreError> {
    let source = read_all("rows read", from, tables, progress)?;
    let found = read_all("rows checked", to, tables, progress)?;
    let different = different(tables, &source, &found);
    if !different.is_empty() {
        return Err(StoreError::Refused(format!(
            "the destination has other data: {different}. Nothing was changed. Choose an empty folder or database"
        )));
    }
    Ok(moved(tables, source, true))
}

fn moved(tables: &[Table], contents: Vec<Content>, was_done: bool) -> Moved {
    let replaced = contents.iter().map(|content| content.replaced).sum();
    let names = tables.iter().map(|table| table.name);
    Moved {
        tables: names.zip(contents).collect(),
        was_done,
        replaced,
    }
}

fn read_all(
    step: &'static str,
    db: Db<'_>,
    tables: &[Table],
    progress: Progress<'_>,
) -> Result<Vec<Content>, StoreError> {
    let mut steps = Steps::begin(step, db, tables, progress)?;
    let mut read = |table: &Table| {
        table.read(db, |_| {
            steps.add();
            Ok(())
        })
    };
    tables.iter().map(&mut read).collect()
}

/// Describes the tables that differ.
fn different(tables: &[Table], source: &[Content], destination: &[Content]) -> String {
    let both = source.iter().zip(destination);
    let different = tables
        .iter()
        .zip(both)
        .filter(|(_, (source, found))| !source.has_same_rows(found));
    let texts = different.map(|(table, (source, found))| {
        let (name, here, there) = (table.name, source.rows, found.rows);
        match here == there {
            true => format!("{name} ({here} rows, but not the same)"),
            false => format!("{name} ({here} rows in the source, {there} in the destination)"),
        }
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// Counts rows, and reports them now and then.
struct Steps<'a> {
    step: &'static str,
    done: u64,
    total: u64,
    progress: Progress<'a>,
}

impl<'a> Steps<'a> {
    fn begin(
        step: &'static str,
        db: Db<'_>,
        tables: &[Table],
        progress: Progress<'a>,
    ) -> Result<Self, StoreError> {
        let mut total = 0;
        for table in tables {
            total += table.count(db)?;
        }
        progress(step, 0, total);
        Ok(Self {
            step,
            done: 0,
            total,
            progress,
        })
    }

    fn add(&mut self) {
        const INTERVAL: u64 = 1000;
        self.done += 1;
        if self.done.is_multiple_of(INTERVAL) || self.done == self.total {
            (self.progress)(self.step, self.done, self.total);
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
