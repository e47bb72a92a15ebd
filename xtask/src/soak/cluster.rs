//! Three processes of the service on one PostgreSQL database, with clients in many workspaces, while the processes and
//! the servers of the database are killed and started again in turn.

mod servers;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use self::servers::{Servers, Victim};
use crate::build::{self, Flavour};
use crate::progress::{self, Outcome};
use crate::{package, repo};

const PROCESSES: usize = 3;
const WORKSPACES: usize = 10;
const LEADS_OF_EACH: usize = 10_000;
const CLIENTS_OF_EACH: usize = 2;
const KILLS: u32 = 20;
/// Twenty of processes, of the server that is asked, and of the others.
const KILLS_WITH_CITUS: u32 = 60;
const SECONDS: u64 = 600;

/// How long a process is missing after it was killed.
const MISSING: Duration = Duration::from_secs(1);

/// How long jobs may take after the clients have ended.
const JOBS_END: Duration = Duration::from_secs(120);

/// What must be true when the clients have ended, as a count of what is wrong.
const CHECKS: [(&str, &str); 3] = [
    (
        "scores were written twice by a job",
        "SELECT count(*) FROM (SELECT 1 FROM score_writes GROUP BY tenant, job_id, lead, list_id
         HAVING count(*) > 1) twice",
    ),
    (
        "targets of jobs were not scored",
        "SELECT coalesce(sum(total - written), 0) FROM (SELECT total,
           (SELECT count(DISTINCT lead) FROM score_writes s
            WHERE s.tenant = j.tenant AND s.job_id = j.job_id) AS written
         FROM all_jobs j) each WHERE total <> written",
    ),
    (
        "jobs did not succeed",
        "SELECT count(*) FROM all_jobs WHERE status <> 'succeeded'",
    ),
];

/// The part `cluster` of `cargo xtask soak`.
pub fn run(limit: Duration, with_citus: bool) -> Result<Outcome> {
    let (program, package) = (build::service(Flavour::Release)?, package::build()?);
    let dir = repo::target().join("xtask/cluster");
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir)?;
    let servers = Servers::start(with_citus)?;
    let cluster = Cluster {
        url_file: dir.join("database-url"),
        program,
        dir,
    };
    fs::write(&cluster.url_file, servers.database().url())?;
    servers.distribute(cluster.command(&["distribute"]))?;
    let (workspaces, key) = cluster.fill()?;
    servers.note_scores();
    let mut processes = (0..PROCESSES).map(|_| cluster.start(0));
    let mut processes = processes.by_ref().collect::<Result<Vec<_>>>()?;
    let seconds = limit.as_secs().min(SECONDS);
    let plan = json!({
        "package": package,
        "urls": processes.iter().map(|process| &process.url).collect::<Vec<_>>(),
        "key": key,
        "workspaces": workspaces,
        "clients": CLIENTS_OF_EACH,
        "seconds": seconds,
    });
    let clients = thread::spawn(move || {
        let mut node = Command::new("node");
        node.arg("tests/cluster/clients.mjs").arg(plan.to_string());
        progress::run("cluster", &mut node)
    });
    let began = Instant::now();
    let mut kills = 0;
    let mut grown = None;
    let planned = if with_citus { KILLS_WITH_CITUS } else { KILLS };
    for number in 1..=planned {
        if number == planned / 2 {
            grown = servers.grow();
        }
        let at = Duration::from_secs(seconds) * number / (planned + 1);
        while began.elapsed() < at && !clients.is_finished() {
            thread::sleep(Duration::from_millis(50));
        }
        if clients.is_finished() {
            break;
        }
        match servers.victim(number as usize) {
            Victim::Process(at) => {
                let port = processes[at].port;
                processes[at].kill();
                thread::sleep(MISSING);
                processes[at] = cluster.start(port)?;
            }
            Victim::Server(at) => servers.kill(at),
        }
        kills = number;
    }
    let ended = clients.join();
    let mut outcome = ended.unwrap_or_else(|_| bail!("the clients stopped"))?;
    if outcome.ok {
        let found = outcome.output.lines().last().unwrap_or_default();
        let found: Value = serde_json::from_str(found).context("the clients wrote no result")?;
        let mut text = report(&servers, &found, (kills, planned), began.elapsed())?;
        if let Some(shards) = grown {
            text.push_str(&format!(
                "soak: a server was added, and got {shards} shards of each table\n"
            ));
        }
        outcome.output = text;
    }
    drop(processes);
    Ok(outcome)
}

