//! Pulses of accounts: loading, and a cache of those seen last.

use std::collections::BTreeMap;
use std::sync::Arc;

use lead_workspace_api::shapes::{AccountLead, Shape};
use lead_workspace_api::{AccountDetail, AccountId};

use super::abort_on_drop::AbortOnDrop;
use super::open_account::ANY_ACCOUNT;
use super::remote_value::Remote;
use super::session::Session;
use crate::app::model::account_pulse::Pulse;
use crate::app::model::account_pulse::pulse_queue::{Id, PulseQueue};
use crate::app::model::portfolio_account::AccountSummary;
use crate::app::reactive::{RwSignal, StoredValue};
use crate::client::{Client, Error};

/// How many pulses are cached, so that coming back shows them at once. More than a page of the portfolio.
const CACHE_SIZE: usize = 64;

pub type PulseStatus = Remote<Pulse, Error>;

/// Called with the id of a lead.
#[cfg(feature = "embed")]
pub type OnLead = std::rc::Rc<dyn Fn(&str)>;

/// The pulses. Few are requested at the same time, and requests for unwanted ones are cancelled.
#[derive(Clone, Copy)]
pub struct Pulses {
    /// Whether charts are shown as tables.
    pub as_table: RwSignal<bool>,
    /// Called with the lead that the user wants to see, if the host page shows leads.
    #[cfg(feature = "embed")]
    pub on_lead: StoredValue<Option<OnLead>>,
    entries: RwSignal<Vec<PulseEntry>>,
    /// Records of known accounts.
    summaries: RwSignal<BTreeMap<Id, Arc<AccountSummary>>>,
    /// Names of leads, which a pulse has only as ids.
    people: RwSignal<BTreeMap<String, String>>,
    /// The account whose lead names are requested.
    resolving: StoredValue<Option<(Id, AbortOnDrop)>>,
    queue: StoredValue<PulseQueue>,
    tasks: StoredValue<Vec<(Id, AbortOnDrop)>>,
    /// `None` while nothing is wanted.
    client: StoredValue<Option<Client>>,
    /// Whether unknown accounts are requested as well, for their names.
    by_name: StoredValue<bool>,
    session: Session,
}

struct PulseEntry {
    id: Id,
    /// Incremented with each change.
    version: u32,
    status: PulseStatus,
}

impl Pulses {
    pub fn start(session: Session) -> Self {
        Self {
            as_table: RwSignal::new(false),
            #[cfg(feature = "embed")]
            on_lead: StoredValue::new(None),
            entries: RwSignal::new(Vec::new()),
            summaries: RwSignal::new(BTreeMap::new()),
            people: RwSignal::new(BTreeMap::new()),
            resolving: StoredValue::new(None),
            queue: StoredValue::new(PulseQueue::default()),
            tasks: StoredValue::new(Vec::new()),
            client: StoredValue::new(None),
            by_name: StoredValue::new(false),
            session,
        }
    }

    /// Sets which pulses are wanted. Cached ones are shown until the response arrives. `by_name` also requests the
    /// accounts whose names are unknown.
    pub fn set_wanted(self, client: Client, ids: &[Id], by_name: bool) {
        self.client.set_value(Some(client));
        self.by_name.set_value(by_name);
        let given_up = self.queue.try_update_value(|queue| queue.set_wanted(ids));
        self.give_up(&given_up.unwrap_or_default());
        self.send_requests();
    }

    /// Requests a pulse again, after it failed.
    pub fn retry(self, id: &str) {
        self.queue.try_update_value(|queue| queue.again(id));
        self.send_requests();
    }

    /// Reads all wanted pulses again in the background.
    pub fn reread(self) {
        self.queue.try_update_value(PulseQueue::all_again);
        self.send_requests();
    }

    /// Cancels all requests.
    pub fn clear(self) {
        let given_up = self.queue.try_update_value(|queue| queue.set_wanted(&[]));
        self.give_up(&given_up.unwrap_or_default());
        self.client.set_value(None);
        self.resolving.set_value(None);
    }

    /// Returns the pulse of an account, tracked.
    pub fn status(self, id: &str) -> PulseStatus {
        self.entries.with(|entries| {
            let found = find(entries, id);
            found.map_or(Remote::Idle, |entry| entry.status.clone())
        })
    }

    /// Returns a number that changes with the pulse of an account.
    pub fn version(self, id: &str) -> u32 {
        let version = |entries: &Vec<PulseEntry>| find(entries, id).map(|entry| entry.version);
        self.entries.with(version).unwrap_or_default()
    }

    /// Returns the number of wanted pulses that have a response, and the number of wanted pulses.
    pub fn progress(self) -> (usize, usize) {
        self.entries.track();
        self.queue
            .try_with_value(PulseQueue::progress)
            .unwrap_or_default()
    }

