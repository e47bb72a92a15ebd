//! Reads the rows of a sheet of an Excel workbook (.xlsx).
//!
//! calamine reads cell by cell from a workbook that it borrows, so a thread has both, and sends the rows. A workbook
//! that makes it panic ends only that thread.

mod budget;
mod cell;
mod size;

use std::fmt::Display;
use std::io::Cursor;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use calamine::{Reader, SheetType, SheetVisible, Xlsx, XlsxCellReader, XlsxError};

use self::budget::Budgeted;
use self::cell::CellTexts;
use super::FileError;
use super::mapping::find_header;
use super::records::{MAX_BYTES, TOO_LONG};

/// How often each part may be read: once to open the workbook, twice to find the header, and once for the rows.
const READS: u64 = 4;

type Workbook = Xlsx<Budgeted<Cursor<Vec<u8>>>>;

/// Rows that are read ahead.
const ROWS_AHEAD: usize = 16;

/// Columns of a sheet, as in Excel.
const MAX_COLUMNS: u32 = 16_384;

/// Rows in which the header is looked for.
pub(super) const HEADER_ROWS: usize = 8;

/// A row that is not empty.
pub(super) struct Row {
    /// Its number in the sheet, from 1.
    pub number: u64,
    /// What its cells show, or the reason why it cannot be read.
    pub values: Result<Vec<String>, &'static str>,
}

enum Message {
    Opened { sheets: Vec<String>, sheet: String },
    Row(Row),
    Failed(FileError),
    End,
}

/// The rows of a sheet.
pub(super) struct SheetRows {
    /// The sheets of the workbook, in their order.
    pub sheets: Vec<String>,
    /// The one that is read.
    pub sheet: String,
    /// `None` after the last row.
    rows: Option<Receiver<Message>>,
}

impl SheetRows {
    /// Opens a sheet: the one with this name, else the first one that has a header.
    ///
    /// # Errors
    /// If the workbook cannot be read, is too large, or has no such sheet.
    pub(super) fn open(file: Vec<u8>, wanted: Option<String>) -> Result<Self, FileError> {
        let (send, rows) = sync_channel(ROWS_AHEAD);
        let work = move || {
            let end = match read(file, wanted, &send) {
                Ok(()) => Message::End,
                Err(error) => Message::Failed(error),
            };
            // The receiver is gone if the import was cancelled.
            let _ = send.send(end);
        };
        let thread = thread::Builder::new().name("workbook-reader".into());
        thread.spawn(work).map_err(FileError::Read)?;
        match rows.recv() {
            Ok(Message::Opened { sheets, sheet }) => Ok(Self {
                sheets,
                sheet,
                rows: Some(rows),
            }),
            Ok(Message::Failed(error)) => Err(error),
            Ok(Message::Row(_) | Message::End) | Err(_) => Err(damaged("it cannot be opened")),
        }
    }

    pub(super) fn next(&mut self) -> Result<Option<Row>, FileError> {
        let Some(rows) = &self.rows else {
            return Ok(None);
        };
        let error = match rows.recv() {
            Ok(Message::Row(row)) => return Ok(Some(row)),
            Ok(Message::Failed(error)) => Some(error),
            Ok(Message::Opened { .. } | Message::End) => None,
            Err(_) => Some(damaged("a cell cannot be read")),
        };
        self.rows = None;
        error.map_or(Ok(None), Err)
    }
}

fn damaged(problem: impl Display) -> FileError {
    FileError::DamagedWorkbook(problem.to_string())
}

