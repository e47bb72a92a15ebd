//! A server whose text comes from SQLite.

use axum::{Router, routing::get};
use clap::Parser;
use rusqlite::Connection;

#[derive(Parser)]
struct Options {
    #[arg(long, default_value_t = 8080)]
    port: u16,
}

#[tokio::main]
async fn main() {
    let options = Options::parse();
    rustls::crypto::ring::default_provider().install_default().expect("no other provider");
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", options.port)).await.expect("a port");
    axum::serve(listener, Router::new().route("/text", get(text))).await.expect("requests");
}

async fn text() -> String {
    let database = Connection::open_in_memory().expect("memory");
    database.query_row("SELECT 'Hello'", [], |row| row.get(0)).expect("a row")
}
