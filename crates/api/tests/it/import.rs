//! Responses of an import: written as documented, and read from other versions.

use lead_workspace_api::import::{
    ImportColumn, ImportCounts, ImportEvent, ImportFields, ImportLineError, ImportPreview,
    ImportReport,
};
use serde_json::{from_value, json, to_value};

#[test]
fn import_events_have_the_documented_shape() {
    let counts = ImportCounts {
        inserted: 1,
        failed: 2,
        ..ImportCounts::default()
    };
    let counts_json = json!({"inserted": 1, "updated": 0, "unchanged": 0, "failed": 2});
    let error = ImportLineError {
        line: 7,
        reason: "no name".into(),
    };
    let report = ImportReport {
        import_job_id: Some("import_1".into()),
        counts,
        first_errors: vec![error.clone()],
        ..ImportReport::default()
    };
    let error_json = json!({"line": 7, "reason": "no name"});
    for (event, expected) in [
        (
            ImportEvent::Mapping {
                columns: vec![("Who".into(), "name".into())],
            },
            json!({"event": "mapping", "columns": [["Who", "name"]]}),
        ),
        (
            ImportEvent::Progress { bytes: 10, counts },
            json!({"event": "progress", "bytes": 10, "counts": counts_json}),
        ),
        (
            ImportEvent::Failed(error),
            json!({"event": "failed", "line": 7, "reason": "no name"}),
        ),
        (
            ImportEvent::Done(report),
            json!({"event": "done", "import_job_id": "import_1", "list_id": null,
                "counts": counts_json, "first_errors": [error_json]}),
        ),
        (
            ImportEvent::Error {
                message: "the disk is full".into(),
            },
            json!({"event": "error", "message": "the disk is full"}),
        ),
    ] {
        assert_eq!(to_value(&event).unwrap(), expected);
        assert_eq!(from_value::<ImportEvent>(expected).unwrap(), event);
    }
}

#[test]
fn an_import_accepts_absent_and_unknown_members() {
    let event = |value| from_value::<ImportEvent>(value).unwrap();
    assert_eq!(
        event(json!({"event": "paused", "until": 1})),
        ImportEvent::Unknown
    );
    assert_eq!(
        event(json!({"event": "done", "more": [1]})),
        ImportEvent::Done(ImportReport::default())
    );
    let preview = json!({"columns": [{"use": "name", "more": 1}], "errors": [{"reason": "empty"}]});
    let column = ImportColumn {
        used_as: "name".into(),
        ..ImportColumn::default()
    };
    let error = ImportLineError {
        line: 0,
        reason: "empty".into(),
    };
    let expected = ImportPreview {
        columns: vec![column],
        errors: vec![error],
        ..ImportPreview::default()
    };
    assert_eq!(from_value::<ImportPreview>(preview).unwrap(), expected);
}

#[test]
fn a_response_without_fields_or_columns_is_rejected() {
    assert!(from_value::<ImportFields>(json!({})).is_err());
    assert!(from_value::<ImportPreview>(json!({"leads": []})).is_err());
}