    /// Returns what is known of the record of an account.
    pub fn summary(self, id: &str) -> Option<Arc<AccountSummary>> {
        self.summaries.with(|summaries| summaries.get(id).cloned())
    }

    pub fn add_summary(self, id: Id, summary: AccountSummary) {
        self.summaries
            .try_update(|summaries| summaries.insert(id, Arc::new(summary)));
    }

    /// Returns the name of a lead, if known.
    pub fn person(self, id: &str) -> Option<String> {
        self.people.with(|people| people.get(id).cloned())
    }

    /// Requests the names of an account's leads. Without a response they are shown by id.
    pub fn resolve(self, client: Client, id: &str) {
        let is_resolving = |resolving: &Option<(Id, AbortOnDrop)>| {
            resolving.as_ref().is_some_and(|(of, _)| **of == *id)
        };
        if self.resolving.with_value(is_resolving) {
            return;
        }
        let of: Id = id.into();
        let id = Arc::clone(&of);
        let task = AbortOnDrop::start(async move {
            let account = client.get_account(&AccountId::new(&*of), &ANY_ACCOUNT);
            if let Ok(account) = account.await {
                self.add_account(&of, &account);
            }
        });
        self.resolving.set_value(Some((id, task)));
    }

    fn add_account(self, id: &Id, account: &AccountDetail) {
        self.add_summary(Arc::clone(id), AccountSummary::from_detail(account));
        let leads = account.leads.iter().flatten();
        let leads = leads.filter_map(AccountLead::read);
        let named: Vec<(String, String)> = leads
            .filter_map(|lead| Some((lead.lead_id?, lead.name?)))
            .collect();
        self.people.try_update(|people| people.extend(named));
    }

    /// Sends as many requests as allowed at a time.
    fn send_requests(self) {
        let Some(client) = self.client.try_get_value().flatten() else {
            return;
        };
        while let Some(id) = self.queue.try_update_value(PulseQueue::take).flatten() {
            self.change(&id, |status| {
                // What is shown is read again in the background.
                if !matches!(status, Remote::Loaded(_)) {
                    status.start();
                }
            });
            let (of, client) = (Arc::clone(&id), client.clone());
            let unknown = self.by_name.get_value()
                && self
                    .summaries
                    .with_untracked(|summaries| !summaries.contains_key(&id));
            let task = AbortOnDrop::start(async move {
                let response = async {
                    let account = AccountId::new(&*of);
                    if unknown {
                        let detail = client.get_account(&account, &ANY_ACCOUNT).await?;
                        self.add_account(&of, &detail);
                    }
                    client.get_account_pulse(&account).await
                };
                let response = response.await;
                self.on_response(&of, response.map(|pulse| Arc::new(Pulse::new(pulse))));
            });
            self.tasks.update_value(|tasks| tasks.push((id, task)));
        }
    }

    fn on_response(self, id: &str, response: Result<Arc<Pulse>, Error>) {
        let awaited = self.queue.try_update_value(|queue| queue.finish(id));
        if awaited != Some(true) {
            return;
        }
        if let Err(error) = &response {
            self.session.check_key(error);
        }
        self.change(id, |status| status.finish(response));
        self.tasks
            .try_update_value(|tasks| tasks.retain(|(of, _)| **of != *id));
        self.send_requests();
    }

    /// Cancels requests, and restores what was shown before them.
    fn give_up(self, ids: &[Id]) {
        self.tasks
            .try_update_value(|tasks| tasks.retain(|(of, _)| !ids.contains(of)));
        for id in ids {
            self.change(id, Remote::cancel);
        }
    }

    fn change(self, id: &str, change: impl FnOnce(&mut PulseStatus)) {
        self.entries.try_update(|entries| {
            let mut entry = match entries.iter().position(|entry| *entry.id == *id) {
                Some(at) => entries.remove(at),
                None => PulseEntry {
                    id: id.into(),
                    version: 0,
                    status: Remote::Idle,
                },
            };
            change(&mut entry.status);
            entry.version = entry.version.wrapping_add(1);
            // The latest change is last, so that the first entries are those to evict. A wanted one is not requested again.
            entries.push(entry);
            if entries.len() > CACHE_SIZE
                && let Some(at) = self
                    .queue
                    .try_with_value(|queue| {
                        entries.iter().position(|entry| !queue.wants(&entry.id))
                    })
                    .flatten()
            {
                entries.remove(at);
            }
        });
    }
}

fn find<'a>(entries: &'a [PulseEntry], id: &str) -> Option<&'a PulseEntry> {
    entries.iter().find(|entry| *entry.id == *id)
}
