//! The command palette, connected to the state: commands, saved views, lists, and leads and accounts by name.

use std::sync::Arc;

use lead_workspace_api::{AccountQuery, LeadQuery};
use leptos::prelude::*;

use crate::app::components::command_palette::{self, Palette};
use crate::app::components::debounce::Debounce;
use crate::app::components::dom::{El, effect};
use crate::app::list::host_actions;
use crate::app::model::account::AccountItem;
use crate::app::model::command::Command;
use crate::app::model::facet_options::lists;
use crate::app::model::filters::{Facet, Filters};
use crate::app::model::host_action::HostAction;
use crate::app::model::lead::LeadItem;
use crate::app::model::lead_tab::Tab;
use crate::app::model::palette_search::PaletteEntry;
use crate::app::model::route::{ACCOUNTS_PATH, LEADS_PATH, Route};
use crate::app::model::view::LeadsView;
use crate::app::reactive::{RwSignal, Signal, StoredValue};
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::abort_on_drop::AbortOnDrop;
use crate::app::state::commands::Place;
use crate::client::Client;

/// How many leads and how many accounts are found at most.
const FOUND: u32 = 5;

/// Shorter texts match too many names.
const MIN_LETTERS: usize = 2;

/// What an entry does.
#[derive(Clone)]
enum Target {
    Command(Command),
    /// An action of the host page, and what it acts on.
    Host(HostAction, Vec<Arc<str>>),
    Place(Place),
}

type Entry = (PaletteEntry, Target);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Search {
    Idle,
    Underway,
    Failed,
}

pub fn palette_dialog(app: AppState) -> El {
    let commands = app.commands;
    let known = known(app);
    let found = RwSignal::new(Vec::<Entry>::new());
    let listed = RwSignal::new(Vec::<Entry>::new());
    let search = RwSignal::new(Search::Idle);
    let client = app.session.client_now();
    let loading = client.clone().map(|client| {
        AbortOnDrop::start(async move {
            // Without lists, everything else still works.
            if let Ok(facets) = client.get_lead_facets(&Default::default()).await {
                let places = lists(facets).into_iter();
                let places =
                    places.map(|list| place_entry(list_place(&list.value, &list.label), ""));
                listed.set(places.collect());
            }
        })
    });
    StoredValue::new(loading);
    let entries = RwSignal::new(Vec::new());
    let targets = StoredValue::new(Vec::<Target>::new());
    effect(move || {
        // Recent places come first, and only once.
        let is_new = |(_, target): &Entry| !known.iter().any(|(_, other)| same(other, target));
        let more = listed.get().into_iter().chain(found.get());
        let all = known.iter().cloned().chain(more.filter(is_new));
        let (shown, do_what) = all.unzip();
        targets.set_value(do_what);
        entries.set(shown);
    });
    let typed = RwSignal::new(String::new());
    search_names(client, typed, found, search);
    let picked = StoredValue::new(None::<Target>);
    let palette = Palette {
        entries,
        typed,
        status: Signal::derive(move || match search.get() {
            Search::Idle => "",
            Search::Underway => "Searching leads and accounts…",
            Search::Failed => "Leads and accounts could not be searched. Check the connection.",
        }),
        on_pick: Callback::new(move |at: usize| {
            picked.set_value(targets.with_value(|targets| targets.get(at).cloned()));
        }),
        on_close: Callback::new(move |()| {
            commands.dialog.set(None);
            match picked.get_value() {
                Some(Target::Command(command)) => commands.pick(command),
                Some(Target::Host(action, ids)) => app.host.run(&action, ids),
                Some(Target::Place(place)) => {
                    app.nav.navigate(&place.route.path, &place.route.query);
                    commands.visited(place);
                }
                None => {}
            }
        }),
    };
    command_palette::palette(&palette)
}

fn same(one: &Target, other: &Target) -> bool {
    match (one, other) {
        (Target::Place(one), Target::Place(other)) => one.route == other.route,
        _ => false,
    }
}

