use super::{MAX_BYTES, MAX_IN_VAIN, Record, Records, line_end};

fn all(text: &[u8], delimiter: Option<u8>) -> Vec<(u64, Result<String, &'static str>)> {
    let mut records = Records::new(text, delimiter, line_end(text));
    let mut all = Vec::new();
    while let Some(Record { line, bytes }) = records.next().unwrap() {
        all.push((line, bytes.map(|bytes| String::from_utf8(bytes).unwrap())));
    }
    all
}

fn ok(line: u64, text: &str) -> (u64, Result<String, &'static str>) {
    (line, Ok(text.to_owned()))
}

const UNCLOSED: &str = "a quote in this line is never closed";

#[test]
fn quoted_newlines_join_lines_and_line_numbers_stay_correct() {
    let text = b"a,b\r\n\"x\ny\",2\n\n  \n3,\"say \"\"hi\"\"\n!\"\nlast";
    let expected = [
        ok(1, "a,b"),
        ok(2, "\"x\ny\",2"),
        ok(6, "3,\"say \"\"hi\"\"\n!\""),
        ok(8, "last"),
    ];
    assert_eq!(all(text, Some(b',')), expected);
}

#[test]
fn a_quote_inside_a_value_is_literal() {
    let text = b"5\" pipe,x\ny,6\"\nz,w\n";
    assert_eq!(
        all(text, Some(b',')),
        [ok(1, "5\" pipe,x"), ok(2, "y,6\""), ok(3, "z,w")]
    );
}

#[test]
fn an_unclosed_quote_rejects_only_its_line() {
    let mut text = b"a,b\n1,\"oops\n".to_vec();
    for _ in 0..500 {
        text.extend_from_slice(b"2,fine\n");
    }
    let found = all(&text, Some(b','));
    assert_eq!(found.len(), 502);
    assert_eq!(found[1], (2, Err(UNCLOSED)));
    assert_eq!(found[2], ok(3, "2,fine"));
    assert_eq!(found[501], ok(502, "2,fine"));
    assert_eq!(
        all(b"a\n\"b\nc", Some(b',')),
        [ok(1, "a"), (2, Err(UNCLOSED)), ok(3, "c")]
    );
}

#[test]
fn a_value_may_have_any_number_of_lines() {
    let note = "asked for a price\r\n".repeat(5_000);
    let text = format!("name,note\r\nAda,\"{note}\"\r\nBen,short\r\n");
    let found = all(text.as_bytes(), Some(b','));
    let expected = [
        ok(1, "name,note"),
        ok(2, &format!("Ada,\"{note}\"")),
        ok(5_003, "Ben,short"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn what_follows_a_value_of_several_lines_may_be_written_badly() {
    for line in [
        "Ada,\"one\ntwo\" ,Acme",
        "Ada,\"one\ntwo\"  ",
        "Ada,\"one\ntwo\",\"Acme \"Global\" Inc\"",
        "\"Ada\"x,\"one\ntwo\",Acme",
    ] {
        let text = format!("{line}\nBen,short\n");
        assert_eq!(
            all(text.as_bytes(), Some(b',')),
            [ok(1, line), ok(3, "Ben,short")]
        );
    }
}

#[test]
fn an_unclosed_quote_does_not_take_the_lines_up_to_the_next_quoted_value() {
    let text = b"a,b\n1,\"oops\n2,fine\n3,\"with, comma\"\n4,\"two\nlines\"\n";
    let found = all(text, Some(b','));
    let expected = [
        ok(1, "a,b"),
        (2, Err(UNCLOSED)),
        ok(3, "2,fine"),
        ok(4, "3,\"with, comma\""),
        ok(5, "4,\"two\nlines\""),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_file_of_unclosed_quotes_is_read_in_linear_time() {
    let lines = 20_000;
    let text = "a,\"b\n".repeat(lines);
    let mut records = Records::new(text.as_bytes(), Some(b','), b'\n');
    while records.next().unwrap().is_some() {}
    // Each line reads to the end of the file until the limit, and then a hundred lines.
    assert!(records.in_vain < MAX_IN_VAIN + 2 * MAX_BYTES + lines * 101 * 5);
}

#[test]
fn an_oversized_line_is_skipped_without_buffering() {
    let mut text = b"a\n".to_vec();
    text.resize(text.len() + 3 * MAX_BYTES, b'x');
    text.extend_from_slice(b"\nb\n");
    let found = all(&text, Some(b','));
    assert_eq!(
        found,
        [
            ok(1, "a"),
            (2, Err("the line is longer than 1 MiB")),
            ok(3, "b")
        ]
    );
}

#[test]
fn quotes_are_literal_in_jsonl() {
    assert_eq!(all(b"{\"a\n{}\n", None), [ok(1, "{\"a"), ok(2, "{}")]);
}

#[test]
fn lines_may_end_with_a_single_carriage_return() {
    let text = b"a,b\r\"x\ny\",2\r\r3,4\rlast";
    assert_eq!(
        all(text, Some(b',')),
        [
            ok(1, "a,b"),
            ok(2, "\"x\ny\",2"),
            ok(4, "3,4"),
            ok(5, "last")
        ]
    );
    assert_eq!(all(b"{}\r{\"a\r", None), [ok(1, "{}"), ok(2, "{\"a")]);
    // A stray CR inside a line does not end it.
    assert_eq!(
        all(b"a,b\r\nc\rd,e\nf,g\r\r\n", Some(b',')),
        [ok(1, "a,b"), ok(2, "c\rd,e"), ok(3, "f,g")]
    );
    let mut long = b"a\r".to_vec();
    long.resize(long.len() + 3 * MAX_BYTES, b'x');
    long.extend_from_slice(b"\rb\r");
    assert_eq!(all(&long, Some(b',')).len(), 3);
}
