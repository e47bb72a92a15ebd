//! What the review screen talks about: plain values with their rules. No browser, no network, no
//! clock, so that all of it is tested natively.

pub mod account;
pub mod account_detail;
pub mod blame;
pub mod bulk_run;
pub mod chord;
pub mod columns;
pub mod command;
pub mod connection;
pub mod csv;
pub mod detail;
pub mod diagnosis;
pub mod facets;
pub mod filters;
pub mod history;
pub mod import;
pub mod jobs;
pub mod keymap;
pub mod layout;
pub mod lead;
pub mod link;
pub mod outbox;
pub mod pages;
pub mod palette;
pub mod place;
pub mod portfolio;
pub mod pulse;
pub mod recent;
pub mod relax;
pub mod saved;
pub mod selection;
pub mod tab;
pub mod time;
pub mod tree;
pub mod view;
pub mod window;
