//! Scoring rules: set by the program, and documented.

use std::path::Path;
use std::process::{Command, Output};

use lead_workspace_service::scoring::Rules;

use super::program::start;

fn scoring(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lead-workspace"))
        .arg("scoring")
        .args(arguments)
        .arg("--data")
        .arg(dir)
        .output()
        .unwrap()
}

#[test]
fn rules_can_be_shown_set_and_rejected_while_the_service_runs() {
    let dir = tempfile::tempdir().unwrap();
    let _running = start(dir.path(), &[]);
    let shown = || {
        let output = scoring(dir.path(), &["show"]);
        let text = String::from_utf8(output.stdout).unwrap();
        Rules::from_json(&text).unwrap()
    };
    assert_eq!(shown(), Rules::default());

    let file = dir.path().join("rules.json");
    let path = file.to_str().unwrap();
    std::fs::write(&file, r#"{"tiers": {"a": 60, "b": 70}}"#).unwrap();
    let refused = scoring(dir.path(), &["set", path]);
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success());
    assert!(
        message.contains("nothing was changed") && message.contains("tiers: must descend"),
        "{message}"
    );
    assert_eq!(shown(), Rules::default());

    std::fs::write(&file, r#"{"tiers": {"a": 90}}"#).unwrap();
    assert!(scoring(dir.path(), &["set", path]).status.success());
    assert_eq!(shown().tiers.a, 90);
    assert!(scoring(dir.path(), &["reset"]).status.success());
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
