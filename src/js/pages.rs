//! Pages of a query, one ahead: what the async iterators of the package are made of.

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
use crate::client::pages::Source;
use crate::client::walk::{Drift, Met, Walk};
use crate::client::{Call, Error, TableRow, property};

/// Pages of leads or accounts, each with the rows that are new.
#[wasm_bindgen(skip_typescript)]
pub struct LeadPages {
    pages: Rc<RefCell<Option<Pages>>>,
    signal: Option<AbortSignal>,
}

/// The walk, and where its pages come from, as JavaScript parsed them.
struct Pages {
    walk: Walk,
    source: Source<JsValue>,
    /// The member that tells rows apart.
    id: &'static str,
}

#[wasm_bindgen]
impl Workspace {
    /// The pages of a query of leads.
    ///
    /// # Errors
    /// `ArgumentError` when an argument makes no sense.
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

    /// The pages of a query of accounts.
    ///
    /// # Errors
    /// `ArgumentError` when an argument makes no sense.
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
        let walk = Walk::new(number("page", 1), number("page_size", 50), most);
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
                // The page that is fetched ahead, too, ends with the walk, and is not sent after it.
                Some(signal) => Box::pin(async move {
                    match select(Aborted::of(signal), call).await {
                        // Nobody hears it: after an abort no page is given.
                        Either::Left(_) => Err(row.refused("the walk was ended")),
                        Either::Right((page, _)) => page,
                    }
                }),
                None => call,
            }
        };
        let pages = Pages {
            walk,
            source: Source::new(fetch, runtime),
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
    /// The next page as `{rows, rowErrors, drift}`; undefined after the last. After an error the
    /// same page can be asked for again; after an abort nothing follows.
    #[wasm_bindgen(skip_typescript)]
    pub fn next(&self) -> Promise {
        let slot = Rc::clone(&self.pages);
        let signal = self.signal.clone();
        // Taken now: a second call before this one ends finds nothing to walk.
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
    /// The next page as it is given, undefined after the last.
    async fn next(&mut self) -> Result<JsValue, Error> {
        let Some(number) = self.walk.next_page() else {
            return Ok(JsValue::UNDEFINED);
        };
        let page = self.source.get(number).await?;
        let (news, drift) = self.walk.met(met(&face::survey(&page, self.id)));
        if let Some(next) = self.walk.prefetch() {
            self.source.fetch_ahead(next);
        }
        Ok(step(&page, &news, drift))
    }
}

/// A page as JavaScript parsed it, as far as a walk must know it.
fn met(page: &JsValue) -> Met {
    let ids = property(page, "ids").unwrap_or_default();
    Met {
        ids: Array::from(&ids).iter().map(|id| id.as_string()).collect(),
        lost: whole(page, "lost").unwrap_or_default() as usize,
        total: property(page, "total")
            .and_then(|total| total.as_f64())
            .map(|total| total as u64),
        has_more: property(page, "has_more").and_then(|more| more.as_bool()),
        page_size: whole(page, "page_size"),
    }
}

/// A member that is a whole number from 0.
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
