//! The import page: choosing a file, checking its columns, upload progress, and the report.

use lead_workspace_api::import::ImportLineError;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement};

use crate::app::components::column_mapping::mapping;
use crate::app::components::dom::{El, action, button, classed, effect, el, reader};
use crate::app::components::drop_zone::drop_zone;
use crate::app::components::empty_state::{Severity, empty_state};
use crate::app::components::format;
use crate::app::components::progress_bar::panel;
use crate::app::components::search_box::Search;
use crate::app::model::import_report::{Report, size};
use crate::app::model::route::LEADS;
use crate::app::model::view::{LeadsView, Table};
use crate::app::shell::app_bar::bar;
use crate::app::shell::error_state::no_key_plate;
use crate::app::signal::Memo;
use crate::app::state::imports::{Imports, Offer, Stage};
use crate::app::state::{AppState, download};

/// How many rejected lines are shown. The file of errors has all of them.
const SHOWN: usize = 5;

/// Files larger than this, in bytes, get a hint that the import takes minutes.
const LARGE: u64 = 50_000_000;

pub fn import_page(workspace: AppState) -> El {
    let imports = workspace.imports;
    let session = workspace.session;
    effect(move || {
        // Another key may belong to another service, with other import fields.
        if session.client().is_some() {
            imports.ask();
        }
    });
    let search = action(move |term: String| {
        let view = LeadsView::default().with(Table::default().searched(&term));
        workspace.nav.go(LEADS, &view.to_query());
    });
    let search = Search::of("Search leads", "Search leads", reader(String::new), search);
    let body = classed("div", "import").el_of(move || {
        if session.client().is_none() {
            return Some(no_key_plate(workspace));
        }
        Some(match imports.offer.get() {
            Offer::Asking => el("p").attr("class", "heard").text("Loading…"),
            Offer::None => not_offered(),
            Offer::Unknown(why) => unknown(imports, &why),
            Offer::Fields(fields) => stages(workspace, fields.to_vec()),
        })
    });
    let main = classed("main", "list")
        .attr("id", "main")
        .el(classed("h1", "heard").text("Import leads"))
        .el(body);
    classed("div", "page")
        .el(bar(workspace, Some(search)))
        .el(main)
}

fn not_offered() -> El {
    let text = "It stores its leads elsewhere, as a gateway does. Import them there; they then appear \
                here.";
    empty_state(Severity::Calm, "This service does not import files", text)
}

fn unknown(imports: Imports, why: &str) -> El {
    let retry = button("main", "Retry").on("click", move |_| imports.ask());
    empty_state(
        Severity::Trouble,
        "Could not check whether files can be imported",
        why,
    )
    .el(classed("div", "buttons").el(retry))
}

/// The current step. Its title receives the focus, so that screen readers announce it.
fn stages(workspace: AppState, fields: Vec<String>) -> El {
    let imports = workspace.imports;
    let first = StoredValue::new(true);
    classed("div", "stages").el_of(move || {
        let (title, inside) = match imports.stage.get() {
            Stage::Choose(trouble) => choose(imports, trouble.as_deref()),
            Stage::Looking => looking(imports),
            Stage::Ready => ready(imports, &fields),
            Stage::Running => running(imports),
            Stage::Over(report) => over(workspace, &report),
            Stage::Broken(why) => broken(imports, &why),
        };
        let title = el("h2").attr("tabindex", "-1").text(&title);
        let node: HtmlElement = title.node().unchecked_into();
        if !first.get_value() {
            effect(move || {
                // The node is inserted after this code. Effects run after that.
                let _ = node.focus();
            });
        }
        first.set_value(false);
        Some(classed("section", "stage").el(title).el(inside))
    })
}

fn choose(imports: Imports, trouble: Option<&str>) -> (String, El) {
    let text = "A CSV or JSONL file from any tool. Check the column mapping before importing.";
    let fine = "Nothing is changed until you press Import: the service only reads the beginning of \
                the file. Existing leads are updated, not duplicated, and decisions are kept.";
    let zone = drop_zone(
        "Choose a file",
        "or drop it here",
        ".csv,.tsv,.txt,.jsonl,.ndjson,.json",
        action(move |file| imports.look(file)),
    );
    let trouble = trouble.map(|trouble| classed("p", "wrong").attr("role", "alert").text(trouble));
    let inside = classed("div", "choose")
        .el(el("p").text(text))
        .el_opt(trouble)
        .el(zone)
        .el(classed("p", "fine").text(fine));
    ("Import leads".to_owned(), inside)
}

fn looking(imports: Imports) -> (String, El) {
    let text = "Preparing the column mapping…";
    let stop = button("", "Cancel").on("click", move |_| imports.again());
    let inside = el("div")
        .el(el("p").text(text))
        .el(classed("div", "buttons").el(stop));
    (["Reading ", &name(imports)].concat(), inside)
}

