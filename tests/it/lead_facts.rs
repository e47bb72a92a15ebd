//! What the approval model reads of a lead.

use lead_workspace::app::model::approval_model::{FactKind, LeadFacts};
use lead_workspace::app::model::lead::LeadItem;

#[test]
fn the_facts_of_a_lead() {
    let lead = LeadItem {
        title: Some("Senior Director, Revenue & Growth".into()),
        company_size: Some("1,001-5,000 employees".into()),
        location: Some("Munich, Bavaria, Germany".into()),
        score: Some(82.6),
        reasoning: Some("Industry 25/25: Software; Intent 0/10: no sign of intent".into()),
        ..LeadItem::default()
    };
    let facts = LeadFacts::new(&lead);
    let of = |kind: FactKind| {
        let found = facts.facts().iter().filter(move |fact| fact.kind == kind);
        found
            .map(|fact| (fact.level, fact.text.as_str()))
            .collect::<Vec<_>>()
    };
    assert_eq!(of(FactKind::Seniority), [(5, "")]);
    let words = ["Director", "Growth", "Revenue", "Senior"];
    assert_eq!(of(FactKind::TitleWord), words.map(|word| (0, word)));
    assert_eq!(of(FactKind::Size), [(7, "")]);
    assert_eq!(of(FactKind::Country), [(0, "Germany")]);
    assert_eq!(of(FactKind::Place), [(0, "Bavaria"), (0, "Munich")]);
    assert_eq!(of(FactKind::Score), [(16, "")]);
    assert_eq!(of(FactKind::ScorePart), [(0, "Intent"), (4, "Industry")]);
    assert_eq!(of(FactKind::Intent), [(0, "")]);
}

#[test]
fn seniority_is_read_from_titles() {
    let levels = [
        ("", 0),
        ("Assistant to the CEO", 1),
        ("Junior Buyer", 1),
        ("Buyer", 2),
        ("Senior Buyer", 3),
        ("Customer Success MANAGER", 4),
        ("Leitung Vertrieb", 5),
        ("Head of Sales", 5),
        ("Senior Vice President, Sales", 6),
        ("SVP Sales", 6),
        ("Geschäftsführer", 7),
        ("Managing Director", 7),
        ("Chief Revenue Officer", 7),
        ("Co-Founder & CTO", 8),
        ("Gründerin", 8),
    ];
    for (title, level) in levels {
        let lead = LeadItem {
            title: Some(title.to_owned()),
            ..LeadItem::default()
        };
        let facts = LeadFacts::new(&lead);
        let seniority = facts
            .facts()
            .iter()
            .find(|fact| fact.kind == FactKind::Seniority);
        assert_eq!(seniority.unwrap().level, level, "{title}");
    }
}
