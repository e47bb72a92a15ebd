//! Arbitrary JSON data shown as a tree.

use lead_workspace::api::Raw;
use lead_workspace::app::model::json_tree::{TreeValue, label, level};
use proptest::prelude::*;

fn raw(json: &str) -> Raw {
    Raw::parse(json.to_owned()).unwrap()
}

fn node(json: &str) -> TreeValue {
    TreeValue::from_raw(&raw(json))
}

fn text(text: &str) -> TreeValue {
    TreeValue::Text(text.to_owned())
}

#[test]
fn leaf_values() {
    assert_eq!(node("true"), text("Yes"));
    assert_eq!(node("false"), text("No"));
    assert_eq!(
        node("12345678901234567890.50"),
        text("12345678901234567890.50")
    );
    assert_eq!(node("\"a\\u0000<b>\""), text("a\0<b>"));
    assert_eq!(
        node("\"https://n.example/a\""),
        TreeValue::Link("https://n.example/a".into())
    );
    assert_eq!(node("\"javascript:alert(1)\""), text("javascript:alert(1)"));
    assert_eq!(
        node("\"2025-04-01T00:00:00Z\""),
        TreeValue::Time("2025-04-01T00:00:00Z".into())
    );
    for nothing in ["null", "\"\"", "\" \"", "{}", "[]", " [ ] "] {
        assert_eq!(node(nothing), TreeValue::Nothing, "{nothing}");
    }
    assert_eq!(
        node(r#""\ud800""#),
        text(r#""\ud800""#),
        "not text, but the full value"
    );
}

#[test]
fn short_lists_are_inline() {
    assert_eq!(
        node(r#"["Forecasting", 3, true]"#),
        text("Forecasting, 3, Yes")
    );
    for list in [
        r#"["a", {"b": 1}]"#,
        r#"["a", []]"#,
        r#"["a", null]"#,
        "[1,2,3,4,5,6,7,8,9,10,11,12,13]",
    ] {
        assert!(matches!(node(list), TreeValue::Branch(..)), "{list}");
    }
}

#[test]
fn members_keep_their_order_and_count() {
    let object = raw(r#"{"z": 1, "a": {"b": 2}, "summary": "hidden", "z": 3}"#);
    let level = level(&object, 0, 10, &["summary"]);
    let labels: Vec<_> = level.items.iter().map(|item| item.label.as_str()).collect();
    assert_eq!((labels, level.total), (vec!["Z", "A", "Z"], 3));
    assert_eq!(level.items[0].value, text("1"));
    assert!(matches!(level.items[1].value, TreeValue::Branch(_, 1)));
}

#[test]
fn a_wide_list_is_read_in_steps() {
    let list: Vec<String> = (0..100_000).map(|n| n.to_string()).collect();
    let list = raw(&format!("[{}]", list.join(",")));
    let step = level(&list, 99_990, 40, &[]);
    assert_eq!((step.items.len(), step.total), (10, 100_000));
    assert_eq!(step.items[0].label, "99991");
    assert_eq!(step.items[0].value, text("99990"));
}

#[test]
fn a_deep_tree_is_read_level_by_level() {
    let deep = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    let mut at = raw(&format!(r#"{{"a":{deep}}}"#));
    for _ in 0..200 {
        let step = level(&at, 0, 10, &[]);
        let Some(TreeValue::Branch(inner, 1)) =
            step.items.into_iter().next().map(|item| item.value)
        else {
            panic!("a branch");
        };
        at = inner;
    }
}

#[test]
fn keys_become_labels() {
    assert_eq!(label("follower_count"), "Follower count");
    assert_eq!(label("followerCount"), "Follower count");
    assert_eq!(label("URL"), "URL");
    assert_eq!(
        label("<img src=x onerror=alert(1)>"),
        "<img src=x onerror=alert(1)>"
    );
    assert_eq!(label("a\nb\0"), "A b");
    assert_eq!(label("Øre"), "Øre");
    assert_eq!(label("__"), "–");
    assert_eq!(label(""), "–");
}

proptest! {
    #[test]
    fn every_key_has_a_label(key in "\\PC{0,20}") {
        prop_assert!(!label(&key).is_empty());
    }

    #[test]
    fn steps_cover_the_whole_list(total in 0_usize..200, step in 1_usize..50) {
        let list: Vec<String> = (0..total).map(|n| n.to_string()).collect();
        let list = raw(&format!("[{}]", list.join(",")));
        let mut seen = Vec::new();
        while seen.len() < total {
            let next = level(&list, seen.len(), step, &[]);
            prop_assert_eq!(next.total, total);
            seen.extend(next.items);
        }
        for (nth, item) in seen.into_iter().enumerate() {
            prop_assert_eq!(item.value, TreeValue::Text(nth.to_string()));
        }
    }
}
