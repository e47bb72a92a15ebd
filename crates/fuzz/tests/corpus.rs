//! Replays the corpus of every fuzz target.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::path::Path;

use lead_workspace_fuzz::TARGETS;

#[test]
fn the_corpus_of_every_target_passes() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let manifest = fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    for target in TARGETS {
        assert!(
            manifest.contains(&format!("name = \"{}\"", target.name)),
            "{} is no target of fuzz/Cargo.toml",
            target.name
        );
        let corpus = fuzz.join("corpus").join(target.name);
        let mut replayed = 0;
        for input in fs::read_dir(&corpus).unwrap() {
            let input = input.unwrap().path();
            let data = fs::read(&input).unwrap();
            let run = std::panic::catch_unwind(|| (target.run)(&data));
            assert!(
                run.is_ok(),
                "{} fails with {}",
                target.name,
                input.display()
            );
            replayed += 1;
        }
        assert!(replayed > 10, "{} has {replayed} inputs", target.name);
    }
}
