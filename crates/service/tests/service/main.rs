//! Tests of the service, one module per subject.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

mod assets;
mod audit;
mod backup;
#[cfg(unix)]
mod balancer;
mod canary;
mod changes;
#[cfg(unix)]
mod changes_passed_on;
mod changes_program;
#[cfg(unix)]
mod citus;
mod columns;
mod common;
mod counts;
#[cfg(unix)]
mod crash;
mod custom_fields;
#[cfg(unix)]
mod database_tls;
mod demo;
mod docs_page;
mod doctor;
mod environment;
mod event_stream;
mod export;
mod export_round_trip;
mod facets;
mod fake_upstream;
mod gateway;
mod gateway_messages;
mod gateway_program;
mod gateway_secret;
mod gateway_stream;
mod gateway_wire;
mod health;
#[cfg(target_os = "linux")]
mod hostile;
mod import;
mod import_batches;
mod import_interrupted;
mod import_limits;
mod import_lines;
mod import_memory;
mod import_names;
mod import_page;
mod import_program;
mod import_workbook;
mod isolation;
mod key_rights;
mod keys;
mod lead_cache;
mod malformed;
mod memory;
mod metrics;
#[cfg(unix)]
mod moves;
mod openapi;
mod oracle;
mod origins;
mod overload;
mod packaging;
#[cfg(unix)]
mod processes;
mod program;
mod query;
mod query_accounts;
mod query_limits;
mod request_limits;
mod request_log;
mod results;
mod scoring;
mod scoring_rules;
mod scoring_turns;
mod security_headers;
mod slow;
mod start_key;
#[cfg(unix)]
mod statements;
mod store;
#[cfg(unix)]
mod tls;
mod validation;
mod walk;
mod workspace_deletion;
mod workspaces;
mod writes;
