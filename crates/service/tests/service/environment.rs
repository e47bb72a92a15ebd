//! Options from environment variables.

use lead_workspace_service::Store;
use serde_json::json;

use crate::common::{done, failed};
use crate::program::{program, start_by};

#[test]
fn the_service_starts_from_variables_alone() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = program(&["serve"]);
    command
        .env("LEAD_WORKSPACE_DATA", dir.path().join("data"))
        .env("LEAD_WORKSPACE_PORT", "0")
        .env("LEAD_WORKSPACE_PRINT_KEY", "yes")
        .env("LEAD_WORKSPACE_DEMO", "20")
        .env("LEAD_WORKSPACE_ALLOW_HOST", "one.example, two.example");
    let running = start_by(command);
    let (status, body) = running.call("POST", "/api/leads/query", &json!({}));
    assert_eq!((status, &body["total"]), (200, &json!(20)));
    for (host, status) in [
        ("one.example", 200),
        ("two.example", 200),
        ("three.example", 421),
    ] {
        let answer = running.raw(&format!(
            "GET /livez HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
        ));
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{answer}"
        );
    }
}

#[test]
fn an_option_of_the_command_line_takes_precedence() {
    let dir = tempfile::tempdir().unwrap();
    let (taken, used) = (dir.path().join("variable"), dir.path().join("option"));
    let output = program(&["keys", "list", "--data"])
        .arg(&used)
        .env("LEAD_WORKSPACE_DATA", &taken)
        .output()
        .unwrap();
    let message = failed(&output);
    assert!(
        message.contains("option") && !message.contains("variable"),
        "{message}"
    );
}

#[test]
fn a_folder_on_the_command_line_takes_precedence_over_the_variable_of_a_database() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("folder");
    let mut command = program(&["keys", "list", "--data"]);
    command.arg(&folder);
    command.env(
        "LEAD_WORKSPACE_DATABASE",
        "postgres://nowhere.invalid/leads",
    );
    let message = failed(&command.output().unwrap());
    assert!(
        message.contains("folder") && !message.contains("nowhere"),
        "{message}"
    );
}

/// The default folder may be what a move to the database left.
#[test]
fn commands_for_folders_are_refused_beside_the_variable_of_a_database() {
    let dir = tempfile::tempdir().unwrap();
    drop(Store::open(&dir.path().join("data")).unwrap());
    for (arguments, variable) in [
        (&["backup", "b.db"][..], "LEAD_WORKSPACE_DATABASE"),
        (&["restore", "b.db"], "LEAD_WORKSPACE_DATABASE_FILE"),
        (&["doctor"], "LEAD_WORKSPACE_DATABASE"),
    ] {
        let mut command = program(arguments);
        command.env(variable, "postgres://nowhere.invalid/leads");
        let message = failed(&command.current_dir(dir.path()).output().unwrap());
        assert!(
            message.contains(&format!("{variable} is set")) && message.contains(arguments[0]),
            "{message}"
        );
        assert!(!dir.path().join("b.db").exists());
    }
    for (value, more) in [("", &[][..]), ("postgres://a.invalid", &["--data", "data"])] {
        let mut doctor = program(&["doctor"]);
        doctor.args(more).env("LEAD_WORKSPACE_DATABASE", value);
        done(&doctor.current_dir(dir.path()).output().unwrap());
    }
}

#[test]
fn two_places_on_the_command_line_are_refused() {
    let url = "postgres://nowhere.invalid/leads";
    for (arguments, part) in [
        (
            ["keys", "list", "--data", "a", "--database", url],
            "--database",
        ),
        (
            ["keys", "list", "--database-file", "a", "--data", "b"],
            "--data",
        ),
        (
            ["move", "--to=b", "--from", "a", "--from-database-file", "c"],
            "--from",
        ),
    ] {
        let output = program(&arguments).output().unwrap();
        let message = failed(&output);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(
            message.contains("cannot be used with") && message.contains(part),
            "{message}"
        );
    }
}

#[test]
fn options_that_would_have_no_effect_are_refused() {
    for (arguments, part) in [
        (["serve", "--log", "inof"], "no level"),
        (["serve", "--backup-every", "1m"], "--backup-to"),
        (["serve", "--backup-keep", "3"], "--backup-to"),
    ] {
        let output = program(&arguments).output().unwrap();
        assert!(!output.status.success());
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_bad_value_is_refused_with_the_name_of_the_option() {
    let output = program(&["serve"])
        .env("LEAD_WORKSPACE_PORT", "many")
        .output()
        .unwrap();
    let message = failed(&output);
    assert!(
        message.contains("--port") && message.contains("many"),
        "{message}"
    );
}

#[test]
fn help_names_the_variables_but_not_their_values() {
    let output = program(&["serve", "--help"])
        .env("LEAD_WORKSPACE_UPSTREAM_KEY_FILE", "/run/canary-of-a-path")
        .output()
        .unwrap();
    let help = done(&output);
    assert!(
        help.contains("[env: LEAD_WORKSPACE_UPSTREAM_KEY_FILE]"),
        "{help}"
    );
    assert!(!help.contains("canary-of-a-path"), "{help}");
}
