//! Conversations over time: by week, and by campaign.

use lead_workspace::api::{AccountPulse, Decode};
use lead_workspace::app::model::account_pulse::timeline::Timeline;
use lead_workspace::app::model::account_pulse::weeks::{WEEKS, by_week};
use lead_workspace::app::model::account_pulse::{Conversation, Pulse, Tone};
use lead_workspace::app::model::time::instant;

#[test]
fn conversations_are_counted_by_week() {
    let now = instant("2025-06-01T12:00:00Z").unwrap();
    let weeks = |times: &[&str]| {
        let chats = times.iter().map(|time| Conversation {
            last: Some((*time).to_owned()),
            ..Conversation::default()
        });
        by_week(&chats.collect::<Vec<_>>(), now)
    };
    let mut wanted = [0; WEEKS];
    wanted[WEEKS - 1] = 2;
    wanted[WEEKS - 2] = 1;
    wanted[0] = 1;
    let times = [
        "2025-06-03",
        "2025-05-25T12:00:01Z",
        "2025-05-25T11:59:00Z",
        "2025-03-10",
        "2025-03-09T12:00:00Z",
        "1970-01-01",
        "never",
    ];
    assert_eq!(weeks(&times), Some(wanted));
    assert_eq!(
        weeks(&["2001-01-01"]),
        Some([0; WEEKS]),
        "long ago is known"
    );
    assert_eq!(weeks(&["never"]), None);
    assert_eq!(by_week(&[Conversation::default()], now), None);
}

#[test]
fn a_timeline_has_a_row_for_each_campaign_with_conversations() {
    let now = instant("2025-01-11T00:00:00Z").unwrap();
    let timeline = |json: &str| {
        let pulse = Pulse::new(AccountPulse::decode(json.as_bytes()).unwrap());
        Timeline::new(&pulse, now)
    };
    let shown = timeline(
        r#"{
            "campaigns": [
                {"campaign_id": "a", "campaign_name": "Ports", "lead_count": 2},
                {"campaign_id": "b", "campaign_name": "Yards", "lead_count": 1},
                {"campaign_id": "c", "campaign_name": "Silent", "lead_count": 1}
            ],
            "lead_campaigns": {"1": ["a"], "2": ["a", "b"], "3": ["c"]},
            "chats": [
                {"lead_id": "1", "last_message_at": "2025-01-01", "classification": "interested"},
                {"lead_id": "2", "last_message_at": "2025-01-06T00:00:00Z"},
                {"lead_id": "3", "last_message_at": "never"},
                {"lead_id": "4", "last_message_at": "2025-01-11T00:00:00Z", "classification": "unsubscribe"}
            ]
        }"#,
    )
    .unwrap();
    let rows = shown.rows.iter().map(|row| {
        let marks = row.marks.iter().map(|mark| (mark.x, mark.tone));
        (&*row.campaign, marks.collect::<Vec<_>>())
    });
    let both = vec![(0, Tone::Good), (500, Tone::Plain)];
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [
            ("No campaign", vec![(1000, Tone::Bad)]),
            ("Ports", both),
            ("Yards", vec![(500, Tone::Plain)]),
        ]
    );
    assert_eq!(shown.from, "2025-01-01");
    assert_eq!(
        shown.words(2, &|number| number.to_string()),
        "Conversations by campaign: No campaign 1, Ports 2, and 1 more in the table."
    );

    // Times in the future, and all at once, stay within the chart.
    let late = timeline(r#"{"chats":[{"lead_id":"1","last_message_at":"2999-01-01"}]}"#).unwrap();
    assert_eq!(late.rows[0].marks[0].x, 1000);
    let wide = r#"{"chats":[{"lead_id":"1","last_message_at":"0001-01-01"},{"lead_id":"2","last_message_at":"9999-12-31"}]}"#;
    let wide = timeline(wide).unwrap();
    let marks = wide.rows[0].marks.iter().map(|mark| mark.x);
    assert_eq!(marks.collect::<Vec<_>>(), [0, 1000]);
    assert_eq!(timeline(r#"{"chats":[{"lead_id":"1"}]}"#), None);
}
