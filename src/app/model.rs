//! Data types of the review screen and their rules. Pure: no browser, network or clock, so that all
//! of it is tested natively.

pub mod account;
pub mod account_detail;
pub mod account_pulse;
pub mod chord;
pub mod columns;
pub mod command;
pub mod csv;
pub mod deleted_leads;
pub mod diagnosis;
pub mod facet_options;
pub mod filters;
pub mod humanize;
pub mod import_report;
pub mod json_tree;
pub mod keymap;
pub mod known_workspaces;
pub mod layout;
pub mod lead;
pub mod lead_detail;
pub mod lead_tab;
pub mod page_cache;
pub mod palette_search;
pub mod portfolio_group;
pub mod portfolio_view;
pub mod recent_decisions;
pub mod rejected_filter;
pub mod route;
pub mod save_state;
pub mod saved_views;
pub mod scoring_jobs;
pub mod search_limit;
pub mod suggestions;
pub mod time;
pub mod view;
pub mod window;
