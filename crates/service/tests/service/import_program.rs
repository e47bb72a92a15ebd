//! Imports over HTTP, and through the program, with and without a running service.

use std::fmt::Write as _;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::Command;

use lead_workspace_api::import::ImportEvent;
use serde_json::{Value, json};

use super::common::{Service, done, failed, without_key};
use super::import::fixture;
use super::program::{Running, program, refused, run, start};

#[test]
fn the_program_imports_with_and_without_a_running_service() {
    let dir = tempfile::tempdir().unwrap();
    let csv = fixture("leads-500.csv");
    let csv = csv.to_str().unwrap();

    let message = done(&run(&["import", csv, "--dry-run"], dir.path()));
    assert!(
        message.contains("First Name → first_name") && message.contains("Nothing was imported"),
        "{message}"
    );
    assert!(!dir.path().join("workspace.db").exists());

    let running = start(dir.path(), &[]);
    let mapped = ["import", csv, "--list", "Desk", "--map", "Phone=skip"];
    assert_eq!(
        done(&run(&mapped, dir.path())),
        "500 new, 0 updated, 0 unchanged, 0 failed.\n"
    );
    let (_, page) = running.call("POST", "/api/leads/query", &json!({"page_size": 1}));
    assert_eq!(page["total"], 500);
    assert_eq!(page["data"][0]["custom_data"]["Phone"], Value::Null);
    let message = failed(&run(&["import", csv, "--map", "Nothing=name"], dir.path()));
    assert!(
        message.contains("no column \\\"Nothing\\\"") || message.contains("no column \"Nothing\""),
        "{message}"
    );
    drop(running);

    let message = done(&run(&mapped, dir.path()));
    assert!(
        message.starts_with("0 new, 0 updated, 500 unchanged, 0 failed."),
        "{message}"
    );
}

/// What a command that succeeds prints on stderr.
fn warned(arguments: &[&str], dir: &Path) -> String {
    let output = run(arguments, dir);
    done(&output);
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_truncated_list_of_bad_lines_is_marked() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bad.csv");
    let lines = ",nobody\n".repeat(10_005);
    std::fs::write(&file, format!("Name,Title\nAna,CEO\n{lines}")).unwrap();
    let data = dir.path().join("data");
    let _running = start(&data, &[]);
    let message = warned(&["import", file.to_str().unwrap()], &data);
    assert!(
        message.contains("and 9995 more; the first 10000 of 10005 are listed in"),
        "{message}"
    );
    let listed = std::fs::read_to_string(dir.path().join("bad.csv.errors.csv")).unwrap();
    assert_eq!(listed.lines().count(), 10_001);
}

#[test]
fn import_into_another_workspace_while_the_service_runs() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("north.csv");
    std::fs::write(&file, "Name,Email\nAna,ana@a.example\n").unwrap();
    let file = file.to_str().unwrap();
    let data = dir.path().join("data");
    let mut running = start(&data, &[]);
    let create = ["keys", "create", "--tenant", "north", "--make-tenant"];
    running.key = done(&run(&create, &data)).trim().to_owned();

    done(&run(&["import", file, "--tenant", "north"], &data));
    let (_, page) = running.call("POST", "/api/leads/query", &json!({}));
    assert_eq!(page["data"][0]["name"], "Ana");
    let listed = done(&run(&["keys", "list"], &data));
    let own = listed
        .lines()
        .find(|line| line.ends_with("  import"))
        .unwrap();
    assert!(
        own.contains("revoked"),
        "the key of the import is still valid: {own}"
    );

    let message = failed(&run(&["import", file, "--tenant", "south"], &data));
    assert!(
        message.contains("there is no workspace \"south\""),
        "{message}"
    );
}

#[test]
fn options_over_their_limits_are_rejected_before_reading() {
    let dir = tempfile::tempdir().unwrap();
    let file = fixture("leads-500.csv");
    let file = file.to_str().unwrap();
    let many = ["--map", "Title=title"].repeat(101);
    let long = "x".repeat(201);
    for (arguments, words_of_it) in [
        (many.as_slice(), "the limit is 100"),
        (&["--list", &long], "longer than 200 characters"),
    ] {
        let message = failed(&run(&[&["import", file], arguments].concat(), dir.path()));
        assert!(
            message.contains(words_of_it) && message.contains("Nothing was imported"),
            "{message}"
        );
        assert!(!dir.path().join("workspace.db").exists());
    }
}

