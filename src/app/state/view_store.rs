//! Saved views and the last layouts, stored in this browser.

use lead_workspace_api::AccountSort;
use leptos::prelude::*;

use super::added_cells::Added;
use super::nav::Nav;
use super::storage::Storage;
use super::suggestions::Suggestions;
use crate::app::model::columns::{ACCOUNT_COLUMN_SET, ColumnSet, Columns, LEAD_COLUMN_SET};
use crate::app::model::filters::LeadSortColumn;
use crate::app::model::layout::{Density, Layout, ROW_HEIGHT, says_layout};
use crate::app::model::page_cache::size_of;
use crate::app::model::route;
use crate::app::model::saved_views::{SaveViewError, SavedViews};
use crate::app::model::view::{LeadsView, SortColumn, Table};
use crate::app::reactive::{RwSignal, StoredValue};

/// The saved views of a list, with their storage slot.
#[derive(Clone, Copy)]
struct StoredViews {
    saved: RwSignal<SavedViews>,
    storage: Storage,
}

impl StoredViews {
    fn new(slot: &'static str, persistent: bool) -> Self {
        let storage = Storage::new(slot, persistent);
        Self {
            saved: RwSignal::new(SavedViews::parse(&storage.read().unwrap_or_default())),
            storage,
        }
    }
}

#[derive(Clone, Copy)]
pub struct Views {
    nav: Nav,
    leads: StoredViews,
    accounts: StoredViews,
    persistent: bool,
    suggestions: Suggestions,
    /// The width of the list in pixels, once known.
    pub room: RwSignal<Option<u32>>,
    /// Rows per request.
    pub rows: RwSignal<u32>,
    /// The added columns of the leads.
    pub added: RwSignal<Added>,
    /// Height of a comfortable row, in pixels.
    pub row_height: RwSignal<u32>,
}

/// Returns the column set of a page's list.
pub fn column_set(path: &str) -> ColumnSet {
    if path == route::ACCOUNTS_PATH {
        ACCOUNT_COLUMN_SET
    } else {
        LEAD_COLUMN_SET
    }
}

/// Whether a page is a list. The bare origin leads to one.
fn is_list(path: &str) -> bool {
    !matches!(
        path,
        route::PORTFOLIO_PATH | route::INSIGHTS_PATH | route::SETTINGS_PATH | route::IMPORT_PATH
    )
}

impl Views {
    /// Reads what is stored. A bare address is replaced by that of the default view.
    pub fn start(nav: Nav, suggestions: Suggestions, persistent: bool) -> Self {
        let views = Self {
            nav,
            leads: StoredViews::new("lead-workspace.views", persistent),
            accounts: StoredViews::new("lead-workspace.views.accounts", persistent),
            persistent,
            suggestions,
            room: RwSignal::new(None),
            rows: RwSignal::new(size_of(
                &rows_storage(persistent).read().unwrap_or_default(),
            )),
            added: RwSignal::new(Added::default()),
            row_height: RwSignal::new(ROW_HEIGHT),
        };
        if persistent {
            views.complete_address();
            views.store_changes();
        }
        views
    }

    fn stored(self, path: &str) -> StoredViews {
        if path == route::ACCOUNTS_PATH {
            self.accounts
        } else {
            self.leads
        }
    }

    /// Returns the saved views of a page, tracked.
    pub fn get(self, path: &str) -> SavedViews {
        self.stored(path).saved.get()
    }

    /// Changes the saved views of a page. Reads them first, because another tab may have changed them.
    ///
    /// # Errors
    /// If a name is rejected.
    pub fn change(
        self,
        path: &str,
        change: impl FnOnce(&mut SavedViews) -> Result<(), SaveViewError>,
    ) -> Result<(), SaveViewError> {
        let stored = self.stored(path);
        let mut saved = match stored.storage.read() {
            Some(text) => SavedViews::parse(&text),
            None if self.persistent => SavedViews::default(),
            None => stored.saved.get_untracked(),
        };
        change(&mut saved)?;
        stored.storage.write(&saved.to_text());
        stored.saved.set(saved);
        Ok(())
    }

    /// Returns the query string that a page opens with.
    pub fn entry(self, path: &str) -> String {
        // Insights are into the view of the leads that is open.
        if path == route::INSIGHTS_PATH {
            return match &*self.nav.path().get() {
                route::LEADS_PATH | route::INSIGHTS_PATH => {
                    let view = self.nav.query().with(|query| LeadsView::from_query(query));
                    view.list_only().to_query()
                }
                _ => String::new(),
            };
        }
        // Only lists have saved views and columns.
        if !is_list(path) {
            return String::new();
        }
        let first = self
            .stored(path)
            .saved
            .with(|saved| saved.first().map(|view| view.query.clone()));
        self.laid_out(path, &first.unwrap_or_default())
    }

