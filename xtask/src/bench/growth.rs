//! `cargo xtask bench growth`: what a list and the details of a lead cost with more servers, and with more workspaces, with
//! Citus. All servers are on this machine, so statements and processor time are counted, and not the rate.

use std::fs;

use anyhow::{Context, Error, Result};
use clap::Args;
use lead_workspace_test_postgres::{Cluster, Server};

use super::database_server::DatabaseServer;
use crate::build::{self, Flavour};
use crate::repo;

const WORKERS: [usize; 3] = [1, 2, 4];
const WORKSPACES: [usize; 4] = [1, 10, 100, 1000];

/// The body of a list.
const FIRST_PAGE: &str = r#"{"page_size": 50}"#;

/// Clock ticks per second in /proc: a constant of Linux.
const TICKS: f64 = 100.0;

const PRELOADED: [&str; 2] = ["-c", "shared_preload_libraries=citus,pg_stat_statements"];

/// Without those that count.
const STATEMENTS: &str = "SELECT coalesce(sum(calls), 0) FROM pg_stat_statements
    WHERE toplevel AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND query NOT LIKE '%pg_stat_statements%'";

#[derive(Args)]
pub struct Options {
    /// The number of demo leads.
    #[arg(long, default_value_t = 2_000)]
    leads: u64,
    /// How often each request is sent.
    #[arg(long, default_value_t = 2_000)]
    requests: usize,
}

pub fn run(options: &Options) -> Result<()> {
    let program = build::service(Flavour::Release)?;
    let dir = repo::target().join("xtask/bench/growth");
    println!(
        "| workers | request | median ms | statements and ms of processor time of the coordinator, and of each worker |"
    );
    println!("|---:|---|---:|---|");
    for workers in WORKERS {
        let cluster = Cluster::start_of(workers, &PRELOADED).map_err(Error::msg)?;
        let cluster: &'static Cluster = Box::leak(Box::new(cluster));
        let server = DatabaseServer::distributed(cluster, &dir, &program)?;
        let key = server.fill(&program, options.leads)?;
        let mut servers = vec![cluster.coordinator()];
        servers.extend(cluster.workers());
        let nodes = Nodes::of(servers, server.database_name())?;
        let mut service = server.serve(&program, &key, 1)?;
        let first = service.timed("POST", "/api/leads/query", FIRST_PAGE, "default")?;
        println!("| {workers} | first list of the process | {first:.2} | |");
        let page = service.call(
            "POST",
            "/api/leads/query",
            &serde_json::from_str(FIRST_PAGE)?,
            "default",
        )?;
        let leads = page["data"].as_array().context("a page without leads")?;
        let path = |at: usize| {
            let id = leads[at % leads.len()]["lead_id"]
                .as_str()
                .unwrap_or_default();
            format!("/api/leads/{id}")
        };
        let mut list = |_| service.timed("POST", "/api/leads/query", FIRST_PAGE, "default");
        nodes.print(&format!("{workers} | list"), options.requests, &mut list)?;
        let mut detail = |at| service.timed("GET", &path(at), "", "default");
        nodes.print(
            &format!("{workers} | details"),
            options.requests,
            &mut detail,
        )?;
        if workers == 2 {
            workspaces(&server, &program, options.requests)?;
        }
        service.stop()?;
    }
    Ok(())
}

/// Prints the time of a list while lists of other workspaces are read in turn.
fn workspaces(server: &DatabaseServer, program: &std::path::Path, requests: usize) -> Result<()> {
    for count in WORKSPACES {
        let key = server.workspaces(program, count)?;
        let mut service = server.serve(program, &key, 2)?;
        let mut times = Vec::new();
        for at in 0..requests {
            let other = match at % count {
                0 => "default".to_owned(),
                at => format!("team-{at}"),
            };
            service.timed("POST", "/api/leads/query", FIRST_PAGE, &other)?;
            times.push(service.timed("POST", "/api/leads/query", FIRST_PAGE, "default")?);
        }
        println!(
            "| 2 | list, {count} workspaces in turn | {:.2} | |",
            median(times)
        );
        service.stop()?;
    }
    Ok(())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The servers of a cluster: the coordinator, and then the workers.
struct Nodes {
    servers: Vec<(&'static Server, String)>,
    database: String,
}

impl Nodes {
    fn of(servers: Vec<&'static Server>, database: &str) -> Result<Self> {
        // Citus creates it on the others, too.
        servers[0].sql(database, "CREATE EXTENSION pg_stat_statements");
        let process = |server: &'static Server| {
            let text = server.sql("postgres", "SELECT pg_read_file('postmaster.pid')");
            let id = text.lines().next().context("no process of a server")?;
            Ok((server, id.to_owned()))
        };
        Ok(Self {
            servers: servers.into_iter().map(process).collect::<Result<_>>()?,
            database: database.to_owned(),
        })
    }

    /// Returns the statements and the seconds of processor time of each.
    fn used(&self) -> Vec<(f64, f64)> {
        let of = |(server, process): &(&'static Server, String)| {
            let statements = server.sql(&self.database, STATEMENTS);
            (statements.parse().unwrap_or(f64::NAN), seconds(process))
        };
        self.servers.iter().map(of).collect()
    }

    fn print(
        &self,
        name: &str,
        requests: usize,
        request: &mut dyn FnMut(usize) -> Result<f64>,
    ) -> Result<()> {
        for at in 0..requests / 10 {
            request(at)?;
        }
        let before = self.used();
        let times = (0..requests).map(request).collect::<Result<Vec<_>>>()?;
        let used = self.used().into_iter().zip(before);
        let each: Vec<String> = used
            .map(|(after, before)| {
                let each = |more: f64| more / requests as f64;
                let (statements, seconds) = (each(after.0 - before.0), each(after.1 - before.1));
                format!("{statements:.2}, {:.2}", seconds * 1000.0)
            })
            .collect();
        println!("| {name} | {:.2} | {} |", median(times), each.join(" · "));
        Ok(())
    }
}

/// Returns the processor time of a server and of all processes that it started.
fn seconds(server: &str) -> f64 {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ticks = all.filter_map(|process| {
        let stat = fs::read_to_string(process.path().join("stat")).ok()?;
        // The name before may contain spaces. The fields after it begin with the third.
        let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
        let is_it = process.file_name().to_str() == Some(server);
        let count = match is_it {
            true => 4,
            false if fields.get(1) == Some(&server) => 2,
            false => return None,
        };
        let ticks = fields.iter().skip(11).take(count);
        Some(
            ticks
                .filter_map(|ticks| ticks.parse::<u64>().ok())
                .sum::<u64>(),
        )
    });
    ticks.sum::<u64>() as f64 / TICKS
}
