//! The requests of the loads, and which statuses the service has acknowledged.

use std::cell::{Cell, RefCell};

use fastrand::Rng;
use serde_json::{Value, json};

use crate::connection::request;
use crate::streams::Told;
use crate::workspace::{STATUSES, Workspace};

const PAGE: usize = 50;

/// The pages that reviewers see most, in each tab and order.
const FIRST_PAGES: usize = 20;

/// Which requests a load has.
#[derive(Clone, Copy)]
pub enum Mix {
    /// Any page of the list, in three orders.
    AnyPage,
    /// The first pages of three tabs, in three orders: each is read again and again.
    FirstPages,
    /// A new status for one lead.
    Patch,
    /// 50 % lists, 30 % details, 15 % new statuses, 5 % counts.
    Review,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    List,
    Detail,
    Patch,
    Facets,
}

impl Kind {
    pub const ALL: [Self; 4] = [Self::List, Self::Detail, Self::Patch, Self::Facets];

    pub fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Detail => "detail",
            Self::Patch => "patch",
            Self::Facets => "facets",
        }
    }
}

/// A request, and what its answer must say.
pub struct Planned {
    pub kind: Kind,
    /// The lead's index and its new status, for a patch.
    pub change: Option<(usize, usize)>,
}

/// What is known about the status of a lead.
#[derive(Clone, Copy)]
struct Known {
    status: usize,
    is_changed: bool,
    /// A change of it failed, so it may have either status.
    is_open: bool,
}

pub struct Requests {
    key: String,
    ids: Vec<String>,
    known: RefCell<Vec<Known>>,
    first_pages: Vec<Vec<u8>>,
    facets: Vec<u8>,
    acknowledged: Cell<u64>,
    /// Which decisions a stream has told of, if one is followed.
    pub told: RefCell<Told>,
}

const ORDERS: [&str; 3] = ["created_at", "icp_score", "name"];

impl Requests {
    pub fn new(workspace: &Workspace, key: &str) -> Self {
        let mut first_pages = Vec::new();
        for tab in ["", "pending_approval", "approved"] {
            for order in ORDERS {
                for page in 1..=FIRST_PAGES {
                    first_pages.push(list(key, tab, order, page));
                }
            }
        }
        let fields = [
            "approval_status",
            "icp_tier",
            "company_size",
            "intent_type",
            "list_id",
            "campaign_id",
        ];
        let facets: Vec<Value> = fields
            .iter()
            .map(|field| json!({"field": field, "selected": []}))
            .collect();
        let body = json!({"facets": facets}).to_string();
        let known = workspace.leads.iter().map(|lead| Known {
            status: lead.status,
            is_changed: false,
            is_open: false,
        });
        Self {
            key: key.to_owned(),
            ids: workspace.leads.iter().map(|lead| lead.id.clone()).collect(),
            known: RefCell::new(known.collect()),
            first_pages,
            facets: request("POST", "/api/leads/facets", key, &body),
            acknowledged: Cell::new(0),
            told: RefCell::default(),
        }
    }

    /// Writes the next request of a client. Only client `client` of `clients` changes its leads, so that the order of the
    /// changes of a lead is known.
    pub fn next(
        &self,
        mix: Mix,
        random: &mut Rng,
        (client, clients): (usize, usize),
        into: &mut Vec<u8>,
    ) -> Planned {
        let kind = match mix {
            Mix::AnyPage | Mix::FirstPages => Kind::List,
            Mix::Patch => Kind::Patch,
            Mix::Review => match random.usize(..100) {
                0..50 => Kind::List,
                50..80 => Kind::Detail,
                80..95 => Kind::Patch,
                _ => Kind::Facets,
            },
        };
        let mut change = None;
        into.clear();
        match kind {
            Kind::List if matches!(mix, Mix::AnyPage) => {
                let page = random.usize(1..=self.ids.len().div_ceil(PAGE));
                into.extend(list(
                    &self.key,
                    "",
                    ORDERS[random.usize(..ORDERS.len())],
                    page,
                ));
            }
            Kind::List => into.extend(&self.first_pages[random.usize(..self.first_pages.len())]),
            Kind::Detail => {
                let id = &self.ids[random.usize(..self.ids.len())];
                into.extend(request("GET", &format!("/api/leads/{id}"), &self.key, ""));
            }
            Kind::Patch => {
                let own = (self.ids.len() - client).div_ceil(clients);
                let lead = client + clients * random.usize(..own);
                let status =
                    (self.known.borrow()[lead].status + 1 + random.usize(..3)) % STATUSES.len();
                change = Some((lead, status));
                self.told.borrow_mut().sent(&self.ids[lead]);
                let body = format!(r#"{{"approval_status":"{}"}}"#, STATUSES[status]);
                let path = format!("/api/leads/{}", self.ids[lead]);
                into.extend(request("PATCH", &path, &self.key, &body));
            }
            Kind::Facets => into.extend(&self.facets),
        }
        Planned { kind, change }
    }

    /// Returns what is wrong with the body of an answer.
    pub fn problem(&self, planned: &Planned, body: &[u8]) -> Option<String> {
        let Ok(answer) = serde_json::from_slice::<Value>(body) else {
            return Some("an answer is not JSON".into());
        };
        let is_right = match (planned.kind, planned.change) {
            (Kind::List, _) => {
                answer["total"].is_u64()
                    && answer["data"]
                        .as_array()
                        .is_some_and(|data| data.len() <= PAGE)
            }
            (Kind::Detail, _) => answer["id"].is_string(),
            (Kind::Patch, Some((lead, status))) => {
                answer["lead_id"] == self.ids[lead] && answer["approval_status"] == STATUSES[status]
            }
            (Kind::Patch, None) => false,
            (Kind::Facets, _) => answer.as_object().is_some_and(|answer| !answer.is_empty()),
        };
        (!is_right).then(|| format!("an answer of {} has another shape", planned.kind.name()))
    }

    /// Notes the end of a change.
    pub fn changed(&self, planned: &Planned, is_acknowledged: bool) {
        let Some((lead, status)) = planned.change else {
            return;
        };
        let known = &mut self.known.borrow_mut()[lead];
        if is_acknowledged {
            *known = Known {
                status,
                is_changed: true,
                is_open: false,
            };
            self.acknowledged.set(self.acknowledged.get() + 1);
        } else {
            known.is_open = true;
        }
    }

    /// Returns how many changes were acknowledged, and how many leads do not have the last acknowledged status.
    pub fn compare(&self, stored: &Workspace) -> (u64, usize) {
        let known = self.known.borrow();
        let leads = self.ids.iter().zip(known.iter()).zip(&stored.leads);
        let lost = leads.filter(|((id, known), lead)| {
            let is_certain = known.is_changed && !known.is_open;
            **id != lead.id || (is_certain && known.status != lead.status)
        });
        let missing = self.ids.len().abs_diff(stored.leads.len());
        (self.acknowledged.get(), lost.count() + missing)
    }
}

fn list(key: &str, tab: &str, order: &str, page: usize) -> Vec<u8> {
    let mut body = json!({"page": page, "page_size": PAGE, "sort_by": order});
    if !tab.is_empty() {
        body["filters"] = json!([{"field": "approval_status", "operator": "eq", "value": tab}]);
    }
    request("POST", "/api/leads/query", key, &body.to_string())
}

impl Requests {
    /// Returns a list request, for a slow client.
    pub fn any_first_page(&self, random: &mut Rng) -> &[u8] {
        &self.first_pages[random.usize(..self.first_pages.len())]
    }
}
