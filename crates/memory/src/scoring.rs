//! Scores leads and accounts.

use jiff::Timestamp;
use lead_workspace_logic::iso;
use lead_workspace_logic::scoring::{Attributes, Score, StoredIntentSignal};

use crate::Workspace;
use crate::records::{Lead, StoredScore};

impl Workspace {
    /// Returns the signals of leads, latest first.
    fn signals<'a>(
        &'a self,
        leads: impl Iterator<Item = &'a Lead>,
        as_of: Timestamp,
    ) -> Vec<StoredIntentSignal> {
        let mut intents: Vec<_> = leads.flat_map(|lead| &lead.intents).collect();
        intents.sort_by_key(|intent| std::cmp::Reverse(intent.created_at));
        let signals = intents.into_iter().map(|intent| {
            let list = intent.list.map(|list| &self.catalog().lists[list]);
            StoredIntentSignal::new(
                intent.event_type.to_owned(),
                &iso(intent.created_at),
                list.map(|list| list.id.clone()),
                as_of,
            )
        });
        signals.collect()
    }

    /// Scores a lead for each of its lists, with the age of its signals at `as_of`.
    pub(crate) fn score_lead(&mut self, at: usize, as_of: Timestamp, scored_at: &str) {
        let lead = &self.leads[at];
        let company = self.account_of(lead).map(|account| &account.row);
        let titles: Vec<&str> = lead.row.title.as_deref().into_iter().collect();
        let attributes = Attributes {
            industry: company.and_then(|company| company.industry.as_deref()),
            size: company.and_then(|company| company.staff_count_range.as_deref()),
            titles: &titles,
            location: lead.row.location.as_deref(),
            company_location: company.and_then(|company| company.location.as_deref()),
            intents: &[],
        };
        let lists = lead
            .lists
            .iter()
            .map(|item| self.catalog().lists[item.list].id.clone());
        let lists = lists.collect();
        let signals = self.signals(std::iter::once(lead), as_of);
        let scores = self.scorer.score_lists(&attributes, &signals, lists);
        let best = Score::best(scores.iter().map(|(_, score)| score)).cloned();
        let lead = &mut self.leads[at];
        if let Some(best) = best {
            (lead.icp_score, lead.icp_tier) = (f64::from(best.points), best.tier);
        }
        lead.scores = stored(scores, scored_at);
    }

    /// Scores an account for each of its lists and for the requested list.
    pub(crate) fn score_account(
        &mut self,
        at: usize,
        list: Option<&str>,
        as_of: Timestamp,
        scored_at: &str,
    ) {
        let account = &self.accounts[at];
        let leads: Vec<&Lead> = self.leads_of(account).collect();
        let titles: Vec<&str> = leads
            .iter()
            .filter_map(|lead| lead.row.title.as_deref())
            .collect();
        let signals = self.signals(leads.into_iter(), as_of);
        let intents: Vec<_> = signals
            .iter()
            .map(StoredIntentSignal::as_intent_signal)
            .collect();
        let row = &account.row;
        let score = self.scorer.score(&Attributes {
            industry: row.industry.as_deref(),
            size: row.staff_count_range.as_deref(),
            titles: &titles,
            location: row.location.as_deref(),
            company_location: None,
            intents: &intents,
        });
        let lists = account
            .lists
            .iter()
            .map(|item| self.catalog().lists[item.list].id.clone());
        let mut lists: Vec<String> = lists.collect();
        if let Some(list) = list.filter(|list| !lists.iter().any(|known| known == list)) {
            lists.push(list.to_owned());
        }
        if lists.is_empty() {
            lists.push(String::new());
        }
        let scores = lists
            .into_iter()
            .map(|list| (list, score.clone()))
            .collect();
        let account = &mut self.accounts[at];
        account.scores = stored(scores, scored_at);
        account.score = Some(score);
    }
}

fn stored(scores: Vec<(String, Score)>, scored_at: &str) -> Vec<StoredScore> {
    let scores = scores.into_iter().map(|(list_id, score)| StoredScore {
        list_id,
        score,
        scored_at: scored_at.to_owned(),
    });
    scores.collect()
}
