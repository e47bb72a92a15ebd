//! Pages of a query, each fetched in advance: the basis of the package's async iterators.

use std::cell::RefCell;
use std::rc::Rc;

use futures_util::future::{Either, select};
use js_sys::{Array, Function, Promise, Reflect};
use lead_workspace_api::{Endpoint, Request, endpoints};
use serde_json::Value;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::AbortSignal;

use super::abort::Aborted;
use super::convert::{notify, object, or_null, texts};
use super::error::{argument as refused, to_js};
use super::options::PerCall;
use super::{Workspace, argument, results, settle};
use crate::client::page_loader::PageLoader;
use crate::client::paginate::{Drift, PageSummary, Paginator};
use crate::client::{Call, Check, Error, TableRow, js_value, property};

/// The options of an iterator, besides those of every call.
const ITERATOR: [&str; 3] = ["maxItems", "onDrift", "onRowError"];

/// Pages of leads or accounts, each with its new rows.
#[wasm_bindgen(skip_typescript)]
pub struct LeadPages {
    pages: Rc<RefCell<Option<JsPages>>>,
    signal: Option<AbortSignal>,
}

/// The pagination state, and the source of pages parsed by JavaScript.
struct JsPages {
    paginator: Paginator,
    source: PageLoader<JsValue>,
    /// The member that identifies rows.
    id: &'static str,
    on_drift: Option<Function>,
    on_row_error: Option<Function>,
}

#[wasm_bindgen]
impl Workspace {
    /// Returns the pages of a lead query.
    ///
    /// # Errors
    /// `ArgumentError` if an argument is invalid.
    #[wasm_bindgen(js_name = leadPages, skip_typescript)]
    pub fn lead_pages(&self, query: JsValue, options: JsValue) -> Result<LeadPages, JsValue> {
        self.pages(
            PagedOperation::of::<endpoints::QueryLeads>("lead_id"),
            &query,
            &options,
        )
    }

    /// Returns the pages of an account query.
    ///
    /// # Errors
    /// `ArgumentError` if an argument is invalid.
    #[wasm_bindgen(js_name = accountPages, skip_typescript)]
    pub fn account_pages(&self, query: JsValue, options: JsValue) -> Result<LeadPages, JsValue> {
        self.pages(
            PagedOperation::of::<endpoints::QueryAccounts>("id"),
            &query,
            &options,
        )
    }
}

/// An operation that returns pages.
struct PagedOperation {
    row: TableRow,
    fields: &'static [&'static str],
    check: Check,
    /// The member that identifies rows.
    id: &'static str,
}

impl PagedOperation {
    fn of<E: Endpoint>(id: &'static str) -> Self {
        Self {
            row: TableRow::of::<E>(),
            fields: E::Params::FIELDS,
            check: E::Params::check_wire,
            id,
        }
    }
}

impl Workspace {
    fn pages(
        &self,
        operation: PagedOperation,
        query: &JsValue,
        options: &JsValue,
    ) -> Result<LeadPages, JsValue> {
        let PagedOperation {
            row,
            fields,
            check,
            id,
        } = operation;
        let query = argument::params(query, fields, &[])?;
        let per_call = PerCall::read(options, &ITERATOR)?;
        let number = |name: &str, default| match query.get(name).and_then(Value::as_u64) {
            Some(number) => u32::try_from(number).unwrap_or(default),
            None => default,
        };
        let client = self.client.with_options(per_call.options);
        let runtime = client.runtime();
        let signal = per_call.signal.clone();
        let most = per_call.max_items.map(u64::from);
        let paginator = Paginator::new(number("page", 1), number("page_size", 50), most);
        let reviews = self.reviews.clone();
        let fetch = move |page: u32| -> Call<JsValue> {
            let (client, read) = (client.clone(), reviews.start_read());
            let mut query = query.clone();
            if let Some(members) = query.as_object_mut() {
                members.insert("page".to_owned(), page.into());
            }
            let params = client.bind(row, &query, check);
            let call = client.exchange(row, &[], params);
            let call = Box::pin(async move {
                let response = call.await?;
                let page = results::decode(&client, row, &response)?;
                read.done(&page);
                Ok(page)
            });
            match signal.clone() {
                // The abort also ends a page that is being fetched ahead, or prevents its request.
                Some(signal) => Box::pin(async move {
                    match select(Aborted::new(signal), call).await {
                        // Never shown: after an abort, no page is returned.
                        Either::Left(_) => Err(row.argument_error("the iteration was aborted")),
                        Either::Right((page, _)) => page,
                    }
                }),
                None => call,
            }
        };
        let pages = JsPages {
            paginator,
            source: PageLoader::new(fetch, runtime),
            id,
            on_drift: per_call.on_drift,
            on_row_error: per_call.on_row_error,
        };
        Ok(LeadPages {
            pages: Rc::new(RefCell::new(Some(pages))),
            signal: per_call.signal,
        })
    }
}