/// Checks the result, and describes it.
fn report(
    servers: &Servers,
    found: &Value,
    (kills, planned): (u32, u32),
    time: Duration,
) -> Result<String> {
    let database = servers.database();
    let open = "SELECT count(*) FROM jobs WHERE status NOT IN ('succeeded', 'failed')";
    let began = Instant::now();
    while database.sql(open) != "0" && began.elapsed() < JOBS_END {
        thread::sleep(Duration::from_millis(500));
    }
    let wrong = found["wrong"].as_array().map_or(&[][..], Vec::as_slice);
    ensure!(wrong.is_empty(), "clients saw wrong results: {wrong:#?}");
    servers.collect();
    for (what, count) in CHECKS {
        let count = database.sql(count);
        ensure!(count == "0", "{count} {what}");
    }
    let jobs = database.sql("SELECT count(*) FROM all_jobs");
    Ok(format!(
        "soak: {kills} of {planned} kills in {} s with {PROCESSES} processes: {} calls, {} decisions acknowledged, \
         {} uncertain, {} refused; {} of {} leads checked, none wrong; {jobs} jobs, each score written once\n\
         soak: calls took {} ms\n\
         soak: errors that clients saw: {}\n",
        time.as_secs(),
        found["calls"],
        found["acknowledged"],
        found["uncertain"],
        found["failed"],
        found["leads"],
        found["leads"],
        found["milliseconds"],
        found["errors"],
    ))
}

struct Cluster {
    program: PathBuf,
    dir: PathBuf,
    url_file: PathBuf,
}

struct Process {
    child: Child,
    url: String,
    port: u16,
}

impl Cluster {
    /// Fills the workspaces, and returns them with a key for all.
    fn fill(&self) -> Result<(Vec<String>, String)> {
        let workspaces: Vec<String> = (1..=WORKSPACES).map(|at| format!("team-{at}")).collect();
        let mut create = self.command(&["keys", "create", "--make-tenant"]);
        for workspace in &workspaces {
            create.args(["--tenant", workspace]);
        }
        let created = progress::run("key", &mut create)?.or_fail("No key was created.")?;
        let key = created.output.lines().find(|line| line.starts_with("lwk_"));
        let key = key.context("`keys create` printed no key")?.to_owned();
        for (seed, workspace) in workspaces.iter().enumerate() {
            let file = self.dir.join(format!("leads-of-{workspace}.csv"));
            let (leads, seed) = (LEADS_OF_EACH.to_string(), seed.to_string());
            let mut demo = Command::new(&self.program);
            demo.args(["demo", "--leads", &leads, "--seed", &seed, "--to"])
                .arg(&file);
            progress::run("demo leads", &mut demo)?.or_fail("There are no leads to import.")?;
            let mut import = self.command(&["import", "--no-score", "--tenant", workspace]);
            import.arg(&file);
            progress::run("import", &mut import)?.or_fail("The leads were not imported.")?;
        }
        Ok((workspaces, key))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(arguments)
            .arg("--database-file")
            .arg(&self.url_file);
        command
    }

    /// Starts a process, as often as needed: the database may be starting, too.
    fn start(&self, port: u16) -> Result<Process> {
        let began = Instant::now();
        loop {
            match self.try_start(port) {
                Err(_) if began.elapsed() < Duration::from_secs(30) => {
                    thread::sleep(Duration::from_millis(200));
                }
                started => return started,
            }
        }
    }

    fn try_start(&self, port: u16) -> Result<Process> {
        let mut serve = self.command(&["serve", "--no-start-key", "--port", &port.to_string()]);
        let mut child = serve
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("the service cannot be started")?;
        let mut ready = String::new();
        BufReader::new(child.stdout.take().context("no output")?).read_line(&mut ready)?;
        let url = ready.trim().strip_prefix("ready ");
        let Some(url) = url.map(|url| url.trim_end_matches('/')) else {
            child.wait()?;
            bail!("the service did not start");
        };
        let (_, port) = url.rsplit_once(':').context("an address has a port")?;
        Ok(Process {
            port: port.parse()?,
            url: url.to_owned(),
            child,
        })
    }
}

impl Process {
    fn kill(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
