//! Pages of a query, one ahead: what the async iterators of the package are made of.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, JSON, Object, Promise, Reflect};
use lead_workspace_api::{Page, Raw, RowError, endpoints};
use serde::Serialize;
use serde_json::Value;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::AbortSignal;

use super::error::{argument as refused, to_js, value};
use super::options::{Bag, PerCall};
use super::{Workspace, abort, argument, read, settle};
use crate::client::pages::Pages;
use crate::client::walk::{Drift, Walk};
use crate::client::{Call, TableRow, property};

/// Pages of leads or accounts, each with the rows that are new.
#[wasm_bindgen(skip_typescript)]
pub struct LeadPages {
    pages: Rc<RefCell<Option<Pages<Row>>>>,
    signal: Option<AbortSignal>,
}

/// A row as JavaScript has it, with the id that tells it from others.
pub(super) struct Row {
    id: Option<String>,
    value: JsValue,
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
        let query = argument::object("query", query)?;
        let most = Bag::of("options", walk)?.whole("maxItems")?.map(u64::from);
        let per_call = PerCall::read(per_call)?;
        let number = |name: &str, default| {
            let number = query.get(name).and_then(Value::as_u64);
            number
                .and_then(|number| u32::try_from(number).ok())
                .unwrap_or(default)
        };
        let client = self.client.with_options(per_call.options);
        let runtime = client.runtime();
        let walk = Walk::new(number("page", 1), number("page_size", 50), most);
        let fetch = move |page: u32| -> Call<Page<Row>> {
            let mut query = query.clone();
            query["page"] = page.into();
            let client = client.clone();
            let call = client.exchange(row, &[], query);
            Box::pin(async move {
                let answer = call.await?;
                let problem = |problem: JsValue| {
                    let words = js_sys::Error::from(problem).message();
                    client.undecodable(row, &answer, &String::from(words))
                };
                let page = read(row.name(), &answer.body).map_err(problem)?;
                rows(&page, id).map_err(problem)
            })
        };
        let pages = Pages::new(walk, fetch, |row: &Row| row.id.as_deref(), runtime);
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
        settle(async move {
            let Some(mut pages) = taken else {
                return Err(refused("the page before this one is still on its way"));
            };
            let step = abort::unless(signal, Box::pin(pages.next())).await?;
            slot.replace(Some(pages));
            match step {
                None => Ok(JsValue::UNDEFINED),
                Some(Err(error)) => Err(to_js(&error)),
                Some(Ok(step)) => {
                    let rows: Array = step.rows.into_iter().map(|row| row.value).collect();
                    let drift: Vec<_> = step.drift.iter().map(Moved::from).collect();
                    let odd = step.row_errors.iter().map(odd_row);
                    let odd = odd.collect::<Result<Array, _>>()?;
                    let result = Object::new();
                    Reflect::set(&result, &"rows".into(), &rows)?;
                    Reflect::set(&result, &"rowErrors".into(), &odd)?;
                    Reflect::set(&result, &"drift".into(), &value(&drift))?;
                    Ok(result.into())
                }
            }
        })
    }
}

/// A page as JavaScript parsed it, as far as a walk must know it.
fn rows(page: &JsValue, id: &str) -> Result<Page<Row>, JsValue> {
    let number = |name: &str| property(page, name).and_then(|number| number.as_f64());
    let small = |name: &str| number(name).map(|number| number as u32);
    let list = |name: &str| property(page, name).map(|list| Array::from(&list));
    let row = |value: JsValue| Row {
        id: property(&value, id).and_then(|id| id.as_string()),
        value,
    };
    let odd = list("rowErrors").unwrap_or_default();
    let odd = odd.iter().map(|odd| {
        let raw = Reflect::get(&odd, &"raw".into())?;
        let text = argument::json("raw", &raw)?.unwrap_or_default();
        let reason = property(&odd, "reason").and_then(|reason| reason.as_string());
        Ok::<_, JsValue>(RowError {
            index: property(&odd, "index")
                .and_then(|index| index.as_f64())
                .unwrap_or_default() as usize,
            reason: reason.unwrap_or_default(),
            raw: Raw::parse(text).unwrap_or_default(),
        })
    });
    Ok(Page {
        row_errors: odd.collect::<Result<_, _>>()?,
        data: list("data").unwrap_or_default().iter().map(row).collect(),
        total: number("total").map(|total| total as u64),
        has_more: property(page, "has_more").and_then(|more| more.as_bool()),
        page: small("page"),
        page_size: small("page_size"),
    })
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Moved<'a> {
    Total { before: u64, now: u64 },
    Repeated { ids: &'a [String] },
    Stuck { page: u32 },
}

impl<'a> From<&'a Drift> for Moved<'a> {
    fn from(drift: &'a Drift) -> Self {
        match drift {
            Drift::Total { before, now } => Self::Total {
                before: *before,
                now: *now,
            },
            Drift::Repeated { ids } => Self::Repeated { ids },
            Drift::Stuck { page } => Self::Stuck { page: *page },
        }
    }
}

fn odd_row(odd: &RowError) -> Result<JsValue, JsValue> {
    let row = Object::new();
    Reflect::set(&row, &"index".into(), &(odd.index as f64).into())?;
    Reflect::set(&row, &"reason".into(), &odd.reason.as_str().into())?;
    Reflect::set(&row, &"raw".into(), &JSON::parse(odd.raw.text())?)?;
    Ok(row.into())
}
