//! The pulse of an account as shown in the UI, for complete and malformed responses.

use lead_workspace::api::{AccountPulse, Decode};
use lead_workspace::app::model::account_pulse::reply_rate::Rate;
use lead_workspace::app::model::account_pulse::{
    Funnel, OutreachStage, Pulse, ReplyClass, Tone, description,
};
use proptest::prelude::*;

fn pulse(json: &str) -> Pulse {
    Pulse::new(AccountPulse::decode(json.as_bytes()).unwrap())
}

#[test]
fn a_complete_pulse_is_read() {
    let pulse = pulse(
        r#"{"total_leads":24,"leads_with_conversations":11,"leads_replied":5,
            "classification_counts":{"question":2,"interested":7,"alien_class":2,"not_interested":1},
            "best_signal":{"lead_id":"l1","lead_name":"Ada Novak","classification":"meeting_booked","campaign_name":"Ports"},
            "campaigns":[{"campaign_id":"c2","campaign_name":"Small","lead_count":1},{"campaign_id":"c1","campaign_name":"Ports","lead_count":9}],
            "chats":[{"chat_id":"h1","lead_id":"l2","lead_name":"Bo","classification":"question","last_message_at":"2025-04-01T00:00:00Z"},
              {"chat_id":"h2","lead_id":"l1","lead_name":"Ada Novak","last_message_at":"2025-05-01T00:00:00Z"}],
            "lead_campaigns":{"l1":["c1"],"l2":["c1","c2"],"l3":["c1"]}}"#,
    );
    assert_eq!(pulse.stage(), OutreachStage::Going);
    let [leads, talking, replied] = pulse.funnel.steps();
    assert_eq!((leads.count, leads.rate), (Some(24), None));
    assert_eq!(talking.rate.unwrap().words(), "46%");
    assert_eq!(
        replied.rate.unwrap().words(),
        "45%",
        "of the leads in conversation"
    );
    assert_eq!(
        pulse.funnel.words(&|number| number.to_string()),
        "Funnel: Leads 24, In conversation 11 (46% of leads), Replied 5 (45% of conversations)."
    );
    let classes: Vec<_> = pulse
        .classes
        .iter()
        .map(|class| (class.name.as_str(), class.count, class.tone))
        .collect();
    let wanted = [
        ("Interested", 7, Tone::Good),
        ("Alien class", 2, Tone::Plain),
        ("Question", 2, Tone::Plain),
        ("Not interested", 1, Tone::Bad),
    ];
    assert_eq!(classes, wanted);
    let best = pulse.best.as_ref().unwrap();
    assert_eq!(
        (best.lead.as_deref(), best.initials.as_str()),
        (Some("l1"), "AN")
    );
    assert_eq!(best.class.as_ref().unwrap().name, "Meeting booked");
    let ports = &pulse.campaigns[0];
    assert_eq!((ports.name.as_str(), ports.count), ("Ports", Some(9)));
    let people: Vec<_> = ports
        .people
        .iter()
        .map(|person| (person.id.as_str(), person.name.as_deref()))
        .collect();
    assert_eq!(
        people,
        [("l1", Some("Ada Novak")), ("l2", Some("Bo")), ("l3", None)]
    );
    assert_eq!(pulse.chats[0].name, "Ada Novak", "latest first");
}

