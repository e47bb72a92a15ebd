//! How decisions fall by value: what is counted, which differences are significant, and the best threshold of scores.

use lead_workspace::api::{Decode, FacetCounts, FacetSearchResult, NewApprovalStatus};
use lead_workspace::app::model::filters::Facet;
use lead_workspace::app::model::insights::column_chart::{HEIGHT, WIDTH, columns};
use lead_workspace::app::model::insights::score_histogram::{
    self, RANGES, ScoreHistogram, ScoreRange,
};
use lead_workspace::app::model::insights::share_bars::{ShareBar, share_bars};
use lead_workspace::app::model::insights::{ByStatus, FACETS, Insights, STATUSES, Totals, query};
use lead_workspace::app::model::view::LeadsView;
use proptest::prelude::*;
use serde_json::{Value, json};

const STATUS_COUNTS: [(&str, u64); 4] = [
    ("approved", 220),
    ("rejected", 780),
    ("pending_approval", 400),
    ("filtered", 100),
];

fn results(json: Value) -> Vec<FacetSearchResult> {
    let body = json!({ "facets": json }).to_string();
    FacetCounts::decode(body.as_bytes())
        .unwrap()
        .facets
        .unwrap()
}

fn facet(field: &str, items: &[(&str, u64)]) -> Value {
    let items: Vec<Value> = items
        .iter()
        .map(|(value, count)| json!({"value": value, "label": value, "count": count}))
        .collect();
    json!({"field": field, "items": items, "total_distinct": items.len(), "has_more": false})
}

/// The responses, where the values of one facet have these approved and rejected leads.
fn responses(of: Facet, values: &[(&str, u64, u64)]) -> Vec<Vec<FacetSearchResult>> {
    let responses = STATUSES.map(|status| {
        let mut facets = vec![facet("approval_status", &STATUS_COUNTS)];
        facets.extend(FACETS.map(|facet_of| {
            let items: Vec<(&str, u64)> = values
                .iter()
                .map(|(value, approved, rejected)| match status {
                    NewApprovalStatus::Approved => (*value, *approved),
                    NewApprovalStatus::Rejected => (*value, *rejected),
                    _ => (*value, 0),
                })
                .filter(|(_, count)| *count > 0 && facet_of == of)
                .collect();
            facet(&String::from(facet_of.field()), &items)
        }));
        results(json!(facets))
    });
    responses.into()
}

fn leading(values: &[(&str, u64, u64)]) -> Vec<String> {
    let insights = Insights::read(responses(Facet::IntentType, values)).unwrap();
    let found = insights.differences();
    found.iter().map(|value| value.value.clone()).collect()
}

#[test]
fn a_query_counts_within_the_filters_and_the_search_but_not_the_tab() {
    let view = LeadsView::from_query("tab=rejected&q=cto&icp_tier=A&sort=name");
    let body = serde_json::to_value(query(&view, NewApprovalStatus::Approved)).unwrap();
    assert_eq!(
        body["filters"],
        json!([{"field": "icp_tier", "operator": "in", "value": ["A"]}])
    );
    assert_eq!(body["search"], "cto");
    let facets = body["facets"].as_array().unwrap();
    assert_eq!(facets.len(), FACETS.len() + 1);
    assert_eq!(facets[0]["field"], "approval_status");
    assert_eq!(facets[0]["selected"], json!(["approved"]));
    assert_eq!(facets[1]["field"], "icp_tier");
    assert_eq!(facets[1]["selected"], json!([]));
}

#[test]
fn totals_and_shares_are_of_approved_and_rejected_leads() {
    let insights = Insights::read(responses(Facet::IntentType, &[("hiring", 41, 59)])).unwrap();
    assert_eq!(insights.totals.all, 1500);
    assert_eq!(insights.totals.counts.decided(), Some(1000));
    assert_eq!(insights.totals.counts.share().unwrap().words(), "22%");
    let hiring = &insights.values.as_ref().unwrap()[0];
    assert_eq!(hiring.counts.0, [Some(41), Some(59), Some(0), Some(0)]);
    assert_eq!(hiring.counts.share().unwrap().words(), "41%");
}

#[test]
fn the_largest_sure_difference_leads_in_either_direction() {
    let values = [
        ("average", 22, 78),
        ("more", 41, 59),
        ("most", 80, 20),
        ("never", 0, 200),
    ];
    assert_eq!(leading(&values), ["most", "never", "more"]);
}

#[test]
fn few_decisions_do_not_lead() {
    // All approved, but too few to say anything.
    assert_eq!(leading(&[("few", 9, 0)]), Vec::<String>::new());
    // A larger share of fewer decisions is less significant.
    assert_eq!(
        leading(&[("ten", 10, 0), ("many", 900, 100)]),
        ["many", "ten"]
    );
    // Ten decisions with a share that a tenth of all such groups have.
    assert_eq!(leading(&[("maybe", 4, 6)]), Vec::<String>::new());
}