fn read(
    file: Vec<u8>,
    wanted: Option<String>,
    send: &SyncSender<Message>,
) -> Result<(), FileError> {
    size::check(&file)?;
    let length = file.len();
    let workbook = Xlsx::new(Budgeted::new(Cursor::new(file), length, READS));
    let mut workbook = workbook.map_err(|error| match error {
        XlsxError::FileNotFound(_) | XlsxError::RelationshipNotFound => {
            FileError::NotText("a ZIP archive")
        }
        XlsxError::Password => FileError::NotText("an Excel workbook with a password"),
        error => damaged(error),
    })?;
    let sheets = workbook.sheets_metadata().iter();
    let sheets = sheets.filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let (mut names, mut visible) = (Vec::new(), Vec::new());
    for sheet in sheets {
        names.push(sheet.name.clone());
        if sheet.visible == SheetVisible::Visible {
            visible.push(sheet.name.clone());
        }
    }
    let sheet = match wanted {
        Some(wanted) if names.contains(&wanted) => wanted,
        Some(wanted) => return Err(FileError::NoSheet(wanted, names.join(", "))),
        None => first_with_header(&mut workbook, visible)?,
    };
    let opened = Message::Opened {
        sheets: names,
        sheet: sheet.clone(),
    };
    let mut rows = Rows::open(&mut workbook, &sheet)?;
    let mut message = opened;
    while send.send(message).is_ok() {
        match rows.next()? {
            Some(row) => message = Message::Row(row),
            None => break,
        }
    }
    Ok(())
}

/// Returns the first sheet with a row of known headers, else the first one that is not empty.
fn first_with_header(workbook: &mut Workbook, names: Vec<String>) -> Result<String, FileError> {
    let mut first = None;
    for name in names {
        let mut rows = Rows::open(workbook, &name)?;
        let mut start = Vec::new();
        while start.len() < HEADER_ROWS
            && let Some(row) = rows.next()?
        {
            start.push(row.values.unwrap_or_default());
        }
        if find_header(&start).is_some() {
            return Ok(name);
        }
        if !start.is_empty() {
            first.get_or_insert(name);
        }
    }
    first.ok_or(FileError::Empty)
}

struct Rows<'a> {
    cells: XlsxCellReader<'a, Budgeted<Cursor<Vec<u8>>>>,
    texts: CellTexts,
    /// The first cell of the next row.
    ahead: Option<TextCell>,
    /// Whether the last cell was read: calamine cannot be asked again.
    ended: bool,
    /// Bytes of all texts so far: cells may share a long text.
    bytes: u64,
}

struct TextCell {
    row: u32,
    column: u32,
    text: String,
}

impl<'a> Rows<'a> {
    fn open(workbook: &'a mut Workbook, sheet: &str) -> Result<Self, FileError> {
        Ok(Self {
            cells: workbook.worksheet_cells_reader(sheet).map_err(damaged)?,
            texts: CellTexts::default(),
            ahead: None,
            ended: false,
            bytes: 0,
        })
    }

    /// Returns the next row that is not empty.
    fn next(&mut self) -> Result<Option<Row>, FileError> {
        let first = match self.ahead.take() {
            Some(cell) => Some(cell),
            None => self.cell()?,
        };
        let Some(first) = first else {
            return Ok(None);
        };
        let row = first.row;
        let (mut values, mut length) = (Vec::new(), 0);
        let mut next = Some(first);
        while let Some(cell) = next {
            if cell.row != row {
                self.ahead = Some(cell);
                break;
            }
            length += cell.text.len();
            if length <= MAX_BYTES {
                let at = cell.column as usize;
                values.resize(values.len().max(at + 1), String::new());
                values[at] = cell.text;
            }
            next = self.cell()?;
        }
        Ok(Some(Row {
            number: u64::from(row) + 1,
            values: if length <= MAX_BYTES {
                Ok(values)
            } else {
                Err(TOO_LONG)
            },
        }))
    }

    /// Returns the next cell that is not empty.
    fn cell(&mut self) -> Result<Option<TextCell>, FileError> {
        while !self.ended {
            let next = self.cells.next_cell_with_style_id().map_err(damaged)?;
            let Some((cell, style)) = next else {
                self.ended = true;
                break;
            };
            let format = self.cells.styles().get(style);
            let format = format.and_then(|style| style.number_format.as_ref());
            let code = format.map(|format| &*format.format_code);
            let text = self.texts.text(cell.get_value(), style, code);
            let (row, column) = cell.get_position();
            self.bytes += text.len() as u64;
            if self.bytes > size::UNPACKED {
                return Err(FileError::LargeWorkbook);
            }
            if column >= MAX_COLUMNS {
                return Err(damaged("a row has too many cells"));
            }
            if !text.is_empty() {
                return Ok(Some(TextCell { row, column, text }));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
#[path = "workbook_tests.rs"]
mod tests;