    /// Returns the layout of the current page.
    pub fn layout(self) -> Layout {
        let route = self.nav.route();
        Layout::from_query(column_set(&route.path), &route.query)
    }

    /// Returns the columns of the current list, without regard to its width.
    pub fn arranged(self, column_set: ColumnSet) -> Columns {
        let swaps = column_set == LEAD_COLUMN_SET && self.suggestions.is_on.get() && {
            let view = self.nav.query().with(|query| LeadsView::from_query(query));
            view.tab.status().is_some()
        };
        let columns = self.layout().columns(column_set).in_list(swaps);
        match column_set.has_added {
            true => self.added.with(|added| columns.with_added(&added.columns)),
            false => columns,
        }
    }

    /// Returns the columns of the current list: those that fit, unless the user arranged them.
    pub fn columns(self, column_set: ColumnSet) -> Columns {
        let columns = self.arranged(column_set);
        let Some(room) = self.room.get() else {
            return columns;
        };
        let query = self.nav.route().query;
        let (sorted, open) = match column_set == ACCOUNT_COLUMN_SET {
            true => {
                let table = Table::<AccountSort>::from_query(&query);
                (table.sort.as_str(), route::ACCOUNT_PARAM)
            }
            false => {
                let table = Table::<LeadSortColumn>::from_query(&query);
                (table.sort.as_str(), route::LEAD_PARAM)
            }
        };
        let is_pane_open = route::param(&query, open).is_some();
        columns.fitting(room, sorted, is_pane_open)
    }

    /// Returns the number of cells per row.
    pub fn cells(self, column_set: ColumnSet) -> usize {
        self.columns(column_set).slots().len()
    }

    /// Changes the layout of the current page. Back returns to the previous one, unless `step` is set: then the
    /// change is part of a longer one.
    pub fn lay_out(self, layout: &Layout, step: bool) {
        let route = untrack(|| self.nav.route());
        let query = layout.put_into(&route.query);
        if step {
            self.nav.replace(&route.path, &query);
        } else {
            self.nav.navigate(&route.path, &query);
        }
    }

    /// Returns the row height that lists open with.
    pub fn density(self) -> Density {
        let stored = layout_storage(route::LEADS_PATH, self.persistent).read();
        Layout::from_query(LEAD_COLUMN_SET, &stored.unwrap_or_default()).density
    }

    /// Sets the row height that all lists open with.
    pub fn set_density(self, density: Density) {
        for path in [route::LEADS_PATH, route::ACCOUNTS_PATH] {
            let storage = layout_storage(path, self.persistent);
            let mut layout =
                Layout::from_query(column_set(path), &storage.read().unwrap_or_default());
            layout.density = density;
            storage.write(&layout.put_into(""));
        }
    }

    /// Sets the number of rows per request for all lists.
    pub fn set_page_size(self, rows: u32) {
        rows_storage(self.persistent).write(&rows.to_string());
        self.rows.set(rows);
    }

    /// Completes an address that was typed or followed from elsewhere with the default view, or with the last
    /// layout.
    fn complete_address(self) {
        let route = untrack(|| self.nav.route());
        if self.nav.is_fresh() {
            let query = if route.query.is_empty() {
                untrack(|| self.entry(&route.path))
            } else {
                self.laid_out(&route.path, &route.query)
            };
            self.nav.replace(&route.path, &query);
        }
    }

    /// Stores each change of a layout. The layout of a link from elsewhere is not stored.
    fn store_changes(self) {
        let last = StoredValue::new(None::<(String, Layout)>);
        Effect::new(move |_| {
            let route = self.nav.route();
            let layout = Layout::from_query(column_set(&route.path), &route.query);
            let now = (route.path, layout);
            let changed = last.with_value(|last| {
                let same_page = last.as_ref().filter(|last| last.0 == now.0);
                same_page.is_some_and(|last| last.1 != now.1)
            });
            if changed {
                layout_storage(&now.0, self.persistent).write(&now.1.put_into(""));
            }
            last.set_value(Some(now));
        });
    }

    /// Returns the query string with the last layout added, unless it has one.
    pub fn laid_out(self, path: &str, query: &str) -> String {
        if !is_list(path) || says_layout(query) {
            return query.to_owned();
        }
        let stored = layout_storage(path, self.persistent)
            .read()
            .unwrap_or_default();
        let layout = Layout::from_query(column_set(path), &stored);
        if layout == Layout::default() {
            return query.to_owned();
        }
        layout.put_into(query)
    }
}

fn rows_storage(persistent: bool) -> Storage {
    Storage::new("lead-workspace.rows", persistent)
}

fn layout_storage(path: &str, persistent: bool) -> Storage {
    let slot = if path == route::ACCOUNTS_PATH {
        "lead-workspace.layout.accounts"
    } else {
        "lead-workspace.layout.leads"
    };
    Storage::new(slot, persistent)
}