#[test]
fn a_count_that_a_response_left_out_is_not_known() {
    let mut all = responses(Facet::Title, &[("CTO", 30, 0)]);
    let rejected = &mut all[1];
    let at = FACETS
        .iter()
        .position(|facet| *facet == Facet::Title)
        .unwrap()
        + 1;
    rejected[at].has_more = Some(true);
    let insights = Insights::read(all).unwrap();
    assert_eq!(insights.values.as_ref().unwrap()[0].counts.rejected(), None);
    assert!(insights.differences().is_empty());
    assert!(insights.decided_values(Facet::Title).is_empty());
}

#[test]
fn tiers_and_sizes_keep_their_order_and_titles_are_by_decisions() {
    let order = |facet, values: &[(&str, u64, u64)]| {
        let insights = Insights::read(responses(facet, values)).unwrap();
        let values = insights.decided_values(facet);
        let values: Vec<String> = values.iter().map(|value| value.value.clone()).collect();
        values.join(" ")
    };
    assert_eq!(order(Facet::IcpTier, &[("C", 9, 9), ("A", 1, 1)]), "A C");
    let sizes = [("10001+", 1, 1), ("51-200", 1, 1), ("1-10", 1, 0)];
    assert_eq!(order(Facet::CompanySize, &sizes), "1-10 51-200 10001+");
    assert_eq!(
        order(Facet::Title, &[("CTO", 1, 1), ("CEO", 5, 5)]),
        "CEO CTO"
    );
}

#[test]
fn an_incomplete_response_is_not_read() {
    let mut all = responses(Facet::Title, &[]);
    all[2].pop();
    assert_eq!(Insights::read(all), None);
}

#[test]
fn totals_are_read_from_the_tabs_of_a_server_that_counts_no_facets() {
    let totals = Totals::from_tabs([400, 220, 780, 100, 1500]);
    assert_eq!(
        totals.counts.0,
        [Some(220), Some(780), Some(400), Some(100)]
    );
    assert_eq!(totals.all, 1500);
}

fn histogram(ranges: &[(u64, u64)]) -> ScoreHistogram {
    let ranges = ranges.iter();
    let ranges = ranges.map(|(approved, rejected)| ScoreRange {
        approved: *approved,
        rejected: *rejected,
    });
    ScoreHistogram(ranges.collect())
}

#[test]
fn the_threshold_reproduces_the_most_decisions() {
    let histogram = histogram(&[(0, 10), (2, 8), (3, 5), (9, 1), (10, 0)]);
    let threshold = histogram.threshold().unwrap();
    assert_eq!(threshold.score, 30);
    // 10 + 8 + 5 rejected below, 9 + 10 approved from it on, of 48.
    assert_eq!(threshold.agreement.words(), "88%");
}

#[test]
fn no_threshold_is_better_than_one_answer_for_all() {
    assert_eq!(histogram(&[(5, 1), (5, 1)]).threshold(), None);
    assert_eq!(histogram(&[(0, 3), (0, 4)]).threshold(), None);
    assert_eq!(histogram(&[]).threshold(), None);
}

#[test]
fn the_ranges_of_scores_cover_all_scores_once() {
    let view = LeadsView::from_query("q=cto");
    let filters = |range| {
        serde_json::to_value(score_histogram::query(&view, range)).unwrap()["filters"].clone()
    };
    let gte = |value| json!({"field": "icp_score", "operator": "gte", "value": value});
    let lt = |value| json!({"field": "icp_score", "operator": "lt", "value": value});
    assert_eq!(filters(0), json!([gte(0), lt(10)]));
    assert_eq!(filters(6), json!([gte(60), lt(70)]));
    assert_eq!(filters(RANGES - 1), json!([gte(90)]));
    let read = score_histogram::read(&results(json!([facet("approval_status", &STATUS_COUNTS)])));
    assert_eq!(
        read,
        Some(ScoreRange {
            approved: 220,
            rejected: 780
        })
    );
}

proptest! {
    #[test]
    fn columns_stay_in_the_drawing(values in proptest::collection::vec(any::<[u32; 2]>(), 0..30)) {
        let values: Vec<[u64; 2]> = values.iter().map(|parts| parts.map(u64::from)).collect();
        for (parts, values) in columns(&values).iter().zip(&values) {
            for (part, value) in parts.iter().zip(values) {
                prop_assert!(part.left + part.width <= WIDTH && part.top + part.height <= HEIGHT + 2);
                prop_assert_eq!(part.height == 0, *value == 0);
            }
        }
    }
}

#[test]
fn bars_begin_at_the_average_and_fill_the_width() {
    let counts = |approved, rejected| ByStatus([Some(approved), Some(rejected), None, None]);
    let values = [counts(90, 10), counts(10, 90), counts(50, 50)];
    let bars = share_bars(&values, counts(30, 70));
    assert_eq!(bars.average, 250);
    let bar = |from, to, is_above| ShareBar { from, to, is_above };
    let expected = [
        bar(250, 1000, true),
        bar(0, 250, false),
        bar(250, 500, true),
    ];
    assert_eq!(bars.bars, expected);
    assert_eq!(share_bars(&[], ByStatus::default()).bars, []);
}
