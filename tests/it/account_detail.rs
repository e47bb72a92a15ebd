//! Account details as shown in the UI, for complete and malformed responses.

use lead_workspace::api::AccountDetail;
use lead_workspace::app::model::account_detail::AccountProfile;
use lead_workspace::app::model::filters::Facet;
use lead_workspace::app::model::lead_tab::Tab;
use lead_workspace::app::model::route::Route;
use lead_workspace::app::model::view::{LeadsView, leads_of_account, leads_with};
use serde_json::{Value, json};

fn read(item: Value) -> AccountProfile {
    let text = item.to_string();
    AccountProfile::new(
        "a1",
        lead_workspace::api::Raw::from(item)
            .read::<AccountDetail>()
            .expect(&text),
    )
}

#[test]
fn an_empty_account_is_valid() {
    let account = read(json!({}));
    assert_eq!(account.name, "Unnamed account");
    assert_eq!(account.id, "a1");
    assert_eq!(account.lead_count, 0);
    assert!(account.scores.is_empty() && account.leads.is_empty());
    assert_eq!(account.ids, [("Account".to_owned(), "a1".to_owned())]);
}

#[test]
fn leads_are_read_tolerantly_and_omitted_without_an_id() {
    let account = read(json!({
        "lead_count": 40,
        "leads": [
            {"lead_id": "l1", "name": "Ada", "title": " ", "approval_status": "approved", "icp_score": 81.5},
            {"lead_id": "l2", "approval_status": 7},
            {"name": "Nobody"},
            "l3",
        ],
    }));
    let names: Vec<&str> = account.leads.iter().map(|lead| &*lead.name).collect();
    assert_eq!(names, ["Ada", "Unnamed lead"]);
    assert_eq!(account.leads[0].title, None);
    assert_eq!(account.leads[0].status().as_str(), "approved");
    assert_eq!(account.leads[1].status().as_str(), "unknown");
    assert_eq!(account.lead_count, 40);
}

#[test]
fn lists_are_read_by_name_and_by_id_in_any_shape() {
    let account = read(json!({"lists": [
        {"list_id": "x1", "list_name": "Nordic", "item_id": "i1"},
        {"list_id": "x2"},
        {"id": "x3", "name": "Other"},
        "x4",
        null,
    ]}));
    let names: Vec<&str> = account.lists.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["Nordic", "x2", "Other", "x4"]);
    assert!(
        account
            .ids
            .contains(&("List Nordic".to_owned(), "x1".to_owned()))
    );
}

#[test]
fn the_own_score_is_first_and_not_repeated() {
    let reasoning = "Industry 25/25: fits";
    let of_lists = json!([
        {"list_name": "One", "icp_score": 90.0, "icp_tier": "A", "icp_reasoning": "Industry 20/25: near"},
        {"list_name": "Two", "icp_score": 70.0, "icp_tier": "B", "icp_reasoning": reasoning},
    ]);
    let account = |points: f64| {
        read(json!({
            "icp_score": points, "icp_tier": "B", "icp_reasoning": reasoning, "list_scores": of_lists,
        }))
    };
    let same = account(70.0);
    assert_eq!(same.scores.len(), 2);
    assert_eq!(same.scores[0].list.as_deref(), Some("Two"));
    let other = account(60.0);
    assert_eq!(other.scores.len(), 3);
    assert_eq!(
        (other.scores[0].points, other.scores[0].list.as_deref()),
        (Some(60.0), None)
    );
    assert_eq!(other.scores[1].points, Some(90.0));
}

#[test]
fn unsafe_addresses_are_not_linked() {
    let account = read(json!({"network_url": "javascript:1", "logo_url": "data:text/html,x"}));
    assert_eq!((account.page, account.logo), (None, None));
}

#[test]
fn locations_link_to_leads_and_accounts() {
    assert_eq!(Route::lead("a&b").query, "lead=a%26b");
    assert_eq!(Route::account("a1").to_view(), "accounts?account=a1");
    let view = |place: Route| LeadsView::from_query(&place.query);
    let signal = view(leads_with(Facet::Signal, "s1"));
    assert_eq!(
        (signal.tab, signal.filters.values(Facet::Signal)),
        (Tab::All, &["s1".to_owned()][..])
    );
    let query = serde_json::to_value(view(leads_of_account("a 1")).query(1, 50)).expect("a query");
    assert_eq!(
        query["filters"],
        json!([{"field": "account_id", "operator": "eq", "value": "a 1"}])
    );
}
