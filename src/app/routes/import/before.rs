//! The import page before a file is chosen: the drop zone, past imports, known columns.

use lead_workspace_api::import::ImportFields;
use leptos::ev;
use leptos::prelude::*;

use crate::app::components::dom::{
    El, a, button, code, div, element, h3, p, section, small, table, tbody, td, th, thead, tr,
};
use crate::app::components::drop_zone::drop_zone;
use crate::app::components::format;
use crate::app::components::links::is_plain;
use crate::app::model::filters::{Facet, Filters};
use crate::app::model::import_columns::{
    KnownColumn, PastImport, known_columns, past_imports, sample,
};
use crate::app::model::lead_tab::Tab;
use crate::app::model::route::LEADS_PATH;
use crate::app::model::view::LeadsView;
use crate::app::reactive::{RwSignal, StoredValue};
use crate::app::state::AppState;
use crate::app::state::abort_on_drop::AbortOnDrop;
use crate::app::state::download::{CSV, save_text};

const FILES: &str = ".csv,.tsv,.txt,.jsonl,.ndjson,.json,.xlsx";

pub fn before(app: AppState, fields: &ImportFields, error: Option<&str>) -> El {
    let imports = app.imports;
    let text = "Check the column mapping before anything is imported. Leads that are already here are \
                updated, never duplicated, and no decision changes.";
    let zone = drop_zone(
        "Choose a file",
        "or drop it here",
        "CSV, JSON or JSON Lines, of any size, or an Excel workbook (.xlsx) of up to 64 MB. A line may have up to 1 MB.",
        FILES,
        Callback::new(move |file| imports.choose_file(file)),
    );
    let download = button()
        .class("")
        .child("Download sample.csv")
        .on(ev::click, move |_| {
            save_text(app.notice, "sample.csv", CSV, &sample())
        });
    let error = error.map(|error| p().class("wrong").attr("role", "alert").child(error));
    div()
        .class("choose")
        .child(p().child(text))
        .child(error)
        .child(zone)
        .child(
            div()
                .class("buttons")
                .child(download)
                .child(small().child("Two leads, with the usual columns.")),
        )
        .child(past(app))
        .child(columns(&known_columns(fields)))
}

/// The last imports, once they are loaded. Nothing without any: the page works without them.
fn past(app: AppState) -> El {
    let imports = RwSignal::new(Vec::new());
    let loading = app.session.client_now().map(|client| {
        AbortOnDrop::start(async move {
            if let Ok(facets) = client.get_lead_facets(&Default::default()).await {
                imports.set(past_imports(facets.import_jobs));
            }
        })
    });
    StoredValue::new(loading);
    div().class("past").child(move || {
        let imports = imports.get();
        (!imports.is_empty()).then(|| {
            let rows = imports.iter().map(|import| past_row(app, import));
            section()
                .child(h3().child("Past imports"))
                .child(titled(&["File", "When", "Leads", ""], rows))
        })
    })
}

fn past_row(app: AppState, import: &PastImport) -> El {
    let nav = app.nav;
    let filters = Filters::default().with(Facet::ImportJob, &import.id, true);
    let view = LeadsView::default().filtered(filters).on(Tab::All);
    let query = view.to_query();
    let href = nav.href(LEADS_PATH, &query);
    let link = a()
        .attr("href", &href)
        .attr("aria-label", ["View leads of ", &import.file].concat())
        .child("View leads")
        .on(ev::click, move |event| {
            if is_plain(&event) {
                event.prevent_default();
                nav.navigate(LEADS_PATH, &query);
            }
        });
    let when = import.when.as_deref().map(format::date);
    tr().child(element("th").attr("scope", "row").child(&import.file))
        .child(td().child(when))
        .child(td().child(import.leads.map(format::number)))
        .child(td().class("at-end").child(link))
}

fn columns(known: &[KnownColumn]) -> El {
    let rows = known.iter().map(|column| {
        tr().child(
            element("th")
                .attr("scope", "row")
                .child(code().child(column.header)),
        )
        .child(td().child(match column.identifies {
            true => "One of these",
            false => "No",
        }))
        .child(td().child(&column.others))
        .child(td().child(column.example))
    });
    let text = "Other columns are kept as custom data. The order of the columns does not matter, nor do capitals.";
    section()
        .child(h3().child("Known columns"))
        .child(p().class("fine").child(text))
        .child(titled(
            &["Column", "Needed", "Also recognized as", "Example"],
            rows,
        ))
}

/// Renders a table with column titles.
fn titled(titles: &[&str], rows: impl IntoIterator<Item = El>) -> El {
    let titles = titles.iter().map(|title| match *title {
        "" => td(),
        title => th().attr("scope", "col").child(title),
    });
    let table = table()
        .child(thead().child(tr().children(titles)))
        .child(tbody().children(rows));
    div()
        .class("titled")
        .attr("tabindex", "0")
        .attr("role", "group")
        .child(table)
}
