use std::io::Cursor;

use super::Lines;
use crate::encoding::open;
use crate::{Draft, FileError, Format, ReadOptions};

fn read(text: &[u8], format: Option<Format>) -> Result<Vec<Result<Draft, String>>, FileError> {
    let options = ReadOptions {
        format,
        ..ReadOptions::default()
    };
    let mut lines = Lines::open(open(Cursor::new(text.to_vec()))?, &options)?;
    let mut all = Vec::new();
    while let Some(line) = lines.next_draft()? {
        all.push(line.map_err(|error| format!("{}: {}", error.line, error.reason)));
    }
    Ok(all)
}

fn names(text: &[u8]) -> Vec<String> {
    let lines = read(text, None).unwrap();
    lines
        .into_iter()
        .map(|line| line.map_or_else(|error| error, |draft| draft.lead.name.unwrap()))
        .collect()
}

#[test]
fn all_delimiters_and_line_endings_are_read() {
    for text in [
        "Name,Email\nAna,a@x.example\nBo,b@x.example\n",
        "Name;Email\r\nAna;a@x.example\r\nBo;b@x.example",
        "\u{feff}Name\tEmail\nAna\ta@x.example\n\n\nBo\tb@x.example\n\n",
        "sep=;\nName;Email\nAna;a@x.example\nBo;b@x.example\n",
        "Name,Email,,\nAna,a@x.example,,\nBo,b@x.example,,\n",
        "Name,Email,Title\nAna\nBo,b@x.example\n",
    ] {
        assert_eq!(names(text.as_bytes()), ["Ana", "Bo"], "{text:?}");
    }
}

#[test]
fn notes_before_the_header_are_skipped() {
    let text = "Notes:\n\"When exporting your data, some\n addresses may be missing.\"\n\n\
        First Name,Last Name,URL\nAna,Diaz,https://p.example/in/ana\n";
    assert_eq!(names(text.as_bytes()), ["Ana Diaz"]);
}

#[test]
fn a_bad_line_does_not_affect_others() {
    let text = b"Name,Title\nAna,CEO\nBo,CTO,extra,\n,Clerk\n\"Cy,CFO\nDi,COO,,\nEv\n";
    assert_eq!(
        names(text),
        [
            "Ana",
            "3: the line has 4 values for 2 columns; a quote or a separator is misplaced",
            "4: no name, profile URL or e-mail address",
            "5: a quote in this line is never closed",
            "Di",
            "Ev",
        ]
    );
}

#[test]
fn jsonl_is_detected_by_its_first_byte() {
    let text = b"{\"name\": \"Ana\"}\n\nnonsense\n{\"name\": \"Bo\"}";
    let found = names(text);
    assert_eq!((found[0].as_str(), found[2].as_str()), ("Ana", "Bo"));
    assert!(
        found[1].starts_with("3: the line is not JSON"),
        "{}",
        found[1]
    );
}

#[test]
fn one_json_array_is_read_like_jsonl() {
    let text =
        b"\n[{\"name\": \"Ana\"},\r\n  {\"name\":\n \"Bo, [Jr]\"}, 7\n, {\"name\": \"Cleo\"}]\n";
    assert_eq!(
        names(text),
        [
            "Ana",
            "Bo, [Jr]",
            "3: the line is JSON, but not an object",
            "Cleo"
        ]
    );
    let many: Vec<String> = (0..5000)
        .map(|number| format!("{{\"name\": \"Ana {number}\"}}"))
        .collect();
    assert_eq!(
        names(format!("[{}]", many.join(",\n")).as_bytes()).len(),
        5000
    );
    assert!(names(b"[{\"name\": \"Ana\"}, {\"na")[1].starts_with("2: the line is not JSON"));
}

fn created(text: &str, options: &ReadOptions) -> (Vec<String>, Vec<String>) {
    let source = open(Cursor::new(text.to_owned())).unwrap();
    let mut lines = Lines::open(source, options).unwrap();
    let mut found = Vec::new();
    while let Some(line) = lines.next_draft().unwrap() {
        let draft = line.unwrap();
        let kept = draft.custom_data.get("Created").map(ToString::to_string);
        found.push(kept.unwrap_or(draft.lead.created_at));
    }
    (found, lines.notes().to_vec())
}

