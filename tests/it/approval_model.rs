//! The approval model: what it learns, what it says about itself, and what is stored.

use fastrand::Rng;
use lead_workspace::app::model::approval_model::{
    ApprovalModel, DecisionLog, LeadFacts, MIN_DECISIONS, Progress, Training, next_training,
};
use lead_workspace::app::model::lead::LeadItem;

use crate::generated_leads::{generated, is_maritime, log_of};

fn is_small(lead: &LeadItem) -> bool {
    matches!(lead.company_size.as_deref(), Some("2-10" | "11-50"))
}

fn maritime_model(decisions: usize) -> ApprovalModel {
    let leads = generated(1, decisions);
    ApprovalModel::train(&log_of(&leads, is_maritime)).unwrap()
}

#[test]
fn it_learns_a_rule() {
    let model = maritime_model(200);
    for lead in generated(2, 200) {
        let likelihood = model.likelihood(&LeadFacts::new(&lead));
        assert_eq!(likelihood > 0.5, is_maritime(&lead), "{lead:?}");
    }
    let held_out = model.held_out();
    assert_eq!(held_out.decisions(), 200);
    assert!(held_out.agreed() >= 196, "{}", held_out.agreed());
    assert!((130..=170).contains(&held_out.majority()));
    assert!(held_out.is_informative());
}

#[test]
fn it_learns_rules_of_two_facts() {
    let approves =
        |lead: &LeadItem| is_small(lead) && lead.title.as_deref() != Some("Junior Buyer");
    let leads = generated(3, 400);
    let model = ApprovalModel::train(&log_of(&leads, approves)).unwrap();
    let right =
        |lead: &&LeadItem| (model.likelihood(&LeadFacts::new(lead)) > 0.5) == approves(lead);
    let others = generated(4, 400);
    assert!(others.iter().filter(right).count() >= 396);
}

#[test]
fn it_needs_enough_decisions_of_both_outcomes() {
    let leads = generated(5, MIN_DECISIONS);
    let first = |count: usize| {
        let mut number = 0;
        move |_: &LeadItem| {
            number += 1;
            number <= count
        }
    };
    assert!(ApprovalModel::train(&DecisionLog::default()).is_none());
    assert!(ApprovalModel::train(&log_of(&leads[1..], first(15))).is_none());
    assert!(ApprovalModel::train(&log_of(&leads, first(4))).is_none());
    assert!(ApprovalModel::train(&log_of(&leads, first(26))).is_none());
    for enough in [5, 15, 25] {
        assert!(ApprovalModel::train(&log_of(&leads, first(enough))).is_some());
    }
}

#[test]
fn random_decisions_teach_nothing() {
    let mut informative = 0;
    for seed in 0..20 {
        let leads = generated(seed, 400);
        let mut coin = Rng::with_seed(seed + 100);
        let model = ApprovalModel::train(&log_of(&leads, |_| coin.u32(..10) < 3)).unwrap();
        let held_out = model.held_out();
        informative += u32::from(held_out.is_informative());
        let facts: Vec<_> = leads.iter().map(LeadFacts::new).collect();
        assert!(model.offer_approval(&facts).is_empty());
        assert!(model.offer_rejection(&facts).is_empty());
        let gain = held_out.agreed() as i64 - held_out.majority() as i64;
        assert!(gain <= 8, "{gain} of 400 better than the base rate");
        assert!((40..=60).contains(&held_out.ordered_percent()));
    }
    assert!(informative <= 1, "{informative} of 20");
}

#[test]
fn what_is_known_of_colleagues_does_not_count() {
    // Each company has its own industry, and its leads are decided alike: the industry says which
    // company it is, and nothing about other companies.
    let mut leads = generated(6, 300);
    let mut approved = Vec::new();
    for (number, lead) in leads.iter_mut().enumerate() {
        let company = number % 60;
        lead.company = Some(format!("Company {company}"));
        lead.industry = Some(format!("Industry {company}"));
        approved.push(Rng::with_seed(company as u64).bool());
    }
    let mut next = approved.iter();
    let model = ApprovalModel::train(&log_of(&leads, |_| *next.next().unwrap())).unwrap();
    assert!(!model.held_out().is_informative());
}

