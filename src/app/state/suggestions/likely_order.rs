//! The pending leads ordered by likelihood. The server cannot sort by it. So the first leads of the list are read in the
//! order of the server, ordered once, and shown as a list of their own. That order stays while the user decides.

use std::cell::RefCell;
use std::rc::Rc;

use lead_workspace_api::NewApprovalStatus;

use crate::app::model::approval_model::{ApprovalModel, LeadFacts};
use crate::app::model::view::LeadsView;
use crate::app::reactive::RwSignal;
use crate::app::state::AppState;
use crate::app::state::lead_list::listed_lead::ListedLead;
use crate::app::state::listing::{PageResult, RequestPage};
use crate::client::{Client, Error};

/// Maximum number of leads that are ordered.
const MAX_LEADS: u64 = 1_000;

/// Rows per request: the maximum of the API.
const PAGE: u32 = 100;

/// Minimum number of leads of an offer.
const MIN_OFFER: usize = 5;

/// Leads ordered by likelihood, with the offers of the model.
pub struct LikelyOrder {
    rows: Vec<ListedLead>,
    /// Indices of the rows that may be approved together, and of those that may be rejected together.
    approvals: Vec<usize>,
    rejections: Vec<usize>,
    /// The number of leads of the whole list.
    pub of: u64,
    /// The number of the read, for [`Decisions::is_deleted`](crate::app::state::decisions::Decisions::is_deleted).
    sent: u64,
}

impl LikelyOrder {
    fn new(model: Option<&ApprovalModel>, rows: Vec<ListedLead>, of: u64, sent: u64) -> Self {
        let mut order = Self {
            rows,
            approvals: Vec::new(),
            rejections: Vec::new(),
            of,
            sent,
        };
        if let Some(model) = model {
            let facts = order.rows.iter().map(|row| LeadFacts::new(&row.lead));
            let facts: Vec<LeadFacts> = facts.collect();
            let sorted = model.order(&facts);
            let facts: Vec<LeadFacts> = sorted.iter().map(|at| facts[*at].clone()).collect();
            order.rows = sorted.iter().map(|at| order.rows[*at].clone()).collect();
            order.approvals = model.offer_approval(&facts);
            order.rejections = model.offer_rejection(&facts);
        }
        order
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the leads that may be decided together, without those that were decided since, tracked. Empty if there
    /// are too few.
    pub fn offer(&self, app: AppState, to: NewApprovalStatus) -> Vec<&ListedLead> {
        let indices = match to {
            NewApprovalStatus::Approved => &self.approvals,
            _ => &self.rejections,
        };
        let rows = indices.iter().map(|at| &self.rows[*at]);
        let is_pending = |row: &&ListedLead| {
            let (shown, _) = app.decisions.shown(&row.lead.id, &row.status);
            shown.known() == Some(NewApprovalStatus::PendingApproval)
        };
        let offer: Vec<&ListedLead> = rows.filter(is_pending).collect();
        if offer.len() < MIN_OFFER {
            Vec::new()
        } else {
            offer
        }
    }
}

/// Returns the model of the moment.
type Model = Rc<dyn Fn() -> Option<Rc<ApprovalModel>>>;

/// Returns the source of the pages of a list, `size` rows each. `shown` gets the list.
pub fn pages(
    app: AppState,
    shown: RwSignal<Option<Rc<LikelyOrder>>>,
    model: Model,
    client: Client,
    view: &LeadsView,
    size: u32,
) -> RequestPage<ListedLead> {
    let view = view.clone();
    let order: Rc<RefCell<Option<Rc<LikelyOrder>>>> = Rc::default();
    shown.set(None);
    Rc::new(move |page| {
        let (client, view, order) = (client.clone(), view.clone(), Rc::clone(&order));
        let model = Rc::clone(&model);
        Box::pin(async move {
            let known = order.borrow().clone();
            let known = match known {
                Some(known) => known,
                None => {
                    let read = Rc::new(read(app, &model, &client, &view).await?);
                    *order.borrow_mut() = Some(Rc::clone(&read));
                    shown.set(Some(Rc::clone(&read)));
                    read
                }
            };
            // Those deleted since are no longer in the list on the screen.
            let is_deleted = |row: &ListedLead| app.decisions.is_deleted(&row.lead.id, known.sent);
            let left = known.rows.iter().filter(|row| !is_deleted(row));
            let rows: Vec<ListedLead> = left.cloned().collect();
            let total = rows.len() as u64;
            let rows = rows.into_iter().skip(page as usize * size as usize);
            Ok(PageResult {
                rows: rows.take(size as usize).collect(),
                total,
                unreadable: 0,
            })
        })
    })
}

/// Reads and orders the first leads of a list.
async fn read(
    app: AppState,
    model: &Model,
    client: &Client,
    view: &LeadsView,
) -> Result<LikelyOrder, Error> {
    // Decisions in flight would be read with their old statuses.
    app.decisions.wait_for_open_decisions().await;
    let sent = app.decisions.start_read();
    let mut pages = client.lead_pages(&view.query(1, PAGE), Some(MAX_LEADS));
    let mut rows = Vec::new();
    while let Some(page) = pages.next().await {
        rows.extend(app.leads.rows(page?.rows, sent));
    }
    let of = pages.total().unwrap_or_default().max(rows.len() as u64);
    Ok(LikelyOrder::new(model().as_deref(), rows, of, sent))
}