#[test]
fn a_killed_import_completes_when_repeated() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("many.csv");
    let mut text = String::from("Name,Profile URL,Company,Tags\n");
    for number in 0..6_000 {
        let _ = writeln!(
            text,
            "Lead {number},p.example/in/{number},Company {},Desk",
            number % 70
        );
    }
    std::fs::write(&file, text).unwrap();
    let data = dir.path().join("data");
    let mut running = start(&data, &[]);
    let mut child = program(&["import", file.to_str().unwrap(), "--data"])
        .arg(&data)
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let leads = |running: &Running| {
        let (_, page) = running.call("POST", "/api/leads/query", &json!({"page_size": 1}));
        page["total"].as_u64().unwrap()
    };
    while leads(&running) == 0 {}
    running.child.kill().unwrap();
    running.child.wait().unwrap();
    assert!(!child.wait().unwrap().success(), "the import did not fail");

    let before = rusqlite::Connection::open(data.join("workspace.db")).unwrap();
    let known: u64 = before
        .query_row("SELECT count(*) FROM leads", [], |row| row.get::<_, i64>(0))
        .unwrap()
        .try_into()
        .unwrap();
    drop(before);
    assert!((1..6_000).contains(&known), "{known}");
    let again = done(&run(&["import", file.to_str().unwrap()], &data));
    let expected = format!(
        "{} new, 0 updated, {known} unchanged, 0 failed.",
        6_000 - known
    );
    assert!(again.starts_with(&expected), "{again}");
    running = start(&data, &[]);
    assert_eq!(leads(&running), 6_000);
}

#[test]
fn a_file_can_be_imported_before_serving() {
    let dir = tempfile::tempdir().unwrap();
    let csv = fixture("leads-500.csv");
    for _ in 0..2 {
        // The ready line is the first and only line on stdout.
        let running = start(dir.path(), &["--import", csv.to_str().unwrap()]);
        let (_, page) = running.call("POST", "/api/leads/query", &json!({"page_size": 1}));
        assert_eq!(page["total"], 500);
    }
}

#[test]
fn a_missing_file_is_told_before_demo_leads_are_made() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let message = refused(&data, &["--demo", "5", "--import", "no-such-file.csv"]);
    assert!(
        message.contains("no-such-file.csv cannot be read"),
        "{message}"
    );
    assert!(!data.exists());
}

