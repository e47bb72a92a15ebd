//! The import page: choosing a file, checking its columns, upload progress, and the report.

use std::sync::Arc;

use lead_workspace_api::first_messages::FirstMessages;
use lead_workspace_api::import::{ImportFields, ImportLineError};
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement, HtmlSelectElement};

use self::before::before;
use crate::app::components::column_mapping::column_mapping;
use crate::app::components::dom::{
    El, a, b, button, div, effect, h1, h2, h3, input, label, li, main, option, p, section, select,
    ul,
};
use crate::app::components::empty_state::{Severity, empty_state};
use crate::app::components::format;
use crate::app::components::progress_bar::panel;
use crate::app::components::search_box::Search;
use crate::app::model::import_report::{Report, size};
use crate::app::model::route::LEADS_PATH;
use crate::app::model::view::{LeadsView, Table};
use crate::app::reactive::{Signal, StoredValue, memo};
use crate::app::shell::app_bar::bar;
use crate::app::shell::error_state::no_key_state;
#[cfg(not(feature = "embed"))]
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::download::{CSV, save_text};
use crate::app::state::imports::{ImportStage, ImportSupport, Imports};

mod before;

/// Files larger than this, in bytes, get a hint that the import takes minutes.
const LARGE_FILE_BYTES: u64 = 50_000_000;

pub fn import_page(workspace: AppState) -> El {
    let imports = workspace.imports;
    let session = workspace.session;
    effect(move || {
        // Another key may belong to another service, with other import fields.
        if session.client().is_some() {
            imports.load_fields();
        }
    });
    let search = Callback::new(move |term: String| {
        let view = LeadsView::default().with(Table::default().searched(&term));
        workspace.nav.navigate(LEADS_PATH, &view.to_query());
    });
    let search = Search::new(
        "Search leads",
        "Search leads",
        Signal::derive(String::new),
        search,
    );
    let body = div().class("import").child(move || {
        if session.client().is_none() {
            return Some(no_key_state(workspace));
        }
        Some(match imports.support.get() {
            ImportSupport::Loading => p().attr("class", "visually-hidden").child("Loading…"),
            ImportSupport::None => not_offered(),
            ImportSupport::Unknown(why) => unknown(imports, &why),
            ImportSupport::Fields(fields) => stages(workspace, fields),
        })
    });
    let main = main()
        .class("list")
        .attr("id", "main")
        .child(h1().class("visually-hidden").child("Import leads"))
        .child(body);
    div()
        .class("page")
        .child(bar(workspace, Some(search)))
        .child(main)
}

fn not_offered() -> El {
    let text = "It stores its leads elsewhere, as a gateway does. Import them there; they then appear \
                here.";
    empty_state(Severity::Calm, "This service does not import files", text)
}

fn unknown(imports: Imports, why: &str) -> El {
    let retry = button()
        .class("main")
        .child("Retry")
        .on(ev::click, move |_| imports.load_fields());
    empty_state(
        Severity::Trouble,
        "Could not check whether files can be imported",
        why,
    )
    .child(div().class("buttons").child(retry))
}

/// The current step. Its title receives the focus, so that screen readers announce it.
fn stages(workspace: AppState, fields: Arc<ImportFields>) -> El {
    let imports = workspace.imports;
    let first = StoredValue::new(true);
    div().class("stages").child(move || {
        let (title, inside) = match imports.stage.get() {
            ImportStage::Choose(error) => {
                let inside = before(workspace, &fields, error.as_deref());
                ("Import leads".to_owned(), inside)
            }
            ImportStage::Previewing => preview(imports),
            ImportStage::Ready => ready(imports, &fields.fields),
            ImportStage::Running => running(imports),
            ImportStage::Done(report) => ended(workspace, &report),
            ImportStage::Failed(why) => failed(imports, &why),
        };
        let title = h2().attr("tabindex", "-1").child(&title);
        let node: HtmlElement = title.node().unchecked_into();
        if !first.get_value() {
            effect(move || {
                // The node is inserted after this code. Effects run after that.
                let _ = node.focus();
            });
        }
        first.set_value(false);
        Some(section().class("stage").child(title).child(inside))
    })
}

