//! The portfolio view of several accounts: its URL and its order.

use std::sync::Arc;

use lead_workspace::api::{
    Account, AccountDetail, AccountPulse, AccountSort, Decode, Request, SortDir,
};
use lead_workspace::app::model::account_pulse::Funnel;
use lead_workspace::app::model::account_pulse::Pulse;
use lead_workspace::app::model::portfolio_group::{PortfolioGroup, total};
use lead_workspace::app::model::portfolio_view::{
    AccountSummary, MAX_ACCOUNTS, PortfolioAccount, PortfolioOrder, PortfolioView, arrange,
};
use lead_workspace::app::model::route::param;
use lead_workspace::review::selection::{SelectedValue, Selection};
use proptest::prelude::*;
use proptest::sample::select;

proptest! {
    #[test]
    fn the_view_round_trips(accounts in proptest::collection::btree_set(".{1,12}", 0..6), search in any::<String>(), order in select(&PortfolioOrder::ALL[..])) {
        let accounts: Vec<String> = accounts.into_iter().collect();
        // A view of selected accounts has no search.
        let search = if accounts.is_empty() { search } else { String::new() };
        let view = PortfolioView { accounts, search, order };
        prop_assert_eq!(&PortfolioView::from_query(&view.to_query()), &view);
        prop_assert!(view.query().check().is_ok());
    }

    #[test]
    fn any_address_is_a_valid_view(query in ".{0,80}") {
        let view = PortfolioView::from_query(&query);
        prop_assert_eq!(PortfolioView::from_query(&view.to_query()), view);
    }

    #[test]
    fn sorting_only_reorders_accounts(members in proptest::collection::vec(member(), 0..12), order in select(&PortfolioOrder::ALL[..])) {
        let mut sorted = members.clone();
        arrange(&mut sorted, order);
        let ids = |members: &[PortfolioAccount]| {
            let mut ids: Vec<_> = members.iter().map(|member| Arc::clone(&member.id)).collect();
            ids.sort();
            ids
        };
        prop_assert_eq!(ids(&sorted), ids(&members));
        let mut again = sorted.clone();
        arrange(&mut again, order);
        let order = |members: &[PortfolioAccount]| members.iter().map(|member| Arc::clone(&member.id)).collect::<Vec<_>>();
        prop_assert_eq!(order(&again), order(&sorted));
    }
}

fn member() -> impl Strategy<Value = PortfolioAccount> {
    let count = || proptest::option::of(prop_oneof![Just(0), Just(u64::MAX), 0u64..9]);
    let score = proptest::option::of(prop_oneof![Just(f64::NAN), -1.0..101.0f64]);
    let summary = proptest::option::of((".{0,4}", score));
    (
        any::<u32>(),
        summary,
        proptest::option::of((count(), count())),
    )
        .prop_map(|(id, summary, pulse)| PortfolioAccount {
            id: format!("{id}").into(),
            summary: summary.map(|(name, score)| face_of(&name, score)),
            pulse: pulse.map(|(talking, replied)| pulse_of(talking, replied)),
        })
}

fn face_of(name: &str, score: Option<f64>) -> Arc<AccountSummary> {
    Arc::new(AccountSummary::from_account(Account {
        name: Some(name.into()),
        icp_score: score,
        ..Account::default()
    }))
}

fn pulse_of(talking: Option<u64>, replied: Option<u64>) -> Arc<Pulse> {
    Arc::new(Pulse::new(AccountPulse {
        leads_with_conversations: talking,
        leads_replied: replied,
        ..AccountPulse::default()
    }))
}

