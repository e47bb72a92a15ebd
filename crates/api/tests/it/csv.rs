//! CSV: a strict RFC 4180 reader can parse it, no cell is a formula, and each comes back exactly.

use lead_workspace_api::csv_cell::{line, unguarded};
use proptest::prelude::*;

/// Parses strictly by RFC 4180: lines end with CRLF, quotes are doubled, and nothing precedes or follows a quoted
/// cell.
fn read(text: &str) -> Option<Vec<Vec<String>>> {
    let mut rest = text;
    let (mut lines, mut cells) = (Vec::new(), Vec::new());
    while !rest.is_empty() {
        let mut cell = String::new();
        if let Some(inside) = rest.strip_prefix('"') {
            rest = inside;
            loop {
                let quote = rest.find('"')?;
                cell.push_str(&rest[..quote]);
                rest = &rest[quote + 1..];
                match rest.strip_prefix('"') {
                    Some(more) => {
                        cell.push('"');
                        rest = more;
                    }
                    None => break,
                }
            }
        } else {
            let end = rest.find([',', '\r', '\n', '"'])?;
            cell.push_str(&rest[..end]);
            rest = &rest[end..];
        }
        cells.push(cell);
        if let Some(next) = rest.strip_prefix(',') {
            rest = next;
        } else {
            rest = rest.strip_prefix("\r\n")?;
            lines.push(std::mem::take(&mut cells));
        }
    }
    cells.is_empty().then_some(lines)
}

fn is_formula(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r'])
}

#[test]
fn formulas_are_prefixed_with_an_apostrophe() {
    for cell in ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\n=1"] {
        let mut text = String::new();
        line(&mut text, &[cell]);
        assert_eq!(read(&text).unwrap(), [[format!("'{cell}")]]);
    }
    let mut text = String::new();
    line(&mut text, &["a=1", " b", "1-2"]);
    assert_eq!(text, "a=1, b,1-2\r\n");
}

proptest! {
    #[test]
    fn every_line_round_trips_and_no_cell_is_a_formula(
        lines in prop::collection::vec(prop::collection::vec("'{0,3}[-=+@,\"'\t\r\na-cäß€ ]{0,6}", 1..5), 0..5)
    ) {
        let mut text = String::new();
        for cells in &lines {
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            line(&mut text, &cells);
        }
        let back = read(&text).expect("invalid CSV");
        prop_assert_eq!(back.len(), lines.len());
        for (wrote, found) in lines.iter().flatten().zip(back.iter().flatten()) {
            prop_assert!(!is_formula(found), "{:?}", found);
            prop_assert_eq!(unguarded(found), wrote);
        }
    }
}
