//! Native tests of the client and the UI's logic, without a browser.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test may stop at once"
)]

mod account_detail;
mod accounts_view;
#[cfg(feature = "ui")]
mod added_columns;
#[cfg(feature = "ui")]
mod approval_model;
mod bulk_calls;
mod call;
mod change_stream;
mod change_stream_schedules;
#[cfg(feature = "ui")]
mod chart_picture;
mod client;
mod config;
mod engine;
mod errors;
#[cfg(feature = "ui")]
mod escapes;
mod event_parser;
mod extra;
mod gate;
mod gate_calls;
mod hooks;
#[cfg(feature = "ui")]
mod host_action;
mod ids;
mod jobs;
mod keys;
mod pages;
mod raw_types;
mod retry;
mod retry_after;
mod retry_budget;
#[cfg(feature = "ui")]
mod retry_pause;
mod stream_wire;
mod support;
mod walk;

#[cfg(feature = "ui")]
mod bulk_run;
#[cfg(feature = "ui")]
mod color;
#[cfg(feature = "ui")]
mod columns;
#[cfg(feature = "ui")]
mod custom_value;
#[cfg(feature = "ui")]
mod decided_rows;
#[cfg(feature = "ui")]
mod decision_log;
#[cfg(feature = "ui")]
mod decision_pace;
#[cfg(feature = "ui")]
mod deleted;
#[cfg(feature = "ui")]
mod deletion_schedules;
mod detail;
#[cfg(feature = "ui")]
mod diagnosis;
#[cfg(feature = "ui")]
mod facets;
#[cfg(feature = "ui")]
mod filters;
#[cfg(feature = "ui")]
mod first_query;
#[cfg(feature = "ui")]
mod fitted_columns;
#[cfg(feature = "ui")]
mod generated_leads;
mod history;
#[cfg(feature = "ui")]
mod import;
#[cfg(feature = "ui")]
mod insights;
#[cfg(feature = "ui")]
mod jobs_tray;
#[cfg(feature = "ui")]
mod key_sequences;
#[cfg(feature = "ui")]
mod keymap;
#[cfg(feature = "ui")]
mod lead;
#[cfg(feature = "ui")]
mod lead_facts;
#[cfg(feature = "ui")]
mod link;
#[cfg(feature = "ui")]
mod list_drift;
mod list_pages;
#[cfg(feature = "ui")]
mod live;
#[cfg(feature = "ui")]
mod live_schedules;
#[cfg(feature = "ui")]
mod menu_place;
#[cfg(feature = "ui")]
mod outbox;
#[cfg(feature = "ui")]
mod outbox_of_others;
#[cfg(feature = "ui")]
mod outbox_parts;
#[cfg(feature = "ui")]
mod outbox_retry;
#[cfg(feature = "ui")]
mod outbox_schedules;
mod outbox_tabs;
#[cfg(feature = "ui")]
mod page_read;
#[cfg(feature = "ui")]
mod palette;
#[cfg(feature = "ui")]
mod portfolio;
#[cfg(feature = "ui")]
mod pulse;
#[cfg(feature = "ui")]
mod pulse_chart;
mod pulse_timeline;
#[cfg(feature = "ui")]
mod recent;
mod recent_lists;
#[cfg(feature = "ui")]
mod rejected_filter;
#[cfg(feature = "ui")]
mod relaxations;
#[cfg(feature = "ui")]
mod review_session;
#[cfg(feature = "ui")]
mod route;
#[cfg(feature = "ui")]
mod save_state;
mod saved;
#[cfg(feature = "ui")]
mod selection;
mod signals;
mod style;
#[cfg(feature = "ui")]
mod tab;
#[cfg(feature = "ui")]
mod time;
#[cfg(feature = "ui")]
mod tree;
#[cfg(feature = "ui")]
mod view;
#[cfg(feature = "ui")]
mod window;
