//! View names as used by a host page.

use lead_workspace::app::model::route::{
    ACCOUNTS_PATH, INSIGHTS_PATH, LEADS_PATH, Route, param, with_param,
};

fn place(path: &str, query: &str) -> Route {
    Route {
        path: path.into(),
        query: query.into(),
    }
}

#[test]
fn view_paths_are_parsed() {
    let cases = [
        ("", place(LEADS_PATH, "")),
        ("leads", place(LEADS_PATH, "")),
        ("accounts", place(ACCOUNTS_PATH, "")),
        ("/accounts", place(ACCOUNTS_PATH, "")),
        (
            "leads?tab=approved&q=a%3Fb",
            place(LEADS_PATH, "tab=approved&q=a%3Fb"),
        ),
        ("accounts?sort=name", place(ACCOUNTS_PATH, "sort=name")),
        ("insights?q=cto", place(INSIGHTS_PATH, "q=cto")),
        ("?tab=all", place(LEADS_PATH, "tab=all")),
        ("tab=all", place(LEADS_PATH, "tab=all")),
    ];
    for (view, wanted) in cases {
        assert_eq!(Route::from_view(view), Some(wanted), "{view}");
    }
}

#[test]
fn unknown_paths_have_no_view() {
    for view in [
        "lead",
        "settings",
        "accounts/a1",
        "https://x.example",
        "x?tab=all",
    ] {
        assert_eq!(Route::from_view(view), None, "{view}");
    }
}

#[test]
fn view_names_round_trip() {
    for view in ["leads", "accounts", "leads?tab=all", "accounts?q=a&page=2"] {
        let place = Route::from_view(view).unwrap();
        assert_eq!(place.to_view(), view);
        assert_eq!(Route::from_view(&place.to_view()), Some(place));
    }
}

#[test]
fn one_parameter_is_read_and_changed_among_others() {
    let query = "tab=all&lead=a%2Fb&q=x+y";
    assert_eq!(param(query, "lead").as_deref(), Some("a/b"));
    assert_eq!(param("lead=", "lead"), None);
    assert_eq!(
        with_param(query, "lead", Some("c&d")),
        "tab=all&q=x+y&lead=c%26d"
    );
    assert_eq!(with_param(query, "lead", None), "tab=all&q=x+y");
    assert_eq!(with_param("", "account", Some("1")), "account=1");
}