fn ready(imports: Imports, fields: &[String]) -> (String, El) {
    let (sheet, list) = (imports.sheet, imports.list);
    let problem = Memo::new(move |_| sheet.with(|sheet| sheet.problem()));
    let (_, bytes) = imports.file.get_untracked();
    let columns = untrack(|| sheet.with(|sheet| sheet.columns.clone()));
    let about = [
        &*format::count(columns.len() as u64, "column"),
        ", ",
        &size(bytes),
    ]
    .concat();
    let large = (bytes > LARGE).then(|| {
        classed("p", "fine").text(
            "A file of this size takes a few minutes. You can keep reviewing in the meantime.",
        )
    });
    let on_set = action(move |(at, to): (usize, String)| {
        imports.correct(at, &to);
    });
    let input = el("input")
        .attr("type", "text")
        .attr("autocomplete", "off")
        .attr("aria-describedby", "import-list");
    let node: HtmlInputElement = input.node().unchecked_into();
    let input = input
        .prop_of("value", move || list.get().into())
        .on("change", move |_| list.set(node.value()));
    let list = classed("div", "onto")
        .el(el("label").text("Add to list").el(input))
        .el(classed("p", "fine")
            .attr("id", "import-list")
            .text("Created if it does not exist. Leave empty for no list."));
    let errors = move || {
        let errors = imports.errors.get();
        lines(&errors, "Invalid lines at the beginning of the file")
    };
    let go = button("main", "Import")
        .prop_of("disabled", move || problem.get().is_some().into())
        .attr("aria-describedby", "import-problem")
        .on("click", move |_| imports.run());
    let other = button("", "Choose another file").on("click", move |_| imports.again());
    let said = classed("p", "wrong")
        .attr("id", "import-problem")
        .attr("role", "status")
        .text_of(move || problem.get().unwrap_or_default().to_owned());
    let inside = classed("div", "ready")
        .el(el("p").text(&about))
        .el_opt(large)
        .el(list)
        .el(mapping(&columns, fields, &on_set))
        .el_of(errors)
        .el(classed("div", "last")
            .el(said)
            .el(classed("div", "buttons").el(go).el(other)));
    (name(imports), inside)
}

fn running(imports: Imports) -> (String, El) {
    let sent = imports.sent;
    let word = reader(move || match sent.get() {
        100 => "Finishing…".to_owned(),
        sent => [&*sent.to_string(), " %"].concat(),
    });
    let stop = button("", "Cancel").on("click", move |_| imports.cancel());
    let text = "Keep this tab open until it is done. You can keep reviewing in the meantime.";
    let inside = el("div")
        .el(panel(&name(imports), reader(move || sent.get()), word))
        .el(el("p").text(text))
        .el(classed("div", "buttons").el(stop));
    ("Importing".to_owned(), inside)
}

fn over(workspace: AppState, report: &Report) -> (String, El) {
    let imports = workspace.imports;
    let counts = report.labelled_counts().into_iter().map(|(count, word)| {
        el("li")
            .attr_opt("data-of", (count > 0).then_some(word))
            .el(el("b").text(&format::number(count)))
            .text([" ", word].concat().as_str())
    });
    let stopped = report.stopped.as_deref();
    let stopped = stopped.map(|why| classed("p", "wrong").attr("role", "alert").text(why));
    let nav = workspace.nav;
    let see = report.view().map(|view| {
        let query = view.to_query();
        let href = nav.href(LEADS, &query);
        classed("a", "button main")
            .attr("href", &href)
            .text("See the leads")
            .on("click", move |event| {
                if crate::app::components::links::is_plain(&event) {
                    event.prevent_default();
                    nav.go(LEADS, &query);
                }
            })
    });
    let save = (!report.errors.is_empty()).then(|| {
        let (text, file) = (report.errors_file(), name(imports));
        button("", "Save the errors").on("click", move |_| save(workspace, &file, &text))
    });
    let again = report
        .stopped
        .is_some()
        .then(|| button("main", "Import again").on("click", move |_| imports.run()));
    let other = button("", "Import another file").on("click", move |_| imports.again());
    let inside = classed("div", "over")
        .el(classed("ul", "counts").els(counts))
        .el_opt(stopped)
        .el_opt(lines(&report.errors, "Lines that could not be imported"))
        .el(classed("div", "buttons")
            .el_opt(again)
            .el_opt(see)
            .el_opt(save)
            .el(other));
    let title = match report.stopped {
        None => " is imported",
        Some(_) => " is partially imported",
    };
    ([&*name(imports), title].concat(), inside)
}

fn save(workspace: AppState, file: &str, text: &str) {
    let out = download::File::default();
    out.add(text);
    if out.save(&[file, ".errors.csv"].concat()).is_err() {
        workspace
            .notice
            .say("The browser has no space for the file; nothing was saved.".to_owned());
    }
}

fn broken(imports: Imports, why: &str) -> (String, El) {
    let again = button("main", "Import again").on("click", move |_| imports.run());
    let other = button("", "Choose another file").on("click", move |_| imports.again());
    let inside = el("div")
        .el(classed("p", "wrong").attr("role", "alert").text(why))
        .el(classed("div", "buttons").el(again).el(other));
    (
        [&*name(imports), " was not fully imported"].concat(),
        inside,
    )
}

/// Lists the first rejected lines. Returns `None` if there are none.
fn lines(errors: &[ImportLineError], title: &str) -> Option<El> {
    let first = errors.iter().take(SHOWN).map(|bad| {
        let line = ["Line ", &format::number(bad.line)].concat();
        el("li")
            .el(el("b").text(&line))
            .text(": ")
            .text(&bad.reason)
    });
    let more = errors.len().saturating_sub(SHOWN) as u64;
    let more = (more > 0).then(|| {
        let more = ["and ", &*format::number(more), " more, in the file"].concat();
        el("li").text(&more)
    });
    let list = el("ul").els(first).el_opt(more);
    let lines = classed("div", "lines-wrong")
        .el(el("h3").text(title))
        .el(list);
    (!errors.is_empty()).then_some(lines)
}

fn name(imports: Imports) -> String {
    imports.file.with_untracked(|(name, _)| name.clone())
}