fn preview(imports: Imports) -> (String, El) {
    let text = "Preparing the column mapping…";
    let stop = button()
        .class("")
        .child("Cancel")
        .on(ev::click, move |_| imports.start_over());
    let inside = div()
        .child(p().child(text))
        .child(div().class("buttons").child(stop));
    (["Reading ", &name(imports)].concat(), inside)
}

fn ready(imports: Imports, fields: &[String]) -> (String, El) {
    let (mapping, list) = (imports.mapping, imports.list);
    let problem = memo(move |_| mapping.with(|mapping| mapping.problem()));
    let (_, bytes) = imports.file.get_untracked();
    let columns = untrack(|| mapping.with(|mapping| mapping.columns.clone()));
    let about = [
        &*format::count(columns.len() as u64, "column"),
        ", ",
        &size(bytes),
    ]
    .concat();
    let large = (bytes > LARGE_FILE_BYTES).then(|| {
        p().class("fine").child(
            "A file of this size takes a few minutes. You can keep reviewing in the meantime.",
        )
    });
    let on_set = Callback::new(move |(at, to): (usize, String)| {
        imports.map_column(at, &to);
    });
    let input = input()
        .attr("type", "text")
        .attr("autocomplete", "off")
        .attr("aria-describedby", "import-list");
    let node: HtmlInputElement = input.node().unchecked_into();
    let input = input
        .prop("value", move || list.get().into())
        .on(ev::change, move |_| list.set(node.value()));
    let list = div()
        .class("onto")
        .child(label().child("Add to list").child(input))
        .child(
            p().class("fine")
                .attr("id", "import-list")
                .child("Created if it does not exist. Leave empty for no list."),
        );
    let notes = move || {
        let notes = mapping.with(|mapping| mapping.notes.clone());
        (!notes.is_empty()).then(|| {
            let notes = notes.iter().map(|note| li().child([&**note, "."].concat()));
            div()
                .class("line-errors")
                .child(h3().child("Kept as they are"))
                .child(ul().children(notes))
        })
    };
    let errors = move || {
        let errors = imports.errors.get();
        lines(&errors, "Invalid lines at the beginning of the file")
    };
    let import_button = button()
        .class("main")
        .child("Import")
        .prop("disabled", move || problem.get().is_some().into())
        .attr("aria-describedby", "import-problem")
        .on(ev::click, move |_| imports.run());
    let other = button()
        .class("")
        .child("Choose another file")
        .on(ev::click, move |_| imports.start_over());
    let summary = p()
        .class("wrong")
        .attr("id", "import-problem")
        .attr("role", "status")
        .child(move || problem.get().unwrap_or_default().to_owned());
    let inside = div()
        .class("ready")
        .child(p().child(&about))
        .child(large)
        .child(sheet_choice(imports))
        .child(list)
        .child(column_mapping(&columns, fields, &on_set))
        .child(notes)
        .child(errors)
        .child(
            div()
                .class("last")
                .child(summary)
                .child(div().class("buttons").child(import_button).child(other)),
        );
    (name(imports), inside)
}

/// The sheets of a workbook that has several.
fn sheet_choice(imports: Imports) -> Option<El> {
    let mapping = imports.mapping.get_untracked();
    let options = mapping.sheets.iter().map(|sheet| {
        let selected = (*sheet == mapping.sheet).then_some("");
        option().attr("selected", selected).child(sheet)
    });
    let select = select().attr("aria-label", "Sheet").children(options);
    let node: HtmlSelectElement = select.node().unchecked_into();
    let select = select.on(ev::change, move |_| imports.preview(node.value()));
    let choice = div()
        .class("onto")
        .child(label().child("Sheet").child(select));
    (mapping.sheets.len() > 1).then_some(choice)
}

