//! Charts as pictures: well-formed, with all names and numbers.

use lead_workspace::app::model::chart_picture::{Columns, PictureRow, bars, column_picture};
use lead_workspace::app::model::insights::share_bars::{ShareBar, ShareBars};

#[test]
fn bars_have_their_names_shares_and_counts_as_text() {
    let row = PictureRow {
        name: "R&D <heads>\u{7} (Title)".into(),
        share: "41%".into(),
        count: "1,010".into(),
    };
    let bar = ShareBar {
        from: 200,
        to: 700,
        is_above: true,
    };
    let shares = ShareBars {
        average: 200,
        bars: vec![bar],
    };
    let svg = bars("What gets approved", &[row], &shares);
    for text in [
        ">What gets approved</text>",
        ">R&amp;D &lt;heads&gt; (Title)</text>",
        ">41%</text>",
        ">1,010</text>",
    ] {
        assert!(svg.contains(text), "{text} in {svg}");
    }
    assert!(svg.contains("x=\"428\" y=\"71\" width=\"220\""), "{svg}");
}

#[test]
fn columns_have_labels_and_the_mark() {
    let labels = ["0–49".to_owned(), "50–100".to_owned()];
    let mark = Some((50, "Approve from 50".to_owned()));
    let svg = column_picture(
        "Scores",
        &[[0, 4], [3, 1]],
        Columns::Decisions,
        &labels,
        mark,
    );
    for text in ["0–49", "50–100", "Approve from 50", "approved", "rejected"] {
        assert!(svg.contains(&format!(">{text}</text>")), "{text}");
    }
    let plain = column_picture("Days", &[[1, 0]], Columns::Plain, &labels[..1], None);
    assert!(!plain.contains("rejected"));
}
