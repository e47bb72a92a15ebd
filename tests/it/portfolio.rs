//! The portfolio view of several accounts: its URL and its order.

use std::sync::Arc;

use lead_workspace::api::{
    Account, AccountDetail, AccountId, AccountPulse, AccountSort, Decode, Request, SortDir,
};
use lead_workspace::app::model::account_pulse::Funnel;
use lead_workspace::app::model::account_pulse::Pulse;
use lead_workspace::app::model::portfolio_account::{AccountSummary, PortfolioAccount};
use lead_workspace::app::model::portfolio_group::{Grouping, PortfolioSums, percent, scale};
use lead_workspace::app::model::portfolio_order::{PortfolioOrder, arrange};
use lead_workspace::app::model::portfolio_view::{MAX_ACCOUNTS, PAGE_SIZE, PortfolioView};
use lead_workspace::app::model::route::param;
use lead_workspace::app::model::similar_accounts::Likeness;
use lead_workspace::review::selection::{SelectedValue, Selection};
use proptest::prelude::*;
use proptest::sample::select;

proptest! {
    #[test]
    fn the_view_round_trips(accounts in proptest::collection::btree_set(".{1,12}", 0..6), search in any::<String>(), order in select(&PortfolioOrder::ALL[..]), grouping in select(&Grouping::ALL[..]), page in 1u32..) {
        let accounts: Vec<String> = accounts.into_iter().collect();
        // A view of selected accounts has no search and a single page.
        let (search, page) = if accounts.is_empty() { (search, page) } else { (String::new(), 1) };
        let view = PortfolioView { accounts, search, order, grouping, page };
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
        for grouping in Grouping::ALL {
            let groups = grouping.groups(&members);
            let mut grouped: Vec<_> = groups.into_iter().flat_map(|group| group.ids).collect();
            grouped.sort();
            prop_assert_eq!(grouped, ids(&members), "each account is in one group");
        }
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
        (AccountSort::IcpScore, SortDir::Desc, PAGE_SIZE)
    );
    assert_eq!(best.request(), best.sorted(PortfolioOrder::Score).request());
    let by_name = best.at_page(3).sorted(PortfolioOrder::Name);
    let query = by_name.query();
    assert_eq!(
        (query.sort_by, query.sort_dir, query.page),
        (AccountSort::Name, SortDir::Asc, 1),
        "another order starts at its first page"
    );
    let paged = PortfolioView::from_query("q=north&group=tier&page=3");
    assert_eq!((paged.query().page, paged.grouping), (3, Grouping::Tier));
    assert_eq!(paged.grouped(Grouping::None).to_query(), "q=north&page=3");
    assert_eq!(paged.searched("x").to_query(), "q=x&group=tier");
    for odd in ["0", "-1", "many", "99999999999"] {
        assert_eq!(PortfolioView::from_query(&format!("page={odd}")).page, 1);
    }

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

fn account(json: &str, pulse: Option<&str>) -> PortfolioAccount {
    let account = Account::decode(json.as_bytes()).unwrap();
    let id = account.id.clone().map(String::from).unwrap_or_default();
    let pulse = pulse.map(|json| AccountPulse::decode(json.as_bytes()).unwrap());
    PortfolioAccount {
        id: id.into(),
        summary: Some(Arc::new(AccountSummary::from_account(account))),
        pulse: pulse.map(|pulse| Arc::new(Pulse::new(pulse))),
    }
}

#[test]
fn a_group_is_where_its_first_account_is() {
    let scores = r#""list_scores":[{"list_name":"Ports","icp_score":20},{"list_name":"Yards","icp_score":60}]"#;
    let members = [
        account(r#"{"id":"a"}"#, None),
        account(
            r#"{"id":"b","industry":"Ships","staff_count_range":"51-200","icp_tier":"B"}"#,
            None,
        ),
        account(
            &format!(
                r#"{{"id":"c","industry":"Air","staff_count_range":"1","icp_tier":"A",{scores}}}"#
            ),
            None,
        ),
        account(r#"{"id":"d","industry":"Ships","icp_tier":"A"}"#, None),
    ];
    let groups = |grouping: Grouping| {
        let groups = grouping.groups(&members);
        let groups = groups
            .iter()
            .map(|group| format!("{}: {}", group.title, group.ids.join(" ")));
        groups.collect::<Vec<_>>()
    };
    assert_eq!(groups(Grouping::None), [": a b c d"]);
    assert_eq!(
        groups(Grouping::Industry),
        ["Ships: b d", "Air: c", "No industry: a"]
    );
    assert_eq!(
        groups(Grouping::Size),
        ["Size 51-200: b", "Size 1: c", "Unknown size: a d"]
    );
    assert_eq!(
        groups(Grouping::Tier),
        ["Tier B: b", "Tier A: c d", "No tier: a"]
    );
    assert_eq!(groups(Grouping::List), ["Yards: c", "No list: a b d"]);
    assert_eq!(Grouping::None.groups(&[]), []);
}

#[test]
fn numbers_are_added_up_only_if_all_are_known() {
    let good = r#"{"total_leads":9,"leads_with_conversations":2,"leads_replied":1,"best_signal":{"lead_name":"Ada","classification":"interested"}}"#;
    let bad =
        r#"{"leads_replied":0,"best_signal":{"lead_name":"Bo","classification":"not_interested"}}"#;
    let members = [
        account(
            r#"{"id":"a","lead_count":6,"approved_count":2}"#,
            Some(good),
        ),
        account(r#"{"id":"b","lead_count":18446744073709551615}"#, Some(bad)),
    ];
    let sums = PortfolioSums::new(&members);
    let funnel = |leads, talking, replied| Funnel {
        leads,
        talking,
        replied,
    };
    assert_eq!(
        sums,
        PortfolioSums {
            accounts: 2,
            funnel: funnel(Some(u64::MAX), None, Some(1)),
            approved: None,
            interested: Some(1),
        },
        "too large sums stay at the limit"
    );
    let waiting = [
        members[0].clone(),
        account(r#"{"id":"c","lead_count":1}"#, None),
    ];
    let sums = PortfolioSums::new(&waiting);
    assert_eq!(sums.funnel, funnel(Some(7), None, None));
    assert_eq!((sums.interested, sums.talking_rate()), (None, None));
    let one = PortfolioSums::new(&members[..1]);
    assert_eq!(one.talking_rate().unwrap().words(), "33%");
    assert_eq!(
        PortfolioSums::new(&[]).funnel,
        funnel(Some(0), Some(0), Some(0))
    );
}

#[test]
fn bars_share_a_scale_and_never_exceed_their_width() {
    let pulse = r#"{"total_leads":4,"leads_with_conversations":30,"leads_replied":2}"#;
    let members = [
        account(r#"{"id":"a","lead_count":12}"#, None),
        account(r#"{"id":"b"}"#, Some(pulse)),
    ];
    assert_eq!(scale(&members[..1]), 12);
    assert_eq!(scale(&members), 30, "odd counts stay comparable");
    assert_eq!(scale(&[]), 0);
    assert_eq!((percent(6, 12), percent(12, 12)), (50, 100));
    assert_eq!(percent(1, 9_000), 1, "only nothing has no bar");
    assert_eq!((percent(0, 9), percent(0, 0)), (0, 0));
    assert_eq!(percent(u64::MAX, 1), 100);
}

#[test]
fn similar_accounts_have_the_nearest_scores() {
    let likeness = Likeness::new(Some("Ships"), Some("51-200"), Some(60.0)).unwrap();
    let query = likeness.query();
    assert!(query.check().is_ok());
    assert_eq!(query.filters.len(), 3);
    let account = |id: &str, score: f64| Account {
        id: Some(AccountId::new(id)),
        icp_score: Some(score),
        ..Account::default()
    };
    let mut candidates: Vec<Account> = [70.0, 69.0, 63.0, 61.0, 60.0, 58.0, 50.0]
        .iter()
        .map(|score| account(&format!("{score}"), *score))
        .collect();
    candidates.push(account("", 60.0));
    candidates.push(Account::default());
    let nearest = likeness.nearest("60", candidates);
    let ids: Vec<&str> = nearest.iter().map(|(id, _)| &**id).collect();
    assert_eq!(ids, ["61", "58", "63", "69", "70"]);
    assert_eq!(Likeness::new(None, Some("1"), Some(1.0)), None);
    assert_eq!(
        Likeness::new(Some("Ships"), Some("1"), Some(f64::NAN)),
        None
    );
}
