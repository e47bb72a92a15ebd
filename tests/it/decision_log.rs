//! The decisions that the approval model learns from, and their stored form.

use lead_workspace::app::model::approval_model::{
    ApprovalModel, DecisionLog, LeadFacts, MAX_DECISIONS,
};
use lead_workspace::app::model::lead::LeadItem;
use proptest::prelude::*;

use crate::generated_leads::{generated, is_maritime, log_of};

#[test]
fn a_lead_has_one_decision() {
    let leads = generated(15, 2);
    let mut log = log_of(&leads, |_| true);
    log.record(&leads[0].id, &LeadFacts::new(&leads[0]), false);
    assert_eq!(log.len(), 2);
    assert!(log.forget(&leads[0].id));
    assert!(!log.forget(&leads[0].id));
    assert_eq!(log.len(), 1);
    assert!(!log.is_empty());
}

#[test]
fn decisions_on_several_leads_are_forgotten_together() {
    let leads = generated(15, 4);
    let mut log = log_of(&leads, |lead| lead.id == "lead-3");
    assert!(log.forget_where(|lead| lead == "lead-0" || lead == "lead-3"));
    assert_eq!((log.len(), log.approved()), (2, 0));
    assert!(!log.forget_where(|lead| lead == "lead-0"));
}

#[test]
fn the_oldest_decisions_are_dropped() {
    let leads = generated(16, MAX_DECISIONS + 10);
    let mut log = log_of(&leads, is_maritime);
    assert_eq!(log.len(), MAX_DECISIONS);
    assert!(!log.forget("lead-9"));
    assert!(log.forget("lead-10"));
    assert!(log.to_stored().len() < 250_000, "{}", log.to_stored().len());
}

#[test]
fn invalid_stored_decisions_are_skipped() {
    for text in [
        "",
        "null",
        "[]",
        "[2,[],[]]",
        "[1]",
        "[1,[],7]",
        "{\"1\":1}",
        "[\"1\",[],[]]",
    ] {
        assert!(DecisionLog::from_stored(text).is_none(), "{text}");
    }
    let text = r#"[1,["iBanking","?x","s5","p9Size",7],[
        ["good",1,5,41,33], ["no such fact",1,5,99], ["unknown kind",1,5,42], ["not a text",1,5,43],
        ["no level",1,5,44], ["number",1,5,45], ["zero",1,5,0], [7,1,5], ["short"], 5, ["fraction",1,5,1.5]]]"#;
    let log = DecisionLog::from_stored(text).unwrap();
    assert_eq!(log.to_stored(), r#"[1,["iBanking"],[["good",1,5,41,33]]]"#);
}

/// Leads with any texts, as other services may send them.
fn any_lead() -> impl Strategy<Value = LeadItem> {
    let text = || proptest::option::of(prop_oneof!["\\PC{0,80}", "[a-c]{1,2}(, [a-c]{1,2}){0,2}"]);
    let texts = (
        text(),
        text(),
        text(),
        text(),
        text(),
        text(),
        text(),
        text(),
    );
    (
        0..50u32,
        texts,
        proptest::option::of(proptest::num::f64::ANY),
    )
        .prop_map(|(id, texts, score)| {
            let (title, company, company_size, industry, location, tier, intent, reasoning) = texts;
            LeadItem {
                id: id.to_string(),
                title,
                company,
                company_size,
                industry,
                location,
                tier,
                intent,
                reasoning,
                score,
                ..LeadItem::default()
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_leads_can_be_learned_stored_and_explained(
        leads in proptest::collection::vec((any_lead(), any::<bool>()), 30..80),
        other in any_lead(),
    ) {
        let mut log = DecisionLog::default();
        for (lead, approved) in &leads {
            log.record(&lead.id, &LeadFacts::new(lead), *approved);
        }
        let stored = log.to_stored();
        let restored = DecisionLog::from_stored(&stored).unwrap();
        prop_assert_eq!(restored.len(), log.len());
        prop_assert_eq!(restored.to_stored(), stored);
        if let Some(model) = ApprovalModel::train(&log) {
            let facts = LeadFacts::new(&other);
            let likelihood = model.likelihood(&facts);
            prop_assert!(likelihood > 0.0 && likelihood < 1.0, "{}", likelihood);
            let explanation = model.explain(&facts);
            let all = explanation.speaks_for.iter().chain(&explanation.speaks_against);
            prop_assert!(all.clone().all(|text| !text.is_empty()));
            let held_out = model.held_out();
            prop_assert!(held_out.agreed() <= held_out.decisions());
            prop_assert_eq!(held_out.decisions(), log.len());
        }
    }

    #[test]
    fn any_stored_text_is_survived(text in "\\PC{0,60}", numbers in proptest::collection::vec(any::<u32>(), 0..6)) {
        let _ = DecisionLog::from_stored(&text);
        let row = format!(r#"[1,["iA","wB"],[["x",{numbers:?}],["y",1,2{}]]]"#,
            numbers.iter().map(|number| format!(",{number}")).collect::<String>());
        if let Some(log) = DecisionLog::from_stored(&row) {
            prop_assert!(log.len() <= 1);
            prop_assert!(ApprovalModel::train(&log).is_none());
        }
    }
}