#[wasm_bindgen]
impl LeadPages {
    /// Returns the next page with its new rows; undefined after the last one. After an error, the
    /// next call requests the same page again. After an abort, no page follows.
    #[wasm_bindgen(skip_typescript)]
    pub fn next(&self) -> Promise {
        let slot = Rc::clone(&self.pages);
        let signal = self.signal.clone();
        // Taken immediately, so that a second call before this one ends finds nothing and fails.
        let taken = slot.borrow_mut().take();
        let work = Box::pin(async move {
            let Some(mut pages) = taken else {
                return Err(refused("the previous page is still being loaded"));
            };
            let page = pages.next().await;
            slot.replace(Some(pages));
            page.map_err(|error| to_js(&error))
        });
        settle(signal, work)
    }
}

impl JsPages {
    /// Returns the next page, undefined after the last one. Its `data` has only new rows, its
    /// number is always set, and without a total it has that of an earlier page.
    async fn next(&mut self) -> Result<JsValue, Error> {
        let Some(number) = self.paginator.next_page() else {
            return Ok(JsValue::UNDEFINED);
        };
        let page = self.source.get(number).await?;
        self.accept(&page, number);
        Ok(page)
    }

    /// Turns a page as loaded into one as returned. Inlined into the asynchronous function, it would be more code.
    #[inline(never)]
    fn accept(&mut self, page: &JsValue, number: u32) {
        let (is_new, drift) = self.paginator.accept_summary(summary(page, self.id));
        if let Some(next) = self.paginator.next_page() {
            self.source.fetch_ahead(next);
        }
        if let Some(on_row_error) = &self.on_row_error {
            for problem in member(page, "rowErrors").iter() {
                notify(on_row_error, &problem);
            }
        }
        if let Some(on_drift) = &self.on_drift {
            for drift in &drift {
                notify(on_drift, &drift_event(drift));
            }
        }
        let rows = member(page, "data");
        let rows = rows.iter().zip(is_new).filter(|(_, is_new)| *is_new);
        let rows = rows.map(|(row, _)| row).collect::<Array>();
        let total = self.paginator.total().map(|total| total as f64);
        for (name, value) in [
            ("data", rows.into()),
            ("total", or_null(total)),
            ("page", number.into()),
        ] {
            // Setting a member of a plain object cannot fail.
            let _ = Reflect::set(page, &name.into(), &value);
        }
    }
}

fn drift_event(drift: &Drift) -> JsValue {
    match drift {
        Drift::Total { before, now } => object(&[
            ("kind", "total".into()),
            ("before", (*before as f64).into()),
            ("now", (*now as f64).into()),
        ]),
        Drift::Repeated { ids } => object(&[("kind", "repeated".into()), ("ids", texts(ids))]),
        Drift::Stuck { page } => object(&[("kind", "stuck".into()), ("page", (*page).into())]),
        Drift::Incomplete => object(&[("kind", "incomplete".into())]),
    }
}

/// Returns an array of a page.
fn member(page: &JsValue, name: &str) -> Array {
    Array::from(&property(page, name).unwrap_or_else(|| Array::new().into()))
}

fn summary(page: &JsValue, id: &str) -> PageSummary {
    let text = |row: JsValue| property(&row, id).and_then(|id| id.as_string());
    let is_kept = |row: &JsValue| property(row, "kept").is_some_and(|kept| kept.is_truthy());
    PageSummary {
        ids: member(page, "data").iter().map(text).collect(),
        lost: member(page, "rowErrors")
            .iter()
            .filter(|row| !is_kept(row))
            .count(),
        total: property(page, "total")
            .and_then(|total| total.as_f64())
            .map(|total| total as u64),
        has_more: property(page, "has_more").and_then(|more| more.as_bool()),
        page_size: property(page, "page_size").and_then(|size| js_value::to_u32(&size)),
    }
}
