//! Cells of added columns. Loaded after the first rows: until then these cells are empty.

use std::rc::Rc;

use lead_workspace_api::{ApprovalStatus, Raw};
use leptos::prelude::*;

use crate::app::components::dom::effect;
use crate::app::components::format;
use crate::app::model::added_cell::AddedCell;
use crate::app::model::columns::{AddedSpec, ColumnSource, ColumnSpec, LEAD_COLUMN_SET};
use crate::app::model::custom_fields::known_fields;
use crate::app::model::custom_value::{CustomValue, custom_values};
use crate::app::model::kept::JsonText;
use crate::app::reactive::memo;
use crate::app::state::AppState;
use crate::app::state::added_cells::AddedCellSource;
use crate::app::state::lead_list::listed_lead::ListedLead;

/// Number of rows that decide whether a column has numbers.
const SAMPLE: usize = 100;

struct Cells(AppState);

impl AddedCellSource for Cells {
    fn version(&self, row: &ListedLead) -> u32 {
        let host = self.0.host.get(|parts| parts.cells.clone());
        host.map_or(0, |host| host.version(row))
    }

    fn cells(
        &self,
        row: &ListedLead,
        status: &ApprovalStatus,
        columns: &[&'static ColumnSpec],
    ) -> Vec<AddedCell> {
        let data = row.lead.custom_data.iter();
        let values: Vec<(String, Raw)> = data
            .flat_map(|JsonText(data)| custom_values(data))
            .collect();
        let host = untrack(|| self.0.host.get(|parts| parts.cells.clone()));
        let cell = |column: &&'static ColumnSpec| match column.source {
            ColumnSource::Host => host
                .as_ref()
                .map(|host| host.cell(row, status, column))
                .unwrap_or_default(),
            _ => {
                let value = values
                    .iter()
                    .find(|(key, _)| Some(&**key) == column.added_key());
                value.map_or_else(AddedCell::default, |(_, value)| custom_cell(value))
            }
        };
        columns.iter().map(cell).collect()
    }
}

/// Returns how a value of the user's own data looks in a column.
fn custom_cell(value: &Raw) -> AddedCell {
    let text = |text: String| AddedCell {
        text,
        ..AddedCell::default()
    };
    match CustomValue::from_raw(value) {
        CustomValue::Nothing => AddedCell::default(),
        CustomValue::Number(number) => AddedCell {
            class: "number",
            ..text(number)
        },
        CustomValue::Flag(is) => AddedCell {
            class: if is { "flag on" } else { "flag" },
            ..text(if is { "Yes" } else { "No" }.to_owned())
        },
        CustomValue::Time(iso) => AddedCell {
            title: Some(format::moment(&iso)),
            ..text(format::ago(&iso))
        },
        CustomValue::Link { href, label } => AddedCell {
            href: Some(href),
            ..text(label)
        },
        CustomValue::Text {
            text: shown,
            is_cut,
        } => AddedCell {
            title: is_cut.then(|| "The details have the whole text".to_owned()),
            ..text(shown)
        },
        CustomValue::Object(count) => AddedCell {
            class: "none",
            ..text(format::count(count as u64, "field"))
        },
        CustomValue::List(count) => AddedCell {
            class: "none",
            ..text(format::count(count as u64, "value"))
        },
    }
}

/// Computes the cells from now on, under the current owner.
pub fn start(app: AppState) {
    let added = app.views.added;
    added.update(|added| added.cells = Some(Rc::new(Cells(app))));
    on_cleanup(move || {
        added.try_update(|added| added.cells = None);
    });
    let shown = memo(move |_| {
        let shown = app.views.layout().columns(LEAD_COLUMN_SET).added();
        let is_custom = |spec: &&ColumnSpec| spec.source == ColumnSource::Custom;
        Vec::from_iter(shown.into_iter().filter(is_custom))
    });
    let are_shown = memo(move |_| !shown.with(Vec::is_empty));
    effect(move || {
        if are_shown.get() && app.session.client().is_some() {
            app.custom_fields.load();
        }
    });
    // Columns of numbers have their header on the right, too, and those that the server knows can be sorted by.
    let named = app.custom_fields.named;
    effect(move || {
        let shown = shown.get();
        if shown.is_empty() {
            return;
        }
        let fields = app.leads.listing.pages.with(|pages| {
            let rows = pages.rows().take(SAMPLE).map(|(_, row)| &*row.lead);
            named.with(|named| known_fields(rows, named.as_ref()))
        });
        let known = fields.iter().map(|field| AddedSpec::custom(field).spec());
        let custom: Vec<_> = known
            .filter(|spec| shown.iter().any(|shown| shown.id == spec.id))
            .collect();
        added.maybe_update(|added| {
            let is_new = added.columns.custom != custom;
            added.columns.custom = custom;
            is_new
        });
    });
}
