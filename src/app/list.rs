//! What every list page has: layout, grid controller, filter bar, status bar and the details pane.

pub mod account_pane;
pub mod added_cells;
pub mod colleagues;
pub mod details_pane;
pub mod filter_bar;
pub mod filter_sidebar;
pub mod focus_mode;
mod focus_next;
mod focus_page;
mod focus_session;
pub mod grid_controller;
pub mod host_actions;
pub mod lead_pane;
pub mod list_layout;
pub mod live_line;
pub mod pulse_section;
pub mod review_commands;
pub mod row_events;
pub mod row_menu;
pub mod save_line;
pub mod select_company;
pub mod similar_accounts;
pub mod sort_menu;
pub mod status_bar;
pub mod suggestion;
pub mod toolbar;
