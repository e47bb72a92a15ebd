//! Fills a workspace with demo leads.

use std::collections::{BTreeSet, HashMap};

use lead_workspace_api::NewApprovalStatus;
use lead_workspace_index::CustomKeys;
use lead_workspace_logic::demo::ScoredDemo;
use lead_workspace_logic::rows::{account_row, lead_row};
use lead_workspace_logic::scoring::{Rules, Scorer};
use lead_workspace_logic::{fold, iso};

use crate::changes::Feed;
use crate::records::{Account, Lead, StoredScore};
use crate::{Options, Workspace};

impl Workspace {
    /// Makes a workspace with the demo leads of a seed.
    pub fn new(options: Options) -> Self {
        let demo = ScoredDemo::new(options.seed, options.leads, options.now);
        let accounts: Vec<Account> = (0..demo.records.companies)
            .zip(1..)
            .map(|(at, number)| {
                let record = demo.records.company(at);
                Account {
                    number,
                    lists: demo.records.account_lists(at, &record),
                    name_key: Some(fold(&record.name)),
                    row: account_row(&record),
                    leads: BTreeSet::new(),
                    score: None,
                    scores: Vec::new(),
                }
            })
            .collect();
        let numbers = accounts.iter();
        let numbers = numbers.map(|account| (account.row.account_id.clone(), account.number));
        let numbers = numbers.collect();
        let leads = (0..options.leads).zip(1..);
        let leads = leads.map(|(at, number)| lead(&demo, &numbers, at, number));
        let mut workspace = Self {
            leads: leads.collect(),
            options,
            accounts,
            columns: HashMap::new(),
            custom_keys: CustomKeys::default(),
            jobs: Vec::new(),
            scorer: Scorer::new(Rules::default()),
            feed: Feed::default(),
            requests: 0,
            imported_ids: 0,
            demo: demo.records,
        };
        workspace.add_custom_keys();
        for at in 0..workspace.leads.len() {
            let Lead {
                number, account, ..
            } = workspace.leads[at];
            workspace.move_lead(number, None, account);
        }
        let (as_of, scored_at) = (workspace.demo.as_of(), iso(workspace.demo.end()));
        for account in 0..workspace.accounts.len() {
            workspace.score_account(account, None, as_of, &scored_at);
        }
        workspace
    }
}

fn lead(demo: &ScoredDemo, accounts: &HashMap<String, i64>, at: u64, number: i64) -> Lead {
    let record = demo.lead(at);
    let scored_at = iso(demo.records.scored_at());
    let outside = record.score.iter().map(|score| (String::new(), score));
    let on_lists = record.lists.iter().map(|(item, score)| {
        let list = &demo.records.catalog.lists[item.list];
        (list.id.clone(), score)
    });
    let scores = outside.chain(on_lists).map(|(list_id, score)| StoredScore {
        list_id,
        score: score.clone(),
        scored_at: scored_at.clone(),
    });
    let scores = scores.collect();
    let status = record.status.parse();
    Lead {
        number,
        account: accounts.get(&record.company.account_id).copied(),
        status: status.unwrap_or(NewApprovalStatus::PendingApproval),
        icp_score: f64::from(record.best.points),
        icp_tier: record.best.tier,
        scores,
        row: lead_row(&record),
        lists: record.lists.into_iter().map(|(item, _)| item).collect(),
        intents: record.intents,
        outreach: record.outreach,
    }
}
