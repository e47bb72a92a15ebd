//! CSV export: a strict RFC 4180 reader can parse it, and no cell is a formula.

use lead_workspace::app::model::csv::{head, lead, line};
use lead_workspace::app::model::lead::LeadItem;
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
fn the_header_follows_the_byte_order_mark() {
    assert_eq!(
        head(),
        "\u{feff}lead_id,name,title,company,industry,location,icp_score,icp_tier,created_at,approval_status,\
         profile_url\r\n"
    );
}

#[test]
fn a_lead_is_one_line_with_one_cell_per_column() {
    let one = LeadItem {
        id: "l-1".into(),
        name: "=HYPERLINK(\"http://x\",\"Ada\")".into(),
        title: Some("CTO, EMEA".into()),
        location: Some("Zürich".into()),
        score: Some(87.0),
        ..LeadItem::default()
    };
    let mut text = String::new();
    lead(&mut text, &one, &"approved".into());
    assert_eq!(
        text,
        "l-1,\"'=HYPERLINK(\"\"http://x\"\",\"\"Ada\"\")\",\"CTO, EMEA\",,,Zürich,87,,,approved,\r\n"
    );
    assert_eq!(read(&text).unwrap()[0].len(), 11);
    let half = LeadItem {
        score: Some(87.5),
        ..LeadItem::default()
    };
    let mut text = String::new();
    lead(&mut text, &half, &"approved".into());
    assert!(text.contains(",87.5,"), "{text}");
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
        lines in prop::collection::vec(prop::collection::vec("[-=+@,\"'\t\r\na-cäß€ ]{0,6}", 1..5), 0..5)
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
            let bare = if found == wrote { found } else { found.strip_prefix('\'').unwrap_or("?") };
            prop_assert_eq!(bare, wrote);
        }
    }
}