#[test]
fn dates_are_read_where_the_column_leaves_no_doubt() {
    let options = ReadOptions::default();
    let csv = |dates: &[&str]| {
        let lines: String = dates.iter().map(|date| format!("Ana,{date}\n")).collect();
        created(&format!("Name,Created\n{lines}"), &options)
    };
    let (found, notes) = csv(&["01/02/2025", "31/12/2025", ""]);
    assert_eq!(
        found,
        ["2025-02-01T00:00:00.000Z", "2025-12-31T00:00:00.000Z", ""]
    );
    assert!(notes.is_empty());
    let (found, _) = csv(&["01/02/2025", "12/31/2025 9:30 PM"]);
    assert_eq!(
        found,
        ["2025-01-02T00:00:00.000Z", "2025-12-31T21:30:00.000Z"]
    );
    for doubtful in [["01/02/2025", "02/03/2025"], ["12/31/2025", "13/01/2025"]] {
        let (found, _) = csv(&doubtful);
        assert_eq!(found, doubtful.map(|date| format!("{date:?}")));
    }
    let (_, notes) = csv(&["01/02/2025", "02/03/2025"]);
    assert!(
        notes[0].starts_with("\"Created\" has dates")
            && notes[0].contains("such as 01/02/2025. They are kept"),
        "{notes:?}"
    );
    let json = "{\"name\": \"Ana\"}\n{\"name\": \"Ana\", \"Created\": \"01/02/2025\"}\n\
        {\"name\": \"Bo\", \"Created\": \"31/12/2025\", \"new\": 1}\n";
    let json = format!("{{\"name\": \"Z\", \"Created\": \"2025-01-01\"}}\n{json}");
    let (found, _) = created(&json, &options);
    assert_eq!(
        found[2..],
        ["2025-02-01T00:00:00.000Z", "2025-12-31T00:00:00.000Z"]
    );
}

#[test]
fn windows_1252_and_utf_16_are_read() {
    assert_eq!(
        names(b"Name,Title\nJ\xF6rg M\xFCller,Chef\n"),
        ["Jörg Müller"]
    );
    let wide: Vec<u8> = "\u{feff}Name\tTitle\nZoë\tCEO\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(names(&wide), ["Zoë"]);
}

#[test]
fn unusable_files_are_rejected() {
    let refused = |text: &[u8]| read(text, None).unwrap_err().to_string();
    assert!(refused(b"").starts_with("the file is empty"));
    assert!(refused(b" \n\n").starts_with("the file is empty"));
    assert!(refused(b" [ ]\n").starts_with("the file is empty"));
    let error = refused(b"Color,Price\nred,1\n");
    assert!(error.contains("The columns are Color, Price."), "{error}");
    assert!(read(b"Name,Email\n", None).unwrap().is_empty());
}

mod any_text {
    use super::read;
    use crate::csv_values::Splitter;
    use crate::records::{Records, line_end};
    use proptest::collection::vec;
    use proptest::prelude::{any, prop_assert_eq, prop_oneof};
    use proptest::strategy::{Just, Strategy};

    fn cell() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("\"".to_owned()),
            Just("\n".to_owned()),
            Just("\r\n".to_owned()),
            Just(",".to_owned()),
            Just(";".to_owned()),
            "[a-zé ]{0,4}",
        ];
        vec(piece, 0..6).prop_map(|pieces| pieces.concat())
    }

    proptest::proptest! {
        #[test]
        fn csv_writer_output_round_trips(
            rows in vec(vec(cell(), 3), 0..8),
            delimiter in prop_oneof![Just(b','), Just(b';'), Just(b'\t')],
            end in prop_oneof![
                Just(csv::Terminator::CRLF),
                Just(csv::Terminator::Any(b'\n')),
                Just(csv::Terminator::Any(b'\r')),
            ],
        ) {
            let mut builder = csv::WriterBuilder::new();
            let mut writer = builder.delimiter(delimiter).terminator(end).from_writer(Vec::new());
            for row in &rows {
                writer.write_record(row).unwrap();
            }
            let text = writer.into_inner().unwrap();
            let mut records = Records::new(text.as_slice(), Some(delimiter), line_end(&text));
            let mut splitter = Splitter::new(delimiter);
            let mut found = Vec::new();
            while let Some(record) = records.next().unwrap() {
                found.push(splitter.split(&record.bytes.unwrap()).unwrap());
            }
            // A row of only tabs counts as an empty line.
            let blank = |row: &&Vec<String>| delimiter != b'\t' || row.iter().any(|cell| !cell.is_empty());
            let trimmed = |row: &Vec<String>| row.iter().map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
            let expected: Vec<_> = rows.iter().filter(blank).map(trimmed).collect();
            let has_values = |row: &Vec<String>| row.iter().any(|cell| !cell.is_empty());
            let found: Vec<_> = found.into_iter().filter(has_values).collect();
            let expected: Vec<_> = expected.into_iter().filter(has_values).collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn the_reader_never_panics(bytes in vec(any::<u8>(), 0..400), json in any::<bool>()) {
            let head: &[u8] = if json { b"{\"name\":" } else { b"Name,Email\n" };
            let _ = read(&[head, &bytes].concat(), None);
            let _ = read(&bytes, None);
        }
    }
}
