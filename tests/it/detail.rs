//! Lead details as shown in the UI, for complete and malformed responses.

use lead_workspace::api::{Decode, LeadDetail};
use lead_workspace::app::model::lead_detail::LeadProfile;

fn detail(json: &str) -> LeadProfile {
    LeadProfile::new("l1", LeadDetail::decode(json.as_bytes()).unwrap())
}

#[test]
fn a_complete_lead_is_read() {
    let lead = detail(
        r#"{"id":"l1","provider_id":"p9","name":"Ada van Novak","headline":"Ports, mostly",
            "profile_url":"https://n.example/in/ada","profile_picture_url":"javascript:x",
            "background_image_url":"http://n.example/b.png","is_premium":true,
            "profile_data":{"title":"VP Ops","location":"Bergen","connections_count":812,"follower_count":90,"skills":["a"]},
            "custom_data":{"email":"ada@example.com"},
            "current_account":{"account_id":"acc","name":"Halden","network_url":"https://n.example/c/halden","logo_url":"data:x",
              "network_username":"halden","industry":"Maritime","staff_count_range":"51-200","title":"Head of Ops",
              "tagline":"We move","founded_year":1987,"description":"Ships.","location":"Oslo"},
            "approval_status":"approved","chat_id":"c1",
            "list_scores":[{"icp_score":40,"icp_tier":"C","list_id":"only-id"},
              {"icp_score":91.4,"icp_tier":"A","list_name":"Nordics","scored_at":"2025-04-01T00:00:00Z",
               "icp_reasoning":"Industry 25/25: Maritime is a target; Intent 3/10: old"}],
            "lead_lists":[{"lead_list_id":"li","lead_list_name":"Nordics","lead_list_item_id":"it","added_at":"2025-03-01T00:00:00Z"}],
            "campaigns":[{"campaign_lead_id":"cl","campaign_id":"ca","campaign_name":"Ports","campaign_status":"active","lead_status":"in_progress",
              "connection_accepted":true,"message_replied":false,"assigned_sender_name":"Bo","created_at":"2025-03-02T00:00:00Z"}],
            "nurture":{"tracker_profile_id":"t1","like_mode":"all_posts","is_active":true,"created_at":"2025-03-03T00:00:00Z"}}"#,
    );
    assert_eq!(
        (lead.initials.as_str(), lead.title.as_deref()),
        ("AN", Some("VP Ops"))
    );
    assert_eq!(lead.headline.as_deref(), Some("Ports, mostly"));
    assert_eq!(lead.profile.as_deref(), Some("https://n.example/in/ada"));
    assert_eq!(
        (lead.picture, lead.company.logo),
        (None, None),
        "not web addresses"
    );
    assert_eq!(lead.reach, (Some(812), Some(90)));
    assert_eq!(lead.company.title.as_deref(), Some("Head of Ops"));
    assert_eq!(lead.conversation.as_deref(), Some("c1"));
    let best = &lead.scores[0];
    assert_eq!(
        (best.points, best.list.as_deref()),
        (Some(91.4), Some("Nordics"))
    );
    let parts: Vec<_> = best
        .parts
        .iter()
        .map(|part| (part.name.as_str(), part.points, part.percent))
        .collect();
    assert_eq!(parts, [("Industry", 25, 100), ("Intent", 3, 30)]);
    assert_eq!(best.reasoning, None, "the parts replace the text");
    assert_eq!(lead.scores[1].list.as_deref(), Some("only-id"));
    let campaign = &lead.campaigns[0];
    assert_eq!(campaign.lead_status.as_deref(), Some("In progress"));
    assert_eq!(
        (campaign.accepted, campaign.replied),
        (Some(true), Some(false))
    );
    let warming = lead.warming.unwrap();
    assert_eq!(
        (warming.active, warming.likes.as_deref()),
        (Some(true), Some("All posts"))
    );
    let ids: Vec<_> = lead.ids.iter().map(|(_, id)| id.as_str()).collect();
    assert_eq!(
        ids,
        ["l1", "p9", "acc", "halden", "li", "it", "ca", "cl", "t1"]
    );
}

