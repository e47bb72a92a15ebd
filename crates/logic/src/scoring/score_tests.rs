//! Tests of the scoring function with the default rules.

use super::{Attributes, IntentSignal, Score, Scorer};
use crate::scoring::rules::Rules;
use jiff::civil::Date;
use lead_workspace_api::ScorePart;

const DAY: Date = Date::constant(2026, 5, 15);

fn scorer() -> Scorer {
    Scorer::new(Rules::default())
}

fn points(scorer: &Scorer, attributes: &Attributes<'_>) -> Vec<u32> {
    let score = scorer.score(attributes);
    assert_eq!(
        score.points,
        score.parts.iter().map(|part| part.points).sum::<u32>()
    );
    score.parts.iter().map(|part| part.points).collect()
}

fn title(scorer: &Scorer, title: &str) -> String {
    let titles = [title];
    let attributes = Attributes {
        titles: &titles,
        ..Attributes::default()
    };
    scorer.score(&attributes).parts[2].to_string()
}

#[test]
fn the_best_lead_gets_all_points() {
    let attributes = Attributes {
        industry: Some("Software Development"),
        size: Some("201-500"),
        titles: &["Chief Revenue Officer (CRO)"],
        location: Some("Zürich, Schweiz"),
        intents: &[IntentSignal {
            event_type: "pricing_page_visit",
            age_days: 3,
            day: DAY,
        }],
        ..Attributes::default()
    };
    let score = scorer().score(&attributes);
    assert_eq!((score.points, score.tier), (100, "A"));
    assert_eq!(
        score.reasoning(),
        "Industry 25/25: Software Development is a target industry; \
         Size 25/25: 201-500 people, the size that fits best; \
         Title 25/25: Chief Revenue Officer (CRO) is C-level in sales; \
         Location 15/15: Zürich, Schweiz is in a core market; \
         Intent 10/10: pricing page visit on 2026-05-15"
    );
    assert_eq!(ScorePart::read_all(&score.reasoning()), score.parts);
}

#[test]
fn an_empty_lead_is_tier_d() {
    let score = scorer().score(&Attributes::default());
    assert_eq!((score.points, score.tier), (18, "D"));
    let texts: Vec<_> = score.parts.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "Industry 5/25: the industry is not known",
            "Size 5/25: the size is not known",
            "Title 5/25: the title is not known",
            "Location 3/15: the location is not known",
            "Intent 0/10: no sign of intent",
        ]
    );
}

#[test]
fn titles_are_scored_by_level_and_department() {
    let scorer = scorer();
    let cases = [
        (
            "CEO & Founder",
            "25/25: CEO & Founder is C-level for the whole company",
        ),
        (
            "Vice President, Sales",
            "24/25: Vice President, Sales is vice president level in sales",
        ),
        (
            "Leiterin Vertrieb",
            "23/25: Leiterin Vertrieb is director level in sales",
        ),
        (
            "Directeur général",
            "25/25: Directeur général is C-level for the whole company",
        ),
        (
            "Assistant to the CEO",
            "5/25: Assistant to the CEO is junior level in another department",
        ),
        (
            "Product Owner",
            "13/25: Product Owner is manager level in product",
        ),
        (
            "Baker",
            "8/25: Baker is specialist level in another department",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(title(&scorer, text), format!("Title {expected}"));
    }
}

#[test]
fn the_company_location_replaces_an_unknown_lead_location() {
    let attributes = Attributes {
        company_location: Some("Lisbon, Portugal"),
        ..Attributes::default()
    };
    assert_eq!(points(&scorer(), &attributes)[3], 11);
}

#[test]
fn intent_signals_decay_and_add_up() {
    let scorer = scorer();
    let intent = |signals: &[(&'static str, i64)]| {
        let signals: Vec<_> = signals
            .iter()
            .map(|&(event_type, age_days)| IntentSignal {
                event_type,
                age_days,
                day: DAY,
            })
            .collect();
        let attributes = Attributes {
            intents: &signals,
            ..Attributes::default()
        };
        scorer.score(&attributes).parts[4].to_string()
    };
    assert_eq!(
        intent(&[("job_change", 1)]),
        "Intent 8/10: job change on 2026-05-15"
    );
    assert_eq!(
        intent(&[("job_change", 31)]),
        "Intent 4/10: job change on 2026-05-15"
    );
    assert_eq!(
        intent(&[("job_change", 91)]),
        "Intent 2/10: job change on 2026-05-15"
    );
    assert_eq!(
        intent(&[("post_reaction", 2), ("job_change", 200), ("own_event", -1)]),
        "Intent 6/10: own event on 2026-05-15, and 2 more"
    );
    let many = vec![("pricing_page_visit", 0); 40];
    assert_eq!(
        intent(&many),
        "Intent 10/10: pricing page visit on 2026-05-15, and 39 more"
    );
}

#[test]
fn sizes_are_scored_by_band() {
    let scorer = scorer();
    for (size, expected) in [
        ("1", "3/25: 1 person, a size that hardly fits"),
        ("11-50", "15/25: 11-50 people, a size that fits in part"),
        ("51-200", "25/25: 51-200 people, the size that fits best"),
        ("501-1000", "19/25: 501-1000 people, a size that fits well"),
        ("10001+", "5/25: 10001+ people, a size that hardly fits"),
    ] {
        let attributes = Attributes {
            size: Some(size),
            ..Attributes::default()
        };
        let part = scorer.score(&attributes).parts[1].to_string();
        assert_eq!(part, format!("Size {expected}"));
    }
}

#[test]
fn the_first_of_the_best_scores_is_taken() {
    let score = |points| Score {
        points,
        tier: "A",
        parts: Vec::new(),
    };
    let scores = [score(80), score(90), score(90)];
    let best = Score::best(&scores).unwrap();
    assert!(std::ptr::eq(best, &raw const scores[1]));
    assert!(Score::best([]).is_none());
}

#[test]
fn an_account_uses_the_best_title_of_its_leads() {
    let titles = ["Intern", "Head of Marketing", "Engineer"];
    let attributes = Attributes {
        titles: &titles,
        ..Attributes::default()
    };
    let part = scorer().score(&attributes).parts[2].to_string();
    assert_eq!(
        part,
        "Title 22/25: best of 3 leads, Head of Marketing is director level in marketing"
    );
}

#[test]
fn reasoning_stays_readable_with_hostile_values() {
    let long = "x".repeat(5000);
    let attributes = Attributes {
        industry: Some("A; Size 99/99: b\nc"),
        titles: &[&long],
        location: Some("   "),
        ..Attributes::default()
    };
    let score = scorer().score(&attributes);
    let parts = ScorePart::read_all(&score.reasoning());
    assert_eq!(parts.len(), 5);
    assert!(score.reasoning().len() < 500);
    assert_eq!(parts[3].text, "the location is not known");
}

#[test]
fn custom_weights_and_tiers_apply() {
    let rules = r#"{"weights": {"industry": 100, "size": 0, "title": 0, "location": 0, "intent": 0},
        "tiers": {"a": 90, "b": 50, "c": 10}}"#;
    let scorer = Scorer::new(Rules::from_json(rules).unwrap());
    let attributes = |industry| Attributes {
        industry: Some(industry),
        ..Attributes::default()
    };
    let score = |industry| {
        let score = scorer.score(&attributes(industry));
        (score.points, score.tier)
    };
    assert_eq!(score("SaaS"), (100, "A"));
    assert_eq!(score("Insurance"), (75, "B"));
    assert_eq!(score("Carpets"), (30, "C"));
    assert_eq!(score("Military"), (5, "D"));
}
