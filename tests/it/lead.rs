//! Lead rows as shown in the UI, for complete and malformed responses.

use lead_workspace::api::{Decode, LeadListItem, Page};
use lead_workspace::app::model::humanize::humanize;
use lead_workspace::app::model::lead::{LeadItem, initials, with_detail};

fn lead(json: &str) -> LeadItem {
    let body = format!(r#"{{"data":[{json}]}}"#);
    let mut page = Page::<LeadListItem>::decode(body.as_bytes()).unwrap();
    LeadItem::new(page.data.remove(0))
}

#[test]
fn a_complete_lead_is_read() {
    let lead = lead(
        r#"{"lead_id":"l1","name":"Ada van Novak","headline":"VP Ops at Halden","profile_url":"https://n.example/in/ada",
            "profile_picture_url":"javascript:x","profile_data":{"location":"Bergen"},
            "current_account":{"name":"Halden","industry":"Maritime","title":"VP Ops","location":"Oslo","staff_count_range":"51-200"},
            "list_scores":[{"icp_score":40,"icp_tier":"C"},{"icp_score":91.4,"icp_tier":"A","icp_reasoning":"Fits"}],
            "intent":{"event_type":"job_change","created_at":"2025-03-30T00:00:00Z"},"approval_status":"archived","created_at":"2025-04-01T00:00:00Z"}"#,
    );
    assert_eq!(lead.initials, "AN");
    assert_eq!(lead.title.as_deref(), Some("VP Ops"));
    assert_eq!(lead.headline, None, "it only repeats title and company");
    assert_eq!(lead.location.as_deref(), Some("Bergen"));
    assert_eq!(lead.score, Some(91.4));
    assert_eq!(lead.tier.as_deref(), Some("A"));
    assert_eq!(lead.reasoning.as_deref(), Some("Fits"));
    assert_eq!(lead.intent.as_deref(), Some("Job change"));
    assert_eq!(lead.intent_at.as_deref(), Some("2025-03-30T00:00:00Z"));
    assert_eq!(lead.profile.as_deref(), Some("https://n.example/in/ada"));
    assert_eq!(lead.picture, None, "not a web address");
}

#[test]
fn pictures_are_loaded_only_over_https() {
    for (address, is_loaded) in [
        ("https://n.example/ada.png", true),
        ("HTTPS://n.example/ada.png", true),
        ("http://n.example/ada.png", false),
        ("data:image/png,x", false),
    ] {
        let lead = lead(&format!(
            r#"{{"lead_id":"l1","profile_picture_url":"{address}"}}"#
        ));
        assert_eq!(lead.picture.is_some(), is_loaded, "{address}");
    }
}

#[test]
fn an_empty_lead_is_a_valid_row() {
    let lead = lead(r#"{"lead_id":"l1","name":" ","list_scores":[7,null],"profile_data":"x"}"#);
    assert_eq!(lead.name, "Unnamed lead");
    assert_eq!((lead.score, lead.title), (None, None));
}

#[test]
fn initials_and_labels() {
    assert_eq!(initials("Øyvind"), "Ø");
    assert_eq!(initials("mei-lin  de Achterberg"), "mA");
    assert_eq!(initials("  …  "), "");
    assert_eq!(initials("李 小龙"), "李小");
    assert_eq!(humanize("post_engagement"), "Post engagement");
    assert_eq!(humanize(""), "");
}

#[test]
fn a_new_score_keeps_the_previous_one() {
    let scored = |score| LeadItem {
        score: Some(score),
        ..LeadItem::default()
    };
    let lead = scored(91.0).followed_by(scored(80.0));
    assert_eq!((lead.previous_score, lead.score), (Some(91.0), Some(80.0)));
    // Read again without a new score, it stays.
    let lead = lead.followed_by(scored(80.0));
    assert_eq!(lead.previous_score, Some(91.0));
}

#[test]
fn details_bring_the_fields_of_the_user() {
    let detail = serde_json::from_value(serde_json::json!({"custom_data": {"Deal size": 5}}));
    let item = with_detail(LeadListItem::default(), detail.unwrap());
    assert_eq!(item.custom("Deal size"), Some(serde_json::json!(5)));
}

#[test]
fn details_update_a_row_but_for_what_they_have_in_another_form() {
    let lead = LeadItem {
        id: "lead_1".into(),
        name: "Ada Before".into(),
        intent: Some("Hiring".into()),
        created: Some("2026-05-18T12:00:00Z".into()),
        ..LeadItem::default()
    };
    let detail = serde_json::from_value(serde_json::json!({
        "lead_id": "lead_1", "name": "Ada Now", "intents": [],
        "list_scores": [{"icp_score": 72, "icp_tier": "B"}],
    }));
    let now = lead.with_detail(detail.unwrap());
    assert_eq!((&*now.name, now.score), ("Ada Now", Some(72.0)));
    assert_eq!(
        (now.id, now.intent, now.created),
        (lead.id, lead.intent, lead.created)
    );
}
