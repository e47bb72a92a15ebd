//! The servers of the database: one with PostgreSQL, or several with Citus.

use std::process::Command;
use std::thread;

use anyhow::{Error, Result};
use lead_workspace_test_postgres::{Cluster, DURABLE, Database, Server};

use super::{MISSING, PROCESSES};
use crate::progress;
use crate::setup::citus;

/// Notes each score that is written. With Citus, a server notes its own.
const NOTE_SCORES: [&str; 3] = [
    "CREATE TABLE score_writes (tenant bigint, job_id text, lead bigint, list_id text)",
    "CREATE FUNCTION note_score() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN INSERT INTO score_writes VALUES (new.tenant, new.job_id, new.lead, new.list_id); RETURN new; END $$",
    "CREATE TRIGGER note_score AFTER INSERT OR UPDATE ON lead_scores FOR EACH ROW EXECUTE FUNCTION note_score()",
];

pub enum Victim {
    Process(usize),
    Server(usize),
}

pub enum Servers {
    One(&'static Server, Database),
    Several(&'static Cluster, Database),
}

impl Servers {
    /// Starts servers whose changes reach the disk. They end with this program.
    pub fn start(with_citus: bool) -> Result<Self> {
        if with_citus {
            citus::ensure()?;
            let cluster = Cluster::start_with(&DURABLE).map_err(Error::msg)?;
            let cluster: &'static Cluster = Box::leak(Box::new(cluster));
            return Ok(Self::Several(cluster, cluster.empty_database()));
        }
        let server = Server::start_with(&DURABLE).map_err(Error::msg)?;
        let server: &'static Server = Box::leak(Box::new(server));
        Ok(Self::One(server, server.empty_database()))
    }

    pub fn database(&self) -> &Database {
        match self {
            Self::One(_, database) | Self::Several(_, database) => database,
        }
    }

    /// Distributes the tables, if there are several servers.
    pub fn distribute(&self, mut command: Command) -> Result<()> {
        if let Self::Several(..) = self {
            progress::run("distribute", &mut command)?.or_fail("It was not distributed.")?;
        }
        Ok(())
    }

    /// Returns what is killed next, in turn. The first server is the one that the service asks.
    pub fn victim(&self, number: usize) -> Victim {
        match self {
            Self::One(..) => match number % (PROCESSES + 1) {
                PROCESSES => Victim::Server(0),
                process => Victim::Process(process),
            },
            Self::Several(cluster, _) => {
                let turn = number / 3;
                match number % 3 {
                    0 => Victim::Process(turn % PROCESSES),
                    1 => Victim::Server(1 + turn % cluster.workers().len()),
                    _ => Victim::Server(0),
                }
            }
        }
    }

    /// Kills a server, and starts it again.
    pub fn kill(&self, at: usize) {
        match self {
            Self::One(server, _) => server.restart(),
            Self::Several(cluster, _) => {
                let others = cluster.workers().into_iter();
                if let Some(server) = std::iter::once(cluster.coordinator()).chain(others).nth(at) {
                    server.stop();
                    thread::sleep(MISSING);
                    server.restart();
                }
            }
        }
    }

    /// Adds a server, and moves its share of the workspaces there. Returns how many shards it has then.
    pub fn grow(&self) -> Option<String> {
        let Self::Several(cluster, database) = self else {
            return None;
        };
        let (worker, name) = cluster.add_worker(database);
        note_on(worker, database);
        database.sql("SELECT rebalance_table_shards(shard_transfer_mode => 'force_logical')");
        let shards = format!(
            "SELECT count(*) FROM citus_shards WHERE nodename = '{name}' AND table_name = 'leads'::regclass"
        );
        Some(database.sql(&shards))
    }

    pub fn note_scores(&self) {
        if let Self::Several(cluster, database) = self {
            for worker in cluster.workers() {
                note_on(worker, database);
            }
        }
        for statement in NOTE_SCORES {
            self.database().sql(statement);
        }
    }

    /// Puts what was noted, and the jobs, where the checks find them: on the server that is asked.
    pub fn collect(&self) {
        let database = self.database();
        if let Self::Several(cluster, _) = self {
            for worker in cluster.workers() {
                let rows = "SELECT format('(%s,%L,%s,%L)', tenant, job_id, lead, list_id) FROM score_writes";
                let rows = worker.sql(database.name(), rows);
                let rows: Vec<&str> = rows.lines().collect();
                for some in rows.chunks(1000) {
                    database.sql(&format!(
                        "INSERT INTO score_writes VALUES {}",
                        some.join(",")
                    ));
                }
            }
        }
        database.sql("CREATE TABLE all_jobs AS SELECT tenant, job_id, status, total FROM jobs");
    }
}

/// Makes the table of a worker.
fn note_on(worker: &Server, database: &Database) {
    let table = format!("SET citus.enable_ddl_propagation = off; {}", NOTE_SCORES[0]);
    worker.sql(database.name(), &table);
}
