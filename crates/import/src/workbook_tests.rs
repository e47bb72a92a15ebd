use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::SheetRows;
use crate::encoding::Source;
use crate::line_parser::LineParser;
use crate::{FileError, ReadOptions};

/// A ZIP archive with these parts.
pub(super) fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A workbook with these sheets: name, state, and rows as XML.
fn workbook(sheets: &[(&str, &str, &str)]) -> Vec<u8> {
    workbook_with(sheets, |at| at)
}

/// The same, with the rows of another sheet in each.
fn workbook_with(sheets: &[(&str, &str, &str)], rows_of: fn(usize) -> usize) -> Vec<u8> {
    let (mut list, mut relations, mut parts) = (String::new(), String::new(), Vec::new());
    for (at, (name, state, rows)) in sheets.iter().enumerate() {
        list += &format!(
            "<sheet name=\"{name}\" sheetId=\"{}\" state=\"{state}\" r:id=\"r{at}\"/>",
            at + 1
        );
        relations += &format!(
            "<Relationship Id=\"r{at}\" Target=\"worksheets/sheet{}.xml\" Type=\"http://schemas.\
             openxmlformats.org/officeDocument/2006/relationships/worksheet\"/>",
            rows_of(at)
        );
        let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
        parts.push((format!("xl/worksheets/sheet{at}.xml"), sheet));
    }
    let namespace =
        "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";
    let list = format!("<workbook {namespace}><sheets>{list}</sheets></workbook>");
    parts.push(("xl/workbook.xml".to_owned(), list));
    let root = "<Relationships><Relationship Id=\"r\" Target=\"xl/workbook.xml\" Type=\"http://schemas.\
        openxmlformats.org/officeDocument/2006/relationships/officeDocument\"/></Relationships>";
    parts.push(("_rels/.rels".to_owned(), root.to_owned()));
    let relations = format!("<Relationships>{relations}</Relationships>");
    parts.push(("xl/_rels/workbook.xml.rels".to_owned(), relations));
    let parts: Vec<_> = parts
        .iter()
        .map(|(name, part)| (&**name, &**part))
        .collect();
    archive(&parts)
}

fn row(cells: &[&str]) -> String {
    let cell = |text: &&str| format!("<c t=\"inlineStr\"><is><t>{text}</t></is></c>");
    format!("<row>{}</row>", cells.iter().map(cell).collect::<String>())
}

fn rows(file: &[u8], sheet: Option<&str>) -> Result<Vec<String>, FileError> {
    let mut rows = SheetRows::open(file.to_vec(), sheet.map(str::to_owned))?;
    let mut all = vec![rows.sheet.clone()];
    while let Some(row) = rows.next()? {
        let values = row
            .values
            .map_or_else(str::to_owned, |values| values.join("|"));
        all.push(format!("{}: {values}", row.number));
    }
    assert!(rows.next()?.is_none());
    Ok(all)
}

#[test]
fn the_first_visible_sheet_with_a_header_is_read() {
    let leads = row(&["Name", "Title"]) + "<row/>" + &row(&["Ana", "", "x"]);
    let file = workbook(&[
        ("Notes", "visible", &row(&["Call Bo first"])),
        ("Old", "hidden", &row(&["Name", "Title"])),
        ("Leads", "visible", &leads),
        ("More", "visible", &leads),
    ]);
    assert_eq!(
        rows(&file, None).unwrap(),
        ["Leads", "1: Name|Title", "3: Ana||x"]
    );
    assert_eq!(rows(&file, Some("Old")).unwrap(), ["Old", "1: Name|Title"]);
    assert_eq!(
        rows(&file, Some("leads")).unwrap_err().to_string(),
        "the workbook has no sheet \"leads\". Nothing was imported; its sheets are Notes, Old, Leads, More"
    );
    let file = workbook(&[
        ("Empty", "visible", ""),
        ("Plain", "visible", &row(&["Wer"])),
    ]);
    assert_eq!(rows(&file, None).unwrap(), ["Plain", "1: Wer"]);
    let file = workbook(&[("Empty", "visible", "")]);
    assert!(matches!(rows(&file, None), Err(FileError::Empty)));
}

#[test]
fn long_rows_and_damaged_cells_are_reported() {
    let long = "x".repeat(600_000);
    let file = workbook(&[(
        "A",
        "visible",
        &(row(&["Name", "Title"]) + &row(&[&long, &long]) + &row(&["Bo"])),
    )]);
    assert_eq!(
        rows(&file, None).unwrap(),
        [
            "A",
            "1: Name|Title",
            "2: the line is longer than 1 MiB",
            "3: Bo"
        ]
    );
    let file = workbook(&[(
        "A",
        "visible",
        &(row(&["Name", "Title"]) + "<row><c><v>1</v>"),
    )]);
    let error = rows(&file, None).unwrap_err().to_string();
    assert!(error.starts_with("the workbook is damaged"), "{error}");
}

#[test]
fn an_export_that_was_saved_as_a_workbook_is_recognized() {
    let header = row(&[
        "lead_id",
        "name",
        "'=Notes",
        "approval_status",
        "decided_at",
        "decided_by",
        "icp_score",
        "icp_tier",
        "icp_reason",
    ]);
    let file = workbook(&[("A", "visible", &(header + &row(&["1", "Bo", "'+1 555"])))]);
    let mut lines = LineParser::open(Source::Workbook(file), &ReadOptions::default()).unwrap();
    let (values, _) = lines.next().unwrap().unwrap().values.unwrap();
    assert_eq!(lines.mapping().headers[2], "=Notes");
    assert_eq!(values[2], Some("+1 555".into()));
}

#[test]
fn other_archives_are_refused() {
    for file in [archive(&[("a.txt", "a")]), b"PK\x03\x04rest".to_vec()] {
        let error = rows(&file, None).unwrap_err().to_string();
        assert!(error.contains("ZIP archive, not CSV"), "{error}");
    }
}

#[test]
fn every_row_of_a_workbook_is_a_line() {
    for count in [1, 7, 8, 9, 30] {
        let people: String = (0..count).map(|at| row(&[&format!("P{at}")])).collect();
        let file = workbook(&[("Leads", "visible", &(row(&["Name"]) + &people))]);
        let mut lines = LineParser::open(Source::Workbook(file), &ReadOptions::default()).unwrap();
        for at in 0..count {
            let (values, _) = lines.next().unwrap().unwrap().values.unwrap();
            assert_eq!(values[0], Some(format!("P{at}").into()));
        }
        assert!(lines.next().unwrap().is_none());
    }
}

#[test]
fn sheets_that_share_a_part_are_not_read_without_end() {
    // Read to its end, as it has no cells.
    let empty: String = (1..50_000)
        .map(|row| format!("<row r=\"{row}\"/>"))
        .collect();
    let file = |count: usize| {
        let names: Vec<String> = (0..count).map(|at| format!("S{at}")).collect();
        let rows = |at| if at == 0 { &*empty } else { "" };
        let sheets = names.iter().enumerate();
        let sheets: Vec<_> = sheets
            .map(|(at, name)| (&**name, "visible", rows(at)))
            .collect();
        workbook_with(&sheets, |_| 0)
    };
    assert!(matches!(rows(&file(2), None), Err(FileError::Empty)));
    assert!(matches!(
        rows(&file(50), None),
        Err(FileError::DamagedWorkbook(_))
    ));
}
