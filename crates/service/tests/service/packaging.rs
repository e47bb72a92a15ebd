//! The files in `packaging/`: the systemd unit, the Containerfile and the alert rules.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::common::{Service, done};
use crate::metrics::page;
use crate::program::program;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(file(name)).unwrap()
}

/// Every word in a text with this prefix.
fn words(text: &str, prefix: &str) -> BTreeSet<String> {
    text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))
        .filter(|word| word.starts_with(prefix) && word.len() > prefix.len())
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_variable_is_one_of_the_program() {
    let help = program(&["serve", "--help"]).output().unwrap();
    let known = words(&done(&help), "LEAD_WORKSPACE_");
    for name in [
        "packaging/lead-workspace.service",
        "packaging/Containerfile",
        "docs/operations.md",
    ] {
        let used = words(&text(name), "LEAD_WORKSPACE_");
        assert!(!used.is_empty(), "{name}");
        let unknown: Vec<_> = used.difference(&known).collect();
        assert!(unknown.is_empty(), "{name}: {unknown:?}");
    }
}

/// Names of time series without the endings that a histogram has.
fn metric(series: &str) -> &str {
    ["_bucket", "_sum", "_count"]
        .iter()
        .find_map(|ending| series.strip_suffix(ending))
        .unwrap_or(series)
}

#[tokio::test]
async fn alerts_and_documentation_name_the_metrics_that_exist() {
    let page = page(&Service::demo(5).await).await;
    let known: BTreeSet<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE "))
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .collect();
    let used = words(&text("packaging/alerts.yml"), "lead_workspace_");
    assert!(used.len() > 5, "{used:?}");
    for series in &used {
        let name = metric(series);
        assert!(known.contains(name), "{name} is not in {known:?}");
    }
    let documented = words(&text("docs/operations.md"), "lead_workspace_");
    let documented: BTreeSet<_> = documented.iter().map(|name| metric(name)).collect();
    let missing: Vec<_> = known
        .iter()
        .filter(|name| !documented.contains(name.as_str()))
        .collect();
    assert!(missing.is_empty(), "not in docs/operations.md: {missing:?}");
    let unknown: Vec<_> = documented
        .iter()
        .filter(|name| !known.contains(**name) && **name != "lead_workspace_upstream_seconds")
        .collect();
    assert!(
        unknown.is_empty(),
        "only in docs/operations.md: {unknown:?}"
    );
}

/// The parts that need no container engine; CONTRIBUTING.md has the command for the others.
#[test]
fn the_image_is_small_and_not_root() {
    let text = text("packaging/Containerfile");
    let instructions: Vec<&str> = text.lines().collect();
    let of = |name: &str| -> Vec<&str> {
        instructions
            .iter()
            .filter_map(|line| line.strip_prefix(name))
            .collect()
    };
    assert_eq!(of("FROM "), ["debian:trixie-slim AS root", "scratch"]);
    assert_eq!(of("USER "), ["65532:65532"]);
    assert_eq!(of("EXPOSE "), ["8787"]);
    let copied = of("COPY ");
    assert!(copied.contains(&"target/release/lead-workspace /usr/local/bin/lead-workspace"));
    assert!(copied.contains(&"target/dist /usr/share/lead-workspace"));
}

#[cfg(target_os = "linux")]
mod systemd {
    use std::os::unix::net::UnixDatagram;
    use std::process::Command;
    use std::time::Duration;

    use super::{file, text};

    const UNIT: &str = "packaging/lead-workspace.service";

    /// Runs systemd-analyze where it exists; elsewhere `the_unit_is_hardened` still checks the file.
    fn analyze(arguments: &[&str]) -> Option<String> {
        let output = Command::new("systemd-analyze")
            .args(arguments)
            .output()
            .ok()?;
        let text = [&*output.stdout, &*output.stderr].concat();
        Some(String::from_utf8_lossy(&text).into_owned())
    }

    #[test]
    fn the_unit_is_hardened() {
        let unit = text(UNIT);
        for line in [
            "Type=notify",
            "DynamicUser=yes",
            "StateDirectory=lead-workspace",
            "ProtectSystem=strict",
            "NoNewPrivileges=yes",
            "CapabilityBoundingSet=",
            "LimitNOFILE=65536",
        ] {
            assert!(unit.lines().any(|found| found == line), "{line}");
        }
    }

    #[test]
    fn systemd_accepts_the_unit() {
        // The program of the unit must exist: a copy of the unit names the one of this build.
        let dir = tempfile::tempdir().unwrap();
        let unit = text(UNIT).replace(
            "/usr/local/bin/lead-workspace",
            env!("CARGO_BIN_EXE_lead-workspace"),
        );
        let path = dir.path().join("lead-workspace.service");
        std::fs::write(&path, unit).unwrap();
        if let Some(found) = analyze(&["verify", "--man=no", path.to_str().unwrap()]) {
            let ours: Vec<_> = found
                .lines()
                .filter(|line| line.contains("lead-workspace.service"))
                .collect();
            assert!(ours.is_empty(), "{ours:?}");
        }
        let unit = file(UNIT);
        let arguments = [
            "security",
            "--offline=true",
            "--threshold=20",
            unit.to_str().unwrap(),
        ];
        if let Some(found) = analyze(&arguments) {
            let summary = found
                .lines()
                .find(|line| line.contains("Overall exposure level"));
            let level = summary.and_then(|line| {
                line.split(": ")
                    .nth(1)?
                    .split(' ')
                    .next()?
                    .parse::<f32>()
                    .ok()
            });
            assert!(level.is_some_and(|level| level <= 2.0), "{found}");
        }
    }

    #[test]
    fn the_program_notifies_systemd_of_its_start_and_stop() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        socket
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let received = || {
            let mut bytes = [0; 1000];
            let length = socket.recv(&mut bytes).unwrap();
            String::from_utf8_lossy(&bytes[..length]).trim().to_owned()
        };
        let mut running = crate::program::start_in(
            &dir.path().join("data"),
            &["--demo", "20"],
            ("NOTIFY_SOCKET", &path),
        );
        assert_eq!(received(), "READY=1");
        crate::program::terminate(&running.child);
        assert_eq!(received(), "STOPPING=1");
        assert!(running.child.wait().unwrap().success());
    }
}
