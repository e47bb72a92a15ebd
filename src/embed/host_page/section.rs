//! The host page's section in the details of a lead: made anew for each lead, and cleaned up.

use std::sync::Arc;

use js_sys::Function;
use lead_workspace_api::LeadDetail;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Node};

use super::slot::SlottedNode;
use super::{function, message, plain};
use crate::app::components::dom::effect;
use crate::app::reactive::{StoredValue, memo};
use crate::app::state::AppState;
use crate::app::state::host_page::HostSection;
use crate::client::property;
use crate::embed::callbacks::report_error;

/// A section in the page.
struct Section {
    node: SlottedNode,
    /// The object that the page returned, and its function `destroy`.
    destroy: Option<(JsValue, Function)>,
}

impl Drop for Section {
    fn drop(&mut self) {
        if let Some((of, destroy)) = self.destroy.take()
            && let Err(thrown) = untrack(|| destroy.call0(&of))
        {
            report_error(&thrown);
        }
    }
}

/// Shows the page's section from now on, under the current owner.
pub(super) fn start(app: AppState) {
    let Some(host) = untrack(|| app.host.get(|parts| parts.around.clone())) else {
        return;
    };
    let shown = StoredValue::new(None::<Section>);
    // The details of the same lead may be read again: the section stays.
    let wanted = memo(move |_| {
        let lead = app.details.shown()?;
        lead.detail.as_ref().map(|_| lead.id.clone())
    });
    // Compared, because the page may give its other parts again.
    let before = StoredValue::new(None::<(String, JsValue)>);
    effect(move || {
        let made_by = app.host.get(|parts| function(&parts.given, "details"));
        let lead = wanted.get();
        let now = lead.clone().zip(made_by.clone().map(JsValue::from));
        if before.with_value(|before| *before == now) {
            return;
        }
        before.set_value(now);
        // First, so that the page never has two.
        drop(shown.try_update_value(Option::take));
        let detail = untrack(|| app.details.shown()).and_then(|lead| lead.detail.clone());
        let result = match (lead, made_by, detail) {
            (Some(_), Some(function), Some(detail)) => make(&host, &function, &detail),
            _ => Ok(None),
        };
        let section = match result {
            Ok(None) => HostSection::None,
            Ok(Some(made)) => {
                let name = Arc::clone(&made.node.name);
                shown.set_value(Some(made));
                HostSection::Slot(name)
            }
            Err(thrown) => {
                report_error(&thrown);
                HostSection::Failed(message(&thrown))
            }
        };
        app.host.update(|parts| {
            parts.section = section;
            true
        });
    });
    on_cleanup(move || {
        drop(shown.try_update_value(Option::take));
        app.host.update(|parts| {
            parts.section = HostSection::None;
            true
        });
    });
}

/// Calls `details(lead)`. `None` if the page has nothing to show of this lead.
fn make(
    host: &Element,
    function: &Function,
    lead: &LeadDetail,
) -> Result<Option<Section>, JsValue> {
    let result = untrack(|| function.call1(&JsValue::UNDEFINED, &plain(lead)))?;
    if result.is_undefined() || result.is_null() {
        return Ok(None);
    }
    let (node, destroy) = match result.dyn_ref::<Node>() {
        Some(node) => (Some(node.clone()), None),
        None => {
            let node = property(&result, "node").and_then(|node| node.dyn_into().ok());
            let destroy = self::function(&result, "destroy");
            (node, destroy.map(|destroy| (result, destroy)))
        }
    };
    let made = node.and_then(|node| SlottedNode::new(host, &node));
    match made {
        Some(node) => Ok(Some(Section { node, destroy })),
        None => Err("`details` returns a node, or an object with a `node`".into()),
    }
}
