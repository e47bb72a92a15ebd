//! Pages of a query, each fetched in advance: the basis of the package's async iterators.

use std::cell::RefCell;
use std::rc::Rc;

use futures_util::future::{Either, select};
use js_sys::{Array, Promise};
use lead_workspace_api::endpoints;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::AbortSignal;

use super::abort::Aborted;
use super::error::{argument as refused, to_js};
use super::options::{Bag, PerCall};
use super::{Workspace, argument, face, settle};
use crate::client::pages::PageLoader;
use crate::client::paginate::{Drift, PageSummary, Paginator};
use crate::client::{Call, Error, TableRow, property};

/// Pages of leads or accounts, each with its new rows.
#[wasm_bindgen(skip_typescript)]
pub struct LeadPages {
    pages: Rc<RefCell<Option<Pages>>>,
    signal: Option<AbortSignal>,
}

/// The pagination state, and the source of pages parsed by JavaScript.
struct Pages {
    walk: Paginator,
    source: PageLoader<JsValue>,
    /// The member that identifies rows.
    id: &'static str,
}

#[wasm_bindgen]
impl Workspace {
    /// Returns the pages of a lead query.
    ///
    /// # Errors
    /// `ArgumentError` if an argument is invalid.
    #[wasm_bindgen(js_name = leadPages, skip_typescript)]
    pub fn lead_pages(
        &self,
        query: JsValue,
        walk: JsValue,
        per_call: JsValue,
    ) -> Result<LeadPages, JsValue> {
        let row = TableRow::of::<endpoints::QueryLeads>();
        self.pages(row, &query, &walk, &per_call, "lead_id")
    }

    /// Returns the pages of an account query.
    ///
    /// # Errors
    /// `ArgumentError` if an argument is invalid.
    #[wasm_bindgen(js_name = accountPages, skip_typescript)]
    pub fn account_pages(
        &self,
        query: JsValue,
        walk: JsValue,
        per_call: JsValue,
    ) -> Result<LeadPages, JsValue> {
        let row = TableRow::of::<endpoints::QueryAccounts>();
        self.pages(row, &query, &walk, &per_call, "id")
    }
}

impl Workspace {
    fn pages(
        &self,
        row: TableRow,
        query: &JsValue,
        walk: &JsValue,
        per_call: &JsValue,
        id: &'static str,
    ) -> Result<LeadPages, JsValue> {
        let query = face::prepare(row.name(), "query", query)?;
        let most = Bag::of("options", walk)?.whole("maxItems")?.map(u64::from);
        let per_call = PerCall::read(per_call)?;
        let it = property(&query, "it").unwrap_or_default();
        let number = |name: &str, default| whole(&it, name).unwrap_or(default);
        let client = self.client.with_options(per_call.options);
        let runtime = client.runtime();
        let signal = per_call.signal.clone();
        let walk = Paginator::new(number("page", 1), number("page_size", 50), most);
        let fetch = move |page: u32| -> Call<JsValue> {
            let client = client.clone();
            let params = argument::place(&client, row, &face::turn(&query, page));
            let call = client.exchange(row, &[], params);
            let call = Box::pin(async move {
                let answer = call.await?;
                face::read(row.name(), &answer.body)
                    .map_err(|problem| client.undecodable(row, &answer, &face::message(problem)))
            });
            match signal.clone() {
                // The abort also ends a page that is being fetched ahead, or prevents its request.
                Some(signal) => Box::pin(async move {
                    match select(Aborted::of(signal), call).await {
                        // Never shown: after an abort, no page is returned.
                        Either::Left(_) => Err(row.refused("the walk was ended")),
                        Either::Right((page, _)) => page,
                    }
                }),
                None => call,
            }
        };
        let pages = Pages {
            walk,
            source: PageLoader::new(fetch, runtime),
            id,
        };
        Ok(LeadPages {
            pages: Rc::new(RefCell::new(Some(pages))),
            signal: per_call.signal,
        })
    }
}

#[wasm_bindgen]
impl LeadPages {
    /// Returns the next page as `{rows, rowErrors, drift}`; undefined after the last one. After an
    /// error, the next call requests the same page again. After an abort, no page follows.
    #[wasm_bindgen(skip_typescript)]
    pub fn next(&self) -> Promise {
        let slot = Rc::clone(&self.pages);
        let signal = self.signal.clone();
        // Taken immediately, so that a second call before this one ends finds nothing and fails.
        let taken = slot.borrow_mut().take();
        let work = Box::pin(async move {
            let Some(mut pages) = taken else {
                return Err(refused("the page before this one is still on its way"));
            };
            let step = pages.next().await;
            slot.replace(Some(pages));
            step.map_err(|error| to_js(&error))
        });
        settle(signal, work)
    }
}

impl Pages {
    /// Returns the next page for JavaScript, undefined after the last one.
    async fn next(&mut self) -> Result<JsValue, Error> {
        let Some(number) = self.walk.next_page() else {
            return Ok(JsValue::UNDEFINED);
        };
        let page = self.source.get(number).await?;
        let (news, drift) = self
            .walk
            .accept_summary(accept_summary(&face::survey(&page, self.id)));
        if let Some(next) = self.walk.prefetch() {
            self.source.fetch_ahead(next);
        }
        Ok(step(&page, &news, drift))
    }
}

/// Reads the summary of a page from JavaScript.
fn accept_summary(page: &JsValue) -> PageSummary {
    let ids = property(page, "ids").unwrap_or_default();
    PageSummary {
        ids: Array::from(&ids).iter().map(|id| id.as_string()).collect(),
        lost: whole(page, "lost").unwrap_or_default() as usize,
        total: property(page, "total")
            .and_then(|total| total.as_f64())
            .map(|total| total as u64),
        has_more: property(page, "has_more").and_then(|more| more.as_bool()),
        page_size: whole(page, "page_size"),
    }
}

/// Returns a member that is an integer in the range of `u32`.
fn whole(of: &JsValue, name: &str) -> Option<u32> {
    let number = property(of, name)?.as_f64()?;
    let whole = number as u32;
    (f64::from(whole) == number).then_some(whole)
}

fn step(page: &JsValue, news: &[bool], drift: Vec<Drift>) -> JsValue {
    let news: Vec<u8> = news.iter().map(|new| u8::from(*new)).collect();
    let (mut before, mut now, mut repeated, mut stuck) = (None, None, None, None);
    let mut incomplete = false;
    for drift in drift {
        match drift {
            Drift::Total {
                before: was,
                now: is,
            } => {
                before = Some(was as f64);
                now = Some(is as f64);
            }
            Drift::Repeated { ids } => {
                repeated = Some(ids.iter().map(|id| JsValue::from_str(id)).collect());
            }
            Drift::Stuck { page } => stuck = Some(page),
            Drift::Incomplete => incomplete = true,
        }
    }
    face::step(page, &news, before, now, repeated, stuck, incomplete)
}
