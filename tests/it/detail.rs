//! Lead details as shown in the UI, for complete and malformed responses.

use lead_workspace::api::{Decode, LeadDetail, LeadListItem};
use lead_workspace::app::model::lead::LeadItem;
use lead_workspace::app::model::lead_detail::{LeadProfile, Reason};
use lead_workspace::app::model::time::instant;

fn detail(json: &str) -> LeadProfile {
    LeadProfile::new("l1", LeadDetail::decode(json.as_bytes()).unwrap())
}

#[test]
fn a_preview_says_the_same_as_the_details() {
    let common = r#""name":"Ada Novak","headline":"Ports","profile_url":"https://n.example/in/ada",
        "current_account":{"account_id":"acc","name":"Halden","title":"Head of Ops"},"approval_status":"rejected""#;
    let score = r#"{"icp_score":91.4,"icp_tier":"A","icp_reasoning":"Size 25/25: fits; Intent 3/10: old","scored_at":"2025-04-01T00:00:00Z"}"#;
    let intent = r#"{"event_type":"job_change","created_at":"2025-03-01T00:00:00Z"}"#;
    let item = format!(r#"{{"lead_id":"l1",{common},"list_scores":[{score}],"intent":{intent}}}"#);
    let item = LeadListItem::decode(item.as_bytes()).unwrap();
    let status = item.approval_status.clone().unwrap();
    let preview = LeadProfile::preview(&LeadItem::new(item), &status);
    let whole = detail(&format!(
        r#"{{"id":"l1",{common},"list_scores":[{score}],"intents":[{intent}]}}"#
    ));
    assert!(preview.is_preview && !whole.is_preview);
    assert_eq!((&preview.id, &preview.name), (&whole.id, &whole.name));
    assert_eq!(preview.title, whole.title);
    assert_eq!(preview.company.account, whole.company.account);
    assert_eq!(preview.company.name, whole.company.name);
    assert_eq!(preview.profile, whole.profile);
    assert_eq!(preview.status, whole.status);
    assert_eq!(preview.scores, whole.scores);
    let signal =
        |lead: &LeadProfile| (lead.timeline[0].what.clone(), lead.timeline[0].when.clone());
    assert_eq!(signal(&preview), signal(&whole));
    let unscored = LeadProfile::preview(&LeadItem::default(), &status);
    assert!(unscored.scores.is_empty() && unscored.timeline.is_empty());
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
    assert_eq!(lead.company.location.as_deref(), Some("Oslo"));
    let conversation = lead.conversation.unwrap();
    assert_eq!(
        (conversation.replied, conversation.campaign.as_deref()),
        (Some(false), Some("Ports, by Bo"))
    );
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
        [
            "l1", "p9", "acc", "halden", "li", "it", "ca", "cl", "c1", "t1"
        ]
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
fn a_location_is_shown_once() {
    let company = |location: &str| {
        let lead = detail(&format!(
            r#"{{"profile_data":{{"location":"Bergen"}},"current_account":{{"location":"{location}"}}}}"#
        ));
        assert_eq!(lead.location.as_deref(), Some("Bergen"));
        lead.company.location
    };
    assert_eq!(company("Bergen"), None);
    assert_eq!(company("Oslo").as_deref(), Some("Oslo"));
}

#[test]
fn a_conversation_is_a_chat_or_a_reply() {
    let conversation = |json: &str| {
        let conversation = detail(json).conversation?;
        Some((conversation.replied, conversation.campaign))
    };
    assert_eq!(conversation("{}"), None);
    assert_eq!(
        conversation(r#"{"campaigns":[{"campaign_name":"Ports","message_replied":false}]}"#),
        None,
        "nobody has written yet"
    );
    assert_eq!(conversation(r#"{"chat_id":"c"}"#), Some((None, None)));
    let campaigns = r#"[{"campaign_name":"One","message_replied":false},
        {"campaign_name":"Two","message_replied":true,"assigned_sender_name":"Bo"},{"campaign_name":"Three"}]"#;
    assert_eq!(
        conversation(&format!(r#"{{"campaigns":{campaigns}}}"#)),
        Some((Some(true), Some("Two, by Bo".into())))
    );
}

#[test]
fn experience_is_read_unless_something_would_be_lost() {
    let positions = |experience: &str| {
        let lead = detail(&format!(
            r#"{{"profile_data":{{"experience":{experience}}}}}"#
        ));
        let kept = lead.profile_data.is_some();
        let positions: Vec<_> = lead
            .experience
            .into_iter()
            .map(|at| (at.what, at.years.unwrap_or_default(), at.is_current))
            .collect();
        assert_eq!(kept, positions.is_empty(), "shown once: {experience}");
        positions
    };
    let read = positions(
        r#"[{"title":"VP Ops","company":"Halden","since":2022},
            {"title":"Planner","company":"Norq","since":"2017","until":2022},
            {"company":"Bremer","until":2017,"title":null}]"#,
    );
    let read: Vec<_> = read
        .iter()
        .map(|(what, years, current)| (what.as_str(), years.as_str(), *current))
        .collect();
    assert_eq!(
        read,
        [
            ("VP Ops, Halden", "since 2022", true),
            ("Planner, Norq", "2017–2022", false),
            ("Bremer", "until 2017", false),
        ]
    );
    for other in [
        r#"[{"title":"VP Ops","note":"part time"}]"#,
        r#"[{"title":"VP Ops"},{"since":2022}]"#,
        r#"[{"title":"VP Ops","since":{"year":2022}}]"#,
        r#"["VP Ops"]"#,
        r#""VP Ops""#,
        "[]",
    ] {
        assert_eq!(positions(other), []);
    }
}

#[test]
fn incomplete_parts_come_last() {
    let lead = detail(
        r#"{"list_scores":[{"icp_reasoning":"Industry 10/25: a; Size 25/25: b; Title 24/25: c; Intent 12/10: d"}]}"#,
    );
    let parts: Vec<_> = lead.scores[0]
        .by_missing()
        .iter()
        .map(|part| (part.name.as_str(), part.missing))
        .collect();
    assert_eq!(
        parts,
        [("Size", 0), ("Intent", 0), ("Title", 1), ("Industry", 15)]
    );
}

#[test]
fn a_day_in_a_reason_is_shown_relative_to_now() {
    let read = |text| {
        let reason = Reason::new(text, None);
        (reason.before, reason.when, reason.after)
    };
    let day = instant("2025-03-01");
    assert_eq!(read("job change on 2025-03-01"), ("job change ", day, ""));
    assert_eq!(
        read("Title 1/25: b; Intent 3/10: job change on 2025-03-01, and 2 more"),
        (
            "Title 1/25: b; Intent 3/10: job change ",
            day,
            ", and 2 more"
        )
    );
    // Whatever the day of scoring was.
    let scored = instant("2025-03-20T09:00:00Z");
    let reason = Reason::new("job change on 2025-03-01, and 1 more", scored);
    assert_eq!(
        reason.text(|when| format!("[{}]", (scored.unwrap() - when) / 86_400_000)),
        "job change [19], and 1 more"
    );
    for text in [
        "on 2025-03-01",
        "meet on 2025-13-01",
        "season 2025-03-01",
        "job change on 2025-03-01T09:00:00Z",
        "on it",
    ] {
        assert_eq!(read(text), (text, None, ""));
    }
}

#[test]
fn an_age_in_a_reason_counts_from_the_day_of_scoring() {
    let scored = instant("2025-03-20T09:00:00Z");
    let read = |text| {
        let reason = Reason::new(text, scored);
        (reason.before, reason.when, reason.after)
    };
    let day = |text| instant(&format!("{text}T09:00:00Z"));
    assert_eq!(
        read("pricing page visit today"),
        ("pricing page visit ", day("2025-03-20"), "")
    );
    assert_eq!(
        read("own event yesterday, and 2 more"),
        ("own event ", day("2025-03-19"), ", and 2 more")
    );
    assert_eq!(
        read("job change 19 days ago, and 1 more"),
        ("job change ", day("2025-03-01"), ", and 1 more")
    );
    for text in [
        "USA Today is outside the target industries",
        "seen holiday",
        "many days ago",
        "19 days ago",
        "today",
        "visit today, and so on",
        "",
    ] {
        assert_eq!(read(text), (text, None, ""));
    }
    let unknown = Reason::new("job change today", None);
    assert_eq!((unknown.before, unknown.when), ("job change today", None));
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