#[test]
fn imported_leads_are_scored_by_the_running_service() {
    let dir = tempfile::tempdir().unwrap();
    let running = start(dir.path(), &[]);
    let csv = fixture("leads-500.csv");
    done(&run(&["import", csv.to_str().unwrap()], dir.path()));
    let unscored =
        json!({"filters": [{"field": "icp_score", "operator": "is_not_set"}], "page_size": 1});
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    loop {
        let (_, page) = running.call("POST", "/api/leads/query", &unscored);
        if page["total"] == 0 {
            break;
        }
        assert!(std::time::Instant::now() < deadline, "{page}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
fn many_bad_lines_are_written_to_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bad.csv");
    let mut text = String::from("Name,Title\nAna,CEO\n");
    (0..25).for_each(|_| text.push_str(",nobody\n"));
    std::fs::write(&file, text).unwrap();
    let data = dir.path().join("data");
    let message = warned(&["import", file.to_str().unwrap()], &data);
    assert!(message.contains("line 3: no name"), "{message}");
    assert!(
        message.contains("and 15 more; all of them are listed in"),
        "{message}"
    );
    let listed = std::fs::read_to_string(dir.path().join("bad.csv.errors.csv")).unwrap();
    assert_eq!(listed.lines().count(), 26);
    assert!(
        listed.starts_with("line,reason\n3,\"no name, profile URL"),
        "{listed}"
    );

    let message = failed(&run(&["import", "no-such-file.csv"], &data));
    assert!(
        message.contains("no-such-file.csv cannot be read"),
        "{message}"
    );
}

#[test]
fn the_file_for_rejected_lines_is_checked_before_the_import() {
    let dir = tempfile::tempdir().unwrap();
    let (file, data) = (dir.path().join("bad.csv"), dir.path().join("data"));
    let text = "Name,Title\nAna,CEO\n,CFO\n";
    std::fs::write(&file, text).unwrap();
    let import = |errors: &Path| {
        let errors = errors.to_str().unwrap();
        run(
            &["import", file.to_str().unwrap(), "--errors", errors],
            &data,
        )
    };
    // The same file under another name, and one in a folder that is missing.
    let same = dir.path().join("data/../bad.csv");
    std::fs::create_dir(&data).unwrap();
    for (errors, part) in [
        (same, "is the file to import"),
        (dir.path().join("missing/errors.csv"), "cannot be written"),
    ] {
        let message = failed(&import(&errors));
        assert!(
            message.contains(part) && message.contains("Nothing was imported"),
            "{message}"
        );
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    assert!(!data.join("workspace.db").exists());

    // An earlier list is replaced.
    let errors = dir.path().join("errors.csv");
    for _ in 0..2 {
        done(&import(&errors));
        let listed = std::fs::read_to_string(&errors).unwrap();
        assert_eq!(listed.lines().count(), 2, "{listed}");
    }
}

#[tokio::test]
async fn the_import_api_needs_a_key_and_rejects_unknown_parameters() {
    let service = Service::empty().await;
    let request = without_key(service.request("POST", "/import", "Name\nAna\n"));
    assert_eq!(service.send(request).await.status, 401);
    for query in ["format=xml", "map=Name", "color=red"] {
        let answer = service
            .send(service.request("POST", &format!("/import?{query}"), ""))
            .await;
        assert_eq!(answer.status, 422, "{query}");
        let name = query.split('=').next().unwrap();
        assert_eq!(answer.locations(), [["query", name]]);
    }
    let answer = service
        .send(service.request("POST", "/import?file_name=a.csv", "Name\nAna\n,\n"))
        .await;
    assert_eq!(answer.status, 200);
    let events: Vec<ImportEvent> = answer
        .text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let Some(ImportEvent::Done(report)) = events.last() else {
        panic!("{events:?}");
    };
    assert_eq!(report.counts.inserted, 1);
    let answer = service.send(service.request("POST", "/import", "")).await;
    assert!(answer.text.contains("the file is empty"), "{}", answer.text);
}

/// As of `import … 2>&1 | head -2`.
#[cfg(target_os = "linux")]
#[test]
fn an_import_goes_on_after_the_reader_of_its_messages_has_gone() {
    let dir = tempfile::tempdir().unwrap();
    let csv = fixture("leads-500.csv");
    let full = std::fs::File::create("/dev/full").unwrap();
    let mut import = program(&["import", csv.to_str().unwrap(), "--data"]);
    let import = import.arg(dir.path()).stderr(full).output().unwrap();
    assert!(done(&import).starts_with("500 new"));

    let full = std::fs::File::create("/dev/full").unwrap();
    let mut import = program(&["import", "no-such-file.csv", "--data"]);
    let import = import.arg(dir.path()).stderr(full).status().unwrap();
    assert_eq!(import.code(), Some(1));
}

/// The system ends a process that exceeds the limit on file sizes and does not expect it.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_the_size_of_files_is_reported_by_commands() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("leads.csv");
    let (data, file) = (dir.path().join("data"), file.to_str().unwrap());
    let limited = |arguments: &[&str]| {
        let output = Command::new("sh")
            .args(["-c", "ulimit -f 2000 && exec \"$@\"", "sh"])
            .arg(program(&[]).get_program())
            .args(arguments)
            .arg("--data")
            .arg(&data)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{:?}", output.status);
        failed(&output)
    };
    let message = limited(&["demo", "--leads", "20000"]);
    assert!(message.contains("earlier changes are saved"), "{message}");
    let message = limited(&["demo", "--leads", "20000", "--to", file]);
    assert!(message.contains("cannot be written"), "{message}");
    done(
        &program(&["demo", "--leads", "20000", "--to", file])
            .output()
            .unwrap(),
    );
    let message = limited(&["import", file]);
    assert!(message.contains("earlier changes are saved"), "{message}");
}