#[test]
fn an_empty_lead_is_valid() {
    let lead = detail("{}");
    assert_eq!(
        (lead.id.as_str(), lead.name.as_str()),
        ("l1", "Unnamed lead")
    );
    assert!(lead.scores.is_empty() && lead.timeline.is_empty() && lead.status.is_none());
    assert_eq!((lead.custom_data, lead.profile_data), (None, None));
    assert_eq!(lead.ids, [("Lead".to_owned(), "l1".to_owned())]);
}

#[test]
fn facts_are_not_repeated_in_the_tree() {
    let only =
        detail(r#"{"profile_data":{"location":"Bergen","follower_count":1},"custom_data":{}}"#);
    assert_eq!((only.profile_data, only.custom_data), (None, None));
    let more =
        detail(r#"{"profile_data":{"location":"Bergen","skills":["a"]},"custom_data":"a note"}"#);
    assert!(more.profile_data.is_some() && more.custom_data.is_some());
}

#[test]
fn scores_of_other_services_are_read() {
    let scores = |json: &str| detail(&format!(r#"{{"list_scores":{json}}}"#)).scores;
    assert_eq!(scores(r#"[7, null, "x", []]"#), []);
    let plain = scores(r#"[{"icp_reasoning":"A great fit; really."},{"icp_score":3}]"#);
    assert_eq!(plain[0].points, Some(3.0), "scored entries come first");
    assert_eq!(plain[1].reasoning.as_deref(), Some("A great fit; really."));
    let odd = scores(r#"[{"icp_reasoning":"A 9/0: x; B 7/5: y; C 0/4294967295: z"}]"#);
    let percents: Vec<_> = odd[0].parts.iter().map(|part| part.percent).collect();
    assert_eq!(percents, [100, 100, 0]);
    let many = vec!["A 1/1: x"; 5_000].join("; ");
    let many = scores(&format!(r#"[{{"icp_reasoning":"{many}"}}]"#));
    assert!(many[0].parts.is_empty() && many[0].reasoning.is_some());
}

#[test]
fn the_newest_signal_comes_first() {
    let lead = detail(
        r#"{"lead_lists":[{"lead_list_id":"li","lead_list_name":"Nordics"}],
            "intents":[
              {"id":"1","event_type":"hiring","created_at":"2025-01-01T00:00:00Z"},
              {"id":"2","event_type":"job_change","event_data":{"summary":"Started","previous_company":"Norq"},
               "created_at":"2025-03-01T01:00:00+02:00","lead_list_id":"li","signal_id":"s"},
              {"id":"3","event_type":"post","event_data":{"summary":"Wrote"},"created_at":"2025-02-28T23:30:00Z"},
              {"event_type":"undated"}, "looked_around", 7, null, ["x", {}], {"event_type":7}]}"#,
    );
    let shown: Vec<_> = lead
        .timeline
        .iter()
        .map(|event| event.what.as_str())
        .collect();
    assert_eq!(
        shown,
        [
            "Wrote",
            "Started",
            "Hiring",
            "Undated",
            "Looked around",
            "7",
            "Unknown event",
            "Unknown event"
        ]
    );
    let started = &lead.timeline[1];
    assert_eq!(
        (started.kind.as_deref(), started.list.as_deref()),
        (Some("Job change"), Some("Nordics"))
    );
    assert!(started.more.is_some(), "the previous company");
    assert_eq!(lead.timeline[0].more, None, "nothing besides the summary");
    assert_eq!(
        started
            .ids
            .iter()
            .map(|(_, id)| id.as_str())
            .collect::<Vec<_>>(),
        ["2", "s", "li"]
    );
    assert!(
        lead.timeline[6].more.is_some() && lead.timeline[7].more.is_some(),
        "raw data is kept"
    );
}

#[test]
fn huge_data_is_read() {
    let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    let intents =
        vec![r#"{"event_type":"a","created_at":"2025-01-01T00:00:00Z"}"#; 20_000].join(",");
    let lead = detail(&format!(
        r#"{{"custom_data":{{"a":{deep}}},"intents":[{intents},{deep}]}}"#
    ));
    assert_eq!(lead.timeline.len(), 20_001);
    assert!(lead.custom_data.is_some());
}
