//! No rows: because there are no leads, because nothing is left to do, or because nothing matches.

use leptos::prelude::*;

use crate::components::format;
use crate::components::plate::{Mood, Plate};
use crate::components::status::status_word;
use crate::model::tab::Tab;
use crate::model::view::LeadsView;
use crate::state::Workspace;

/// In place of the rows of a view that has none.
#[component]
pub fn EmptyPlate(
    /// The view.
    view: LeadsView,
    /// How many rows the view has on its other pages.
    total: u64,
    /// Another view is wanted.
    on_go: impl Fn(LeadsView) + Copy + Send + 'static,
    /// Look again.
    on_refresh: impl Fn() + Copy + Send + 'static,
) -> impl IntoView {
    let counts = expect_context::<Workspace>().leads.counts;
    let all = move || counts.with(|counts| counts.of(Tab::All));
    let go = move |label: String, to: LeadsView| {
        view! { <button type="button" on:click=move |_| on_go(to.clone())>{label}</button> }
    };
    let LeadsView { tab, table } = &view;
    let kind = tab
        .status()
        .map(|status| status_word(&status.into()).to_lowercase());
    let kind = kind.map_or_else(|| "leads".to_owned(), |kind| format!("{kind} leads"));

    if total > 0 {
        let last = total.div_ceil(u64::from(table.size));
        let to = view.with(table.at_page(u32::try_from(last).unwrap_or(u32::MAX)));
        let title = format!("There is no page {}", format::number(table.page.into()));
        return view! {
            <Plate mood=Mood::Calm title=title>
                <p>{format!("The list has {} now, and ends before.", format::count(total, "lead"))}</p>
                <div class="buttons">{go(format!("Go to page {}", format::number(last)), to)}</div>
            </Plate>
        }
        .into_any();
    }
    if let Some(term) = table.term() {
        let title = format!("No {kind} match “{term}”");
        let clear = go("Clear the search".into(), view.with(table.searched("")));
        let wider = (*tab != Tab::All).then(|| go("Search all leads".into(), view.on(Tab::All)));
        return view! {
            <Plate mood=Mood::Calm title=title>
                <p>"The search looks for this text in name, headline, title and company. Relax it, or look elsewhere."</p>
                <div class="buttons">{clear}{wider}</div>
            </Plate>
        }
        .into_any();
    }
    let tab = *tab;
    let rest = view.on(Tab::All);
    (move || {
        let all = all();
        if all == Some(0) || tab == Tab::All {
            return view! { <Import on_refresh=on_refresh /> }.into_any();
        }
        let title = match tab {
            Tab::Pending => "Nothing waits for a decision".to_owned(),
            _ => format!("No {kind}"),
        };
        let others = all.map(|all| {
            let label = format!("See all {}", format::count(all, "lead"));
            go(label, rest.clone())
        });
        view! {
            <Plate mood=Mood::Calm title=title>
                <p>{match tab {
                    Tab::Pending => "Every lead of this workspace is decided. New ones appear here when they are imported.",
                    Tab::Approved => "Leads that you approve are found here.",
                    Tab::Rejected => "Leads that you reject are found here.",
                    _ => "Leads that a filter takes out are found here.",
                }}</p>
                <div class="buttons">{others}</div>
            </Plate>
        }
        .into_any()
    })
    .into_any()
}

/// The workspace has no leads at all.
#[component]
fn Import(on_refresh: impl Fn() + Copy + Send + 'static) -> impl IntoView {
    view! {
        <Plate mood=Mood::Calm title="This workspace has no leads yet">
            <p>"Import a CSV or JSONL file; its columns are recognised by their names. In a shell, also while the service runs:"</p>
            <pre><code>"lead-workspace import leads.csv"</code></pre>
            <p>"Or start again with a file, from the project's folder:"</p>
            <pre><code>"cargo xtask start --import leads.csv"</code></pre>
            <div class="buttons"><button type="button" class="main" on:click=move |_| on_refresh()>"Look again"</button></div>
        </Plate>
    }
}