/// Returns the entries that need no request: recent places, commands, saved views.
fn known(app: AppState) -> Vec<Entry> {
    let commands = app.commands;
    let recent = commands.recent_places();
    let places = recent.into_iter().enumerate().map(|(rank, place)| {
        let (mut entry, target) = place_entry(place, "");
        entry.recent = Some(rank);
        (entry, target)
    });
    let mut all: Vec<Entry> = places.collect();
    let before = all.len();
    let enabled = commands.enabled().into_iter();
    let enabled = enabled.filter(|(command, _)| *command != Command::Palette);
    all.extend(enabled.map(|(command, recent)| {
        let entry = PaletteEntry {
            label: command.spec().label.to_owned(),
            group: command.spec().group.label(),
            keys: untrack(|| app.keys.caps(command)),
            recent: recent.map(|rank| before + rank),
            changes: command.changes(),
            fits: command.is_for_selection(),
            ..PaletteEntry::default()
        };
        (entry, Target::Command(command))
    }));
    let offers = untrack(|| host_actions::offers(app)).into_iter();
    all.extend(offers.map(|(action, ids)| {
        let name = host_actions::page_name(app);
        let entry = PaletteEntry {
            label: action.label.clone(),
            detail: name,
            group: "Action",
            keys: host_actions::caps(app, &action),
            changes: true,
            fits: ids.len() > 1,
            ..PaletteEntry::default()
        };
        (entry, Target::Host(action, ids))
    }));
    let views = [
        (LEADS_PATH, "Saved view"),
        (ACCOUNTS_PATH, "Saved view of accounts"),
    ];
    for (path, group) in views {
        let saved = untrack(|| app.views.get(path));
        let places = saved.views().iter().map(|view| Place {
            label: view.name.clone(),
            group,
            route: Route {
                path: path.to_owned(),
                query: view.query.clone(),
            },
        });
        let is_new = |(_, target): &Entry| !all.iter().any(|(_, other)| same(other, target));
        let new: Vec<_> = places
            .map(|place| place_entry(place, ""))
            .filter(is_new)
            .collect();
        all.extend(new);
    }
    all
}

fn place_entry(place: Place, detail: &str) -> Entry {
    let entry = PaletteEntry {
        label: place.label.clone(),
        detail: detail.to_owned(),
        group: place.group,
        ..PaletteEntry::default()
    };
    (entry, Target::Place(place))
}

fn list_place(id: &str, name: &str) -> Place {
    let filters = Filters::default().with(Facet::List, id, true);
    let view = LeadsView::default().filtered(filters).on(Tab::All);
    Place {
        label: name.to_owned(),
        group: "List",
        route: Route {
            path: LEADS_PATH.to_owned(),
            query: view.to_query(),
        },
    }
}

/// Searches leads and accounts by name after a pause in typing. A newer text cancels the requests for the older one.
fn search_names(
    client: Option<Client>,
    typed: RwSignal<String>,
    found: RwSignal<Vec<Entry>>,
    search: RwSignal<Search>,
) {
    let Some(client) = client else { return };
    let debounce = Debounce::start();
    let in_flight = StoredValue::new(None::<AbortOnDrop>);
    effect(move || {
        let text = typed.get().trim().to_owned();
        in_flight.set_value(None);
        debounce.cancel();
        if text.chars().count() < MIN_LETTERS {
            found.set(Vec::new());
            search.set(Search::Idle);
            return;
        }
        search.set(Search::Underway);
        let client = client.clone();
        debounce.run_later(move || {
            in_flight.set_value(Some(AbortOnDrop::start(async move {
                let places = by_name(&client, text).await;
                search.set(match places {
                    Some(_) => Search::Idle,
                    None => Search::Failed,
                });
                found.set(places.unwrap_or_default());
            })));
        });
    });
}

async fn by_name(client: &Client, text: String) -> Option<Vec<Entry>> {
    let leads = LeadQuery {
        search: Some(text.clone()),
        page_size: FOUND,
        ..LeadQuery::default()
    };
    let accounts = AccountQuery {
        search: Some(text),
        page_size: FOUND,
        ..AccountQuery::default()
    };
    let requests =
        futures_util::future::join(client.query_leads(&leads), client.query_accounts(&accounts));
    let (leads, accounts) = requests.await;
    let leads = leads.ok()?.data.into_iter().map(LeadItem::new);
    let leads = leads.filter(|lead| !lead.id.is_empty()).map(|lead| {
        let work = [lead.title.as_deref(), lead.company.as_deref()];
        let work: Vec<&str> = work.into_iter().flatten().collect();
        let place = Place {
            label: lead.name.clone(),
            group: "Lead",
            route: Route::lead(&lead.id),
        };
        found_entry(place, &work.join(", "))
    });
    let accounts = accounts.ok()?.data.into_iter().map(AccountItem::new);
    let accounts = accounts.filter(|account| !account.id.is_empty());
    let accounts = accounts.map(|account| {
        let place = Place {
            label: account.name.clone(),
            group: "Account",
            route: Route::account(&account.id),
        };
        found_entry(place, account.industry.as_deref().unwrap_or_default())
    });
    Some(leads.chain(accounts).collect())
}

fn found_entry(place: Place, detail: &str) -> Entry {
    let (mut entry, target) = place_entry(place, detail);
    entry.is_found = true;
    (entry, target)
}

lazy!(lazy_palette: pages, dialog, later, "The palette", palette_dialog);