#[test]
fn the_explanation_names_the_facts_that_count() {
    let leads = generated(7, 300);
    let approves = |lead: &LeadItem| is_maritime(lead) && is_small(lead);
    let model = ApprovalModel::train(&log_of(&leads, approves)).unwrap();
    let maritime = leads.iter().filter(|lead| is_maritime(lead)).count();
    let approved = leads.iter().filter(|lead| approves(lead)).count();

    let mut lead = generated(8, 1).remove(0);
    lead.industry = Some("Maritime logistics".into());
    lead.company_size = Some("1001-5000".into());
    let explanation = model.explain(&LeadFacts::new(&lead));
    let counts = format!("Maritime logistics: you approved {approved} of {maritime}");
    assert_eq!(explanation.speaks_for[0], counts);
    assert_eq!(
        explanation.speaks_against[0],
        "Larger company than all that you approved"
    );

    lead.industry = Some("Banking".into());
    lead.company_size = Some("2-10".into());
    let explanation = model.explain(&LeadFacts::new(&lead));
    let tiny = |lead: &&LeadItem| lead.company_size.as_deref() == Some("2-10");
    let banks = |lead: &&LeadItem| lead.industry.as_deref() == Some("Banking");
    let of = |is: fn(&&LeadItem) -> bool| {
        let decided: Vec<_> = leads.iter().filter(is).collect();
        let approved = decided.iter().filter(|lead| approves(lead)).count();
        format!("you approved {approved} of {}", decided.len())
    };
    assert_eq!(
        explanation.speaks_for[0],
        format!("2-10 people: {}", of(tiny))
    );
    assert_eq!(
        explanation.speaks_against[0],
        format!("Banking: {}", of(banks))
    );
}

#[test]
fn an_explanation_has_at_most_two_facts_on_each_side() {
    let leads = generated(9, 200);
    let model = ApprovalModel::train(&log_of(&leads, |lead| lead.score > Some(60.0))).unwrap();
    let mut scores = 0;
    for lead in generated(10, 100) {
        let explanation = model.explain(&LeadFacts::new(&lead));
        assert!(explanation.speaks_for.len() <= 2 && explanation.speaks_against.len() <= 2);
        let (side, start) = match lead.score > Some(75.0) {
            true => (explanation.speaks_for, ["Score of ", "Tier "]),
            false if lead.score < Some(45.0) => {
                (explanation.speaks_against, ["Score below ", "Tier "])
            }
            false => continue,
        };
        assert!(
            start.iter().any(|start| side[0].starts_with(start)),
            "{side:?}"
        );
        let fact = side[0].strip_prefix("Score of ");
        if let Some((points, counts)) = fact.and_then(|fact| fact.split_once(" or more: ")) {
            let points: f64 = points.parse().unwrap();
            let decided = leads.iter().filter(|lead| lead.score >= Some(points));
            let of_all = format!(" of {}", decided.count());
            assert!(counts.ends_with(&of_all), "{side:?}");
            scores += 1;
        }
    }
    assert!(scores > 5, "{scores}");
    assert_eq!(model.explain(&LeadFacts::default()).speaks_for, [""; 0]);
}

#[test]
fn an_offer_needs_many_held_out_decisions_that_agree() {
    let pending = generated(11, 200);
    let facts: Vec<_> = pending.iter().map(LeadFacts::new).collect();
    let few = maritime_model(200);
    assert!(
        few.offer_approval(&facts).is_empty(),
        "50 approvals are too few"
    );

    let many = maritime_model(600);
    let offer = many.offer_approval(&facts);
    let maritime = pending.iter().filter(|lead| is_maritime(lead)).count();
    assert!(offer.iter().all(|index| is_maritime(&pending[*index])));
    assert!(
        offer.len() * 10 >= maritime * 8,
        "{} of {maritime}",
        offer.len()
    );
    let likelihoods: Vec<f64> = offer
        .iter()
        .map(|at| many.likelihood(&facts[*at]))
        .collect();
    assert!(likelihoods.is_sorted_by(|one, next| one >= next));
    let rejection = many.offer_rejection(&facts);
    assert!(!rejection.is_empty());
    assert!(rejection.iter().all(|index| !is_maritime(&pending[*index])));
}

#[test]
fn there_is_no_offer_if_one_in_ten_decisions_differs() {
    let leads = generated(12, 1000);
    let mut noise = Rng::with_seed(13);
    let log = log_of(&leads, |lead| is_maritime(lead) != (noise.u32(..10) == 0));
    let model = ApprovalModel::train(&log).unwrap();
    let facts: Vec<_> = leads.iter().map(LeadFacts::new).collect();
    assert!(model.held_out().is_informative());
    assert!(model.offer_approval(&facts).is_empty());
    // The likelihood is calibrated: nine of ten, not certainty.
    let maritime = leads.iter().position(is_maritime).unwrap();
    let likelihood = model.likelihood(&facts[maritime]);
    assert!((0.8..0.97).contains(&likelihood), "{likelihood}");
}

