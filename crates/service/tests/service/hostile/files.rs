//! Attacks with files that are imported or previewed.

use std::fmt::Write;

use super::attacks::{Attack, refused};
use super::wire::{Answer, Target};

pub const ALL: [Attack; 3] = [
    ("equal headers", equal_headers),
    ("one line of many long names", long_names),
    ("columns assigned over and over", many_overrides),
];

/// Gives the attacker leads of its own, which its queries have to scan.
pub fn fill(target: &Target) {
    let mut file = String::from("Name,Email,Title\n");
    for number in 0..1000 {
        let _ = writeln!(
            file,
            "Ana {number},a{number}@a.example,Head of sailing {number}"
        );
    }
    let answer = target.call("POST", "/import?score=false", &file);
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert!(answer.body.contains("\"done\""), "{}", answer.body);
}

/// Asserts that the preview refuses the file, and that the import does so no later than at its
/// first lines.
fn both_refused(target: &Target, query: &str, file: &str) {
    refused(
        &target.call("POST", &format!("/import/preview?{query}"), file),
        422,
    );
    let answer = target.call("POST", &format!("/import?{query}"), file);
    let found = answer
        .body
        .trim()
        .lines()
        .last()
        .unwrap_or_default()
        .to_owned();
    let fails = answer.status == 422 || (answer.status == 200 && found.contains("\"error\""));
    assert!(fails, "{} {found:.300}", answer.status);
    println!(
        "  {} after {:.1?}: {found:.100}",
        answer.status, answer.time
    );
}

fn equal_headers(target: &Target) {
    for names in ["a,".repeat(20_000), ",".repeat(20_000)] {
        both_refused(target, "format=csv", &format!("{names}a\n1,2\n"));
    }
}

/// A preview with no other line is refused. An import reports it like any unusable line.
fn long_names(target: &Target) {
    let members: Vec<String> = (0..20_000)
        .map(|number| format!("\"{number}\":1"))
        .collect();
    let members = members.join(",");
    let line = format!("{{\"{}\":{{{members}}}}}\n", "k".repeat(100_000));
    let preview = target.call("POST", "/import/preview?format=jsonl", &line);
    refused(&preview, 422);
    let import = target.call("POST", "/import?format=jsonl", &line);
    println!("  {} after {:.1?}", import.status, import.time);
    for Answer { body, .. } in [preview, import] {
        let found = body.contains("longer than 200 characters");
        assert!(found, "{body:.500}");
    }
}

fn many_overrides(target: &Target) {
    let query = format!("format=csv{}", "&map=Name%3Dname".repeat(2_000));
    both_refused(target, &query, "Name,Email\nAna,a@a.example\n");
}