#[test]
fn missing_and_invalid_values_are_omitted() {
    let nothing = pulse("{}");
    assert_eq!(nothing, Pulse::default());
    assert_eq!(nothing.stage(), OutreachStage::Unknown);
    assert_eq!(
        nothing.funnel.words(&|number| number.to_string()),
        "Funnel: Leads unknown, In conversation unknown, Replied unknown."
    );
    assert_eq!(
        pulse(r#"{"total_leads":0,"leads_replied":0}"#).stage(),
        OutreachStage::NoLeads
    );
    let silent = pulse(
        r#"{"total_leads":3,"leads_with_conversations":0,"leads_replied":0,"classification_counts":{}}"#,
    );
    assert_eq!(silent.stage(), OutreachStage::Silent);
    assert_eq!(silent.funnel.reply_rate(), None, "zero has no rate");

    let odd = pulse(
        r#"{"total_leads":2,"leads_with_conversations":5,"leads_replied":9,"best_signal":{"classification":"interested"},
            "campaigns":["bare",{"id":"x","name":"Named otherwise","count":3},{"lead_count":1},null,7,[],{}],
            "chats":["h1",null,{},{"lead_name":"Cy","last_message_at":"never"},[1]],
            "lead_campaigns":{"l1":"bare","l2":[{"campaign_id":"x"},null,[]],"l3":null,"":["bare"]}}"#,
    );
    assert!(!odd.funnel.fits());
    assert_eq!((odd.funnel.reply_rate(), odd.best), (None, None));
    let campaigns: Vec<_> = odd
        .campaigns
        .iter()
        .map(|campaign| {
            (
                campaign.name.as_str(),
                campaign.count,
                campaign.people.len(),
            )
        })
        .collect();
    let wanted = [
        ("Named otherwise", Some(3), 1),
        ("bare", Some(1), 1),
        ("7", None, 0),
    ];
    assert_eq!(campaigns, wanted);
    let chats: Vec<_> = odd.chats.iter().map(|chat| chat.name.as_str()).collect();
    assert_eq!(chats, ["Unnamed lead", "Cy"]);
    assert_eq!(
        pulse(r#"{"lead_campaigns":[1,2],"campaigns":[]}"#).campaigns,
        []
    );
}

#[test]
fn classes_with_any_name_are_shown() {
    let counts =
        r#"{"classification_counts":{"__proto__":3,"constructor":2,"":1,"  ":1,"größe_ß":4}}"#;
    let names: Vec<String> = pulse(counts)
        .classes
        .into_iter()
        .map(|class| class.name)
        .collect();
    assert_eq!(
        names,
        [
            "Größe ß",
            "__proto__",
            "Constructor",
            "No class",
            "No class"
        ]
    );
    let many: Vec<String> = (0..200)
        .map(|n| format!(r#""class_{n:03}":{}"#, n % 7))
        .collect();
    let many = pulse(&format!(
        r#"{{"classification_counts":{{{}}}}}"#,
        many.join(",")
    ));
    assert_eq!(many.classes.len(), 200);
    assert!(
        many.classes
            .is_sorted_by(|one, other| one.count >= other.count)
    );
    let sentence = description(&many.classes, 2, &|number| number.to_string());
    assert_eq!(
        sentence,
        "Replies by class: Class 006 6, Class 013 6, and 198 more in the table."
    );
}

#[test]
fn an_invalid_count_does_not_hide_others() {
    let odd = pulse(
        r#"{"total_leads":3,"classification_counts":{"a":4,"b":null,"c":2.5,"d":-1,"e":"7","f":[1],"g":{"h":1},"h":true,"i":2.0}}"#,
    );
    let classes: Vec<_> = odd
        .classes
        .iter()
        .map(|class| (&*class.name, class.count))
        .collect();
    assert_eq!(classes, [("A", 4), ("I", 2)]);
    assert_eq!((odd.odd_classes, odd.stage()), (7, OutreachStage::Going));
    assert_eq!(odd.funnel.leads, Some(3), "the rest is kept");
    let words =
        |known, odd| lead_workspace::app::model::account_pulse::odd(known, odd, &|n| n.to_string());
    let description = "3 of 9 classes could not be read: their counts are not whole numbers.";
    assert_eq!(words(6, 3).as_deref(), Some(description));
    let description = "1 of 1 class could not be read: its count is not a whole number.";
    assert_eq!(words(0, 1).as_deref(), Some(description));
    assert_eq!(words(5, 0), None);
}

#[test]
fn a_huge_account_is_read_quickly() {
    let leads: Vec<String> = (0..20_000)
        .map(|n| format!(r#""l{n}":["c{}"]"#, n % 500))
        .collect();
    let pulse = pulse(&format!(r#"{{"lead_campaigns":{{{}}}}}"#, leads.join(",")));
    assert_eq!(pulse.campaigns.len(), 500);
    assert!(
        pulse
            .campaigns
            .iter()
            .all(|campaign| campaign.count == Some(40))
    );
}

#[test]
fn percentages_distinguish_none_from_few_and_all_from_most() {
    let words = |part, whole| Rate::new(Some(part), Some(whole)).map(Rate::words);
    assert_eq!(words(0, 9).as_deref(), Some("0%"));
    assert_eq!(words(1, 1_000).as_deref(), Some("<1%"));
    assert_eq!(words(999, 1_000).as_deref(), Some(">99%"));
    assert_eq!(words(9, 9).as_deref(), Some("100%"));
    assert_eq!(words(u64::MAX, u64::MAX).as_deref(), Some("100%"));
    assert_eq!(words(1, 8).as_deref(), Some("13%"));
    assert_eq!((words(0, 0), words(2, 1)), (None, None));
    assert!(Rate::new(None, Some(1)).is_none());
}

proptest! {
    #[test]
    fn any_counts_have_labels(leads in any::<Option<u64>>(), talking in any::<Option<u64>>(), replied in any::<Option<u64>>()) {
        let funnel = Funnel { leads, talking, replied };
        let words = funnel.words(&|number| number.to_string());
        prop_assert!(words.starts_with("Funnel: Leads ") && words.ends_with('.'));
        for rate in funnel.steps().into_iter().filter_map(|step| step.rate) {
            let words = rate.words();
            let percent: u32 = words.trim_matches(['<', '>', '%']).parse().unwrap();
            prop_assert!(percent <= 100);
        }
        prop_assert!(funnel.fits() || funnel.steps().iter().filter(|step| step.count.is_some()).count() > 1);
    }

    #[test]
    fn any_class_has_a_name(token in any::<String>(), count in any::<u64>()) {
        prop_assert!(!ReplyClass::new(&token, count).name.is_empty());
    }

    #[test]
    fn any_object_is_a_valid_pulse(json in odd()) {
        let text = format!(r#"{{"best_signal":null,"campaigns":[{json}],"chats":[{json}],"lead_campaigns":{json}}}"#);
        let pulse = pulse(&text);
        prop_assert!(pulse.campaigns.iter().all(|campaign| !campaign.name.trim().is_empty()));
        prop_assert!(pulse.chats.iter().all(|chat| !chat.name.trim().is_empty()));
    }
}

/// Generates any JSON, with the field names that the parser looks for.
fn odd() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        any::<i32>().prop_map(|number| number.to_string()),
        ".{0,8}".prop_map(|text: String| serde_json::Value::from(text).to_string()),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let name = proptest::sample::select(&[
            "campaign_id",
            "campaign_name",
            "lead_count",
            "chat_id",
            "lead_id",
            "lead_name",
            "id",
            "name",
            "last_message_at",
            "count",
            "value",
            "",
        ]);
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4)
                .prop_map(|list| format!("[{}]", list.join(","))),
            proptest::collection::vec((name, inner), 0..4).prop_map(|members| {
                let members: Vec<_> = members
                    .iter()
                    .map(|(name, value)| format!("\"{name}\":{value}"))
                    .collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}
