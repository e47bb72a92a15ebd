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
    for rect in [
        r##"x="46" y="88" width="410" height="240" fill="#c4473f""##,
        r##"x="502" y="148" width="410" height="180" fill="#2f8f5b""##,
        r##"x="502" y="88" width="410" height="60" fill="#c4473f""##,
    ] {
        assert!(svg.contains(rect), "{rect} in {svg}");
    }
    assert!(
        svg.contains("x=\"708\" y=\"348\""),
        "under its column: {svg}"
    );
    let plain = column_picture("Days", &[[1, 0]], Columns::Plain, &labels[..1], None);
    assert!(!plain.contains("rejected"));
}
