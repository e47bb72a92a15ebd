//! Columns of the user's own data and of a host page.

use lead_workspace::app::model::columns::{
    ACCOUNT_COLUMN_SET, AddedColumns, AddedSpec, ColumnSource, ColumnSpec, Columns, LEAD_COLUMN_SET,
};
use lead_workspace::app::model::custom_fields::CustomField;
use lead_workspace::app::model::view::LeadsView;
use proptest::prelude::*;

fn leads(text: &str) -> Columns {
    Columns::from_text(LEAD_COLUMN_SET, text)
}

fn ids(columns: &Columns) -> Vec<&'static str> {
    columns.visible().map(|column| column.spec.id).collect()
}

fn field(key: &str) -> CustomField {
    CustomField {
        key: key.to_owned(),
        number: false,
        is_queried: false,
    }
}

fn host(id: &str) -> &'static ColumnSpec {
    let spec = AddedSpec {
        source: ColumnSource::Host,
        label: ["Label of ", id].concat(),
        ..AddedSpec::custom(&field(id))
    };
    spec.spec()
}

const DEFAULT: [&str; 5] = ["fit", "name", "title", "company", "signal"];

fn default_with(id: &'static str) -> Vec<&'static str> {
    [&DEFAULT[..], &[id, "approval_status"]].concat()
}

#[test]
fn a_key_of_the_users_own_data_is_added_before_the_status() {
    let shown = leads("").shown("custom:Deal size", true);
    assert_eq!(ids(&shown), default_with("custom:Deal size"));
    assert_eq!(shown.added()[0].label, "Deal size");
    assert_eq!(shown.added()[0].added_key(), Some("Deal size"));
    let hidden = shown.shown("custom:Deal size", false);
    assert!(hidden.added().is_empty());
    assert_eq!(leads(&hidden.to_text()), hidden);
    assert_eq!(ids(&hidden.shown("custom:Deal size", true)), ids(&shown));
}

#[test]
fn it_is_moved_resized_and_pinned_like_any_other() {
    let columns = leads("")
        .shown("custom:Deal size", true)
        .sized("custom:Deal size", Some(220))
        .pinned("custom:Deal size", true)
        .put("title", "custom:Deal size");
    assert!(
        columns
            .to_text()
            .starts_with("title*.custom:Deal size*-220.")
    );
    assert_eq!(leads(&columns.to_text()), columns);
    assert!(columns.tracks().0.contains("220px"));
}

#[test]
fn each_shown_column_has_a_cell_of_its_own() {
    let columns = leads("")
        .shown("custom:A", true)
        .shown("custom:B", true)
        .shown("title", false)
        .moved("custom:B", false);
    let slots = columns.slots();
    let cells: Vec<_> = slots
        .iter()
        .filter_map(|slot| Some((slot.column?.id, slot.cell)))
        .filter(|(id, _)| id.contains(':'))
        .collect();
    let record = LEAD_COLUMN_SET.columns.len();
    assert_eq!(
        cells,
        [("custom:B", record + 1), ("custom:A", record + 2)],
        "after the cells of the columns that every lead has, in order"
    );
    let added: Vec<_> = columns.added().iter().map(|spec| spec.id).collect();
    assert_eq!(added, ["custom:B", "custom:A"]);
}

#[test]
fn a_view_keeps_them_in_its_address() {
    let view = LeadsView::from_query("tab=all&cols=name.custom%3ADeal+size-220");
    let shown = view.table.layout.columns(LEAD_COLUMN_SET);
    assert!(shown.added().iter().any(|spec| spec.label == "Deal size"));
    assert!(view.to_query().contains("custom%3ADeal+size-220"));
    assert_eq!(LeadsView::from_query(&view.to_query()), view);
}

#[test]
fn accounts_have_none() {
    let columns = Columns::from_text(ACCOUNT_COLUMN_SET, "name.custom:A.host:b");
    assert!(columns.added().is_empty());
    assert!(columns.shown("custom:A", true).added().is_empty());
}

#[test]
fn those_of_a_host_page_are_shown_by_default() {
    let added = AddedColumns {
        host: vec![host("crm")],
        ..AddedColumns::default()
    };
    let columns = leads("").with_added(&added);
    assert_eq!(ids(&columns), default_with("host:crm"));
    assert!(columns.is_initial());
    assert_eq!(columns.to_text(), "");
    assert_eq!(columns.added()[0].label, "Label of crm");

    let hidden = columns.shown("host:crm", false);
    let again = leads(&hidden.to_text()).with_added(&added);
    assert_eq!(again, hidden);
    assert!(again.added().is_empty());
    // Another page has no such column.
    assert_eq!(
        ids(&leads(&columns.sized("name", Some(300)).to_text())
            .with_added(&AddedColumns::default()))
        .len(),
        6
    );
}

#[test]
fn a_page_that_changes_a_column_changes_what_is_shown() {
    let wide = AddedSpec {
        source: ColumnSource::Host,
        label: "Owner".into(),
        width: Some(240),
        number: true,
        ..AddedSpec::custom(&field("crm"))
    };
    let columns = leads("name.host:crm").with_added(&AddedColumns {
        host: vec![wide.spec()],
        custom: Vec::new(),
    });
    assert_eq!(columns.added(), [wide.spec()]);
    assert!(columns.tracks().0.contains("240px"));
}

#[test]
fn a_column_of_numbers_is_known_when_rows_are_read() {
    let known = CustomField {
        number: true,
        is_queried: true,
        ..field("Deal size")
    };
    let columns = leads("name.custom:Deal size");
    assert_eq!(columns.added()[0].sort, None, "the server did not name it");
    let columns = columns.with_added(&AddedColumns {
        custom: vec![AddedSpec::custom(&known).spec()],
        ..AddedColumns::default()
    });
    assert!(columns.added()[0].number);
    assert_eq!(columns.added()[0].sort, Some("custom_data.Deal size"));
    assert_eq!(leads(&columns.to_text()).to_text(), columns.to_text());
}

#[test]
fn an_export_has_the_key_and_nothing_of_the_host_page() {
    assert_eq!(
        AddedSpec::custom(&field("Deal size")).spec().export_name(),
        Some("Deal size")
    );
    assert_eq!(host("crm").export_name(), None);
}

#[test]
fn a_link_with_thousands_of_columns_shows_few() {
    let text: Vec<_> = (0..5_000).map(|at| format!("custom:{at}")).collect();
    assert_eq!(leads(&text.join(".")).added().len(), 64);
}

proptest! {
    #[test]
    fn any_key_is_kept_by_the_text(keys in prop::collection::btree_set(".{1,12}", 1..5), width in 48..800u32) {
        let mut columns = leads("");
        for key in &keys {
            let id = ["custom:", key].concat();
            columns = columns.shown(&id, true).sized(&id, Some(width)).pinned(&id, key.len() % 2 == 0);
        }
        let again = leads(&columns.to_text());
        prop_assert_eq!(&again, &columns);
        let shown: std::collections::BTreeSet<_> = again.added().iter().filter_map(|spec| spec.added_key()).map(str::to_owned).collect();
        prop_assert_eq!(shown, keys);
    }
}
