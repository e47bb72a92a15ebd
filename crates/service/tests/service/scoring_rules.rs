//! Scoring rules: set by the program, and documented.

use std::path::Path;

use lead_workspace_service::scoring::Rules;

use super::common::{done, failed};
use super::program::{run, start};

#[test]
fn rules_can_be_shown_set_and_rejected_while_the_service_runs() {
    let dir = tempfile::tempdir().unwrap();
    let _running = start(dir.path(), &[]);
    let scoring = |arguments: &[&str]| run(&[&["scoring"], arguments].concat(), dir.path());
    let shown = || Rules::from_json(&done(&scoring(&["show"]))).unwrap();
    assert_eq!(shown(), Rules::default());

    let file = dir.path().join("rules.json");
    let path = file.to_str().unwrap();
    std::fs::write(&file, r#"{"tiers": {"a": 60, "b": 70}}"#).unwrap();
    let message = failed(&scoring(&["set", path]));
    assert!(
        message.contains("nothing was changed") && message.contains("tiers: must descend"),
        "{message}"
    );
    assert_eq!(shown(), Rules::default());

    std::fs::write(&file, r#"{"tiers": {"a": 90}}"#).unwrap();
    done(&scoring(&["set", path]));
    assert_eq!(shown().tiers.a, 90);
    done(&scoring(&["reset"]));
    assert_eq!(shown(), Rules::default());
}

/// The documentation of scoring shows valid rules and the default weights and tiers.
#[test]
fn the_documented_rules_match_the_code() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scoring.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once("```json").unwrap();
    let (rules, _) = rest.split_once("```").unwrap();
    Rules::from_json(rules).unwrap();
    let Rules { weights, tiers, .. } = Rules::default();
    for (part, points) in weights.all() {
        let row = format!("| {}{} | {points} |", part[..1].to_uppercase(), &part[1..]);
        assert!(page.contains(&row), "{row}");
    }
    let tiers = format!(
        "From {} points a lead is tier A, from {} B, from {} C",
        tiers.a, tiers.b, tiers.c
    );
    assert!(page.contains(&tiers), "{tiers}");
}