#[test]
fn unusual_decisions_are_found_and_named_once() {
    let leads = generated(14, 300);
    let slips = [20, 120, 220];
    let mut log = log_of(&leads, is_maritime);
    for slip in slips {
        let lead = &leads[slip];
        log.forget(&lead.id);
        log.record(&lead.id, &LeadFacts::new(lead), !is_maritime(lead));
    }
    let unusual = |log: &DecisionLog| {
        let model = ApprovalModel::train(log).unwrap();
        let leads = model.unusual_decisions().iter();
        let mut leads: Vec<String> = leads.map(|one| one.lead.clone()).collect();
        leads.sort();
        leads
    };
    assert_eq!(unusual(&log), ["lead-120", "lead-20", "lead-220"]);
    for (slip, approved) in [
        (20, is_maritime(&leads[20])),
        (120, !is_maritime(&leads[120])),
    ] {
        log.record(&leads[slip].id, &LeadFacts::new(&leads[slip]), approved);
    }
    assert_eq!(
        unusual(&log),
        ["lead-220"],
        "one was corrected, one decided again"
    );
    log.confirm("lead-220");
    assert_eq!(unusual(&log), [""; 0], "the last one was confirmed");
    let restored = DecisionLog::from_stored(&log.to_stored()).unwrap();
    assert_eq!(unusual(&restored), [""; 0]);
}

#[test]
fn a_suggestion_is_made_only_by_an_informative_model() {
    let model = maritime_model(200);
    let leads = generated(19, 50);
    for lead in &leads {
        let suggestion = model.suggestion(&LeadFacts::new(lead)).unwrap();
        assert!((1..=99).contains(&suggestion.percent));
        assert_eq!(suggestion.percent > 50, is_maritime(lead));
    }
    let mut coin = Rng::with_seed(20);
    let chance = log_of(&generated(21, 60), |_| coin.bool());
    let chance = ApprovalModel::train(&chance).unwrap();
    assert!(!chance.held_out().is_informative());
    assert_eq!(chance.suggestion(&LeadFacts::new(&leads[0])), None);
}

#[test]
fn the_order_is_that_of_the_likelihood() {
    let model = maritime_model(200);
    let facts: Vec<_> = generated(22, 50).iter().map(LeadFacts::new).collect();
    let order = model.order(&facts);
    assert_eq!(order.len(), 50);
    let ordered = order.iter().map(|at| model.likelihood(&facts[*at]));
    assert!(ordered.is_sorted_by(|one, next| one >= next));
}

#[test]
fn progress_says_what_is_missing() {
    let progress = |decisions, approved| Progress::new(decisions, approved, None);
    assert_eq!(
        progress(12, 7).sentence(),
        "Suggestions start after 30 decisions: 12 so far."
    );
    assert_eq!(
        progress(40, 38).sentence(),
        "Suggestions start after 5 approvals and 5 rejections: 38 and 2 so far."
    );
    assert_eq!(progress(40, 20), Progress::Training);
    let model = maritime_model(200);
    let ready = Progress::new(205, 50, Some(&model));
    assert!(ready.is_ready());
    assert_eq!(ready.sentence(), "Learned from 200 of your decisions.");
    let mut coin = Rng::with_seed(20);
    let chance = log_of(&generated(21, 60), |_| coin.bool());
    let chance = Progress::new(60, 30, ApprovalModel::train(&chance).as_ref());
    assert!(!chance.is_ready());
    assert_eq!(
        chance.sentence(),
        "Your 60 decisions show no clear pattern yet."
    );
}

#[test]
fn training_in_steps_gives_the_same_model() {
    let leads = generated(23, 100);
    let log = log_of(&leads, is_small);
    let mut training = Training::new(log.clone()).unwrap();
    let mut steps = 1;
    while training.step() {
        steps += 1;
    }
    assert_eq!(steps, 5);
    let (stepwise, at_once) = (training.finish(), ApprovalModel::train(&log).unwrap());
    let facts = LeadFacts::new(&leads[0]);
    assert_eq!(stepwise.likelihood(&facts), at_once.likelihood(&facts));
    assert_eq!(stepwise.held_out(), at_once.held_out());
    assert_eq!([30, 200, 500].map(next_training), [20, 20, 50]);
}

#[test]
fn training_is_deterministic_and_survives_storage() {
    let leads = generated(17, 150);
    let mut log = log_of(&leads, is_small);
    log.record(
        &leads[0].id,
        &LeadFacts::new(&leads[0]),
        is_small(&leads[0]),
    );
    log.forget(&leads[1].id);
    let restored = DecisionLog::from_stored(&log.to_stored()).unwrap();
    assert_eq!(restored.to_stored(), log.to_stored());
    let models = [&log, &log, &restored].map(|log| ApprovalModel::train(log).unwrap());
    for lead in generated(18, 20) {
        let facts = LeadFacts::new(&lead);
        let [one, again, restored] = models.each_ref().map(|model| model.likelihood(&facts));
        assert_eq!(one.to_bits(), again.to_bits());
        assert!((one - restored).abs() < 1e-6, "{one} {restored}");
        assert_eq!(models[0].explain(&facts), models[2].explain(&facts));
    }
}