#[test]
fn the_highest_is_first_and_unknown_values_are_last() {
    let member = |id: &str, name: &str, score, talking, replied| PortfolioAccount {
        id: id.into(),
        summary: Some(face_of(name, score)),
        pulse: Some(pulse_of(talking, replied)),
    };
    let members = [
        member("few", "beta", Some(10.0), Some(2), Some(1)),
        member("none", "Gamma", None, Some(0), Some(0)),
        PortfolioAccount {
            id: "unmet".into(),
            ..PortfolioAccount::default()
        },
        member("many", "Alpha", Some(90.0), Some(9), Some(3)),
        member("all", "delta", Some(50.0), Some(1), Some(1)),
    ];
    let sorted = |order| {
        let mut members = members.to_vec();
        arrange(&mut members, order);
        let ids = members.iter().map(|member| member.id.to_string());
        ids.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(sorted(PortfolioOrder::Score), "many all few none unmet");
    assert_eq!(sorted(PortfolioOrder::Name), "many few all none unmet");
    assert_eq!(
        sorted(PortfolioOrder::Conversations),
        "many few all none unmet"
    );
    assert_eq!(sorted(PortfolioOrder::ReplyRate), "all few many none unmet");
}

#[test]
fn the_address_lists_accounts_or_queries_the_best() {
    let best = PortfolioView::from_query("q=+north+&sort=reply_rate");
    assert_eq!(best.order, PortfolioOrder::ReplyRate);
    let query = best.query();
    assert_eq!(query.search.as_deref(), Some("north"));
    assert_eq!(
        (query.sort_by, query.sort_dir, query.page_size),
        (AccountSort::IcpScore, SortDir::Desc, 12)
    );

    let chosen = PortfolioView::from_query("account=a&account=&account=b&account=a&q=x&sort=odd");
    assert_eq!(
        (chosen.accounts.join(" "), &*chosen.search, chosen.order),
        ("a b".into(), "", PortfolioOrder::Score)
    );
    assert_eq!(chosen.searched("x").to_query(), "q=x");
    assert_eq!(chosen.only("b c").to_query(), "account=b+c");
    assert_eq!(
        param("q=x&account=%61&account=b", "account").as_deref(),
        Some("a")
    );
    assert_eq!(param("account=", "account"), None);
    let many: Vec<String> = (0..200).map(|n| format!("account={n}")).collect();
    assert_eq!(
        PortfolioView::from_query(&many.join("&")).accounts.len(),
        MAX_ACCOUNTS
    );
}

#[test]
fn an_account_summary_always_has_a_name() {
    assert_eq!(
        AccountSummary::from_account(Account::default()).name,
        "Unnamed account"
    );
    let detail = AccountDetail {
        name: Some("Halden Marine".into()),
        icp_tier: Some(" ".into()),
        ..AccountDetail::default()
    };
    let summary = AccountSummary::from_detail(&detail);
    assert_eq!((&*summary.name, summary.tier), ("Halden Marine", None));
}

#[test]
fn the_best_of_many_selected_accounts_are_shown() {
    let mut ticks = Selection::default();
    // Every fourth account has no score; among the others, later ones score higher.
    let has_score = |id: &usize| !id.is_multiple_of(4);
    let points = |id: usize| has_score(&id).then_some(id as f64);
    ticks.add((0..MAX_ACCOUNTS + 30).map(|id| {
        (
            format!("a{id:02}").into(),
            SelectedValue::Points(points(id)),
        )
    }));
    let view = PortfolioView::from_selection(&ticks);
    let best = (0..MAX_ACCOUNTS + 30)
        .rev()
        .filter(has_score)
        .take(MAX_ACCOUNTS);
    let best: Vec<String> = best.map(|id| format!("a{id:02}")).collect();
    assert_eq!(view.accounts, best);
    assert_eq!(PortfolioView::from_query(&view.to_query()), view);

    let mut few = Selection::default();
    assert_eq!(
        PortfolioView::from_selection(&few),
        PortfolioView::default()
    );
    few.add(
        [None, Some(1.0)]
            .map(|points| (format!("{points:?}").into(), SelectedValue::Points(points))),
    );
    assert_eq!(
        PortfolioView::from_selection(&few).accounts,
        ["Some(1.0)", "None"]
    );
}

#[test]
fn conversations_worth_acting_on_come_first() {
    let group = |json: &str| {
        let pulse = Pulse::new(AccountPulse::decode(json.as_bytes()).unwrap());
        PortfolioGroup::of(Some(&pulse))
    };
    let best = |class: &str| {
        group(&format!(
            r#"{{"leads_with_conversations":1,"best_signal":{{"lead_name":"Ada","classification":"{class}"}}}}"#
        ))
    };
    assert_eq!(best("interested"), PortfolioGroup::WorthActing);
    assert_eq!(best("not_interested"), PortfolioGroup::InConversation);
    assert_eq!(best("unheard_of"), PortfolioGroup::InConversation);
    assert_eq!(
        group(r#"{"leads_with_conversations":2}"#),
        PortfolioGroup::InConversation
    );
    for quiet in [
        r#"{"total_leads":3,"leads_with_conversations":0}"#,
        r#"{"total_leads":0}"#,
        "{}",
    ] {
        assert_eq!(group(quiet), PortfolioGroup::Quiet);
    }
    assert_eq!(
        PortfolioGroup::of(None),
        PortfolioGroup::InConversation,
        "its error must not be hidden"
    );
}

#[test]
fn numbers_are_added_up_only_if_all_are_known() {
    let funnel = |leads, talking, replied| Funnel {
        leads,
        talking,
        replied,
    };
    let all = [
        funnel(Some(6), Some(2), Some(1)),
        funnel(Some(u64::MAX), None, Some(0)),
    ];
    assert_eq!(
        total(all.iter()),
        funnel(Some(u64::MAX), None, Some(1)),
        "too large sums stay at the limit"
    );
    assert_eq!(total([].iter()), funnel(Some(0), Some(0), Some(0)));
}

#[test]
fn bars_of_leads_never_exceed_their_width() {
    let percents = |leads, talking, replied| {
        let funnel = Funnel {
            leads,
            talking,
            replied,
        };
        funnel.percents()
    };
    assert_eq!(percents(Some(6), Some(3), Some(1)), (50, 16));
    assert_eq!(percents(Some(2), Some(5), None), (100, 0));
    assert_eq!(percents(Some(0), Some(0), Some(0)), (0, 0));
    assert_eq!(percents(None, Some(1), Some(1)), (0, 0));
    assert_eq!(percents(Some(u64::MAX), Some(u64::MAX), Some(1)), (100, 0));
}