fn running(imports: Imports) -> (String, El) {
    let sent = imports.sent;
    let word = Signal::derive(move || match sent.get() {
        100 => "Finishing…".to_owned(),
        sent => [&*sent.to_string(), " %"].concat(),
    });
    let stop = button()
        .class("")
        .child("Cancel")
        .on(ev::click, move |_| imports.cancel());
    let text = "Keep this tab open until it is done. You can keep reviewing in the meantime.";
    let inside = div()
        .child(panel(
            &name(imports),
            Signal::derive(move || sent.get()),
            word,
        ))
        .child(p().child(text))
        .child(div().class("buttons").child(stop));
    ("Importing".to_owned(), inside)
}

fn ended(workspace: AppState, report: &Report) -> (String, El) {
    let imports = workspace.imports;
    let counts = report.labeled_counts().into_iter().map(|(count, word)| {
        li().attr("data-of", (count > 0).then_some(word))
            .child(b().child(format::number(count)))
            .child([" ", word].concat().as_str())
    });
    let stopped = report.stopped.as_deref();
    let stopped = stopped.map(|why| p().class("wrong").attr("role", "alert").child(why));
    let nav = workspace.nav;
    let see = report.view().map(|view| {
        let query = view.to_query();
        let href = nav.href(LEADS_PATH, &query);
        a().class("button main")
            .attr("href", &href)
            .child("See the leads")
            .on(ev::click, move |event| {
                if crate::app::components::links::is_plain(&event) {
                    event.prevent_default();
                    nav.navigate(LEADS_PATH, &query);
                }
            })
    });
    let save = (!report.errors.is_empty()).then(|| {
        let (text, file) = (report.errors_file(), name(imports) + ".errors.csv");
        button()
            .class("")
            .child("Save the errors")
            .on(ev::click, move |_| {
                save_text(workspace.notice, &file, CSV, &text)
            })
    });
    let again = report.stopped.is_some().then(|| {
        button()
            .class("main")
            .child("Import again")
            .on(ev::click, move |_| imports.run())
    });
    let other = button()
        .class("")
        .child("Import another file")
        .on(ev::click, move |_| imports.start_over());
    let inside = div()
        .class("over")
        .child(ul().class("counts").children(counts))
        .child(stopped)
        .child(lines(&report.errors, "Lines that could not be imported"))
        .child(
            div()
                .class("buttons")
                .child(again)
                .child(see)
                .child(save)
                .child(other),
        );
    let title = match report.stopped {
        None => " is imported",
        Some(_) => " is partially imported",
    };
    ([&*name(imports), title].concat(), inside)
}

fn failed(imports: Imports, why: &str) -> (String, El) {
    let again = button()
        .class("main")
        .child("Import again")
        .on(ev::click, move |_| imports.run());
    let other = button()
        .class("")
        .child("Choose another file")
        .on(ev::click, move |_| imports.start_over());
    let inside = div()
        .child(p().class("wrong").attr("role", "alert").child(why))
        .child(div().class("buttons").child(again).child(other));
    (
        [&*name(imports), " was not fully imported"].concat(),
        inside,
    )
}

/// Lists the first rejected lines whose reasons differ. Returns `None` if there are none. The file of errors has all of
/// them.
fn lines(errors: &[ImportLineError], title: &str) -> Option<El> {
    let mut reasons = FirstMessages::default();
    let first = errors.iter().filter(|bad| reasons.add(bad.reason.clone()));
    let first = first.map(|bad| {
        let line = ["Line ", &format::number(bad.line)].concat();
        li().child(b().child(&line)).child(": ").child(&bad.reason)
    });
    let first: Vec<El> = first.collect();
    let more = (reasons.more > 0).then(|| {
        let more = format::number(reasons.more as u64);
        let more = ["and ", &*more, " more, in the file"].concat();
        li().child(&more)
    });
    let list = ul().children(first).child(more);
    let lines = div()
        .class("line-errors")
        .child(h3().child(title))
        .child(list);
    (!errors.is_empty()).then_some(lines)
}

fn name(imports: Imports) -> String {
    imports.file.with_untracked(|(name, _)| name.clone())
}

// The embedded review has none.
#[cfg(not(feature = "embed"))]
lazy!(lazy_import: pages, page, later, "Import leads", import_page);
